"""The window's layout holds with any face: nothing that is read is cut, be the letters narrow or wide."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.views.declared import tab_views
from explorer.ui.settings import Settings
from explorer.ui.widgets.elided import ElidedLabel
from explorer.ui.window import MainWindow

FACES = ("Inter", "DejaVu Sans", "Noto Sans CJK SC")
SIZES = ((1280, 800), (1600, 1000))
ROUNDING = 1  # pixels


@pytest.fixture(params=FACES)
def face(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    if request.param not in QFontDatabase.families():
        pytest.skip(f"{request.param} is not installed here; it is where every push is tested")
    before = QFont(qapp.font())
    font = QFont(before)
    font.setFamilies([request.param])
    qapp.setFont(font)
    yield request.param
    qapp.setFont(before)


@pytest.fixture
def window(face: str, qtbot: QtBot) -> MainWindow:
    made = make_window(opening_study(), Settings())
    made.resize(*SIZES[0])
    made.show()
    qtbot.waitExposed(made)
    made.take_catalogue(load_catalogue())  # as at a start: the list is there before the database
    qtbot.waitUntil(lambda: not made.answer.isHidden() and bool(made.picker.isVisible()))
    return made


def shown(window: QWidget) -> Iterator[QWidget]:
    """Every widget that can be seen and bears words of its own."""
    for child in window.findChildren(QWidget):
        if child.isVisible() and not child.visibleRegion().isEmpty() and not isinstance(child, ElidedLabel):
            yield child


def cut(window: QWidget) -> list[str]:
    """What is shown and has less room than its words need."""
    found = []
    for widget in shown(window):
        text = _words(widget)
        if not text:
            continue
        if isinstance(widget, QLabel) and widget.wordWrap():
            if widget.heightForWidth(widget.width()) > widget.height() + ROUNDING:
                found.append(f"{text!r}: {widget.heightForWidth(widget.width())} high in {widget.height()}")
        elif widget.sizeHint().width() > widget.width() + ROUNDING:
            found.append(f"{text!r}: {widget.sizeHint().width()} wide in {widget.width()}")
        elif widget.fontMetrics().height() > widget.height() + ROUNDING:
            found.append(f"{text!r}: {widget.fontMetrics().height()} high in {widget.height()}")
    return found


def _words(widget: QWidget) -> str:
    if isinstance(widget, QLabel | QAbstractButton):
        return widget.text() or (widget.accessibleName() if isinstance(widget, QAbstractButton) else "")
    if isinstance(widget, QComboBox):
        return widget.currentText()
    return " ".join(widget.tabText(i) for i in range(widget.count())) if isinstance(widget, QTabBar) else ""


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
@pytest.mark.parametrize("view", [v.name for v in tab_views()])
def test_nothing_in_the_window_is_cut(
    window: MainWindow, face: str, qtbot: QtBot, view: str, size: tuple[int, int]
) -> None:
    assert window.font().family() == face
    window.resize(*size)
    window.session.store.set_view(tab=view)
    qtbot.waitUntil(lambda: window.tabs.current_view() == view)
    QApplication.processEvents()
    assert window.size().toTuple() == size, "the window is as small as its user wants it"

    def whole() -> None:
        assert cut(window) == []

    qtbot.waitUntil(whole)  # charts and tables come in slices after the paint


@pytest.mark.parametrize("size", SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def test_rows_of_the_picker_are_as_high_as_their_lines(
    window: MainWindow, face: str, qtbot: QtBot, size: tuple[int, int]
) -> None:
    rows = window.picker.list
    window.resize(*size)
    QApplication.processEvents()
    rows.grab()
    short = [
        rows.rows.rows[i].name
        for i in range(min(12, len(rows.rows.rows)))
        if rows.visualRect(rows.rows.index(i)).height() < rows.sizeHintForIndex(rows.rows.index(i)).height()
    ]
    assert short == []
