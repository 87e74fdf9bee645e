"""Where a figure's parts stand in a small picture, by closed forms: roofs, points, strips, labels, what a hand hits."""

import math
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF

from explorer.plot.paint.by_points.placer import _beads
from explorer.plot.paint.by_points.point_labels import around, chosen
from explorer.plot.paint.figure import hit, hit_strip, layout
from explorer.plot.paint.geometry import Frame
from explorer.plot.paint.layout import ChartLayout, radius
from explorer.plot.paint.roofs import roof_lines
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.roofline.figure import DrawnRoof, Figure, Strip
from tests.plot.hand_made import ROOFS, bare_figure, big, mark, measured, roofline_figure
from tests.plot.recorder import fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

RECT = QRectF(30, 20, 1200, 900)
FRAME = Frame(QRectF(0, 0, 500, 400), (-1.0, 4.0), (11.0, 15.0))


def laid(figure: Figure, rect: QRectF = RECT) -> ChartLayout:
    with fixed_fonts():
        return layout(figure, rect, LIGHT, big())


def roof(bandwidth: float, peak: float | None, *lower: float) -> DrawnRoof:
    return replace(ROOFS[1], bandwidth=bandwidth, peak=peak, lower_peaks=tuple((p, f"{p}") for p in lower))


@pytest.mark.parametrize(
    ("shown", "highest", "slope", "flat", "ridge", "others"),
    [
        (roof(12.0, 14.0), None, (0, 400, 300, 100), (300, 100, 500, 100), (300, 100), []),
        (roof(12.5, 14.0), None, (0, 350, 250, 100), (250, 100, 500, 100), (250, 100), []),
        (roof(11.0, 14.0), None, (100, 400, 400, 100), (400, 100, 500, 100), (400, 100), []),
        (roof(12.0, 14.0, 13.0), None, (0, 400, 300, 100), (300, 100, 500, 100), (300, 100), [(200, 200, 500, 200)]),
        (roof(12.0, 13.0, 14.0), None, (0, 400, 300, 100), (200, 200, 500, 200), (200, 200), [(300, 100, 500, 100)]),
        (roof(12.0, None, 13.0), 15.0, (0, 400, 200, 200), None, None, [(200, 200, 500, 200)]),
        (roof(12.0, None), 13.0, (0, 400, 200, 200), None, None, []),
        (roof(12.0, None), None, (0, 400, 400, 0), None, None, []),
        (roof(10.0, None), None, (200, 400, 500, 100), None, None, []),
        (roof(12.0, 16.0), None, (0, 400, 400, 0), None, None, []),
        (roof(9.0, 14.0), None, (300, 400, 500, 200), None, None, []),
        (roof(15.5, 14.0), None, None, (0, 100, 500, 100), None, []),
        (roof(12.0, 10.0), None, None, None, None, []),
        (roof(12.0, 15.0), None, (0, 400, 400, 0), (400, 0, 500, 0), (400, 0), []),
        (roof(11.0, 11.0), None, None, (100, 400, 500, 400), (100, 400), []),
        (roof(10.0, 14.0), None, (200, 400, 500, 100), None, (500, 100), []),
        (roof(15.0, 14.0), None, None, (0, 100, 500, 100), (0, 100), []),
        (roof(12.0, 14.0, 16.0, 10.0), None, (0, 400, 400, 0), (300, 100, 500, 100), (300, 100), []),
    ],
)
def test_a_roof_climbs_to_its_highest_peak_within_what_is_visible(
    shown: DrawnRoof, highest: float | None, slope: Any, flat: Any, ridge: Any, others: Any
) -> None:
    found = roof_lines(shown, FRAME, highest)
    assert found.slope == (None if slope is None else pytest.approx(slope))
    assert found.flat == (None if flat is None else pytest.approx(flat))
    assert found.ridge == (None if ridge is None else pytest.approx(ridge))
    assert [line for line, _ in found.others] == [pytest.approx(line) for line in others]
    assert found.segments == [line for line in (found.slope, found.flat, *(o for o, _ in found.others)) if line]


