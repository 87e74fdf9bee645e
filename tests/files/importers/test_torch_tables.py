"""Tables of PyTorch: which rows count, by which time, and where cells end."""

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits


def skipped(found):
    return [(s.where, s.why.code.removeprefix("import."), dict(s.why.values), s.count) for s in found.skipped]


def table(names, *rows, after=(), widths=None):
    """A table as the profiler prints it."""
    widths = widths or [max(len(str(r[i])) for r in (names, *rows)) + 1 for i in range(len(names))]
    rule = "  ".join("-" * w for w in widths)
    lines = [rule, "  ".join(n.rjust(w) for n, w in zip(names, widths, strict=True)), rule]
    lines += ["  ".join(str(c).rjust(w) for c, w in zip(r, widths, strict=True)) for r in rows]
    return "\n".join([*lines, rule, *after, ""])


CPU = ("Name", "Self CPU", "CPU total", "# of Calls")
CUDA = ("Name", "Self CPU", "CPU total", "Self CUDA", "CUDA total", "# of Calls", "Input Shapes", "Total KFLOPs")


def test_every_row_of_a_table_on_the_device_is_a_point_or_left_out_with_why(read):
    rows = [
        ("aten::mm", "9us", "9us", "4us", "4us", "2", "[[8, 8], [8, 8]]", "7"),
        ("aten::mm", "9us", "9us", "4us", "4us", "2", "[[8, 8], ...]", "7"),
        ("aten::view", "9us", "9us", "4us", "4us", "2", "[]", "--"),
        ("my::op", "9us", "9us", "3us", "6us", "3", "[[4]]", "--"),
        ("my::wrap", "9us", "9us", "2us", "6us", "3", "[]", "--"),
        ("aten::idle", "9us", "9us", "0us", "0us", "3", "[]", "--"),
        ("cudaLaunchKernel", "9us", "9us", "1us", "1us", "3", "[]", "--"),
        ("a_range", "9us", "9us", "0us", "8us", "1", "[]", "--"),
        ("a_range", "0us", "0us", "8us", "8us", "1", "[]", "--"),
        ("gemm_kernel", "0us", "0us", "4us", "4us", "2", "[]", "--"),
        ("Memcpy HtoD", "0us", "0us", "4us", "4us", "2", "[]", "--"),
        ("aten::none", "9us", "9us", "4us", "4us", "0", "[]", "--"),
        ("aten::odd", "9us", "9us", "x", "4us", "1", "[]", "--"),
    ]
    found = read(table(CUDA, *rows, after=["Self CPU time total: 1us", "Total x", "STAGE x"]))
    points = [
        (p.name, p.calls, p.time_s * 1e6, p.total_s * 1e6, p.flops, [n.code for n in p.notes]) for p in found.points
    ]
    assert [(name, calls, round(each, 6), round(whole, 6), *more) for name, calls, each, whole, *more in points] == [
        ("aten::mm [[8, 8], [8, 8]]", 2, 2.0, 4.0, 1024, ["import.no_types"]),
        ("aten::mm [[8, 8], ...]", 2, 2.0, 4.0, 3500, ["import.tools_flops"]),
        ("aten::view", 2, 2.0, 4.0, None, ["import.no_shapes"]),
        ("my::op [[4]]", 3, 1.0, 3.0, None, ["import.no_formula"]),
    ]
    assert skipped(found) == [
        ("line 8", "wrapper", {"text": "my::wrap"}, 1),
        ("line 9", "no_kernel", {"text": "aten::idle"}, 2),
        ("line 10", "host_call", {"text": "cudaLaunchKernel"}, 1),
        ("line 12", "does_nothing", {"text": "a_range"}, 1),
        ("line 13", "in_operator", {"text": "gemm_kernel"}, 1),
        ("line 14", "link_copy", {"text": "Memcpy HtoD"}, 1),
        ("line 15", "row", {"text": "aten::none"}, 1),
        ("line 16", "row", {"text": "aten::odd"}, 1),
    ]


