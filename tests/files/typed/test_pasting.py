"""Pasted tables: each limit, each cell, each line that is left out."""

import pytest
from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT
from explorer.analysis.study.study import HardwareEntry
from explorer.files.catalogue import load_catalogue
from explorer.files.typed.pasted import LARGEST, MOST_ROWS, parse_rows, unquoted
from explorer.files.typed.pasted_measurements import MOST_ROWS as MOST_MEASUREMENTS
from explorer.files.typed.pasted_measurements import parse_measurements, read_phase
from tests.analysis.making import device, own, study

CATALOGUE = load_catalogue()


def refused(call, *args, **more):
    with pytest.raises(Refused) as found:
        call(*args, **more)
    (problem,) = found.value.problems
    return problem


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ('"a"', "a"),
        ('"a ""b"""', 'a "b"'),
        ('"', '"'),
        ('""', ""),
        (' "a" ', "a"),
        ('"a', '"a'),
        ("'=a", "=a"),
        ('" a "', "a"),
        ("'a", "'a"),
    ],
)
def test_quotes_of_spreadsheets_are_no_part_of_a_cell(cell, text):
    assert unquoted(cell) == text


def rows(text):
    found, problems = parse_rows(text, CATALOGUE)
    return found, [(p.code, p.path) for p in problems]


@pytest.mark.parametrize("more", [0, 1])
def test_a_table_of_as_many_letters_as_fit_is_read(more):
    text = "name\tkind\tremark\na\tmatmul\t"
    found, problems = rows(text + "x" * (1_000_000 - len(text) + more))
    assert (len(found), problems) == ((0, [("pasted.large", "")]) if more else (1, []))


@pytest.mark.parametrize(
    ("header", "count", "fits"),
    [("", 2_000, True), ("", 2_001, False), ("name\tkind\n", 2_000, True), ("name\tkind\n", 2_001, False)],
)
def test_a_table_of_as_many_rows_as_fit_is_read(header, count, fits):
    found, problems = parse_rows(header + "a\tnone\n" * count, CATALOGUE)
    assert found == ()
    assert (len(problems), problems[0].code) == ((count, "row.kind") if fits else (1, "pasted.large"))
    assert problems[0].values["limit" if not fits else "kind"] == (MOST_ROWS if not fits else "none")


def test_nothing_pasted_is_said():
    assert rows("") == ((), [("pasted.empty", "")])
    assert (MOST_ROWS, LARGEST) == (2_000, 1_000_000)


def test_lines_are_counted_as_they_stand_and_ids_too():
    found, problems = rows("\nname\tkind\r\n\r\na\tmatmul\rb\tnone\n\nc\tmatmul")
    assert [(r.id, r.name) for r in found] == [("row-4", "a"), ("row-7", "c")]
    assert problems == [("row.kind", "line 5, kind")]


def test_a_column_may_not_stand_twice_but_unknown_ones_may():
    assert rows("x\n\nname\tkind\tcalls\tcount\n")[1] != [("pasted.twice", "line 3")]
    assert rows("\nname\tkind\tcalls\tcount\na\tmatmul\t1\t1") == ((), [("pasted.twice", "line 2")])
    assert len(rows("name\tkind\tx\tx\na\tmatmul\t1\t2")[0]) == 1


HEAD = "name\tkind\tcalls\tfused\tcounted\tweights\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a\tmatmul\t-\t–\t\t-", (1.0, False, True, None)),
        ("a\tmatmul\t3\t1\t0\tFP8", (3.0, True, False, "fp8")),
        ("a\tmatmul\t3\tYes\tNo\tfp8", (3.0, True, False, "fp8")),
        ("a\tmatmul\t3\t✓\tfalse\t", (3.0, True, False, None)),
        ("a\tmatmul\t3\tX\tTRUE\t", (3.0, True, True, None)),
        ("a\tmatmul\t3\t0.0\t1.0\t", (3.0, False, True, None)),
        ("a\tmatmul\t3\tmaybe\t\t", "typed.yes_no line 2, fused"),
        ("a\tmatmul\t0\t\t\t", "study.positive line 2, count"),
        ("a\tmatmul\t1\t\t\tfp7", "study.number_format line 2, weights"),
        ("a\t\t1", "pasted.no_kind line 2, kind"),
        ("a\tmatmul\t1\t\t\t\tmore", "pasted.columns line 2"),
        ("a\tmatmul\t1\t\t\t\t", (1.0, False, True, None)),
    ],
)
def test_each_cell_of_a_row_is_read_or_told(line, told):
    found, problems = rows(HEAD + line)
    if isinstance(told, str):
        assert [" ".join(p) for p in problems] == [told]
    else:
        (row,) = found
        assert (row.count, row.fused, row.enabled, row.weights) == told


def test_a_row_without_a_name_has_that_of_its_kind():
    assert rows("name\tkind\n\tmatmul")[0][0].name == "matmul"


STUDY = study(own("up", "matmul"), on=(device(ident="h100"), device(ident="a100")))


