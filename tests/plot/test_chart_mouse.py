"""The live roofline under mouse and wheel."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.plot.live.ranges import LIMITS, Ranges
from explorer.plot.live.roofline_chart import RooflineChart
from explorer.presentation.palette import LIGHT
from tests.plot.chart_hands import (
    ALT,
    CTRL,
    SHIFT,
    click,
    double_click,
    drag,
    figure,
    move,
    press,
    release,
    same,
    wheel,
    with_strip,
)


@pytest.fixture
def chart(qtbot: QtBot) -> Iterator[RooflineChart]:
    made = RooflineChart()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.take(figure(), None, LIGHT)
    made.show()
    qtbot.waitExposed(made)
    QApplication.processEvents()
    yield made
    made.hide()


@pytest.fixture
def chosen(chart: RooflineChart) -> list[tuple[str, ...]]:
    """Every selection wanted; the chart is shown each one, as a study would."""
    wanted: list[tuple[str, ...]] = []

    def take(rows: tuple[str, ...]) -> None:
        wanted.append(rows)
        chart.take(figure(selection=frozenset(rows)), chart.chosen, LIGHT)

    chart.selection_wanted.connect(take)
    return wanted


def middle(chart: RooflineChart) -> QPointF:
    return chart.plot_rect().center()


def widths(ranges: Ranges) -> tuple[float, float]:
    return ranges.x[1] - ranges.x[0], ranges.y[1] - ranges.y[0]


@pytest.mark.parametrize("notches", [1.0, -1.0, 0.25, 3.0])
def test_the_wheel_keeps_what_is_under_the_cursor(chart: RooflineChart, notches: float) -> None:
    pos = chart.plot_rect().topLeft() + QPointF(100.0, 150.0)
    before = chart.to_log(pos)
    wheel(chart, pos, notches)
    assert chart.to_log(pos) == pytest.approx(before)


def test_the_wheel_zooms_both_axes_alike_so_that_decades_stay_equal(chart: RooflineChart) -> None:
    x, y = widths(chart.visible)
    wheel(chart, middle(chart), 2.0)
    after = widths(chart.visible)
    assert after[0] / x == pytest.approx(after[1] / y)
    assert after[0] < x


def test_shift_zooms_only_the_intensities_and_alt_only_the_rates(chart: RooflineChart) -> None:
    start = chart.visible
    wheel(chart, middle(chart), 1.0, SHIFT)
    assert chart.visible.y == pytest.approx(start.y)
    assert widths(chart.visible)[0] < widths(start)[0]
    across = chart.visible
    wheel(chart, middle(chart), 1.0, ALT)
    assert chart.visible.x == pytest.approx(across.x)
    assert widths(chart.visible)[1] < widths(across)[1]


def test_the_wheel_over_an_axis_zooms_that_axis_alone(chart: RooflineChart) -> None:
    start, plot = chart.visible, chart.plot_rect()
    wheel(chart, QPointF(plot.center().x(), plot.bottom() + 10), 1.0)
    assert chart.visible.y == pytest.approx(start.y)
    assert widths(chart.visible)[0] < widths(start)[0]


def test_absurd_zoom_ends_at_the_limits(chart: RooflineChart) -> None:
    for _ in range(100):
        wheel(chart, middle(chart), -1e6)
    assert chart.visible == LIMITS
    for _ in range(400):
        wheel(chart, middle(chart), 1e6)
    assert 0.0 < widths(chart.visible)[0] < 0.05


def test_a_drag_moves_the_plot_with_the_pointer(chart: RooflineChart) -> None:
    start = middle(chart)
    grabbed = chart.to_log(start)
    end = start + QPointF(60.0, -40.0)
    drag(chart, start, end)
    assert chart.to_log(end) == pytest.approx(grabbed)


def test_a_drag_is_not_a_click(chart: RooflineChart, chosen: list[tuple[str, ...]]) -> None:
    on_point = chart.to_pixels(2.0, 14.5)
    drag(chart, on_point, on_point + QPointF(50.0, 0.0))
    assert chosen == []


def test_a_hand_that_trembles_still_clicks(chart: RooflineChart, chosen: list[tuple[str, ...]]) -> None:
    start, on_point = chart.visible, chart.to_pixels(2.0, 14.5)
    press(chart, on_point)
    move(chart, on_point + QPointF(2.0, 1.0), held=True)
    release(chart, on_point + QPointF(2.0, 1.0))
    assert chosen == [("head",)]
    assert chart.visible == start


def test_a_click_selects_every_operator_of_a_ring(chart: RooflineChart, chosen: list[tuple[str, ...]]) -> None:
    click(chart, chart.to_pixels(1.0, 13.5))
    assert chosen == [("up", "down")]


def test_ctrl_adds_a_point_and_takes_it_away_again(chart: RooflineChart, chosen: list[tuple[str, ...]]) -> None:
    click(chart, chart.to_pixels(2.0, 14.5))
    click(chart, chart.to_pixels(0.0, 12.5), CTRL)
    assert set(chosen[-1]) == {"head", "norm"}
    click(chart, chart.to_pixels(2.0, 14.5), CTRL)
    assert chosen[-1] == ("norm",)


def test_a_click_beside_every_point_clears_the_selection(chart: RooflineChart, chosen: list[tuple[str, ...]]) -> None:
    click(chart, chart.to_pixels(2.0, 14.5))
    click(chart, chart.to_pixels(3.5, 12.0))
    assert chosen[-1] == ()


def test_a_double_click_fits_and_leaves_the_selection(chart: RooflineChart, chosen: list[tuple[str, ...]]) -> None:
    start = chart.visible
    click(chart, chart.to_pixels(2.0, 14.5))
    wheel(chart, middle(chart), 2.0)
    double_click(chart, QPointF(chart.plot_rect().right() - 30, chart.plot_rect().bottom() - 40))
    assert same(chart.visible, start)
    assert chart.chosen is None
    assert chosen[-1] == ("head",)


def test_a_box_drawn_with_shift_fills_the_plot(chart: RooflineChart) -> None:
    start, end = chart.to_pixels(0.5, 14.0), chart.to_pixels(2.5, 12.5)
    drag(chart, start, end, SHIFT)
    assert chart.visible.x == pytest.approx((0.5, 2.5), abs=0.02)
    assert chart.visible.y == pytest.approx((12.5, 14.0), abs=0.02)


def test_box_zoom_from_the_menu_takes_one_drag(chart: RooflineChart) -> None:
    chart.start_box_zoom()
    drag(chart, chart.to_pixels(0.5, 14.0), chart.to_pixels(2.5, 12.5))
    boxed = chart.visible
    drag(chart, middle(chart), middle(chart) + QPointF(40.0, 0.0))
    assert widths(chart.visible) == pytest.approx(widths(boxed))
    assert chart.visible.x[0] < boxed.x[0]


def test_the_rubber_band_shows_while_a_box_is_drawn(chart: RooflineChart) -> None:
    start, end = chart.to_pixels(0.5, 14.0), chart.to_pixels(2.5, 12.5)
    press(chart, start, SHIFT)
    move(chart, end, held=True, keys=SHIFT)
    assert chart._band.isVisible()
    assert chart._band.geometry() == QRectF(start, end).toAlignedRect()
    release(chart, end, SHIFT)
    assert not chart._band.isVisible()


def test_zoom_goes_back_and_forward_gesture_by_gesture(chart: RooflineChart) -> None:
    start = chart.visible
    drag(chart, middle(chart), middle(chart) + QPointF(80.0, 0.0))
    chart.settle()
    panned = chart.visible
    for _ in range(5):  # one turn of the hand
        wheel(chart, middle(chart), 1.0)
    chart.settle()
    zoomed = chart.visible
    chart.zoom_back()
    assert same(chart.visible, panned)
    chart.zoom_back()
    assert same(chart.visible, start)
    chart.zoom_back()
    assert same(chart.visible, start)
    chart.zoom_forward()
    chart.zoom_forward()
    assert same(chart.visible, zoomed)


def test_the_view_is_told_once_after_a_burst_of_turns(chart: RooflineChart, qtbot: QtBot) -> None:
    told: list[object] = []
    chart.view_settled.connect(told.append)
    for _ in range(6):
        wheel(chart, middle(chart), 1.0)
    assert told == []
    qtbot.waitUntil(lambda: bool(told))
    assert told == [chart.visible]


def test_the_card_goes_as_the_pointer_leaves_the_chart_from_a_point(chart: RooflineChart) -> None:
    chart.describe_target = lambda _target: "text"
    at = chart.to_pixels(1.0, 13.5)
    for held, gone in ((False, True), (True, False)):
        move(chart, at)
        assert chart.card.isVisible()
        if held:
            press(chart, at)
        for left in (chart.viewport(), chart):  # as Qt tells both
            QApplication.sendEvent(left, QEvent(QEvent.Type.Leave))
        assert chart.card.isHidden() is gone
    release(chart, at)


def test_hover_shows_what_the_point_says_and_leaves_with_the_pointer(chart: RooflineChart) -> None:
    chart.describe_target = lambda target: f"{target.rows[0]}\nintensity\t10"
    move(chart, chart.to_pixels(1.0, 13.5))
    assert chart.card.isVisible()
    assert chart.card.text == "up\nintensity\t10"
    assert chart.viewport().cursor().shape() == Qt.CursorShape.PointingHandCursor
    move(chart, chart.to_pixels(3.5, 12.0))
    assert not chart.card.isVisible()


def test_the_card_stays_inside_the_chart(chart: RooflineChart) -> None:
    chart.describe_target = lambda _target: "a long line of text about a point\n" * 10
    for x, y in ((0.0, 12.5), (1.0, 13.5), (2.0, 14.5)):
        move(chart, chart.to_pixels(x, y))
        assert chart.viewport().rect().contains(chart.card.geometry())


def test_operators_without_flops_are_hovered_and_chosen_in_their_strip(
    chart: RooflineChart, chosen: list[tuple[str, ...]]
) -> None:
    chart.take(with_strip(), None, LIGHT)
    layout = chart.picture.layout
    assert layout is not None
    at = layout.strips[0][1].center()
    move(chart, at)
    assert chart.card.text == "lookup 1 %"
    click(chart, at)
    assert chosen[0] == ("lookup",)


def test_a_clicked_ring_fans_out_and_each_member_can_be_chosen(
    chart: RooflineChart, chosen: list[tuple[str, ...]], qtbot: QtBot
) -> None:
    click(chart, chart.to_pixels(1.0, 13.5))
    assert chart.fan.isVisible()
    assert chart.fan.names == ("up", "down")
    assert chart.viewport().rect().contains(chart.fan.geometry())
    qtbot.mouseClick(chart.fan, Qt.MouseButton.LeftButton, pos=chart.fan.row_rect(1).center().toPoint())
    assert chosen[-1] == ("down",)


def test_a_single_point_does_not_fan_out(chart: RooflineChart, chosen: list[tuple[str, ...]]) -> None:
    click(chart, chart.to_pixels(2.0, 14.5))
    assert not chart.fan.isVisible()


def test_the_right_button_asks_for_the_menu_of_the_rows_under_it(chart: RooflineChart) -> None:
    from PySide6.QtGui import QContextMenuEvent

    asked: list[tuple[str, ...]] = []
    chart.menu_wanted.connect(lambda _pos, rows: asked.append(rows))
    for x, y in ((1.0, 13.5), (3.5, 12.0)):
        pos = chart.to_pixels(x, y).toPoint()
        reason = QContextMenuEvent.Reason.Mouse
        QApplication.sendEvent(chart.viewport(), QContextMenuEvent(reason, pos, chart.viewport().mapToGlobal(pos)))
    assert asked == [("up", "down"), ()]


def test_what_the_mouse_does_over_the_chart_goes_no_further(chart: RooflineChart) -> None:
    at, left, none = chart.plot_rect().center(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    kind, phase = QEvent.Type.MouseMove, Qt.ScrollPhase.NoScrollPhase
    for handler, event in (
        (chart.mouseMoveEvent, QMouseEvent(kind, at, at, left, left, none)),
        (chart.mouseReleaseEvent, QMouseEvent(kind, at, at, left, left, none)),
        (chart.mouseDoubleClickEvent, QMouseEvent(kind, at, at, left, left, none)),
        (chart.wheelEvent, QWheelEvent(at, at, QPoint(), QPoint(0, 120), left, none, phase, False)),  # noqa: FBT003
        (chart.leaveEvent, QEvent(QEvent.Type.Leave)),
    ):
        event.ignore()
        handler(event)
        assert event.isAccepted()
