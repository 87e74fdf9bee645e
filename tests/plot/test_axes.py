import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.plot.paint.axes import power_text, si_text, ticks


@given(st.floats(-9, 15), st.floats(-2, 1.38), st.integers(2, 14))
def test_an_axis_has_two_distinct_labels_at_any_zoom(low: float, log_width: float, most: int) -> None:
    high = low + 10**log_width
    texts = [text for _, text in ticks(low, high, most).major]
    assert len(texts) >= 2
    assert len(set(texts)) == len(texts)


@given(st.floats(-9, 15), st.floats(-2, 1.38))
def test_ticks_lie_in_the_visible_range_and_labels_are_in_order(low: float, log_width: float) -> None:
    high = low + 10**log_width
    found = ticks(low, high, 8)
    places = [v for v, _ in found.major]
    assert places == sorted(places)
    assert all(low - 1e-6 <= v <= high + 1e-6 for v in (*places, *found.minor))


@pytest.mark.parametrize(
    ("exponent", "text"),
    [(-2, "0.01"), (-1, "0.1"), (0, "1"), (1, "10"), (3, "1 k"), (12, "1 T"), (14, "100 T"), (15, "1 P"), (21, "1e21")],
)
def test_decades_are_written_with_prefixes(exponent: int, text: str) -> None:
    assert power_text(exponent) == text


def test_the_usual_ranges_show_every_decade() -> None:
    assert [t for _, t in ticks(-1, 4, 8).major] == ["0.1", "1", "10", "100", "1 k", "10 k"]


def test_a_narrow_range_counts_in_even_steps_with_one_prefix() -> None:
    low, high = math.log10(301e12), math.log10(309e12)
    assert [t for _, t in ticks(low, high, 8).major] == ["302 T", "304 T", "306 T", "308 T"]


def test_half_a_decade_counts_one_two_five() -> None:
    assert [t for _, t in ticks(0.25, 1.1, 8).major] == ["2", "5", "10"]


def test_a_value_shows_the_digits_its_step_needs() -> None:
    assert si_text(1250.0, 50.0) == "1.25 k"
