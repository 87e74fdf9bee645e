"""Points at hand-made places: what merges, what is labelled and how, where arrows begin."""

import math

import pytest

from explorer.analysis.study.study import View
from explorer.presentation.look import ENGLISH
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Mark
from explorer.presentation.roofline.marks import LABELS, Placing, crowd_of, listed, short_row_name
from tests.presentation.roofline.made import Placed, device, placed

PLACING = Placing(0.0, 0.018, ENGLISH)
SPAN = ((0.0, 10.0), (9.0, 15.0))  # points nearer than 0.036 decades fall together


def marks(*rows: Placed, launch: str = "graph", overhead: float | None = None) -> tuple[Mark, ...]:
    return build_figure(placed(*rows, on=(device(launch=overhead),), launch=launch), ranges=SPAN).marks


def at(x: float, name: str, calls: float = 1.0) -> Placed:
    return name, 10**x * 1e9, 1e9, calls


def test_points_within_the_tolerance_are_one_ring_the_biggest_first() -> None:
    (ring,) = marks(at(1.0, "a"), at(1.02, "b", 3.0), at(1.035, "c", 2.0))
    assert ring.rows == ("b", "c", "a")
    assert (ring.x, ring.y) == (pytest.approx(1.02), pytest.approx(13.02))
    assert ring.area == pytest.approx(1.0)
    assert ring.bound == "memory"


def test_points_just_beyond_it_stand_alone() -> None:
    assert {m.rows for m in marks(at(1.0, "a"), at(1.038, "b"))} == {("a",), ("b",)}
    assert {m.rows for m in marks(at(1.0, "a"), at(1.03, "b"), at(1.06, "c"))} == {("a", "b"), ("c",)}


def test_points_over_one_another_merge_by_height_only() -> None:
    slow = ("slow", 1e9, 1e8, 1.0)  # 0.1 ms at 10 FLOP/byte
    quick = ("quick", 1e7, 1e6, 1.0)  # 1 µs at the same place, held back by its launch of 10 µs
    as_quick = ("like it", 1.02e7, 1.02e6, 1.0)
    found = marks(slow, quick, as_quick, launch="eager", overhead=1e-5)
    assert {m.rows for m in found} == {("slow",), ("quick", "like it")}
    low = next(m for m in found if m.rows[0] == "quick")
    assert (low.y, low.ceiling) == (pytest.approx(12.0), pytest.approx(13.0))
    assert (low.bound, low.gain_text) == ("overhead", "up to 10.00×")


@pytest.mark.parametrize(("overhead", "gain"), [(1.04e-6, ""), (1.12e-6, "up to 1.12×")])
def test_an_arrow_begins_where_it_can_be_seen(overhead: float, gain: str) -> None:
    (found,) = marks(("near", 1e7, 1e6, 1.0), launch="eager", overhead=overhead)
    assert found.gain_text == gain


def test_the_ceiling_is_the_lower_of_slope_and_peak() -> None:
    under, over = sorted(marks(at(1.0, "under"), at(4.0, "over")), key=lambda m: m.x)
    assert (under.ceiling, over.ceiling) == (pytest.approx(13.0), pytest.approx(14.0))
    assert (under.y, over.y) == (pytest.approx(13.0), pytest.approx(14.0))


def test_rows_without_flops_or_bytes_stand_in_the_strip_the_biggest_first() -> None:
    figure = build_figure(
        placed(("a", 0, 1e9, 1), ("b", 0, 3e9, 1), ("c", 1e9, 0, 1), ("gone", 0, 0, 1), at(0.0, "on"))
    )
    assert [s.rows for s in figure.strips] == [("b",), ("a",), ("c",)]
    assert [s.label for s in figure.strips] == ["b · 60 %", "a · 20 %", "c · 0.2 %"]
    assert sum(s.area for s in figure.strips) == pytest.approx(1 - 1 / 5.01)
    assert figure.strip_text == "3 operators without FLOPs"
    assert [m.rows for m in figure.marks] == [("on",)]
    assert build_figure(placed(("a", 0, 1e9, 1))).strip_text == "1 operator without FLOPs"
    assert build_figure(placed(at(0.0, "on"))).strip_text == ""


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("self_attn.q_proj", "q"),
        ("attn.o_proj", "o"),
        ("mlp.act_fn", "act_fn"),
        ("self_attn.attn.mlp.up_proj", "up"),
        ("proj_head", "proj_head"),
        ("x.mlp.up", "x.mlp.up"),
    ],
)
def test_a_chart_leaves_out_what_every_name_has(name: str, short: str) -> None:
    assert short_row_name(name) == short


