"""The live roofline: what it holds on to between figures, what a hand changes, what it draws on top."""

from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QNativeGestureEvent, QPointingDevice
from PySide6.QtWidgets import QApplication

from explorer.plot.live.ranges import Ranges
from explorer.plot.live.roofline_chart import RooflineChart
from explorer.presentation.palette import DARK, LIGHT
from explorer.presentation.roofline.figure import Crowd
from tests.plot.chart_hands import (
    CTRL,
    click,
    double_click,
    figure,
    mark,
    move,
    over,
    press,
    same,
    wheel,
)


@pytest.fixture
def wanted(chart: RooflineChart) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    chart.selection_wanted.connect(found.append)
    return found


@pytest.fixture
def settled(chart: RooflineChart) -> list[Ranges | None]:
    found: list[Ranges | None] = []
    chart.view_settled.connect(found.append)
    return found


def middle(chart: RooflineChart) -> QPointF:
    return chart.plot_rect().center()


def empty(chart: RooflineChart) -> QPointF:
    return chart.to_pixels(3.5, 12.0)


# ranges


def test_ranges_of_the_study_are_told_once_and_then_the_hand_counts(chart: RooflineChart) -> None:
    view = Ranges((0.0, 2.0), (12.0, 14.0))
    chart.take(figure(), view, LIGHT)
    assert chart.visible == view
    wheel(chart, middle(chart), 1.0)
    zoomed = chart.visible
    chart.take(figure(), view, LIGHT)
    assert chart.visible == zoomed
    chart.take(figure(), None, LIGHT)
    assert chart.chosen is None
    assert not chart._settle.isActive()
    assert chart.visible.x[0] <= -1.0


def test_a_fit_is_held_until_something_leaves_it(chart: RooflineChart) -> None:
    start = chart.visible
    wider = {"x_range": (-2.0, 5.0), "y_range": (10.5, 16.0)}
    for inside in (
        figure(**wider),
        figure(marks=(mark(0.0, 12.0),), **wider),
        figure(crowds=(Crowd((mark(1, 13),), (1.0, 1.0), (13.0, 13.0)),), **wider),
    ):
        chart.take(inside, None, LIGHT)
        assert chart.visible == start
    for outside in (
        figure(marks=(mark(-1.9, 12.0),), **wider),
        figure(crowds=(Crowd((mark(1, 13),), (-1.9, 1.0), (13.0, 13.0)),), **wider),
        figure(crowds=(Crowd((mark(1, 13),), (1.0, 1.0), (13.0, 15.99)),), **wider),
        figure(x_title="per value", **wider),
        figure(roofs=figure().roofs[:1], **wider),
    ):
        chart.take(figure(), Ranges((0.0, 1.0), (12.0, 13.0)), LIGHT)
        chart.take(figure(), None, LIGHT)
        chart._fit = None
        chart.take(figure(), None, LIGHT)
        assert same(chart.visible, start)
        chart.take(outside, None, LIGHT)
        assert chart.visible.x[0] <= -2.0


def test_a_pan_moves_by_pixels(chart: RooflineChart) -> None:
    start, (across, up) = chart.visible, chart.per_decade()
    chart.pan_pixels(QPointF(across / 2, up / 4))
    assert chart.visible.x == pytest.approx((start.x[0] - 0.5, start.x[1] - 0.5))
    assert chart.visible.y == pytest.approx((start.y[0] + 0.25, start.y[1] + 0.25))


def test_what_is_under_the_pointer_stays_there_though_tick_texts_grow(chart: RooflineChart) -> None:
    chart.take(figure(), Ranges((0.0, 3.0), (11.1, 13.1)), LIGHT)
    at = middle(chart)
    for factor in (0.02, 30.0, 0.3):
        before = chart.to_log(at)
        chart.zoom_pixels(at, factor)
        assert chart.to_log(at) == pytest.approx(before, abs=1e-6)
    grabbed = chart.to_log(at)
    chart.pan_pixels(QPointF(200, 100), at + QPointF(200, 100))
    assert chart.to_log(at + QPointF(200, 100)) == pytest.approx(grabbed, abs=1e-6)


def test_a_turn_of_the_wheel_zooms_both_axes(chart: RooflineChart) -> None:
    before = chart.visible
    chart.zoom_pixels(middle(chart), 0.5)
    after = chart.visible
    for one, other in ((before.x, after.x), (before.y, after.y)):
        assert other[1] - other[0] == pytest.approx((one[1] - one[0]) / 2, rel=0.05)


