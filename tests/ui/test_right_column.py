"""Decode panel and inspector share the right column by what there is to say."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow
from tests.ui.decode_hands import without_model

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot) -> Iterator[MainWindow]:
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue())
    made.resize(1600, 1000)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.hide()


def test_nothing_of_the_decode_panel_scrolls_at_the_usual_size(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not window.decode_panel.plots[0].stale)
    assert window.decode_panel.verticalScrollBar().maximum() == 0


def test_the_table_shows_seven_rows_at_the_usual_size(window: MainWindow) -> None:
    view = window.tables.operators.view
    assert view.viewport().height() >= 7 * view.rowHeight(0)


def test_the_inspector_takes_the_room_that_plain_operators_leave(window: MainWindow) -> None:
    before = window.right.sizes()
    store = window.session.store
    store.replace(without_model(store.study), "No model")
    assert window.right.sizes()[1] > before[1]
    store.undo_stack.undo()
    assert window.right.sizes() == before


def test_the_chart_has_the_keyboard_first(window: MainWindow) -> None:
    chart = window.roofline.chart or window.roofline.still
    assert chart is not None
    assert window.focusWidget() is chart
