"""Where panels stood when the window was closed they stand when it is opened."""

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings
from explorer.ui.views.compare_tab import CompareTab
from explorer.ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


def comparing(qtbot: QtBot, settings: Settings) -> tuple[MainWindow, CompareTab]:
    window = make_window(opening_study(), settings)
    window.take_catalogue(load_catalogue())
    window.resize(1600, 1000)
    with qtbot.waitExposed(window):
        window.show()
    window.session.store.set_view(tab="compare")
    QApplication.processEvents()
    view = window.tabs.views["compare"]
    assert isinstance(view, CompareTab)
    view.finish()
    return window, view


@pytest.mark.usefixtures("qapp")
def test_table_and_charts_of_the_comparison_are_parted_as_they_were_by_hand(qtbot: QtBot) -> None:
    settings = Settings()
    window, view = comparing(qtbot, settings)
    window.places.keep()
    assert settings.layout("compare") is None  # until it was moved by hand
    usual = view.split.sizes()
    view.split.setSizes([usual[0] + 60, usual[1] - 60])
    view.split.splitterMoved.emit(usual[0] + 60, 1)
    moved = view.split.sizes()
    assert moved != usual
    window.places.keep()
    window.hide()
    again, later = comparing(qtbot, Settings())
    assert later.split.sizes() == pytest.approx(moved, abs=2)
    again.hide()
