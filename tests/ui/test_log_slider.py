import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.presentation.quantities.log_scale import LogScale
from explorer.ui.widgets.log_slider import LogSlider, SliderMark

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


def slider(qtbot: QtBot) -> LogSlider:
    made = LogSlider(LogScale(1, 4096))
    qtbot.addWidget(made)
    made.resize(300, 40)
    made.show()
    made.activateWindow()
    made.setFocus()
    qtbot.waitUntil(made.hasFocus)
    return made


def test_a_click_goes_to_the_stop_under_it_and_a_drag_ends_once(qtbot: QtBot) -> None:
    made = slider(qtbot)
    values: list[int] = []
    ends: list[bool] = []
    made.edited.connect(values.append)
    made.released.connect(lambda: ends.append(True))
    left = Qt.MouseButton.LeftButton
    qtbot.mousePress(made, left, pos=QPoint(round(made.x_of(64)), 8))
    for batch in (128, 256):
        qtbot.mouseMove(made, QPoint(round(made.x_of(batch)), 8))
    qtbot.mouseRelease(made, left, pos=QPoint(round(made.x_of(256)), 8))
    assert values[0] == 64
    assert values[-1] == 256
    assert ends == [True]


def test_a_drag_whose_release_went_elsewhere_ends_and_the_pointer_alone_moves_nothing(qtbot: QtBot) -> None:
    made = slider(qtbot)
    ends: list[bool] = []
    made.released.connect(lambda: ends.append(True))
    qtbot.mousePress(made, Qt.MouseButton.LeftButton, pos=QPoint(round(made.x_of(64)), 8))
    at = QPointF(made.x_of(512), 8)
    none = Qt.MouseButton.NoButton
    over = QMouseEvent(QEvent.Type.MouseMove, at, made.mapToGlobal(at), none, none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(made, over)
    assert (made.value(), made.isSliderDown(), ends) == (64, False, [True])


def test_a_drag_ends_when_the_window_is_hidden(qtbot: QtBot) -> None:
    made = slider(qtbot)
    with qtbot.waitSignal(made.released):
        qtbot.mousePress(made, Qt.MouseButton.LeftButton, pos=QPoint(round(made.x_of(64)), 8))
        made.hide()
    assert not made.isSliderDown()


def test_keys_step_double_and_go_to_the_ends(qtbot: QtBot) -> None:
    made = slider(qtbot)
    made.show_value(8)
    for key, wanted in (
        (Qt.Key.Key_Right, 9),
        (Qt.Key.Key_Left, 8),
        (Qt.Key.Key_PageUp, 16),
        (Qt.Key.Key_PageDown, 8),
        (Qt.Key.Key_End, 4096),
        (Qt.Key.Key_Home, 1),
    ):
        qtbot.keyClick(made, key)
        assert made.value() == wanted


def test_a_key_ends_its_gesture_when_it_is_let_go(qtbot: QtBot) -> None:
    made = slider(qtbot)
    with qtbot.waitSignal(made.released):
        qtbot.keyClick(made, Qt.Key.Key_PageUp)


def _turn(made: LogSlider) -> QWheelEvent:
    at = QPointF(made.rect().center())
    none = QPoint(0, 0)
    keys, phase = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    return QWheelEvent(at, at, none, QPoint(0, 120), Qt.MouseButton.NoButton, keys, phase, False)  # noqa: FBT003


def test_the_wheel_moves_a_focused_slider_and_scrolls_past_others(qtbot: QtBot) -> None:
    made = slider(qtbot)
    made.show_value(8)
    made.wheelEvent(_turn(made))
    assert made.value() == 9
    made.clearFocus()
    event = _turn(made)
    made.wheelEvent(event)
    assert (made.value(), event.isAccepted()) == (9, False)


def test_showing_a_value_tells_nobody(qtbot: QtBot) -> None:
    made = slider(qtbot)
    with qtbot.assertNotEmitted(made.edited):
        made.show_value(77)
        made.set_scale(LogScale(1, 8192))
    assert made.value() == 77


def test_marks_stand_where_their_values_are(qtbot: QtBot) -> None:
    made = slider(qtbot)
    made.set_marks([SliderMark(64, "full", "Batch 64", wall=True)])
    assert made.x_of(64) - made.x_of(1) == (made.x_of(4096) - made.x_of(1)) / 2
    assert made.value_at(made.x_of(64)) == 64
    assert not made.grab().isNull()


def test_its_name_and_value_can_be_read_aloud(qtbot: QtBot) -> None:
    made = slider(qtbot)
    made.setAccessibleName("Batch")
    made.show_value(8)
    heard = QAccessible.queryAccessibleInterface(made)
    assert heard.text(QAccessible.Text.Name) == "Batch"
    assert heard.role() == QAccessible.Role.Slider
    assert heard.valueInterface().currentValue() == 8
