from hypothesis import given
from hypothesis import strategies as st

from explorer.presentation.explain.explain import explain
from explorer.presentation.explain.layout import as_text, lay_out
from explorer.presentation.explain.lines import Line
from tests.presentation.llama import evaluated

FLOPS = Line("FLOPs", "2·m·n·k", "2·8·14336·4096", "940", "MFLOP")


def test_a_figure_stands_on_one_line_where_it_fits() -> None:
    assert as_text(lay_out([FLOPS], 60)) == "FLOPs = 2·m·n·k = 2·8·14336·4096 = 940 MFLOP"


def test_a_long_figure_breaks_before_an_equals_sign_and_hangs() -> None:
    assert as_text(lay_out([FLOPS], 34)).split("\n") == ["FLOPs = 2·m·n·k = 2·8·14336·4096", "  = 940 MFLOP"]


def test_the_result_is_marked_and_the_source_is_muted() -> None:
    blocks = lay_out([Line("peak", result="989", unit="TFLOP/s", source="datasheet")], 40)
    start, length, role = blocks[0].spans[-1]
    assert (blocks[0].text[start : start + length].strip(), role) == ("= 989 TFLOP/s", "result")
    assert blocks[1].spans[0][2] == "muted"


@given(st.integers(30, 90))
def test_no_line_of_a_real_explanation_is_wider_than_its_column(columns: int) -> None:
    for rows in (("attention",), ("up_proj",), ("norm",)):
        blocks = lay_out(explain(evaluated(), rows=rows).lines, columns)
        assert max(len(b.text) for b in blocks) <= columns


def test_nothing_is_lost_by_wrapping() -> None:
    lines = explain(evaluated(), rows=("attention",)).lines
    wide, narrow = as_text(lay_out(lines, 400)), as_text(lay_out(lines, 36))
    assert "".join(wide.split()) == "".join(narrow.split())
