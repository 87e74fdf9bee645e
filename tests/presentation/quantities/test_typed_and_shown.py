"""Figures typed and shown, formulas read back, and stops of a slider, at their edges."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.catalogue.formula import value_of
from explorer.analysis.problem import Problem, Refused
from explorer.presentation.quantities.formula_text import formula_number, pretty
from explorer.presentation.quantities.log_scale import LogScale, parse_count, snapped
from explorer.presentation.quantities.quantity import Unit, quantity_text, read_quantity
from tests.presentation.explain.worked import worked_out


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "B", ""),
        (math.inf, "B", ""),
        (0.0, "B", "0 B"),
        (0.0, "s", "0 ps"),
        (0.0, "", "0"),
        (1e3, "FLOP/s", "1 kFLOP/s"),
        (999.0, "FLOP/s", "999 FLOP/s"),
        (9.999e15, "FLOP/s", "9999 TFLOP/s"),
        (1e16, "FLOP/s", "10 PFLOP/s"),
        (1e18, "OP/s", "1 EOP/s"),
        (9.999e15, "OP/s", "9999 TOP/s"),
        (2e15, "B/s", "2 PB/s"),
        (2048.0, "B", "2 KiB"),
        (1536.0, "B", "1.536 kB"),
        (1000.0 * 1024, "B", "1000 KiB"),
        (1024.0, "B/s", "1.024 kB/s"),
        (2.0**50, "B", "1 PiB"),
        (1024.0, "W", "1.024 kW"),
        (1500.0, "", "1500"),
        (1.0, "s", "1 s"),
        (60.0, "s", "60 s"),
        (1e-12, "s", "1 ps"),
        (1e-15, "s", "0.001 ps"),
        (1e-40, "s", "1e-28 ps"),
        (-2e9, "B/s", "-2 GB/s"),
        (1 / 3, "s", "333.3333333333333 ms"),
    ],
)
def test_a_figure_is_shown_in_the_shortest_form_that_reads_back(value: float | None, unit: Unit, text: str) -> None:
    assert quantity_text(value, unit) == text
    if text:
        assert read_quantity(text, unit) == value


@pytest.mark.parametrize(
    ("text", "unit", "code", "values"),
    [
        ("x" * 70, "W", "quantity.number", {"got": "x" * 60, "example": "700 W"}),
        ("3 apples", "W", "quantity.unit", {"got": "3 apples", "example": "700 W", "unit": "W"}),
        ("3 W", "", "quantity.unit", {"got": "3 W", "example": "132", "unit": "1"}),
        ("3 Gb", "B", "quantity.bits", {"got": "3 Gb", "example": "80 GiB", "unit": "B"}),
        ("3 Gib/s", "B/s", "quantity.bits", {"got": "3 Gib/s", "example": "3.35 TB/s", "unit": "B/s"}),
        ("3 Gb", "W", "quantity.unit", {"got": "3 Gb", "example": "700 W", "unit": "W"}),
        ("1,5", "s", "quantity.comma", {"got": "1,5", "example": "375 ns"}),
        ("  ", "OP/s", "quantity.missing", {"example": "1979 TOP/s"}),
    ],
)
def test_a_refusal_shows_what_was_typed_and_an_example(
    text: str, unit: Unit, code: str, values: dict[str, object]
) -> None:
    with pytest.raises(Refused) as refused:
        read_quantity(text, unit, "field")
    assert refused.value.problems[0] == Problem(code, "field", values)  # type: ignore[arg-type]


NAMES = {"a": 3.0, "b": 5.0, "c": 7.0, "n": -2.0}
LEAVES = st.one_of(st.sampled_from(sorted(NAMES)), st.integers(1, 9).map(str))


def grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "//"]), inner)
    return st.one_of(
        pairs.map(lambda p: f"({p[0]}) {p[1]} ({p[2]})"),
        inner.map(lambda one: f"-({one})"),
        inner.map(lambda one: f"floor({one})"),
        st.tuples(inner, inner).map(lambda p: f"max({p[0]}, {p[1]})"),
        inner.map(lambda one: f"({one}) ** 2"),
        st.sampled_from(sorted(NAMES)).map(lambda one: f"2 ** ({one})"),
    )


@given(st.recursive(LEAVES, grown, max_leaves=6))
def test_a_formula_reads_back_as_the_same_formula(text: str) -> None:
    try:
        wanted = value_of(text, NAMES)
    except (ZeroDivisionError, OverflowError, ValueError):
        return
    shown = pretty(text)
    spelled = shown.replace("⌊", "floor((").replace("⌋", "))")
    names = {name: value for name, value in NAMES.items() if name in shown}
    assert worked_out(spelled, names) == pytest.approx(wanted, rel=1e-9)
    numbers = pretty(text, NAMES).replace("⌊", "floor((").replace("⌋", "))")
    assert worked_out(numbers) == pytest.approx(wanted, rel=1e-9)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a % b", "a mod b"),
        ("a ** b ** c", "a^(b^c)"),
        ("(a ** b) ** c", "(a^b)^c"),
        ("(-a) ** b", "(−a)^b"),
        ("-(a + b)", "−(a + b)"),
        ("-(a * b)", "−(a·b)"),
        ("-a ** 2", "−a^2"),
        ("a * (b + c)", "a·(b + c)"),
        ("a * (b * c)", "a·b·c"),
        ("a / (b * c)", "a/(b·c)"),
        ("a + (b - c)", "a + b − c"),
        ("a - (b + c)", "a − (b + c)"),
        ("(a + b) // (c * d)", "⌊(a + b)/(c·d)⌋"),
        ("(a * b) // c", "⌊a·b/c⌋"),
        ("ceil(a / b) * c", "⌈a/b⌉·c"),
        ("min(a, b)", "min(a, b)"),
        ("log2(a)", "log2(a)"),
        ("0.5 * a", "0.5000·a"),
        ("1e18", "∞"),
    ],
)
def test_brackets_stand_where_they_are_needed(text: str, shown: str) -> None:
    assert pretty(text).replace("\u2009", " ") == shown


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (-0.5, "−0.5000"), (1e18, "∞"), (9e17, "900000000000000000".replace("9" + "0" * 17, "9.000×10¹⁷")),
     (999_999_999_999_999.0, "999999999999999"), (1e15, "1.000×10¹⁵"), (12345.678, "12346"), (1.5, "1.500")],
)  # fmt: skip
def test_numbers_of_a_formula_at_their_edges(value: float, text: str) -> None:
    assert formula_number(value) == text


SCALE = LogScale(4, 1024)


def test_the_place_of_a_value_and_the_value_of_a_place() -> None:
    assert [SCALE.fraction(v) for v in (1, 4, 64, 1024, 9999)] == [0.0, 0.0, 0.5, 1.0, 1.0]
    assert [SCALE.value(f) for f in (-1.0, 0.0, 0.5, 1.0, 2.0)] == [4, 4, 64, 1024, 1024]
    assert LogScale(5, 5).fraction(5) == 0.0
    assert LogScale(5, 4).fraction(5) == 0.0
    assert LogScale(5, 6).fraction(6) == 1.0
    assert [SCALE.clamp(v) for v in (1.0, 4.4, 4.6, 9999.0)] == [4, 4, 5, 1024]
    assert [SCALE.doubled(v, s) for v, s in ((5, 2), (9, -1), (1000, 1), (5, -1), (7, 0))] == [20, 4, 1024, 4, 7]


@pytest.mark.parametrize(
    ("value", "steps", "stop"),
    [
        (7, 0, 7), (7, 3, 10), (31, 1, 32), (32, 1, 34), (32, -1, 31), (34, -1, 32), (33, 1, 34), (33, -1, 32),
        (64, 2, 72), (72, -2, 64), (66, -1, 64), (1024, 1, 1024), (4, -1, 4), (1023, 1, 1024), (100, -3, 88),
    ],
)  # fmt: skip
def test_steps_go_from_stop_to_stop(value: int, steps: int, stop: int) -> None:
    assert SCALE.stepped(value, steps) == stop


@pytest.mark.parametrize(
    ("value", "stop"),
    [
        (0.2, 1),
        (1.4, 1),
        (1.6, 2),
        (31.4, 31),
        (33.1, 34),
        (32.9, 32),
        (63.2, 64),
        (65.9, 64),
        (66.1, 68),
        (1e6, 1015808),
    ],
)
def test_a_value_snaps_to_the_nearest_of_sixteen_stops_a_doubling(value: float, stop: int) -> None:
    assert snapped(value) == stop


def test_counts_at_the_ends_of_their_range() -> None:
    assert [parse_count(t, 2, 4096) for t in ("2", "4096", "4k", "1.5k")] == [2, 4096, 4096, 1536]
    for text in ("1", "4097", "5k"):
        assert parse_count(text, 2, 4096) == Problem("count.range", values={"low": "2", "high": "4,096"})
    for text in ("2.5", "+3", "1e3", "x", "9" * 41):
        assert parse_count(text, 2, 4096) == Problem("count.syntax")