def measured(text, of=STUDY):
    found, problems = parse_measurements(text, of, ["up"])
    return found, [(p.code, p.path) for p in problems]


@pytest.mark.parametrize(("more", "fits"), [(0, True), (1, False)])
def test_as_many_measurements_as_fit_are_read(more, fits):
    found, problems = measured("x\n" * (MOST_MEASUREMENTS + more))
    assert found == ()
    assert MOST_MEASUREMENTS == 20_000
    assert problems[-1] == (("pasted.no_figure", "line 20000") if fits else ("pasted.large", ""))
    assert len(problems) == (20_000 if fits else 1)


@pytest.mark.parametrize("more", [0, 1])
def test_measurements_of_as_many_letters_as_fit_are_read(more):
    line = "a\tup\th100\t1 ms\t\t\t\t\t"
    found, problems = measured(line + "x" * (1_000_000 - len(line) + more))
    assert (len(found), problems) == ((0, [("pasted.large", "")]) if more else (1, []))
    assert measured("\n\t\n") == ((), [("pasted.empty", "")])


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("a\tup\th100\t1 ms\t5", (1e-3, None, "up")),
        ("a\tstep\th100\t-\t5", (None, 5.0, None)),
        ("a\tWhole Step\th100\t1 ms", (1e-3, None, None)),
        ("a\tUP\tH100\t1 ms\t\tpp\t2\t3", (1e-3, None, "up")),
        ("a\t\th100\t0 s\t5", "pasted.no_figure line 1"),
        ("a\t\th100\t1 s\t-5", "pasted.no_figure line 1"),
        ("a\t\th100\t1 s\t\t\t0", "study.range line 1, batch"),
        (f"a\t\th100\t1 s\t\t\t{LARGEST_BATCH + 1}", "study.range line 1, batch"),
        (f"a\t\th100\t1 s\t\t\t{LARGEST_BATCH}\t{LARGEST_CONTEXT}", (1.0, None, None)),
        (f"a\t\th100\t1 s\t\t\t1\t{LARGEST_CONTEXT + 1}", "study.range line 1, context"),
        ("\tup\th100\t1 s", (1.0, None, "up")),
        ("\t\th100\t1 s", (1.0, None, None)),
    ],
)
def test_each_cell_of_a_measurement_is_read_or_told(line, told):
    found, problems = measured(line)
    if isinstance(told, str):
        assert [" ".join(p) for p in problems] == [told]
    else:
        (one,) = found
        assert (one.time_s, one.tokens_per_s, one.row) == told
        assert one.name == (line[0] if line[0] == "a" else one.row or "step")


def test_headers_with_units_are_known_and_the_first_line_counts():
    found, problems = measured("Measured (s)\tModel\tFile (GB)\tZoo\n1 s\tgone\t4 GB\tx\n2 s\t\t4 GB\tx\n")
    assert problems == [("pasted.not_known", "line 2, model")]
    assert [(m.id, m.time_s, m.size_bytes, m.device) for m in found] == [("pasted-3", 2.0, 4e9, "")]


def test_the_only_device_of_a_study_needs_no_name():
    one = study(own("up", "matmul"), on=(device(ident="h100"),))
    assert measured("a\tup\t\t1 s", one)[0][0].device == "h100"


def test_sources_are_cut_and_phases_have_short_names():
    assert measured("a\tup\th100\t1 s\t\t\t\t\t" + "x" * 300)[0][0].source == "x" * 200
    assert [read_phase(t) for t in ("PP", "prefill", "tg", " Decode ")] == ["prefill", "prefill", "decode", "decode"]
    assert refused(read_phase, "x" * 99).values["got"] == "x" * 60


@pytest.mark.parametrize("line", ["Kind\tmatmul\t2", "Name\tmatmul", "Operator\tmatmul\t\tm=8"])
def test_a_row_that_is_called_like_one_column_is_a_row(line):
    found, problems = rows(line)
    assert ([r.name for r in found], problems) == ([line.partition("\t")[0]], [])


def test_twins_of_a_study_are_known_by_their_short_and_their_whole_names():
    gpu = replace(device(ident="h100"), name="NVIDIA H100 SXM", short="H100")
    entries = (HardwareEntry(id="first", device=gpu), HardwareEntry(id="second", device=gpu))
    twins = replace(study(), hardware=entries)
    names = ("H100", "H100 (2)", "NVIDIA H100 SXM", "nvidia h100 sxm (2)", "second")
    found, problems = parse_measurements("".join(f"run\t\t{n}\t1 ms\n" for n in names), twins, [])
    assert problems == ()
    assert [m.device for m in found] == ["first", "second", "first", "second", "second"]


@pytest.mark.parametrize("between", ["\n", "\n\n\n\n", "\n\t\n"])
def test_empty_lines_between_measurements_take_no_room_from_those_behind(between):
    line = "run\t\tdev\t1 ms"
    found, problems = parse_measurements(between.join([line] * 15_000), study(), [])
    assert (len(found), problems) == (15_000, ())
    assert found[-1].id == f"pasted-{1 + 14_999 * between.count(chr(10))}"