def test_a_roof_without_a_peak_stops_at_the_highest_of_the_others() -> None:
    silent = replace(ROOFS[2], bandwidth=12.5)
    chart = laid(bare_figure(roofs=(ROOFS[1], silent, replace(ROOFS[1], peak=13.5))))
    assert chart.static.roofs[1].slope is not None
    assert chart.static.roofs[1].slope[3] == pytest.approx(chart.frame.y(14.5))


@pytest.mark.parametrize(
    ("given", "share", "size"),
    [
        (mark(0, 0, area=1.0), True, 17.0),
        (mark(0, 0, area=4.0), True, 17.0),
        (mark(0, 0, area=0.25), True, 8.5),
        (mark(0, 0, area=0.0), True, 3.2),
        (mark(0, 0, area=0.0, active=False), True, 2.4),
        (mark(0, 0, area=0.25, active=False), True, 8.5 * 0.62),
        (mark(0, 0, area=1.0), False, 6.0),
        (mark(0, 0, area=1.0, active=False), False, 6.0 * 0.62),
        (mark(0, 0, "a", "b", area=0.0), True, 5.0),
        (mark(0, 0, "a", "b", area=0.25), True, 8.5),
        (mark(0, 0, "a", "b", area=0.0, active=False), True, 2.4),
        (measured(0, 0, "a", area=1.0), True, 6.0),
        (measured(0, 0, "a", label=""), True, 4.0),
    ],
)
def test_the_area_of_a_point_is_its_share_within_what_can_be_seen(given: Any, share: bool, size: float) -> None:
    assert radius(given, area_is_share=share) == pytest.approx(size)


@pytest.mark.parametrize(
    ("rows", "over", "extra"), [((), False, 0.0), (("a",), False, 4.5), ((), True, 4.5), (("b", "c"), True, 9.0)]
)
def test_rings_of_a_selection_and_of_a_fault_add_up(rows: tuple[str, ...], over: bool, extra: float) -> None:
    point = mark(0, 0, "a", "b", over=over)
    figure = bare_figure(selection=frozenset(rows))
    assert around(point, figure) == extra
    assert chosen(point, figure) is bool(rows)


def test_points_on_the_edge_are_visible_and_those_beyond_are_not() -> None:
    marks = [mark(x, y, f"{x} {y}") for x in (-1.01, -1.0, 4.0, 4.01) for y in (11.49, 11.5, 15.5, 15.51)]
    chart = laid(bare_figure(marks=tuple(marks), roofs=()))
    assert [m.rows[0] for m in chart.marks] == ["-1.0 11.5", "-1.0 15.5", "4.0 11.5", "4.0 15.5"]
    plot = chart.plot
    corners = [plot.bottomLeft(), plot.topLeft(), plot.bottomRight(), plot.topRight()]
    assert chart.positions.tolist() == [pytest.approx((c.x(), c.y())) for c in corners]
    assert chart.radii.tolist() == pytest.approx([2 * 17 * 0.2**0.5] * 4)
    rect = chart.mark_rects[0]
    assert (rect.center().x(), rect.center().y()) == pytest.approx((plot.left(), plot.bottom()))
    assert (rect.width(), rect.height()) == pytest.approx((4 * 17 * 0.2**0.5,) * 2)


def test_a_hit_counts_from_the_edge_of_a_point_and_the_active_device_wins() -> None:
    points = (mark(0.0, 13.0, "big", area=1.0), mark(2.0, 13.0, "small", area=0.01))
    chart = laid(bare_figure(marks=points))
    (x, y), size = chart.positions[0].tolist(), 34.0
    for apart, rows in ((0.0, ("big",)), (size + 19.9, ("big",)), (size + 20.1, None)):
        for dx, dy in ((apart, 0.0), (0.0, -apart)):
            found = hit(chart, QPointF(x + dx, y + dy))
            assert (found.rows if found else None) == rows
    middle = QPointF((chart.positions[0][0] + chart.positions[1][0]) / 2, y)
    assert hit(chart, middle) is None
    for share, winner in ((0.05, "idle"), (0.12, "active")):  # two units are given to the active device
        pair = (mark(1.0, 13.0, "idle", area=0.5, active=False), mark(1.0, 13.0, "active", area=share))
        chart = laid(bare_figure(marks=pair))
        found = hit(chart, QPointF(*chart.positions[0].tolist()))
        assert found is not None
        assert found.rows == (winner,)


