"""Zoom, pan and what the chart remembers of them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.plot.live.ranges import LIMITS, NARROWEST, Ranges, sane
from explorer.plot.live.zoom_history import LIMIT, ZoomHistory

START = Ranges((-1.0, 4.0), (11.0, 15.0))
factors = st.floats(allow_nan=True, allow_infinity=True)


def fraction(span: tuple[float, float], at: float) -> float:
    return (at - span[0]) / (span[1] - span[0])


@given(st.floats(0.2, 2.5), st.floats(-1.0, 4.0), st.floats(11.0, 15.0))
def test_zoom_keeps_the_point_it_is_about_at_its_place(factor: float, x: float, y: float) -> None:
    after = START.zoomed((factor, factor), (x, y))
    assert fraction(after.x, x) == pytest.approx(fraction(START.x, x))
    assert fraction(after.y, y) == pytest.approx(fraction(START.y, y))


def test_zoom_scales_both_widths_alike() -> None:
    after = START.zoomed((0.5, 0.5), (1.0, 12.0))
    assert after.x[1] - after.x[0] == pytest.approx(2.5)
    assert after.y[1] - after.y[0] == pytest.approx(2.0)


@given(st.lists(st.tuples(factors, factors, factors), max_size=60))
def test_no_series_of_zooms_and_pans_leaves_the_limits(steps: list[tuple[float, float, float]]) -> None:
    now = START
    for factor, x, y in steps:
        now = now.zoomed((factor, factor), (x, y)).moved(x, y)
        for span, limits in zip(now, LIMITS, strict=True):
            assert limits[0] - 1e-9 <= span[0] < span[1] <= limits[1] + 1e-9
            assert span[1] - span[0] >= NARROWEST * 0.99


def test_a_thousand_turns_outwards_end_at_the_limits_not_at_infinity() -> None:
    now = START
    for _ in range(1000):
        now = now.zoomed((1.25, 1.25), now.centre)
    assert now == LIMITS


def test_a_pan_keeps_the_width_and_stops_at_the_limit() -> None:
    after = START.moved(1000.0, -1000.0)
    assert after.x == (LIMITS[0][1] - 5.0, LIMITS[0][1])
    assert after.y == (LIMITS[1][0], LIMITS[1][0] + 4.0)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_ranges_that_are_not_finite_are_not_used(bad: float) -> None:
    assert sane((bad, 1.0), (0.0, 1.0)) is None
    assert sane((0.0, 1.0), (0.0, bad)) is None


def test_ranges_of_a_file_are_ordered_and_brought_within_the_limits() -> None:
    got = sane((4.0, -1.0), (-1e308, 1e308))
    assert got == Ranges((-1.0, 4.0), LIMITS[1])
    assert sane(None, (0.0, 1.0)) is None


def test_an_empty_range_is_widened() -> None:
    got = sane((1.0, 1.0), (12.0, 12.0))
    assert got is not None
    assert got.x[1] - got.x[0] == pytest.approx(NARROWEST)


def test_history_goes_back_and_forward_again() -> None:
    history = ZoomHistory()
    history.leave(None)
    history.leave(START)
    second = START.moved(1, 0)
    assert history.back(second) == START
    assert history.back(START) is None
    assert not history.can_go_back
    assert history.forward(None) == START
    assert history.forward(START) == second
    assert not history.can_go_forward
    assert history.back(second) == START, "what was left to go forward is behind again"
    assert history.back(START) is None


def test_a_new_gesture_drops_what_was_gone_back_from() -> None:
    history = ZoomHistory()
    history.leave(None)
    history.back(START)
    history.leave(None)
    assert not history.can_go_forward


def test_history_forgets_the_oldest_views_only() -> None:
    history = ZoomHistory()
    for i in range(LIMIT + 20):
        history.leave(START.moved(i * 0.01, 0))
    steps = 0
    now = START
    while history.can_go_back:
        now = history.back(now) or START
        steps += 1
    assert steps == LIMIT == 100
    assert now == START.moved(0.2, 0)


@pytest.mark.parametrize(
    ("span", "about", "wanted"),
    [
        ((10.0, 15.0), 15.0, (5.0, 15.0)),
        ((10.0, 15.0), 10.0, (5.0, 15.0)),
        ((-9.0, -4.0), -4.0, (-9.0, 1.0)),
        ((-9.0, -4.0), -9.0, (-9.0, 1.0)),
        ((0.0, 4.0), 1.0, (-1.0, 7.0)),
        ((0.0, 4.0), 99.0, (-9.0, -1.0)),
        ((0.0, 4.0), -99.0, (7.0, 15.0)),
    ],
)
def test_a_zoom_past_a_limit_keeps_its_width_and_ends_at_the_limit(
    span: tuple[float, float], about: float, wanted: tuple[float, float]
) -> None:
    assert Ranges(span, (11.0, 15.0)).zoomed((2.0, 1.0), (about, 13.0)) == (wanted, (11.0, 15.0))


def test_the_rates_have_limits_of_their_own() -> None:
    assert Ranges((0.0, 4.0), (19.0, 24.0)).zoomed((1.0, 2.0), (0.0, 19.0)).y == (14.0, 24.0)
    assert Ranges((0.0, 4.0), (-3.0, 2.0)).zoomed((1.0, 2.0), (0.0, 2.0)).y == (-3.0, 7.0)


@pytest.mark.parametrize("factor", [0.0, -1.0, 1e-300])
def test_a_zoom_ends_at_the_narrowest_view(factor: float) -> None:
    after = START.zoomed((factor, factor), (0.0, 13.0))
    assert after.x == pytest.approx((-0.002, 0.008))
    assert after.y == pytest.approx((12.995, 13.005))


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_one_axis_that_cannot_be_zoomed_or_moved_stays_as_it_is(bad: float) -> None:
    assert START.zoomed((bad, 0.5), (0.0, 13.0)) == (START.x, (12.0, 14.0))
    assert START.zoomed((0.5, 0.5), (0.0, bad)) == ((-0.5, 2.0), START.y)
    assert START.moved(bad, 1.0) == (START.x, (12.0, 16.0))
    assert START.moved(-1.0, bad) == ((-2.0, 3.0), START.y)


def test_a_view_holds_what_lies_in_both_ranges_the_edges_too() -> None:
    for x, y, held in (
        (-1, 11, True),
        (4, 15, True),
        (-1.1, 12, False),
        (4.1, 12, False),
        (0, 10, False),
        (0, 16, False),
    ):
        assert START.holds(x, y) is held
    assert START.centre == (1.5, 13.0)


def test_an_empty_range_at_a_limit_is_widened_inwards() -> None:
    got = sane((99.0, 15.0), (-3.0, -3.0))
    assert got is not None
    assert got.x == pytest.approx((15.0 - NARROWEST, 15.0), abs=1e-9)
    assert got.y == pytest.approx((-3.0, -3.0 + NARROWEST), abs=1e-9)
    middle = sane((1.0, 1.002), (0.0, 0.5))
    assert middle is not None
    assert middle.x == pytest.approx((0.996, 1.006))
    assert middle.y == (0.0, 0.5)


def test_the_same_view_is_left_once_and_a_clear_forgets_both_ways() -> None:
    history = ZoomHistory()
    history.leave(START)
    history.leave(START)
    assert history.back(None) == START
    assert not history.can_go_back
    history.leave(START)
    history.leave(None)
    history.back(START)
    assert (history.can_go_back, history.can_go_forward) == (True, True)
    history.clear()
    assert (history.can_go_back, history.can_go_forward) == (False, False)
