"""Tables pasted from a spreadsheet, or from our own copy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.problem import Refused
from explorer.files.catalogue import load_catalogue
from explorer.files.typed.cells import read_dims, read_number
from explorer.files.typed.pasted import MOST_ROWS, parse_rows
from explorer.presentation import sentences as texts  # noqa: F401 - registers every sentence
from explorer.presentation.quantities.dims import dims_text, number_text
from explorer.presentation.words.messages import TEMPLATES, render_problem

CATALOGUE = load_catalogue(devices=False)
MATMUL = CATALOGUE.kind_by_id["matmul"]


@pytest.mark.parametrize(
    ("text", "value"),
    [("4096", 4096.0), ("4k", 4000.0), ("1.5e9", 1.5e9), ("2 M", 2e6), ("3G", 3e9), ("1T", 1e12), ("4Ki", 4096.0),
     ("0.125", 0.125), (" 7 ", 7.0), ("1e3", 1000.0), (".5", 0.5)],
)  # fmt: skip
def test_numbers_are_read_with_prefixes(text: str, value: float) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    "text", ["1,5", "1.234", "1,234", "1.234.567", "1 234", "", "four", "1e999", "nan", "4x", "--1", "١"]
)
def test_a_number_that_is_none_or_reads_in_two_ways_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_number(text)


@pytest.mark.parametrize("text", ["m=8 n=4k k=4096", "m=8, n=4k, k=4096", "m=8;n=4k;k=4096", "m: 8 n: 4000 k: 4096"])
def test_dims_are_read_with_any_separator(text: str) -> None:
    assert read_dims(text, MATMUL) == {"m": 8.0, "n": 4000.0, "k": 4096.0}


@pytest.mark.parametrize("text", ["m=1,5", "m=1,5 n=2", "m", "8 4096", "m=1 m=2", "q=1", "m=-1", "m=1e19", "m=4.096"])
def test_dims_that_cannot_be_are_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_dims(text, MATMUL)


def test_a_table_with_a_header_is_read_by_its_names() -> None:
    text = "Kind\tCalls\tOperator\tFLOPs (FLOP)\tWeights\nmatmul\t2\tmine\t123\tfp8\n"
    rows, problems = parse_rows(text, CATALOGUE)
    assert problems == ()
    assert [(r.name, r.kind, r.count, r.weights) for r in rows] == [("mine", "matmul", 2.0, "fp8")]


def test_a_table_without_a_header_is_read_in_our_order() -> None:
    rows, problems = parse_rows("mine\tmatmul\t2\tm=1 n=2 k=3\tfp8\tbf16\tfp8\tbf16\tfp32\n", CATALOGUE)
    assert problems == ()
    row = rows[0]
    assert (row.dims, row.weights, row.activations, row.kv, row.output, row.accumulate) == (
        {"m": 1.0, "n": 2.0, "k": 3.0}, "fp8", "bf16", "fp8", "bf16", "fp32",
    )  # fmt: skip


def test_spreadsheet_quotes_blank_lines_and_windows_line_ends_are_understood() -> None:
    rows, problems = parse_rows('"my ""odd"" name"\tmatmul\t1\t"m=1 n=2"\r\n\r\n\t\t\r\n', CATALOGUE)
    assert problems == ()
    assert rows[0].name == 'my "odd" name'
    assert rows[0].dims == {"m": 1.0, "n": 2.0}


def test_good_lines_come_through_and_each_bad_one_is_named() -> None:
    text = "a\tmatmul\t1,5\nb\tmatmul\t2\nc\tnone\nd\tmatmul\t1\tm=1,5\ne\tmatmul\t1\t\tfp7\n"
    rows, problems = parse_rows(text, CATALOGUE)
    assert [r.name for r in rows] == ["b"]
    assert [p.path for p in problems] == ["line 1, count", "line 3, kind", "line 4, dims.m", "line 5, weights"]


def test_european_numbers_are_never_read_as_others() -> None:
    rows, problems = parse_rows("a\tmatmul\t1\tm=4.096 n=1 k=1\nb\tmatmul\t1.234\n", CATALOGUE)
    assert rows == ()
    assert {p.code for p in problems} == {"typed.two_ways"}


def test_dims_that_the_formulas_cannot_take_are_refused() -> None:
    rows, problems = parse_rows("a\tconv2d\t1\tstride=0\n", CATALOGUE)
    assert rows == ()
    assert problems[0].code.startswith("formula.")


@pytest.mark.parametrize("text", ["", "\n\n", "\t\t\n", "Operator\tKind\tKind\nx\ty\tz"])
def test_nothing_to_paste_is_said(text: str) -> None:
    rows, problems = parse_rows(text, CATALOGUE)
    assert rows == ()
    assert len(problems) == 1


def test_too_long_a_table_is_refused_whole() -> None:
    rows, problems = parse_rows("a\tmatmul\n" * (MOST_ROWS + 2), CATALOGUE)
    assert rows == ()
    assert [p.code for p in problems] == ["pasted.large"]


figures = st.floats(min_value=0, max_value=9e17, allow_nan=False)


@given(figures)
def test_a_number_written_reads_back_as_itself(value: float) -> None:
    assert read_number(number_text(value)) == value


@given(st.fixed_dictionaries({"m": figures, "n": figures, "k": figures}))
def test_dims_written_read_back_as_themselves(dims: dict[str, float]) -> None:
    assert read_dims(dims_text(dims), MATMUL) == dims


cells = st.one_of(
    st.text(max_size=12),
    st.sampled_from(
        ["matmul", "softmax", "m=1", "m=1,5", "fp8", "1e999", "-1", "Kind", "Operator", '"', "=", "m=", "1.5"]
    ),
)


@given(st.lists(st.lists(cells, max_size=11), max_size=6))
def test_any_table_gives_rows_and_problems_and_nothing_else(table: list[list[str]]) -> None:
    rows, problems = parse_rows("\n".join("\t".join(line) for line in table), CATALOGUE)
    for problem in problems:
        assert problem.code in TEMPLATES
        assert "\n" not in render_problem(problem).strip()
    for row in rows:
        assert row.kind in CATALOGUE.kind_by_id
        assert 0 < row.count <= 1e12


@given(st.text(max_size=300))
def test_any_text_is_pasted_or_refused_in_words(text: str) -> None:
    rows, problems = parse_rows(text, CATALOGUE)
    assert rows or problems
