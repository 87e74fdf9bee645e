"""The live roofline without a mouse."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from explorer.plot.live.roofline_chart import RooflineChart
from explorer.presentation.palette import LIGHT
from tests.plot.chart_hands import click, figure, press, same

# the offscreen platform says so for any window with a least size
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[QWidget]:
    """A field before the chart and one behind it."""
    made = QWidget()
    qtbot.addWidget(made)
    box = QVBoxLayout(made)
    before, chart, after = QLineEdit(), RooflineChart(), QLineEdit()
    for name, part in (("before", before), ("chart", chart), ("after", after)):
        part.setObjectName(name)
        box.addWidget(part)
    chart.take(figure(), None, LIGHT)

    def take(rows: tuple[str, ...]) -> None:
        chart.take(figure(selection=frozenset(rows)), chart.chosen, LIGHT)

    chart.selection_wanted.connect(take)
    made.resize(800, 700)
    made.show()
    made.activateWindow()
    qtbot.waitActive(made)
    yield made
    made.hide()


@pytest.fixture
def chart(window: QWidget) -> RooflineChart:
    found = window.findChild(RooflineChart)
    assert found is not None
    found.setFocus()
    return found


def test_a_press_of_the_mouse_brings_the_keys_to_the_chart(window: QWidget, qtbot: QtBot) -> None:
    chart, field = window.findChild(RooflineChart), window.findChild(QLineEdit)
    assert chart is not None
    assert field is not None
    field.setFocus()
    press(chart, chart.plot_rect().center())
    assert (chart.hasFocus(), field.hasFocus()) == (True, False)
    before = chart.visible
    qtbot.keyClick(QApplication.focusWidget(), Key.Key_Right)
    assert chart.visible != before


@pytest.mark.parametrize(
    ("key", "axis", "sign"),
    [(Key.Key_Right, 0, 1), (Key.Key_Left, 0, -1), (Key.Key_Up, 1, 1), (Key.Key_Down, 1, -1)],
)
def test_arrows_move_the_view_a_tenth_their_way(
    chart: RooflineChart, qtbot: QtBot, key: Qt.Key, axis: int, sign: int
) -> None:
    before = chart.visible
    qtbot.keyClick(chart, key)
    width = before[axis][1] - before[axis][0]
    assert chart.visible[axis][0] - before[axis][0] == pytest.approx(sign * 0.1 * width)
    assert chart.visible[1 - axis] == pytest.approx(before[1 - axis])


def test_plus_and_minus_zoom_about_the_middle(chart: RooflineChart, qtbot: QtBot) -> None:
    start = chart.visible
    qtbot.keyClick(chart, Key.Key_Plus)
    assert chart.visible.centre == pytest.approx(start.centre)
    assert chart.visible.x[0] > start.x[0]
    qtbot.keyClick(chart, Key.Key_Minus)
    assert same(chart.visible, start)


@pytest.mark.parametrize("key", [Key.Key_0, Key.Key_Home])
def test_zero_and_home_fit(chart: RooflineChart, qtbot: QtBot, key: Qt.Key) -> None:
    start = chart.visible
    qtbot.keyClick(chart, Key.Key_Plus)
    qtbot.keyClick(chart, Key.Key_Left)
    qtbot.keyClick(chart, key)
    assert same(chart.visible, start)


def test_keys_with_ctrl_are_left_to_the_window(chart: RooflineChart, qtbot: QtBot) -> None:
    start = chart.visible
    qtbot.keyClick(chart, Key.Key_Up, Qt.KeyboardModifier.ControlModifier)
    assert chart.visible == start


def test_tab_steps_through_the_points_and_then_leaves(window: QWidget, chart: RooflineChart, qtbot: QtBot) -> None:
    chosen = []
    for _ in range(3):
        qtbot.keyClick(chart, Key.Key_Tab)
        chosen.append(chart.figure.selection)
    assert chosen == [{"norm"}, {"up", "down"}, {"head"}]
    qtbot.keyClick(chart, Key.Key_Tab)
    assert QApplication.focusWidget() is window.findChild(QLineEdit, "after")


def test_shift_tab_steps_back_and_leaves_before_the_first(window: QWidget, chart: RooflineChart, qtbot: QtBot) -> None:
    shift = Qt.KeyboardModifier.ShiftModifier
    chart.selection_wanted.emit(("up", "down"))
    qtbot.keyClick(chart, Key.Key_Backtab, shift)
    assert chart.figure.selection == {"norm"}
    qtbot.keyClick(chart, Key.Key_Backtab, shift)
    assert QApplication.focusWidget() is window.findChild(QLineEdit, "before")


def test_escape_first_closes_the_fan_then_clears_the_selection(chart: RooflineChart, qtbot: QtBot) -> None:
    click(chart, chart.to_pixels(1.0, 13.5))
    assert chart.fan.isVisible()
    qtbot.keyClick(chart, Key.Key_Escape)
    assert not chart.fan.isVisible()
    assert chart.figure.selection == {"up", "down"}
    qtbot.keyClick(chart, Key.Key_Escape)
    assert chart.figure.selection == frozenset()


def test_escape_gives_up_a_box_zoom(chart: RooflineChart, qtbot: QtBot) -> None:
    chart.start_box_zoom()
    qtbot.keyClick(chart, Key.Key_Escape)
    assert not chart.mouse.box_mode


def test_focus_by_keyboard_is_shown(window: QWidget, chart: RooflineChart, qtbot: QtBot) -> None:
    chart.clearFocus()
    plain = chart.grab().toImage()
    chart.setFocus(Qt.FocusReason.TabFocusReason)
    assert chart.grab().toImage() != plain
