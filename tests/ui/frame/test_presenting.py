"""Presentation mode: answer and view alone, and all back as it was."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.actions import action_of
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot) -> Iterator[MainWindow]:
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue())
    made.resize(1280, 800)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.presenting.leave()
    made.hide()


def test_a_presentation_shows_answer_and_view_in_larger_type_and_escape_brings_all_back(
    window: MainWindow, qtbot: QtBot, qapp: QApplication
) -> None:
    points, sizes = qapp.font().pointSizeF(), window.middle.sizes()
    shown = (window.picker, window.decode_panel, window.tables, window.menuBar())
    before = [panel.isVisible() for panel in shown]
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: window.presenting.on)
    assert not any(panel.isVisible() for panel in shown)
    assert window.answer.isVisible()
    assert window.tabs.isVisible()
    assert qapp.font().pointSizeF() == pytest.approx(points * 1.3)
    assert window.actions_by_name["present"].isChecked()
    assert window.presenting.leave_button.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.presenting.on
    assert [panel.isVisible() for panel in shown] == before
    assert (qapp.font().pointSizeF(), window.actions_by_name["present"].isChecked()) == (points, False)
    qtbot.waitUntil(lambda: window.middle.sizes() == sizes)


def test_keys_of_the_menus_work_in_a_presentation(window: MainWindow, qtbot: QtBot) -> None:
    window.present()
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: window.session.store.study.workload.phase == "prefill")
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: window.tabs.current_view() == "time")


def test_a_window_that_is_closed_in_a_presentation_opens_with_its_panels(window: MainWindow, qtbot: QtBot) -> None:
    window.present()
    assert window.close()
    again = make_window(opening_study(), window.settings)
    qtbot.addWidget(again)
    again.show()
    assert again.picker.isVisible()
    assert not again.isFullScreen()


def test_the_key_of_the_baseline_swaps_it_with_the_active_device_and_back(window: MainWindow, qtbot: QtBot) -> None:
    store = window.session.store

    def both() -> tuple[str, str]:
        evaluation = window.session.state.evaluation
        assert evaluation.active is not None
        assert evaluation.baseline is not None
        return evaluation.active.entry.id, evaluation.baseline.entry.id

    first, second, third = (e.id for e in store.study.hardware)
    store.set_view(active_hardware=first, baseline=third)
    assert action_of("swap_baseline").shortcut == "Ctrl+B"
    qtbot.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert both() == (third, first)
    qtbot.keyClick(window, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert both() == (first, third)
    store.set_view(active_hardware=first, baseline="")
    window.swap_baseline()
    assert both() == (second, first)
    assert store.undo_stack.count() == 0


def test_one_device_has_no_baseline_to_swap_with_and_that_is_said(window: MainWindow) -> None:
    store = window.session.store
    store.edit("One", hardware=store.study.hardware[:1])
    window.swap_baseline()
    assert window.notice.sentences == ["Show a second device to swap the baseline with the active one."]


def test_the_key_of_messages_goes_to_the_last_one(window: MainWindow, qtbot: QtBot) -> None:
    window.notice.say("done")
    qtbot.keyClick(window, Qt.Key.Key_F6)
    assert window.notice.isAncestorOf(window.focusWidget())
