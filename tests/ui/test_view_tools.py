"""What a view offers stands beside the tabs, as buttons or as one menu."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.presentation.views.declared import VIEWS, ViewSpec, register_view
from explorer.ui.session import Session, Shown
from explorer.ui.settings import Settings
from explorer.ui.views import registered as tabs
from explorer.ui.views.registered import TellingTab, register_tab
from explorer.ui.views.view_tools import ViewTools
from explorer.ui.widgets.plain_text import PlainLabel
from explorer.ui.window import MainWindow


class OfferingTab(TellingTab):
    """A view with two actions."""

    def __init__(self, _session: Session) -> None:
        super().__init__()
        for words in ("Do this", "Do that"):
            action = QAction(words, self)
            action.triggered.connect(lambda _on=False, words=words: self.said.emit(words))
            self.addAction(action)

    def apply(self, _old: Shown | None, _new: Shown) -> None:
        """Nothing to show."""


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[MainWindow]:
    register_view(ViewSpec("offering", "Offering"))
    register_tab("offering", OfferingTab)
    made = make_window(opening_study(), Settings())
    made.resize(1600, 1000)
    made.show()
    qtbot.waitExposed(made)
    yield made
    del VIEWS["offering"], tabs._TABS["offering"]


def test_the_actions_of_the_view_in_sight_stand_beside_the_tabs(window: MainWindow) -> None:
    tools = window.tabs.cornerWidget()
    assert isinstance(tools, ViewTools)
    assert tools.buttons == []
    window.session.store.set_view(tab="offering")
    QApplication.processEvents()
    assert [b.text() for b in tools.buttons if b.isVisible()] == ["Do this", "Do that"]
    right = tools.mapTo(window.tabs, tools.rect().topRight()).x()
    assert window.tabs.width() - 20 < right <= window.tabs.width()
    window.session.store.set_view(tab="roofline")
    assert tools.buttons == []


def test_what_a_view_says_and_wants_reaches_the_window(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted: list[str] = []
    window.tabs.export_wanted.disconnect()
    window.tabs.export_wanted.connect(lambda: wanted.append("export"))
    window.session.store.set_view(tab="offering")
    view = window.tabs.views["offering"]
    assert isinstance(view, OfferingTab)
    view.export_wanted.emit()
    view.actions()[1].trigger()
    assert wanted == ["export"]
    assert "Do that" in [label.text() for label in window.notice.findChildren(PlainLabel)]


def test_where_there_is_little_room_one_menu_offers_all(qtbot: QtBot) -> None:
    tools = ViewTools()
    qtbot.addWidget(tools)
    tools.show_actions([QAction("Do this", tools), QAction("Do that", tools)])
    tools.fit(400)
    assert not tools.more.isVisibleTo(tools)
    whole = tools.sizeHint().width()
    tools.fit(whole - 1)
    assert [b.isVisibleTo(tools) for b in tools.buttons] == [False, False]
    assert tools.more.isVisibleTo(tools)
    assert tools.sizeHint().width() < whole
    assert [a.text() for a in tools.menu.actions()] == ["Do this", "Do that"]


def test_the_way_out_of_a_presentation_stands_behind_what_the_view_offers(window: MainWindow) -> None:
    window.session.store.set_view(tab="offering")
    window.presenting.enter()
    QApplication.processEvents()
    tools = window.tabs.cornerWidget()
    assert isinstance(tools, ViewTools)
    leave = window.presenting.leave_button
    assert leave.isVisible()
    offered = [b for b in (*tools.buttons, tools.more) if b.isVisible()]
    assert offered  # the actions, or their menu where the screen is narrow
    assert all(b.x() < leave.x() for b in offered)
    window.presenting.leave()
    assert not leave.isVisible()