def test_every_row_of_a_table_without_a_device_is_timed_on_the_cpu(read):
    rows = [
        ("aten::mm", "4us", "8us", "2"),
        ("aten::linear", "3us", "8us", "2"),
        ("aten::view", "4us", "4us", "2"),
        ("my_range", "4us", "4us", "2"),
        ("aten::relu", "0us", "4us", "1"),
        ("aten::add", "1.5ms", "2s", "3"),
        ("aten::sub", "1s", "1s", "1"),
        ("aten::div", "500ns", "1us", "1"),
    ]
    found = read(table(CPU, *rows))
    assert [(p.name, p.calls, p.total_s) for p in found.points] == [
        ("aten::mm", 2, pytest.approx(4e-6)),
        ("aten::sub", 1, 1.0),
        ("aten::div", 1, pytest.approx(5e-7)),
    ]
    assert [(w, c, n) for w, c, _, n in skipped(found)] == [
        ("line 5", "wrapper", 2),
        ("line 6", "does_nothing", 2),
        ("line 8", "no_time", 1),
    ]


@pytest.mark.parametrize("device", ["CUDA", "XPU", "HPU", "MTIA", "PrivateUse1", "Device", "HIP"])
def test_every_device_of_the_profiler_has_a_column(read, device):
    names = tuple(n.replace("CUDA", device) for n in CUDA[:6])
    found = read(table(names, ("some_kernel", "0us", "0us", "4us", "4us", "2")))
    assert [(p.name, p.total_s) for p in found.points] == [("some_kernel", pytest.approx(4e-6))]


@pytest.mark.parametrize(("prefix", "power"), [("", 1), ("K", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12), ("P", 1e15)])
def test_flops_that_the_tool_counted_are_of_all_calls_and_have_a_prefix(read, prefix, power):
    names = (*CPU, f"Total {prefix}FLOPs")
    found = read(table(names, ("aten::mm", "4us", "4us", "2", "6")))
    assert found.points[0].flops == pytest.approx(3 * power)


def test_cells_that_are_longer_than_their_column_keep_to_their_words(read):
    names, row = CPU, ("aten::a_very_long_name_of_an_operator", "4us", "5us", "2")
    text = table(names, row, widths=[34, 8, 9, 10])
    assert [(p.name, p.calls) for p in read(text).points] == [(row[0], 2)]


def test_tables_one_after_the_other_are_read_each_by_its_own_columns(read):
    first = table(CPU, ("aten::mm", "4us", "5us", "2"))
    second = table(CUDA[:6], ("my::op", "9us", "9us", "3us", "3us", "3"))
    found = read(first + "\nnoise\n" + second)
    assert [(p.name, p.calls) for p in found.points] == [("aten::mm", 2), ("my::op", 3)]


@pytest.mark.parametrize("columns", [97, 98])
def test_a_rule_has_at_most_a_hundred_columns(read, columns):
    names = (*CPU[:3], *(f"c{i}" for i in range(columns - 1)), CPU[3])
    row = ("aten::mm", "4us", "5us", *("1" * (columns - 1)), "2")
    good = table(CPU, ("aten::bmm", "4us", "5us", "2"))
    assert "aten::mm" in [p.name for p in read(good + table(names, row)).points] or columns == 98


def test_as_many_rows_as_an_import_may_hold_are_read_and_one_more_is_refused(read, monkeypatch):
    text = table(CPU, *[("aten::mm", "4us", "5us", "2")] * 3)
    monkeypatch.setattr(limits, "TOOL_POINTS", 3)
    assert len(read(text).points) == 3
    monkeypatch.setattr(limits, "TOOL_POINTS", 2)
    with pytest.raises(Refused):
        read(text)


def test_rows_without_a_name_calls_or_a_time_are_told_as_such_whatever_else_they_are(read):
    rows = [
        ("aten::mm", "9us", "9us", "4us", "4us", "2"),
        ("cudaLaunchKernel", "9us", "9us", "4us", "4us", "0"),
        ("Memcpy HtoD", "9us", "9us", "4us", "4us", "--"),
        ("cudaLaunchKernel", "9us", "9us", "--", "4us", "2"),
        ("", "9us", "9us", "0us", "4us", "2"),
    ]
    found = read(table(CUDA[:6], *rows))
    assert [p.name for p in found.points] == ["aten::mm"]
    assert [code for _, code, _, _ in skipped(found)] == ["row"] * 4


@pytest.mark.parametrize("blanks", ["", "  "])
def test_sums_below_a_table_are_no_rows_also_where_the_text_is_indented(read, blanks):
    after = ["Self CPU time total: 9.000us", "Self CUDA time total: 4.000us", "STAGE x", "Total y"]
    text = table(CPU, ("aten::mm", "4us", "5us", "2"), after=[blanks + line for line in after])
    found = read(text)
    assert (len(found.points), found.skipped) == (1, ())
