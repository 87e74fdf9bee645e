import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.problem import Refused
from explorer.presentation.quantities.quantity import Unit, quantity_text, read_optional, read_quantity
from explorer.presentation.words.messages import render_problem

UNITS: tuple[Unit, ...] = ("FLOP/s", "OP/s", "B/s", "B", "s", "W", "")


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("989.4T", "FLOP/s", 989.4e12),
        ("989.4 TFLOP/s", "FLOP/s", 989.4e12),
        ("989.4 TFLOPS", "FLOP/s", 989.4e12),
        ("1979 TOPS", "OP/s", 1979e12),
        ("1.9789 PFLOP/s", "FLOP/s", 1.9789e15),
        ("3.35 TB/s", "B/s", 3.35e12),
        ("1.555 TB/s", "B/s", 1.555e12),
        ("3350e9", "B/s", 3350e9),
        ("80 GiB", "B", 80 * 2**30),
        ("80 GB", "B", 80e9),
        ("80Gi", "B", 80 * 2**30),
        ("228 KiB", "B", 233472),
        ("375 ns", "s", 375e-9),
        ("2.4 µs", "s", 2.4e-6),
        ("2.4us", "s", 2.4e-6),
        ("700 W", "W", 700),
        ("132", "", 132),
        ("  3.35\u00a0TB/s ", "B/s", 3.35e12),
    ],
)
def test_a_figure_is_read_with_its_prefix_and_unit(text: str, unit: Unit, value: float) -> None:
    assert read_quantity(text, unit) == value


@pytest.mark.parametrize("text", ["1,5 TB/s", "1,307 TFLOP/s", "3350,0", "1.307,5"])
def test_a_comma_is_refused_rather_than_read_in_one_of_two_ways(text: str) -> None:
    with pytest.raises(Refused) as refused:
        read_quantity(text, "B/s", "memory[0].bandwidth")
    sentence = render_problem(refused.value.problems[0])
    assert sentence.startswith("memory[0].bandwidth: ")
    assert text in sentence
    assert "comma" in sentence


@pytest.mark.parametrize(
    ("text", "unit", "code"),
    [
        ("400 Gb/s", "B/s", "quantity.bits"),
        ("400 Gbps", "B/s", "quantity.bits"),
        ("64 Mbit", "B", "quantity.bits"),
        ("3.35 TB/s", "FLOP/s", "quantity.unit"),
        ("375 ms", "B", "quantity.unit"),
        ("5 mB", "B", "quantity.unit"),
        ("3 T", "s", "quantity.unit"),
        ("fast", "FLOP/s", "quantity.number"),
        ("1e999", "FLOP/s", "quantity.number"),
        ("nan", "s", "quantity.number"),
        ("", "s", "quantity.missing"),
        ("1" * 100, "", "quantity.number"),
    ],
)
def test_what_is_no_such_figure_is_refused(text: str, unit: Unit, code: str) -> None:
    with pytest.raises(Refused) as refused:
        read_quantity(text, unit)
    assert refused.value.problems[0].code == code


def test_an_empty_field_means_not_known() -> None:
    assert read_optional("  ", "B/s") is None
    assert quantity_text(None, "B/s") == ""


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (989.4e12, "FLOP/s", "989.4 TFLOP/s"),
        (1307.4e12, "FLOP/s", "1307.4 TFLOP/s"),
        (3.35e12, "B/s", "3.35 TB/s"),
        (85899345920, "B", "80 GiB"),
        (80e9, "B", "80 GB"),
        (375e-9, "s", "375 ns"),
        (2.4e-6, "s", "2.4 µs"),
        (132, "", "132"),
    ],
)
def test_figures_show_in_the_form_people_write_them(value: float, unit: Unit, text: str) -> None:
    assert quantity_text(value, unit) == text


@given(st.floats(1e-12, 1e24), st.sampled_from(UNITS))
def test_every_shown_figure_reads_back_as_itself(value: float, unit: Unit) -> None:
    assert read_quantity(quantity_text(value, unit), unit) == value


@given(st.integers(1, 2**60))
def test_every_number_of_bytes_reads_back_as_itself(size: int) -> None:
    assert read_quantity(quantity_text(float(size), "B"), "B") == float(size)


@given(st.text(max_size=80), st.sampled_from(UNITS))
def test_any_text_gives_a_finite_figure_or_one_sentence(text: str, unit: Unit) -> None:
    try:
        value = read_quantity(text, unit)
    except Refused as refused:
        (problem,) = refused.problems
        assert "\n" not in render_problem(problem)
        assert "{" not in render_problem(problem) or "{" in text
    else:
        assert math.isfinite(value)
