"""One reader of typed figures: every field reads the same number the same way, and is as strict as it says."""

import math
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.problem import Problem, Refused
from explorer.files.typed.arguments import quick_model_from
from explorer.files.typed.cells import read_calls, read_dim, read_number
from explorer.files.typed.pasted_measurements import read_whole
from explorer.presentation import sentences as texts  # noqa: F401 - registers every sentence
from explorer.presentation.quantities.log_scale import parse_count
from explorer.presentation.quantities.quantity import read_quantity
from explorer.presentation.quantities.typed_figure import Fault, Spelling, Unread, read_figure

KILO = Spelling({"": Decimal(1), "k": Decimal(1000)})


def quick(text: str) -> float:
    return quick_model_from(f"params={text},layers=1,kv_heads=1,head_dim=1").params


def count(text: str) -> float:
    found = parse_count(text, 0, 2**60)
    if isinstance(found, Problem):
        raise Refused(found)
    return found


FIELDS: dict[str, Callable[[str], float]] = {
    "number": read_number,
    "billions": lambda t: read_number(t, billions=True),
    "dim": read_dim,
    "calls": read_calls,
    "bytes": lambda t: read_quantity(t, "B"),
    "plain": lambda t: read_quantity(t, ""),
    "seconds": lambda t: read_quantity(t, "s"),
    "--quick": quick,
    "count": count,
}


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("text", ["1", "4096", " 7 ", "12.0", "123456789012", "8.", "00012"])
def test_every_field_reads_a_bare_number_alike(field: str, text: str) -> None:
    assert FIELDS[field](text) == float(text)


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize(
    "text", ["", "four", "--1", "1..2", "1e", "0x10", "nan", "inf", "1_0", "١٢", "1e9999", "１", "4x", "½"]
)
def test_no_field_reads_what_is_no_number(field: str, text: str) -> None:
    with pytest.raises(Refused):
        FIELDS[field](text)


@pytest.mark.parametrize("text", ["1,5", "1.234.567,8", "12,34"])
@pytest.mark.parametrize("field", FIELDS)
def test_no_field_reads_a_comma_that_marks_decimals(field: str, text: str) -> None:
    with pytest.raises(Refused):
        FIELDS[field](text)


@pytest.mark.parametrize(
    ("text", "value"), [("1.005k", 1005), ("4.35k", 4350), ("0.29M", 290_000), ("1.1T", 11 * 10**11), ("2.3Ki", 2355.2)]
)
def test_a_prefix_is_exact(text: str, value: float) -> None:
    """In binary 1.005 · 1000 falls short of 1005, and would be no whole number."""
    assert read_number(text) == value
    assert read_quantity(text, "B") == value
    if value == int(value):
        assert read_whole(text, 10**18) == value


def test_a_prefix_of_counts_stays_that_of_powers_of_two() -> None:
    assert (count("4k"), read_number("4k"), read_number("4Ki")) == (4096, 4000, 4096)


def test_figures_of_a_command_are_read_as_in_the_window() -> None:
    assert quick("13e9") == quick("13B") == quick("13G") == 13e9
    assert quick_model_from("params=1,layers=1,kv_heads=1,head_dim=1,file_bytes=4Gi").file_bytes == 2**32


@pytest.mark.parametrize(
    ("text", "spelling", "fault"),
    [
        ("1,5", KILO, "comma"),
        ("1.500", Spelling(KILO.endings, careful=True), "two_ways"),
        ("1.500k", Spelling(KILO.endings, careful=True), None),
        ("-1", Spelling(KILO.endings, signed=False), "number"),
        ("1e3", Spelling(KILO.endings, powers=False), "number"),
        ("12345", Spelling(KILO.endings, longest=4), "number"),
        ("1 K", KILO, "ending"),
        ("1 kk", KILO, "ending"),
        ("1,5", Spelling(KILO.endings, grouped=True), "ending"),
        ("1,500", Spelling(KILO.endings, grouped=True), None),
        ("1e400", KILO, "number"),
    ],
)
def test_a_field_is_as_strict_as_it_says(text: str, spelling: Spelling, fault: Fault | None) -> None:
    if fault is None:
        assert read_figure(text, spelling) == 1500
        return
    with pytest.raises(Unread) as unread:
        read_figure(text, spelling)
    assert unread.value.fault == fault


@given(st.text(max_size=500) | st.from_regex(r"[+-]?[0-9.,eE ]{0,80}[a-zA-Z/]{0,8}"), st.sampled_from(sorted(FIELDS)))
def test_any_text_gives_a_finite_figure_or_is_refused(text: str, field: str) -> None:
    try:
        value = FIELDS[field](text)
    except Refused:
        return
    assert math.isfinite(value)