def test_a_box_too_thin_for_a_view_zooms_to_the_narrowest_and_can_be_gone_back_from(chart: RooflineChart) -> None:
    start = chart.visible
    plot = chart.plot_rect()
    chart.zoom_to(QRectF(plot.left() + 100, plot.top() + 50, 200, 100))
    low = start.x[0] + 100 / plot.width() * (start.x[1] - start.x[0])
    assert chart.visible.x[0] == pytest.approx(low)
    high = start.y[1] - 50 / plot.height() * (start.y[1] - start.y[0])
    assert chart.visible.y[1] == pytest.approx(high)
    assert chart.history.can_go_back
    chart.zoom_back()
    assert same(chart.visible, start)


def test_fit_back_and_forward_settle_at_once(chart: RooflineChart, settled: list[Ranges | None]) -> None:
    chart.zoom_back()
    chart.zoom_forward()
    assert settled == []
    chart.fit()
    assert settled == [None]
    assert not chart.history.can_go_back, "it was fitted already"
    chart.zoom_centre(0.5)
    zoomed = chart.chosen
    assert settled == [None]
    assert chart._settle.isActive()
    chart.fit()
    assert not chart._settle.isActive()
    chart.zoom_back()
    assert chart.chosen == zoomed
    chart.zoom_forward()
    assert chart.chosen is None
    assert settled == [None, None, zoomed, None]


def test_gestures_close_the_fan_and_end_the_hover(chart: RooflineChart) -> None:
    for act in (lambda: chart.zoom_centre(0.9), lambda: chart.pan_pixels(QPointF(3, 3))):
        move(chart, chart.to_pixels(2.0, 14.5))
        assert chart.hovered is not None
        act()
        assert chart.hovered is None
        click(chart, chart.to_pixels(1.0, 13.5))
        assert chart.fan.isVisible()
        act()
        assert not chart.fan.isVisible()
    click(chart, chart.to_pixels(1.0, 13.5))
    chart.fit()
    assert not chart.fan.isVisible()


@pytest.mark.parametrize("way", ["fit", "zoom_back", "zoom_forward"])
def test_a_view_gone_to_leaves_no_ring_and_card_where_the_point_was(chart: RooflineChart, way: str) -> None:
    chart.zoom_centre(0.9)
    if way == "zoom_forward":
        chart.zoom_back()
    move(chart, chart.to_pixels(2.0, 14.5))
    assert chart.hovered is not None
    getattr(chart, way)()
    assert chart.hovered is None
    assert not chart.card.isVisible()


def test_other_points_close_the_fan_and_end_the_hover_and_the_same_ones_do_not(chart: RooflineChart) -> None:
    shown = figure()
    chart.take(shown, None, LIGHT)
    click(chart, chart.to_pixels(1.0, 13.5))
    chart.take(replace(shown, selection=frozenset({"up"})), None, DARK)
    assert chart.fan.isVisible()
    assert chart.fan.selection == {"up"}
    assert chart.fan.theme is chart.card.theme is chart._band.theme is DARK
    chart.take(figure(), None, LIGHT)
    assert not chart.fan.isVisible()
    move(chart, chart.to_pixels(2.0, 14.5))
    chart.take(figure(), None, LIGHT)
    assert chart.hovered is None
    assert not chart.card.isVisible()


# hand


def shape(chart: RooflineChart) -> Qt.CursorShape:
    return chart.viewport().cursor().shape()


def test_the_pointer_shows_what_a_press_would_do(chart: RooflineChart) -> None:
    move(chart, chart.to_pixels(2.0, 14.5))
    assert shape(chart) == Qt.CursorShape.PointingHandCursor
    move(chart, empty(chart))
    assert shape(chart) == Qt.CursorShape.ArrowCursor
    chart.start_box_zoom()
    assert shape(chart) == Qt.CursorShape.CrossCursor
    move(chart, chart.to_pixels(2.0, 14.5))
    assert shape(chart) == Qt.CursorShape.CrossCursor
    assert chart.mouse.box_mode
    chart.show_band(QRectF(100, 100, 50, 50))
    assert shape(chart) == Qt.CursorShape.CrossCursor
    assert chart._band.isVisible()
    chart.show_band(None)
    assert shape(chart) == Qt.CursorShape.ArrowCursor
    assert not chart._band.isVisible()