def test_squares_of_the_strip_stand_from_the_bottom_up_as_far_as_there_is_room() -> None:
    strips = tuple(Strip((f"s{i}",), "fast", 0, "", area) for i, area in enumerate((0.3, 0.9, 0.0, 0.01, 0.5)))
    chart = laid(bare_figure(strips=strips))
    band = chart.static.strip
    assert band is not None
    assert (band.width(), band.top(), band.bottom()) == pytest.approx((28, chart.plot.top(), chart.plot.bottom()))
    assert band.left() == pytest.approx(chart.plot.left() - 36)
    sides = [2 * min(12.0, max(5.0, 14 * s.area**0.5)) for s in strips]
    rects = [r for _, r in chart.strips]
    assert [r.width() for r in rects] == pytest.approx(sides)
    assert [r.height() for r in rects] == pytest.approx(sides)
    bottom = band.bottom() - 8
    for rect in rects:
        assert (rect.bottom(), rect.center().x()) == pytest.approx((bottom, band.center().x()))
        bottom = rect.top() - 8
    many = laid(bare_figure(strips=strips * 20))
    assert 5 < len(many.strips) < 100
    assert many.strips[-1][1].top() >= band.top()
    assert many.strips[-1][1].top() - 8 - 24 < band.top() + 24
    assert laid(bare_figure()).strips == ()


def test_a_strip_is_hit_within_three_units() -> None:
    chart = laid(bare_figure(strips=(Strip(("a",), "fast", 0, "", 0.5), Strip(("b",), "fast", 0, "", 0.5))))
    (one, lower), (other, upper) = chart.strips
    assert hit_strip(chart, lower.center()) is one
    assert hit_strip(chart, upper.center()) is other
    assert hit_strip(chart, lower.bottomRight() + QPointF(5.9, 5.9)) is one
    assert hit_strip(chart, lower.bottomRight() + QPointF(6.1, 0)) is None
    assert hit_strip(chart, upper.topLeft() - QPointF(5.9, 5.9)) is other
    assert hit_strip(chart, upper.topLeft() - QPointF(0, 6.1)) is None


def test_a_plot_keeps_a_least_size_however_small_the_picture() -> None:
    plot = laid(bare_figure(), QRectF(0, 0, 20, 20)).plot
    assert (plot.width(), plot.height()) == (80, 80)


def test_a_label_stands_right_of_its_point_and_a_selected_one_beyond_its_ring() -> None:
    for selection, ring in ((), 0.0), (("one",), 4.5):
        figure = bare_figure(roofs=(), marks=(mark(1.0, 13.0, "one", label="one"),), selection=frozenset(selection))
        chart = laid(figure)
        (x, y), label = chart.positions[0], chart.labels[0]
        assert label.x - x == pytest.approx(chart.radii[0] + 2 * (ring + 7))
        assert label.rects[0].center().y() == pytest.approx(y)
        assert label.leader is None
        assert label.rects[0].left() == pytest.approx(label.x - 6)


def test_the_biggest_share_the_fault_and_the_selected_point_are_labelled_first() -> None:
    at = (1.0, 13.0)
    small, big_one = mark(*at, "small", label="small", area=0.05), mark(*at, "big", label="big", area=0.6)
    fault, picked = mark(*at, "fault", label="fault", area=0.01, over=True), mark(*at, "picked", label="p", area=0.001)
    figure = bare_figure(marks=(small, big_one, fault, picked), selection=frozenset({"picked"}), roofs=())
    assert [t.text for t in laid(figure).labels] == ["big", "p", "fault", "small"]
    idle = replace(figure, marks=(small, replace(picked, active=False)))
    assert [t.text for t in laid(idle).labels] == ["small", "p"]


def test_a_selected_point_without_a_label_is_told_by_three_of_its_rows() -> None:
    point = mark(1.0, 13.0, "a", "b", "c", "d")
    texts = [
        [t.text for t in laid(bare_figure(marks=(p,), selection=frozenset(rows))).labels]
        for p, rows in (
            (point, ("b",)),
            (point, ()),
            (replace(point, active=False), ("b",)),
            (replace(point, label="named", gain_text="more"), ("b",)),
            (replace(point, label="named", gain_text="more"), ()),
        )
    ]
    assert texts == [["a, b, c"], [], [], ["named", "more"], ["named"]]


