"""Formula text: what is evaluated, what is refused."""

import math
import string

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.catalogue.formula import MAX_LENGTH, compile_function, names_in, parse
from explorer.analysis.problem import Refused


def value(text: str, **names: object) -> object:
    return compile_function(names, [], [parse(text, names)])(*names.values())[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 * m * n * k", 48.0),
        ("m ** 2 + n % 2", 5.0),
        ("7 // 2", 3.0),
        ("max(m, n, 5) - min(m, n)", 3.0),
        ("ceil(7 / 2) + floor(7 / 2)", 7.0),
        ("log2(n ** 3)", 3 * math.log2(3)),
        ("-m + +n", 1.0),
    ],
)
def test_a_formula_gives_the_figure_of_its_arithmetic(text, expected):
    assert value(text, m=2.0, n=3.0, k=4.0) == pytest.approx(expected)


def test_a_formula_broadcasts_over_arrays_as_it_computes_numbers():
    b, c = np.array([[1.0], [2.0]]), np.array([[3.0, 4.0, 5.0]])
    grid = value("max(b * c, 4) + floor(c / 2)", b=b, c=c)
    loop = [[value("max(b * c, 4) + floor(c / 2)", b=float(x), c=float(y)) for y in c[0]] for x in b[:, 0]]
    assert np.array_equal(grid, loop)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("m + q", "formula.name"),
        ("__import__('os')", "formula.function"),
        ("m.real", "formula.construct"),
        ("m if m else 1", "formula.construct"),
        ("[m]", "formula.construct"),
        ("m < 2", "formula.construct"),
        ("m & 1", "formula.construct"),
        ("lambda: 1", "formula.construct"),
        ("'a' * 9", "formula.constant"),
        ("True + m", "formula.constant"),
        ("1j * m", "formula.constant"),
        ("abs(m)", "formula.function"),
        ("ceil(m, 2)", "formula.arguments"),
        ("min(*m)", "formula.function"),
        ("max(m)", "formula.arguments"),
        ("m +", "formula.syntax"),
        ("", "formula.syntax"),
        ("m; m", "formula.syntax"),
        ("m" * (MAX_LENGTH + 1), "formula.long"),
        ("(" * 300, "formula.syntax"),
        ("min", "formula.name"),
    ],
)
def test_what_is_outside_the_closed_list_is_refused_with_its_code(text, code):
    with pytest.raises(Refused) as refused:
        parse(text, ["m"], "flops")
    assert refused.value.problems[0].code == code
    assert refused.value.problems[0].path == "flops"


def test_a_tower_of_powers_overflows_instead_of_growing():
    with pytest.raises(OverflowError):
        value("9 ** 9 ** 9 ** 9 * m", m=1.0)


def test_names_in_lists_what_a_formula_reads():
    assert names_in("w * k * n + max(o, 2)") == {"w", "k", "n", "o"}
    assert names_in("((") == frozenset()


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet=string.printable + "π²∞", max_size=120))
def test_any_text_is_a_formula_or_refused(text):
    try:
        compile_function(["m"], [], [parse(text, ["m"])])
    except Refused as refused:
        assert refused.problems


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(["m", "2", "+", "-", "*", "/", "**", "(", ")", "min(", ",", "//", "%", "log2("]), max_size=200
    )
)
def test_any_string_of_tokens_is_a_formula_or_refused(tokens):
    try:
        compile_function(["m"], [], [parse(" ".join(tokens), ["m"])])
    except Refused as refused:
        assert refused.problems
