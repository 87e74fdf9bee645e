import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.plot.paint.axes import _nice, power_text, si_text, ticks


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


@pytest.mark.parametrize("off", [0.0, 1e-10, -1e-10])
def test_a_tick_on_the_very_edge_of_the_range_is_shown_whatever_the_rounding(off: float) -> None:
    low, high = math.log10(300e12) + off / 1e3, math.log10(310e12) - off / 1e3
    found = ticks(low, high, 8)
    assert [t for _, t in found.major] == ["300 T", "302 T", "304 T", "306 T", "308 T", "310 T"]
    assert [round(10**v / 1e11) for v in found.minor[:2]] == [3004, 3008]
    assert [t for _, t in ticks(-1.0 + off, 4.0 - off, 8).major] == ["0.1", "1", "10", "100", "1 k", "10 k"]


def test_half_a_decade_counts_one_two_five() -> None:
    assert [t for _, t in ticks(0.25, 1.1, 8).major] == ["2", "5", "10"]


def test_a_value_shows_the_digits_its_step_needs() -> None:
    assert si_text(1250.0, 50.0) == "1.25 k"


@pytest.mark.parametrize(
    ("low", "high", "most", "labels", "unlabelled"),
    [
        (-1.0, 4.0, 8, ["0.1", "1", "10", "100", "1 k", "10 k"], 40),
        (-1.0, 4.0, 3, ["0.1", "10", "1 k"], 3),
        (-1.0, 4.0, 2, ["0.1", "100"], 4),
        (-1.0, 4.0, 0, ["0.1", "100"], 4),
        (0.0, 2.0, 2, ["1", "100"], 1),
        (0.0, 1.0, 8, ["1", "2", "5", "10"], 6),
        (-0.1, 1.2, 8, ["1", "10"], 10),
        (-0.2, 1.2, 1, ["1", "10"], 11),
        (-0.1, 1.05, 8, ["1", "2", "5", "10"], 8),
        (0.5, 0.94, 8, ["4", "6", "8"], 11),
        (2.7, 3.2, 8, ["1.0 k", "1.5 k"], 8),
        (0.71, 0.99, 8, ["6", "7", "8", "9"], 19),
        (-9.0, -6.0, 8, ["1 n", "10 n", "100 n", "1 µ"], 24),
        (18.0, 22.0, 8, ["1 E", "10 E", "100 E", "1e21", "1e22"], 32),
    ],
)
def test_an_axis_counts_in_decades_in_one_two_five_or_in_even_steps(
    low: float, high: float, most: int, labels: list[str], unlabelled: int
) -> None:
    found = ticks(low, high, most)
    assert [text for _, text in found.major] == labels
    assert len(found.minor) == unlabelled


@pytest.mark.parametrize(
    ("low", "high"), [(0.0, 1.0), (0.3, 0.5), (2.0, 2.02), (-3.2, -3.0), (13.0, 13.3), (-1.0, 4.0)]
)
def test_a_tick_stands_at_the_value_that_its_text_says(low: float, high: float) -> None:
    prefixes = {"n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}
    found = ticks(low, high, 8)
    for place, text in found.major:
        value, _, prefix = text.partition(" ")
        assert float(value) * prefixes.get(prefix, 1.0) == pytest.approx(10**place, rel=1e-6)
    assert not {round(v, 9) for v in found.minor} & {round(v, 9) for v, _ in found.major}


@pytest.mark.parametrize(
    ("value", "step", "scale_of", "text"),
    [
        (250e12, 10e12, None, "250 T"),
        (1250.0, 50.0, None, "1.25 k"),
        (0.05, None, None, "0.05"),
        (0.0005, None, None, "500 µ"),
        (0.001, None, None, "0.001"),
        (1.0, None, None, "1"),
        (999.0, None, None, "999"),
        (1000.0, None, None, "1 k"),
        (900.0, 100.0, 1200.0, "0.9 k"),
        (2e21, None, None, "2e21"),
        (3e-12, None, None, "3e-12"),
        (40.0, 20.0, None, "40"),
    ],
)
def test_values_are_written_with_prefixes(value: float, step: float | None, scale_of: float | None, text: str) -> None:
    assert si_text(value, step, scale_of) == text


@pytest.mark.parametrize(
    ("exponent", "text"), [(-3, "0.001"), (-4, "100 µ"), (-9, "1 n"), (-10, "1e-10"), (4, "10 k"), (20, "100 E")]
)
def test_small_and_large_decades_have_prefixes_too(exponent: int, text: str) -> None:
    assert power_text(exponent) == text


@pytest.mark.parametrize(
    ("least", "step"),
    [(1.0, 1.0), (0.2, 0.2), (500.0, 500.0), (1.01, 2.0), (2.01, 5.0), (5.01, 10.0), (0.93, 1.0), (1.0 + 1e-12, 1.0)],
)
def test_even_steps_are_one_two_or_five_of_a_decade(least: float, step: float) -> None:
    assert _nice(least) == pytest.approx(step)


def test_every_third_decade_has_its_prefix() -> None:
    texts = [power_text(exponent) for exponent in (-9, -6, -4, 0, 3, 6, 9, 12, 15, 18)]
    assert texts == ["1 n", "1 µ", "100 µ", "1", "1 k", "1 M", "1 G", "1 T", "1 P", "1 E"]
    assert [si_text(3 * 10.0**e) for e in (-9, -6, -4, 4, 7, 10, 13, 16, 19)] == [
        "3 n", "3 µ", "300 µ", "30 k", "30 M", "30 G", "30 T", "30 P", "30 E",
    ]  # fmt: skip
