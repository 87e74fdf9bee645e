"""Decode panel and inspector share the right column by what there is to say."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.models.presets import load_presets
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow

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


def low(window: MainWindow, qtbot: QtBot, width: int, height: int) -> None:
    window.resize(width, height)
    qtbot.waitUntil(lambda: window.right.low)
    qtbot.waitUntil(lambda: not window.decode_panel.plots[0].stale)


@pytest.mark.parametrize("size", [(1280, 800), (1280, 720)])
@pytest.mark.parametrize("face", ["Inter", "DejaVu Sans"])
@pytest.mark.parametrize("phase", ["prefill", "decode"])
@pytest.mark.parametrize("routed", [False, True])
def test_nothing_of_the_decode_panel_is_cut_or_scrolls_in_a_small_window(
    window: MainWindow, qtbot: QtBot, qapp: QApplication, size: tuple[int, int], face: str, phase: str, routed: bool
) -> None:
    usual = qapp.font()
    font = QFont(usual)
    font.setFamilies([face])
    qapp.setFont(font)
    try:
        if routed:
            store = window.session.store
            entry = next(m for m in load_presets() if m.id == "gpt-oss-120b")
            store.edit("Model", models=(entry,), active_model=entry.id)
        window.session.store.edit_workload("Phase", phase=phase)
        low(window, qtbot, *size)
        QApplication.processEvents()
        panel = window.decode_panel
        assert panel.skew.isVisible() == routed
        assert panel.verticalScrollBar().maximum() == 0
        assert panel.horizontalScrollBar().maximum() == 0
        for plot in panel.plots:
            assert plot.height() >= plot.minimumSizeHint().height()
            assert panel.viewport().rect().contains(QRect(plot.mapTo(panel.viewport(), QPoint()), plot.size()))
        assert window.width() == size[0]
    finally:
        qapp.setFont(usual)


def test_a_low_window_shows_the_step_or_how_it_comes_about(window: MainWindow, qtbot: QtBot) -> None:
    low(window, qtbot, 1280, 800)
    assert window.decode_panel.isVisible()
    assert not window.inspector.isVisible()
    window.decode_panel.tiles["floor_s"].click()
    assert window.inspector.isVisible()
    assert not window.decode_panel.isVisible()
    assert window.right.choices[1].isVisible()
    window.right.choices[1].buttons["run"].click()
    assert window.decode_panel.isVisible()
    window.resize(1600, 1000)
    qtbot.waitUntil(lambda: not window.right.low)
    assert window.decode_panel.isVisible()
    assert window.inspector.isVisible()
    assert not any(choice.isVisible() for choice in window.right.choices)


def test_further_options_stand_beside_the_panel_and_move_nothing(window: MainWindow, qtbot: QtBot) -> None:
    low(window, qtbot, 1280, 800)
    QApplication.processEvents()
    panel = window.decode_panel
    before = [panel.batch.geometry(), panel.memory.geometry(), panel.plots[0].geometry()]
    panel.more.fold.click()
    QApplication.processEvents()
    assert [panel.batch.geometry(), panel.memory.geometry(), panel.plots[0].geometry()] == before
    here = panel.more.geometry()
    assert window.rect().contains(here)
    assert here.right() < panel.mapTo(window, QPoint()).x()
    assert panel.more.height() >= panel.more.minimumSizeHint().height()
    panel.more.activations.combo.setFocus()
    qtbot.keyClick(panel.more.activations.combo, Qt.Key.Key_Escape)
    assert not panel.more.isVisible()
    assert not panel.more.fold.isChecked()


def test_the_chart_has_the_keyboard_first(window: MainWindow) -> None:
    chart = window.roofline.chart or window.roofline.still
    assert chart is not None
    assert window.focusWidget() is chart