@pytest.mark.parametrize(
    ("more", "rows", "colour", "bold"),
    [
        ({}, (), LIGHT.text, True),
        ({}, ("one",), LIGHT.accent, True),
        ({"area": 0.019}, (), LIGHT.muted, False),
        ({"area": 0.02}, (), LIGHT.text, True),
        ({"area": 0.019}, ("one",), LIGHT.accent, True),
        ({"over": True}, ("one",), LIGHT.warning, True),
        ({"measured": True}, ("one",), LIGHT.muted, False),
        ({"measured": True, "over": True}, (), LIGHT.warning, True),
    ],
)
def test_a_label_speaks_as_loud_as_its_point_matters(
    more: dict[str, Any], rows: tuple[str, ...], colour: str, bold: bool
) -> None:
    figure = bare_figure(marks=(mark(1.0, 13.0, "one", label="one", **more),), selection=frozenset(rows))
    label = laid(figure).labels[0]
    assert (label.colour, label.face.font.bold() or label.face.font.weight() >= 600) == (colour, bold)


def test_a_long_label_is_cut_to_its_share_of_the_plot() -> None:
    figure = bare_figure(roofs=(), marks=(mark(-0.9, 13.0, "one", label="w" * 200),))
    chart = laid(figure)
    assert 640 < chart.labels[0].rects[0].width() - 12 <= 660
    narrow = laid(figure, QRectF(0, 0, 600, 500))
    assert narrow.labels[0].text.endswith("…")
    assert 0.66 < (narrow.labels[0].rects[0].width() - 12) / narrow.plot.width() <= 0.72


def test_a_shorter_wording_is_taken_where_the_label_is_too_wide_and_its_figure_is_never_cut() -> None:
    figure = bare_figure(roofs=(), marks=(mark(-0.9, 13.0, "one", label="w" * 200, shorter=("one 20 %", "20 %")),))
    assert [t.text for t in laid(figure).labels] == ["one 20 %"]


def test_the_largest_share_is_labelled_however_crowded_it_is() -> None:
    others = tuple(
        mark(1.0 + 0.02 * i, 13.0 + 0.05 * j, f"{i} {j}", area=0.01) for i in range(-60, 61) for j in range(-20, 21)
    )
    marks = (*others, mark(1.0, 13.0, "main", area=0.6, label="main 60 % of time", shorter=("60 %",)))
    chart = laid(bare_figure(roofs=(), marks=marks))
    (label,) = [t for t in chart.labels if t.text == "60 %" or t.text.startswith("main")]
    assert label.leader is not None
    assert not [r for r in chart.mark_rects if r.intersects(label.rects[0])]


def test_the_measured_slope_is_a_line_of_its_own_above_the_sheets() -> None:
    reached = replace(roof(12.0, 14.0), reached_bandwidth=12.5)
    found = roof_lines(reached, FRAME, None)
    assert found.slope == pytest.approx((0, 400, 300, 100))
    assert [line for line, _ in found.others] == [pytest.approx((0, 350, 250, 100))]
    assert "" not in {t.text for t in laid(bare_figure(roofs=(reached,), marks=())).static.names}


