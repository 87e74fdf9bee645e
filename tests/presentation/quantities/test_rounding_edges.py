"""Where a text changes its prefix, its digits or its form; and every text read back."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.presentation.quantities.dims import UNLIMITED, dims_text, number_text
from explorer.presentation.quantities.numbers import (
    NOTHING,
    capacity,
    factor,
    percent,
    scaled,
    seconds,
    significant,
    whole,
)

WORTH = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "m": 1e-3, "µ": 1e-6, "n": 1e-9}
RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def read(number: str) -> float:
    mantissa, _, exponent = number.replace(",", "").partition("×10")
    return float(mantissa) * 10.0 ** int(exponent.translate(RAISED) or 0)


def digits(number: str) -> int:
    return len(re.sub(r"\D", "", number).lstrip("0"))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (math.inf, "–"),
        (math.nan, "–"),
        (0.000999, "0.000999"),
        (0.9994, "0.999"),
        (0.9996, "1.00"),
        (1.0, "1.00"),
        (9.994, "9.99"),
        (9.996, "10.0"),
        (99.94, "99.9"),
        (99.96, "100"),
        (999.4, "999"),
        (999.6, "1,000"),
        (1234.5, "1,234"),
        (-9.996, "-10.0"),
        (9.999e-7, "1.00×10⁻⁶"),
        (1e-6, "0.00000100"),
    ],
)
def test_three_digits_at_their_edges(value: float, text: str) -> None:
    assert significant(value) == text


@pytest.mark.parametrize(
    ("value", "count", "text"), [(1234.5678, 6, "1,234.57"), (0.5, 1, "0.5"), (0.96, 1, "1"), (12.345, 4, "12.35")]
)
def test_as_many_digits_as_asked_for(value: float, count: int, text: str) -> None:
    assert significant(value, count) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (math.inf, "–"),
        (0.0, "0 B"),
        (999.4, "999 B"),
        (999.5, "1.00 kB"),
        (1e3, "1.00 kB"),
        (999.4e3, "999 kB"),
        (999.6e3, "1.00 MB"),
        (999.6e6, "1.00 GB"),
        (999.6e9, "1.00 TB"),
        (999.6e12, "1.00 PB"),
        (2.5e18, "2,500 PB"),
        (-2e9, "-2.00 GB"),
    ],
)
def test_a_prefix_begins_where_three_digits_round_up_to_it(value: float | None, text: str) -> None:
    assert scaled(value, "B") == text


def test_without_a_unit_no_blank_is_left() -> None:
    assert (scaled(5.0, ""), scaled(5e3, ""), scaled(5.0, "B", 2)) == ("5.00", "5.00 k", "5.0 B")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (math.nan, "–"),
        (0.0, "0 s"),
        (1.0, "1.00 s"),
        (0.9996, "1.00 s"),
        (0.9994, "999 ms"),
        (0.9994e-3, "999 µs"),
        (0.9996e-3, "1.00 ms"),
        (0.9996e-6, "1.00 µs"),
        (0.9994e-6, "999 ns"),
        (1e-9, "1.00 ns"),
        (2e-12, "0.00200 ns"),
        (-5e-3, "-5.00 ms"),
        (90.0, "90.0 s"),
    ],
)
def test_times_at_their_edges(value: float | None, text: str) -> None:
    assert seconds(value) == text


@pytest.mark.parametrize(
    ("share", "count", "text"),
    [
        (None, 2, "–"),
        (math.inf, 2, "–"),
        (0.0, 2, "0.0 %"),
        (0.000499, 2, "< 0.1 %"),
        (-0.000499, 2, "< 0.1 %"),
        (0.0005, 2, "0.1 %"),
        (0.0994, 2, "9.9 %"),
        (0.1, 2, "10 %"),
        (0.456, 2, "46 %"),
        (0.456, 3, "45.6 %"),
        (0.9994, 3, "99.9 %"),
        (0.9995, 3, "100 %"),
        (1.0, 2, "100 %"),
        (1.234, 3, "123 %"),
        (9.9e9, 2, "990000000000 %"),
        (1e10, 2, "1.00×10¹² %"),
    ],
)
def test_shares_at_their_edges(share: float | None, count: int, text: str) -> None:
    assert percent(share, count) == text


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (math.nan, "–"), (1.0, "1.00×"), (1234.5, "1,234.50×"), (1e12, "1.00×10¹²×")]
)
def test_gains_at_their_edges(value: float | None, text: str) -> None:
    assert factor(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (math.inf, "–"),
        (0.0, "0 B"),
        (1023.0, "1,023 B"),
        (1024.0, "1.00 KiB"),
        (2.0**20 - 1, "1,024 KiB"),
        (2.0**20, "1.00 MiB"),
        (2.0**30, "1.00 GiB"),
        (80e9, "74.5 GiB"),
        (2.0**40, "1.00 TiB"),
        (-(2.0**30), "-1.00 GiB"),
    ],
)
def test_binary_sizes_begin_at_their_power_of_two(value: float | None, text: str) -> None:
    assert capacity(value, "GiB") == text


def test_decimal_sizes_are_scaled_like_rates_and_take_digits() -> None:
    assert (capacity(80e9), capacity(80.25e9, "GB", 4), capacity(2.0**33, "GiB", 4)) == (
        "80.0 GB",
        "80.25 GB",
        "8.000 GiB",
    )
    assert capacity(12.0, "GiB", 4) == "12.00 B"


def test_counts_are_whole_and_far_out_a_power() -> None:
    assert (whole(1499.6), whole(999_999_999_999.0), whole(1e12), whole(-1e13)) == (
        "1,500",
        "999,999,999,999",
        "1.00×10¹²",
        "-1.00×10¹³",
    )


@given(st.floats(1e-15, 1e24), st.integers(2, 5))
def test_a_text_reads_back_within_half_of_its_last_digit(value: float, count: int) -> None:
    number = significant(value, count)
    assert read(number) == pytest.approx(value, rel=0.5001 * 10.0 ** (1 - count))
    assert digits(number.partition("×")[0]) >= count


@given(st.floats(1, 9e17))
def test_a_rate_reads_back_with_its_prefix_from_one_to_a_thousand(value: float) -> None:
    number, _, prefix = scaled(value, "").partition(" ")
    assert read(number) * WORTH[prefix] == pytest.approx(value, rel=0.0051)
    assert 1 <= read(number) < 1000


@given(st.floats(1e-9, 0.9))
def test_a_time_reads_back_with_its_prefix_from_one_to_a_thousand(value: float) -> None:
    number, _, unit = seconds(value).partition(" ")
    assert read(number) * WORTH[unit.removesuffix("s")] == pytest.approx(value, rel=0.0051)
    assert 1 <= read(number) < 1000


@given(st.floats(-10, 10))
def test_a_share_reads_back_within_a_digit(share: float) -> None:
    text = percent(share, 3).removesuffix(" %")
    assert NOTHING not in text
    assert float(text.removeprefix("< ")) / 100 == pytest.approx(share, abs=0.0051 if "<" not in text else 0.002)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (8.0, "8"),
        (-3.0, "-3"),
        (0.5, "0.5"),
        (1.234, "1.2340"),
        (123.456, "123.4560"),
        (1234.567, "1234.567"),
        (0.125, "0.125"),
        (1.25, "1.25"),
        (999_999_999_999_999.0, "999999999999999"),
        (1e15, "1000000000000000.0"),
        (1.5e20, "1.5e20"),
    ],
)
def test_a_dim_is_written_so_that_it_reads_in_one_way_only(value: float, text: str) -> None:
    assert number_text(value) == text
    assert float(text) == value


def test_dims_come_in_their_kinds_order_then_the_others_and_without_limits() -> None:
    dims = {"extra": 1.0, "n": 2.0, "window": UNLIMITED, "m": 3.5}
    assert dims_text(dims, ("m", "n", "k", "window")) == "m=3.5 n=2 extra=1"
    assert dims_text(dims) == "extra=1 n=2 m=3.5"
    assert dims_text({"m": UNLIMITED / 2}) == f"m={number_text(UNLIMITED / 2)}"
