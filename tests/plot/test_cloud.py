"""Marks before the cloud, in it, and where they are found again."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from pytestqt.qtbot import QtBot

from explorer.plot.live.chart import TIDY_MS, Chart, split
from explorer.plot.live.ranges import LIMITS
from explorer.plot.live.roofline_chart import SETTLE_MS, RooflineChart
from explorer.presentation.palette import DARK, LIGHT, device_colour
from explorer.presentation.roofline.figure import Crowd, Figure
from tests.plot.chart_hands import (
    cloud,
    figure,
    mark,
    over,
    with_strip,
)
from tests.plot.hand_made import measured


def empty(chart: RooflineChart) -> QPointF:
    return chart.to_pixels(3.5, 12.0)


def few(*chosen: str, count: int = 500) -> Figure:
    return figure(marks=cloud(count), selection=frozenset(chosen))


def test_up_to_some_hundred_marks_are_all_drawn_by_the_painter() -> None:
    front, rest = split(few())
    assert (front, rest) == (few().marks, ())
    front, rest = split(few(count=501))
    assert len(front) == 40
    assert {m.rows for m in front} == {m.rows for m in sorted(cloud(501), key=lambda m: -m.area)[:40]}
    assert [m.rows for m in rest] == [m.rows for m in cloud(501)[:461]]


def test_named_faults_and_named_measurements_stay_before_the_cloud() -> None:
    named, silent = mark(0, 12, "fault", area=0, over=True, label="!"), mark(0, 12, "quiet", area=0, over=True)
    timed, crowd = measured(0, 12, "timed", area=0), measured(0, 12, "one of many", label="", area=0)
    marks = (named, silent, timed, crowd, *cloud(501))
    front, rest = split(figure(marks=marks))
    assert named in front
    assert silent in rest
    assert timed in rest
    assert crowd in rest
    front, rest = split(figure(marks=(named, silent, timed, crowd)))
    assert front == (named, silent, timed)
    assert rest == (crowd,)


def test_chosen_marks_come_out_of_the_cloud_and_out_of_crowds() -> None:
    joined = cloud(30)
    front, rest = split(figure(), joined)
    assert (front, rest) == (figure().marks, joined)
    assert rest is joined
    front, rest = split(figure(selection=frozenset({"row3", "up"})), joined)
    assert [m.rows[0] for m in front] == ["norm", "up", "head", "row3"]
    assert len(rest) == 29
    crowd = measured(0, 12, "one of many", label="")
    front, rest = split(figure(marks=(crowd,)), joined)
    assert (front, rest) == ((), (*joined, crowd))


def test_the_cloud_holds_places_sizes_colours_and_shapes(chart: RooflineChart) -> None:
    crowd = (
        mark(0.0, 12.0, "a", area=1.0, bound="memory"),
        mark(1.0, 12.5, "b", area=0.0, bound="overhead", colour=1, device="slow"),
        measured(2.0, 13.0, "c", label="", bound="compute"),
        mark(2.5, 13.0, "d", bound="unknown", colour=1),
    )
    for by_bound in (False, True):
        chart.take(figure(crowds=(Crowd(crowd, (0, 2.5), (12, 13)),), colour_by_bound=by_bound), None, LIGHT)
        data = chart._cloud.data
        assert data["x"].tolist() == [0.0, 1.0, 2.0, 2.5]
        assert data["y"].tolist() == [12.0, 12.5, 13.0, 13.0]
        assert data["size"].tolist() == pytest.approx([2 * chart.radius(m) for m in crowd])
        assert data["symbol"].tolist() == ["o", "o", "d", "o"]
        names = [b.color().name() for b in data["brush"]]
        own = [device_colour(LIGHT, m.colour) for m in crowd]
        assert names == ([*(dict(LIGHT.bounds)[m.bound] for m in crowd[:3]), own[3]] if by_bound else own)
        assert data["brush"][0].color().alphaF() == pytest.approx(0.6, abs=0.01)
        assert [chart.colour(m).name() for m in crowd] == names
    assert chart.colour(with_strip().strips[0]).name() == device_colour(LIGHT, 0)
    assert chart.radius(crowd[0]) / chart.radius(crowd[3]) == pytest.approx(0.2**-0.5)


def filled(chart: RooflineChart, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    fills: list[int] = []
    monkeypatch.setattr(chart, "_fill_cloud", lambda marks: fills.append(len(marks)))
    return fills


def test_the_cloud_is_made_again_only_where_it_looks_different(
    chart: RooflineChart, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = few(count=510)
    chart.take(shown, None, LIGHT)
    fills, rest = filled(chart, monkeypatch), 470
    for changed, count in (
        (replace(shown, x_title="other"), 0),
        (replace(shown, marks=tuple(shown.marks)), 0),
        (replace(shown, colour_by_bound=True), 1),
        (replace(shown, colour_by_bound=True, area_is_share=False), 2),
        (replace(shown, colour_by_bound=True, area_is_share=False, selection=frozenset({"row3"})), 3),
    ):
        chart.take(changed, None, LIGHT)
        assert len(fills) == count
        assert chart._front.clouded
        assert chart._front.crowds == ()
        assert chart.figure == changed
    chart.take(changed, None, DARK)
    assert fills == [rest, rest, rest - 1, rest - 1]
    assert chart._cloud.isVisible()
    chart.take(figure(), None, DARK)
    assert not chart._cloud.isVisible()
    assert not chart._front.clouded


def test_another_crowd_is_found_while_the_points_stay_and_other_points_while_the_crowd_stays(
    chart: RooflineChart,
) -> None:
    one, other = (Crowd((mark(x, 12.0, "c"),), (x, x), (12.0, 12.0)) for x in (3.0, 3.5))
    shown = figure(crowds=(one,))
    chart.take(shown, None, LIGHT)
    assert chart.mark_at(chart.to_pixels(3.0, 12.0), 1.0) is one.marks[0]
    changed = replace(shown, crowds=(other,))
    chart.take(changed, None, LIGHT)
    assert chart.mark_at(chart.to_pixels(3.0, 12.0), 1.0) is None
    assert chart.mark_at(chart.to_pixels(3.5, 12.0), 1.0) is other.marks[0]
    assert chart._cloud.data["x"].tolist() == [3.5]
    changed = replace(changed, marks=(mark(0.5, 12.0, "p"),))
    chart.take(changed, None, LIGHT)
    assert chart.mark_at(chart.to_pixels(0.5, 12.0), 1.0) is changed.marks[0]
    assert chart._front.marks == changed.marks
    empty_crowd = replace(changed, crowds=(Crowd((), (0.0, 0.0), (12.0, 12.0)),))
    chart.take(empty_crowd, None, LIGHT)
    assert chart._front.clouded
    assert len(chart._cloud.data) == 0


def test_a_cloud_keeps_its_view_and_the_limits(chart: RooflineChart) -> None:
    state = chart._box.state
    assert state["limits"]["xLimits"] == list(LIMITS[0])
    assert state["limits"]["yLimits"] == list(LIMITS[1])
    assert state["mouseEnabled"] == [False, False]
    assert state["enableMenu"] is False
    assert state["defaultPadding"] == 0
    chart.take(few(count=510), None, LIGHT)
    ranges = chart._box.viewRange()
    assert ranges == [pytest.approx(chart.visible.x), pytest.approx(chart.visible.y)]


def test_names_make_room_a_moment_after_a_drag(chart: RooflineChart) -> None:
    assert 100 <= TIDY_MS <= 400
    assert 100 <= SETTLE_MS <= 400
    chart.take(figure(), None, LIGHT, dragging=True)
    assert chart._tidy.isActive()
    assert chart._tidy.isSingleShot()
    assert chart._tidy.interval() == TIDY_MS
    chart.take(figure(), None, LIGHT)
    assert not chart._tidy.isActive()
    assert chart._settle.isSingleShot()
    assert chart._settle.interval() == SETTLE_MS


def test_a_chart_without_a_figure_knows_nothing_of_places(qtbot: QtBot) -> None:
    bare = Chart()
    qtbot.addWidget(bare, before_close_func=lambda widget: widget.hide())
    assert bare.visible == ((0.0, 1.0), (0.0, 1.0))
    assert bare.plot_rect() == QRectF(0, 0, 1, 1)
    assert bare.per_decade() == (1.0, 1.0)
    assert bare.mark_at(QPointF(0.5, 0.5), 10.0) is None
    assert bare.strip_at(QPointF(0.5, 0.5)) is None


def test_nothing_is_drawn_on_top_before_a_hand_or_a_key_came(qtbot: QtBot) -> None:
    bare = RooflineChart()
    qtbot.addWidget(bare, before_close_func=lambda widget: widget.hide())
    bare.resize(800, 600)
    bare.take(figure(), None, LIGHT)
    assert over(bare) == []
    assert bare.focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert bare.hasMouseTracking()
    assert bare.viewport().hasMouseTracking()


def test_marks_are_found_in_the_plot_alone_and_anew_after_they_moved(chart: RooflineChart) -> None:
    assert chart.mark_at(chart.to_pixels(0.0, 12.5), 1.0) is chart.figure.marks[0]
    moved = figure(marks=(mark(3.0, 13.0, "other"),))
    chart.take(moved, None, LIGHT)
    assert chart.mark_at(chart.to_pixels(0.0, 12.5), 1.0) is None
    assert chart.mark_at(chart.to_pixels(3.0, 13.0), 1.0) is moved.marks[0]
    edge = figure(marks=(mark(chart.visible.x[0], 13.0, "at the edge"),))
    chart.take(edge, None, LIGHT)
    at = QPointF(chart.plot_rect().left(), chart.to_pixels(0, 13.0).y())
    assert chart.mark_at(at + QPointF(1, 0), 10.0) is not None
    assert chart.mark_at(at - QPointF(1, 0), 10.0) is None
    chart.take(figure(marks=()), None, LIGHT)
    assert chart.mark_at(at, 10.0) is None


def test_a_target_of_the_strip_is_its_square(chart: RooflineChart) -> None:
    chart.take(with_strip(), None, LIGHT)
    layout = chart.picture.layout
    assert layout is not None
    strip, rect = layout.strips[0]
    assert chart.target_at(rect.center()) == (strip, rect.center(), rect.width() / 2)
    assert chart.target_at(empty(chart)) is None
    point = chart.figure.marks[2]
    assert chart.target_at(chart.to_pixels(2.0, 14.5)) == (point, chart.to_pixels(2.0, 14.5), chart.radius(point))
    beside = chart.to_pixels(2.0, 14.5) + QPointF(chart.radius(point) + 10 - 0.5, 0)
    assert chart.target_at(beside) is not None
    assert chart.target_at(beside + QPointF(1, 0)) is None
