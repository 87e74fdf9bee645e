"""Where the axes begin and end, and decades of one length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.presentation.roofline.figure import Crowd, DrawnRoof, Figure, Mark, Range
from explorer.presentation.roofline.ranges import default_ranges, equal_decades


def mark(x: float, y: float) -> Mark:
    return Mark(x, y, (), "d", 0, "", 0.1)


def roof(bandwidth: float, peak: float | None) -> DrawnRoof:
    return DrawnRoof("d", "D", 0, bandwidth, peak, "", "")


@pytest.mark.parametrize(
    ("marks", "roofs", "shift", "x", "y"),
    [
        ([], [], 0.0, (-1.0, 4.0), (11.0, 15.5)),
        ([], [(12.0, None)], 0.0, (-1.0, 4.0), (11.0, 15.5)),
        # 0.1 FLOP/byte with room to the left, a decade right of the ridge, a bit above the peak
        ([(1.0, 12.0)], [(12.5, 15.0)], 0.0, (-1.0, 3.5), (11.75, 15.25)),
        # without points three and a half decades below the top
        ([], [(12.5, 15.0)], 0.0, (-1.0, 3.5), (11.5, 15.25)),
        # never fewer than three decades, widened on both sides
        ([(1.0, 12.0)], [], 0.0, (-1.25, 1.75), (10.5, 13.5)),
        ([(1.0, 12.0)], [(12.0, None)], 0.0, (-1.25, 1.75), (10.5, 13.5)),
        # points beyond the ridge, left of 0.1 and above the peak
        ([(5.0, 16.0), (-3.0, 10.0)], [(12.5, 15.0)], 0.0, (-3.25, 5.5), (9.75, 16.25)),
        # the ridge is the leftmost
        ([(1.0, 12.0)], [(16.0, 12.0)], 0.0, (-4.25, 1.5), (10.5, 13.5)),
        # per value the axis moves with the bytes of one
        ([(1.0, 12.0)], [(12.5, 15.0)], 0.3, (-0.75, 3.5), (11.75, 15.25)),
    ],
)
def test_the_ranges_hold_everything_with_room_in_steps_of_a_quarter(
    marks: list[tuple[float, float]], roofs: list[tuple[float, float | None]], shift: float, x: Range, y: Range
) -> None:
    assert default_ranges([roof(*r) for r in roofs], [mark(*m) for m in marks], shift) == (
        pytest.approx(x),
        pytest.approx(y),
    )


def test_crowds_are_held_too() -> None:
    crowd = Crowd((), (-2.0, 6.0), (9.0, 16.0))
    assert default_ranges([roof(12.5, 15.0)], [], 0.0, [crowd]) == ((-2.25, 6.5), (8.75, 16.25))


def figure(x: Range, y: Range, *, fitted: bool = True) -> Figure:
    return Figure(x, y, "", "", fitted=fitted)


SPANS = st.tuples(st.floats(-3, 3), st.floats(0.5, 12)).map(lambda at: (at[0], at[0] + at[1]))


@given(SPANS, SPANS, st.floats(50, 3000), st.floats(50, 3000))
def test_a_decade_is_as_long_on_both_axes_unless_that_empties_the_plot_and_nothing_is_cut(
    x: Range, y: Range, width: float, height: float
) -> None:
    (x0, x1), (y0, y1) = equal_decades(figure(x, y), width, height)
    wider, higher = (x1 - x0) / (x[1] - x[0]), (y1 - y0) / (y[1] - y[0])
    assert max(wider, higher) <= 1.5 + 1e-9
    equal = width / (x1 - x0) == pytest.approx(height / (y1 - y0))
    assert equal or max(wider, higher) == pytest.approx(1.5)
    assert (x0, y0) <= (x[0] + 1e-9, y[0] + 1e-9)
    assert x1 >= x[1] - 1e-9
    assert y1 >= y[1] - 1e-9
    assert x1 - x0 == pytest.approx(x[1] - x[0]) or y1 - y0 == pytest.approx(y[1] - y[0])


def test_a_wide_plot_gains_mostly_at_high_intensities_and_a_high_one_below() -> None:
    assert equal_decades(figure((0.0, 4.0), (10.0, 14.0)), 560, 400) == (pytest.approx((-0.4, 5.2)), (10.0, 14.0))
    assert equal_decades(figure((0.0, 4.0), (10.0, 14.0)), 400, 560) == (
        (0.0, 4.0),
        pytest.approx((10.0 - 1.28, 14.0 + 0.32)),
    )
    assert equal_decades(figure((0.0, 4.0), (10.0, 14.0)), 4000, 400) == ((-0.5, 5.5), (10.0, 14.0))


def test_the_highest_roof_has_room_for_its_name_above_it() -> None:
    shown = replace(figure((0.0, 4.0), (10.0, 14.0)), roofs=(roof(11.0, 13.9),))
    _, (low, high) = equal_decades(shown, 400, 400, head=40.0)
    assert (high - 13.9) / (high - low) >= 0.1 - 1e-9
    assert low <= 10.0
    roomy = replace(shown, roofs=(roof(11.0, 13.0),))
    assert equal_decades(roomy, 400, 400, head=40.0) == equal_decades(roomy, 400, 400)


@pytest.mark.parametrize(
    ("fitted", "width", "height"), [(False, 800, 400), (True, 0, 400), (True, 800, 0), (True, -1, 5), (True, 5, -1)]
)
def test_zoomed_ranges_and_plots_without_a_size_are_left_alone(fitted: bool, width: float, height: float) -> None:
    assert equal_decades(figure((0.0, 4.0), (10.0, 15.0), fitted=fitted), width, height) == ((0.0, 4.0), (10.0, 15.0))


def test_a_plot_of_one_pixel_has_equal_decades_already() -> None:
    (x0, x1), (y0, y1) = equal_decades(figure((0.0, 4.0), (10.0, 13.0)), 1, 1)
    assert x1 - x0 == pytest.approx(y1 - y0)
