import pytest

from explorer.analysis.catalogue.formula import value_of
from explorer.presentation.quantities.formula_text import formula_number, pretty
from tests.presentation.llama import catalogue


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2 * m * n * k", "2·m·n·k"),
        ("a * m * k + w * k * n", "a·m·k\u2009+\u2009w·k·n"),
        ("x - (y - z)", "x\u2009−\u2009(y\u2009−\u2009z)"),
        ("x - y - z", "x\u2009−\u2009y\u2009−\u2009z"),
        ("a / (b / c)", "a/(b/c)"),
        ("(a + b) * c", "(a\u2009+\u2009b)·c"),
        ("(1 - top_k / experts) ** tokens", "(1\u2009−\u2009top_k/experts)^tokens"),
        ("floor((H + 2 * pad) / stride) + 1", "⌊(H\u2009+\u20092·pad)/stride⌋\u2009+\u20091"),
        ("max(0, min(window, S_k))", "max(0, min(window, S_k))"),
        ("a // b", "⌊a/b⌋"),
        ("-a * b", "−a·b"),
    ],
)
def test_a_formula_reads_as_people_write_it(text: str, shown: str) -> None:
    assert pretty(text) == shown


def test_numbers_stand_in_place_of_names() -> None:
    assert pretty("2 * m * n * k", {"m": 8, "n": 14336, "k": 4096}) == "2·8·14336·4096"


def test_no_limit_reads_as_infinity_and_fractions_keep_four_digits() -> None:
    assert formula_number(1e18) == "∞"
    assert formula_number(0.53125) == "0.5312"
    assert formula_number(-2.0) == "−2"


def test_a_negative_number_in_place_of_a_name_keeps_its_brackets() -> None:
    assert pretty("2 * x", {"x": -3.0}) == "2·(−3)"


def test_every_formula_of_the_catalogue_can_be_shown_and_valued() -> None:
    for kind in catalogue().kinds:
        values = {d.name: d.default for d in kind.dims} | {"a": 2.0, "w": 2.0, "o": 2.0, "kv": 2.0}
        for derived in kind.derived:
            values[derived.name] = value_of(derived.formula, values)
        for text in (kind.flops, kind.bytes_read, kind.bytes_written):
            assert "*" not in pretty(text)
            assert value_of(text, values) >= 0