def test_a_drag_over_a_point_shows_no_card(chart: RooflineChart) -> None:
    at = chart.to_pixels(2.0, 14.5)
    press(chart, at)
    move(chart, at + QPointF(40, 0), held=True)
    assert shape(chart) == Qt.CursorShape.ArrowCursor
    assert not chart.card.isVisible()


def test_a_ring_around_what_is_pointed_at_and_the_plot_where_the_focus_came_by_key(chart: RooflineChart) -> None:
    chart.clearFocus()
    assert over(chart) == []
    move(chart, chart.to_pixels(2.0, 14.5))
    (ring,) = over(chart)
    size = chart.radius(chart.figure.marks[2]) + 2.5
    at = chart.to_pixels(2.0, 14.5)
    assert (ring.kind, ring.at, ring.pen) == ("ellipse", pytest.approx((at.x(), at.y(), size, size)), "#2563eb/1.5")
    for reason, shown in (
        (Qt.FocusReason.TabFocusReason, True),
        (Qt.FocusReason.MouseFocusReason, False),
        (Qt.FocusReason.BacktabFocusReason, True),
        (Qt.FocusReason.ShortcutFocusReason, True),
        (Qt.FocusReason.OtherFocusReason, False),
    ):
        chart.hover(None)
        QApplication.sendEvent(chart, QFocusEvent(QEvent.Type.FocusIn, reason))
        assert [d.kind for d in over(chart)] == (["rect"] if shown else [])
        if shown:
            assert over(chart)[0].at == pytest.approx(chart.plot_rect().getRect())
        move(chart, chart.to_pixels(2.0, 14.5))
        QApplication.sendEvent(chart, QFocusEvent(QEvent.Type.FocusOut, Qt.FocusReason.OtherFocusReason))
        assert over(chart) == []


def test_the_card_stands_beside_the_ring(chart: RooflineChart) -> None:
    at = chart.to_pixels(0.0, 12.5)
    move(chart, at)
    gap = chart.radius(chart.figure.marks[0]) + 8.0
    assert (chart.card.x() - at.x(), abs(chart.card.y() - at.y() - gap) < 1.01 or chart.card.y() < at.y()) == (
        pytest.approx(gap, abs=0.6),
        True,
    )


def test_a_click_beside_every_point_selects_nothing_unless_it_closes_the_fan(
    chart: RooflineChart, wanted: list[tuple[str, ...]]
) -> None:
    click(chart, empty(chart))
    assert wanted == []
    chart.take(figure(selection=frozenset({"up", "down"})), None, LIGHT)
    click(chart, empty(chart), CTRL)
    assert wanted == []
    click(chart, chart.to_pixels(1.0, 13.5))
    assert wanted == [("up", "down")]
    click(chart, empty(chart))
    assert not chart.fan.isVisible()
    assert wanted == [("up", "down")]
    click(chart, empty(chart))
    assert wanted == [("up", "down"), ()]


def test_no_card_shows_over_an_open_fan(chart: RooflineChart) -> None:
    click(chart, chart.to_pixels(1.0, 13.5))
    move(chart, chart.to_pixels(2.0, 14.5))
    assert chart.hovered is None
    click(chart, chart.to_pixels(1.0, 13.5), CTRL)
    chart.fan.hide()
    click(chart, chart.to_pixels(1.0, 13.5), CTRL)
    assert not chart.fan.isVisible(), "what is added does not fan out"


@pytest.mark.parametrize(
    ("selected", "rows", "told"),
    [
        ((), ("up", "down"), ("up", "down")),
        (("norm",), ("up", "down"), ("norm", "up", "down")),
        (("up", "norm"), ("up", "down"), ("norm", "up", "down")),
        (("up", "down", "a"), ("up", "down"), ("a",)),
    ],
)
def test_ctrl_joins_rows_or_takes_them_away(
    chart: RooflineChart, wanted: list[tuple[str, ...]], selected: Any, rows: Any, told: Any
) -> None:
    chart.take(figure(selection=frozenset(selected)), None, LIGHT)
    click(chart, chart.to_pixels(1.0, 13.5), CTRL)
    assert wanted == [told]
    chart.fan.chosen.emit("up", True)  # noqa: FBT003
    assert wanted[-1] == tuple(sorted(set(selected) - {"up"})) + (() if "up" in selected else ("up",))
    chart.fan.chosen.emit("up", False)  # noqa: FBT003
    assert wanted[-1] == ("up",)