@pytest.mark.parametrize(
    ("names", "most", "text"),
    [
        (["a_proj"], 3, "a · 5 %"),
        (["a", "b", "c"], 3, "a, b, c · 5 %"),
        (["a", "b", "c", "d", "e"], 3, "a, b, c + 2 more · 5 %"),
        (["a", "a_proj", "b", "a"], 3, "a, b · 5 %"),
        (["a", "b", "c"], 2, "a, b + 1 more · 5 %"),
        (["x" * 15, "y" * 15], 3, f"{'x' * 15}, {'y' * 15} · 5 %"),
        (["x" * 15, "y" * 16], 3, f"{'x' * 15} + 1 more · 5 %"),
        (["x" * 31, "y"], 3, f"{'x' * 31} + 1 more · 5 %"),
        (["x" * 10, "y" * 10, "z" * 11], 3, f"{'x' * 10}, {'y' * 10} + 1 more · 5 %"),
    ],
)
def test_a_ring_lists_a_few_names_and_counts_the_others(names: list[str], most: int, text: str) -> None:
    assert listed(names, PLACING, "chart.share", "5 %", most) == text


def test_the_biggest_share_says_that_it_is_of_the_time() -> None:
    found = {m.rows[0]: m.label for m in marks(at(0.0, "half", 5.0), at(1.0, "third", 3.0), at(2.0, "rest", 2.0))}
    assert found == {"half": "half · 50 % of time", "third": "third · 30 %", "rest": "rest · 20 %"}


def test_small_shares_that_stand_together_have_one_label_on_the_biggest() -> None:
    rows = (at(1.0, "big", 960.0), at(0.0, "s1", 8.0), at(0.2, "s2", 15.0), at(0.4, "s3", 7.0), at(3.0, "far", 1.0))
    found = {m.rows[0]: m for m in marks(*rows)}
    assert found["s2"].label == "s2, s1 + 1 more · 3.0 %"
    assert (found["s1"].label, found["s3"].label) == ("", "")
    assert found["far"].label == "far · 1.0 %"  # it takes ten times as long for its FLOPs at the peak


def test_small_shares_two_of_which_are_apart_have_two_labels() -> None:
    found = {m.rows[0]: m.label for m in marks(at(1.0, "big", 980.0), at(0.0, "left", 8.0), at(0.31, "right", 12.0))}
    assert found == {"big": "big · 98 % of time", "left": "left · 0.8 %", "right": "right · 1.2 %"}


def test_no_more_labels_than_find_room_the_biggest_first() -> None:
    rows = [at(i * 0.12, f"r{i:02}", 20.0 + i) for i in range(16)]
    found = marks(*rows)
    labelled = [m.rows[0] for m in found if m.label]
    assert len(labelled) == LABELS
    assert set(labelled) == {f"r{i:02}" for i in range(4, 16)}
    with_small = marks(
        *[at(i * 0.12, f"r{i:02}", 20.0 + i) for i in range(11)], at(3.9, "s1", 1e-4), at(-1.0, "s2", 1.0)
    )
    assert sum(bool(m.label) for m in with_small) == LABELS


def test_the_biggest_are_painted_last_and_the_active_device_after_the_others() -> None:
    case = placed(at(1.0, "a"), at(0.0, "b", 2.0), on=(device("One"), device("Two")), view=View(active_hardware="one"))
    found = build_figure(case).marks
    assert [(m.device, m.rows[0], m.active) for m in found] == [
        ("two", "a", False), ("two", "b", False), ("one", "a", True), ("one", "b", True),
    ]  # fmt: skip
    assert [m.colour for m in found] == [1, 1, 0, 0]
    assert [bool(m.label) for m in found] == [False, False, True, True]
    assert found[3].area == pytest.approx(2 / 3)


def test_a_crowd_knows_the_ranges_that_hold_it() -> None:
    found = crowd_of(tuple(Mark(x, y, (), "d", 0, "", 0.0) for x, y in ((1.0, 5.0), (-2.0, 7.0), (0.5, 4.0))))
    assert (found.x, found.y) == ((-2.0, 1.0), (4.0, 7.0))


def test_a_value_of_two_bytes_moves_points_and_slopes_by_two() -> None:
    case = placed(at(1.0, "a"))
    one, two = build_figure(case, per_value=False), build_figure(case, per_value=True)
    assert two.marks[0].x - one.marks[0].x == pytest.approx(math.log10(2))
    assert one.roofs[0].bandwidth - two.roofs[0].bandwidth == pytest.approx(math.log10(2))
    assert (one.roofs[0].ridge, one.zone) == (pytest.approx(2.0), pytest.approx(2.0))


def test_a_label_shortens_its_names_and_keeps_its_share() -> None:
    (ring,) = marks(at(1.0, "a_projection_of_128_heads", 2.0), at(1.01, "b"))
    assert ring.label == "a_projection_of_128_heads, b · 100 % of time"
    assert ring.shorter == (
        "a_projection_of_128_heads + 1 more · 100 % of time",
        "a_projection_of_128_heads + 1 more · 100 %",
        "a_projection… + 1 more · 100 %",
        "100 %",
    )
    assert all("100 %" in text for text in (ring.label, *ring.shorter))