def test_leaders_lead_from_the_edge_of_their_point_to_their_label_and_through_no_other_point() -> None:
    marks = tuple(
        mark(0.9 + 0.09 * (i % 5), 13.0 + 0.1 * (i // 5), f"r{i}", label=f"row {i}", area=0.05) for i in range(20)
    )
    chart = laid(bare_figure(roofs=(), marks=marks))
    places = {m.label: (p, r) for m, p, r in zip(chart.marks, chart.positions, chart.radii, strict=True)}
    led = [t for t in chart.labels if t.leader is not None]
    assert len(led) >= 4
    for text in led:
        x0, y0, x1, y1 = text.leader  # type: ignore[misc]
        (x, y), size = places[text.text]
        assert math.hypot(x0 - x, y0 - y) == pytest.approx(size + 4)
        assert (x0 - x) * (y1 - y) == pytest.approx((y0 - y) * (x1 - x)), "it points away from the middle"
        box = text.rects[0].adjusted(6, 0, -6, 0)
        near = min(max(x1, box.left()), box.right()), min(max(y1, box.top()), box.bottom())
        assert math.hypot(near[0] - x1, near[1] - y1) <= 8 * 2**0.5 + 0.01
        assert not box.contains(QPointF(x1, y1))
        for other, (place, other_size) in places.items():
            if other != text.text and math.hypot(*(place - np.array([x, y]))) >= size + other_size + 8:
                along = np.linspace((x0, y0), (x1, y1), 50)
                assert np.hypot(*(along - place).T).min() > other_size


def test_labels_that_follow_keep_off_the_leaders_before_them() -> None:
    chart = laid(roofline_figure())
    for one in chart.labels:
        if one.leader is None:
            continue
        along = np.linspace(one.leader[:2], one.leader[2:], 60)
        for other in chart.labels:
            if other is not one:
                assert not any(r.contains(QPointF(*p)) for r in other.rects for p in along.tolist())


def test_names_leave_room_between_them_and_points() -> None:
    chart = laid(roofline_figure())
    for name in chart.static.names:
        for box in name.rects:
            assert chart.plot.contains(box)
            for rect in chart.mark_rects:
                assert not rect.adjusted(-3.9, -3.9, 3.9, 3.9).intersects(box)


def test_what_rests_is_laid_out_again_for_each_thing_that_shows_in_it_and_for_nothing_else() -> None:
    figure = bare_figure(zone=1.0)
    with fixed_fonts():
        first = layout(figure, RECT, LIGHT, big())

        def again(changed: Figure, rect: QRectF = RECT, theme: Theme = LIGHT) -> bool:
            return layout(changed, rect, theme, big(), first).static is not first.static

        for name, value in (
            ("roofs", ROOFS[:1]),
            ("x_range", (-1.0, 5.0)),
            ("y_range", (11.0, 15.5)),
            ("fitted", True),
            ("x_title", "other"),
            ("y_title", "other"),
            ("zone", 2.0),
            ("memory_zone_text", "memory"),
            ("compute_zone_text", "compute"),
            ("strips", (Strip(("a",), "fast", 0, "", 0.5),)),
            ("empty_text", "Nothing"),
        ):
            assert again(replace(figure, **{name: value})), name
        assert again(figure, RECT.adjusted(0, 0, 1, 0))
        assert again(figure, theme=DARK)
        for name, value in (
            ("marks", ()),
            ("selection", frozenset({"one"})),
            ("colour_by_bound", True),
            ("area_is_share", False),
            ("strip_text", "other"),
            ("clouded", True),
        ):
            assert not again(replace(figure, **{name: value})), name
        assert layout(figure, RECT, LIGHT, None, first).static is not first.static


def test_a_leader_is_kept_clear_from_end_to_end() -> None:
    beads = _beads((10.0, 20.0, 90.0, 80.0), 2.0)
    assert len(beads) == 12, "one for every four units"
    middles = (beads[:, :2] + beads[:, 2:]) / 2
    assert middles[0].tolist() == [10.0, 20.0]
    assert middles[-1].tolist() == [90.0, 80.0]
    assert np.diff(middles, axis=0) == pytest.approx(np.full((11, 2), (80 / 11, 60 / 11)))
    assert beads[:, 2:] - beads[:, :2] == pytest.approx(np.full((12, 2), 4.0))
    assert len(_beads((0.0, 0.0, 1.0, 0.0), 2.0)) == 2


@pytest.mark.parametrize(
    ("bandwidth", "wide", "names"),
    [
        (12.0, 1200, ["A device of a name 316 TFLOP/s", "1 TB/s", "ridge 316"]),
        (10.5, 1200, ["A device of a name 1 TB/s", "ridge 316"]),
        (12.0, 600, ["316 TFLOP/s", "A device of a name 1 TB/s", "ridge 316"]),
    ],
)
def test_a_roof_is_named_by_less_where_there_is_little_room(bandwidth: float, wide: float, names: list[str]) -> None:
    shown = replace(ROOFS[1], name="A device of a name", bandwidth=bandwidth)
    chart = laid(bare_figure(roofs=(shown,), marks=()), QRectF(0, 0, wide, 700))
    assert [t.text for t in chart.static.names] == names