def test_a_double_click_on_a_point_is_not_a_fit(chart: RooflineChart, settled: list[Ranges | None]) -> None:
    double_click(chart, chart.to_pixels(2.0, 14.5))
    assert settled == []
    double_click(chart, empty(chart))
    assert settled == [None]


def test_a_double_click_gives_back_the_selection_that_its_first_half_took(chart: RooflineChart) -> None:
    told: list[tuple[str, ...]] = []

    def take(rows: tuple[str, ...]) -> None:
        told.append(rows)
        chart.take(replace(chart.figure, selection=frozenset(rows)), None, LIGHT)

    chart.selection_wanted.connect(take)
    chart.take(figure(selection=frozenset({"head"})), None, LIGHT)
    double_click(chart, empty(chart))
    assert told == [(), ("head",)]
    take(())
    double_click(chart, empty(chart))
    assert told[2:] == [()]


def test_escape_gives_up_one_thing_at_a_time(chart: RooflineChart, wanted: list[tuple[str, ...]]) -> None:
    chart.escape()
    assert wanted == []
    chart.take(figure(selection=frozenset({"up"})), None, LIGHT)
    click(chart, chart.to_pixels(1.0, 13.5))
    chart.start_box_zoom()
    wanted.clear()
    chart.escape()
    assert (chart.mouse.box_mode, chart.fan.isVisible(), wanted) == (False, True, [])
    chart.escape()
    assert (chart.fan.isVisible(), wanted) == (False, [])
    chart.escape()
    assert wanted == [()]


def pinch(chart: RooflineChart, kind: Qt.NativeGestureType, value: float, at: QPointF) -> None:
    device = QPointingDevice.primaryPointingDevice()
    event = QNativeGestureEvent(kind, device, 2, at, at, at, value, QPointF())
    QApplication.sendEvent(chart.viewport(), event)


@pytest.mark.parametrize(("value", "factor"), [(0.25, 0.8), (-0.2, 1.25), (-5.0, 10.0)])
def test_two_fingers_zoom_about_their_middle(chart: RooflineChart, value: float, factor: float) -> None:
    chart.take(figure(), Ranges((0.0, 1.0), (12.0, 13.0)), LIGHT)
    start, at = chart.visible, middle(chart) + QPointF(50, 30)
    before = chart.to_log(at)
    pinch(chart, Qt.NativeGestureType.RotateNativeGesture, value, at)
    assert chart.visible == start
    pinch(chart, Qt.NativeGestureType.ZoomNativeGesture, value, at)
    assert (chart.visible.x[1] - chart.visible.x[0]) / (start.x[1] - start.x[0]) == pytest.approx(factor, rel=1e-3)
    assert chart.to_log(at) == pytest.approx(before, abs=1e-6)
    assert chart.history.can_go_back


def test_the_menu_by_key_speaks_of_no_point(chart: RooflineChart) -> None:
    asked: list[tuple[QPoint, tuple[str, ...]]] = []
    chart.menu_wanted.connect(lambda at, rows: asked.append((at, rows)))
    at = chart.to_pixels(2.0, 14.5).toPoint()
    for reason in (QContextMenuEvent.Reason.Keyboard, QContextMenuEvent.Reason.Mouse):
        event = QContextMenuEvent(reason, at, QPoint(7, 9))
        event.ignore()
        chart.contextMenuEvent(event)
        assert event.isAccepted()
    assert asked == [(QPoint(7, 9), ()), (QPoint(7, 9), ("head",))]


def test_keys_that_mean_nothing_here_go_on_to_the_window(chart: RooflineChart) -> None:
    for code, ours in ((Qt.Key.Key_Home, True), (Qt.Key.Key_A, False)):
        event = QKeyEvent(QEvent.Type.KeyPress, code, Qt.KeyboardModifier.NoModifier)
        event.setAccepted(not ours)
        chart.keyPressEvent(event)
        assert event.isAccepted() is ours


def test_a_press_takes_the_focus_and_the_right_button_is_left_to_the_menu(chart: RooflineChart) -> None:
    from PySide6.QtGui import QMouseEvent

    for button, ours in ((Qt.MouseButton.LeftButton, True), (Qt.MouseButton.RightButton, False)):
        chart.clearFocus()
        at = middle(chart)
        event = QMouseEvent(QEvent.Type.MouseButtonPress, at, at, button, button, Qt.KeyboardModifier.NoModifier)
        event.setAccepted(not ours)
        chart.mousePressEvent(event)
        assert event.isAccepted() is ours
    chart.mouse.cancel()
