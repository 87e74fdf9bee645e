"""The same launches in every layout of Nsight Compute, and what each counter is worth."""

import csv
import io
from itertools import product

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.importers.ncu.pages import is_header

TIME, MOVED, BUSY = "gpu__time_duration.sum", "dram__bytes.sum", "sm__throughput.avg.pct_of_peak_sustained_elapsed"
UNITS = {TIME: "us", MOVED: "Kbyte", BUSY: "%"}
OTHER = "device__attribute_x"
OPERATIONS = {
    f"sm__sass_thread_inst_executed_op_{f}{o}_pred_on.sum": i
    for i, (f, o) in enumerate(product("dfh", ("add", "mul", "fma")))
}


def launches(count, twist=0):
    """Name and metrics of each launch, all different."""
    for i in range(count):
        name = ("plain", "a, b", 'k<"q">', "last; one")[(i + twist) % 4]
        metrics = {TIME: f"{i + 1}.5", OTHER: "77", MOVED: f"{2 * i + 3}", BUSY: f"{i % 90 + 1}"}
        metrics |= {metric: f"{(i + 1) * 10 ** (n % 3)}" for metric, n in OPERATIONS.items()}
        yield name, metrics


def expected(count, twist=0):
    found = []
    for i, (name, metrics) in enumerate(launches(count, twist)):
        flops = sum(float(metrics[m]) * (2 if "fma" in m else 1) for m in OPERATIONS)
        found.append((name, (i + 1.5) * 1e-6, flops, (2 * i + 3) * 1e3, (i % 90 + 1) / 100))
    return found


def told(found):
    return [
        (p.name, pytest.approx(p.time_s), p.flops, pytest.approx(p.bytes), pytest.approx(p.compute_busy))
        for p in found.points
    ]


def text_of(rows, *, quoting=csv.QUOTE_ALL, delimiter=",", end="\n"):
    out = io.StringIO()
    csv.writer(out, quoting=quoting, delimiter=delimiter, lineterminator=end).writerows(rows)
    return out.getvalue()


COLUMNS = (
    "ID",
    "Process ID",
    "Process Name",
    "Kernel Name",
    "Block Size",
    "Section Name",
    "Metric Name",
    "Metric Unit",
    "Metric Value",
)


def details(count, columns=COLUMNS, twist=0):
    yield list(columns)
    for i, (name, metrics) in enumerate(launches(count, twist)):
        for metric, value in metrics.items():
            cells = dict(
                zip(
                    COLUMNS,
                    (f"{i}", "7", "app, x", name, "(1, 1, 1)", "S", metric, UNITS.get(metric, "inst"), value),
                    strict=True,
                )
            )
            yield [cells.get(c, "zzz") for c in columns]


def raw(count, bracketed=False):
    metrics = [*next(iter(launches(1)))[1]]
    units = [UNITS.get(m, "inst") for m in metrics]
    if bracketed:
        yield ["ID", "Kernel Name", *(f"{m} [{u}]" for m, u in zip(metrics, units, strict=True)), "x"]
    else:
        yield ["ID", "Kernel Name", *metrics, TIME]
        yield ["", "", *units, "s"]
    for i, (name, values) in enumerate(launches(count)):
        yield [f"{i}", name, *values.values(), "999"]


MOVED_COLUMNS = {
    "value first": ("Metric Value", "Metric Unit", "Kernel Name", "Metric Name", "ID", "Process ID"),
    "value in the middle": ("ID", "Kernel Name", "Metric Name", "Metric Value", "Metric Unit", "More", "Extra"),
    "name last": ("ID", "Metric Name", "Metric Unit", "Metric Value", "Kernel Name"),
    "rule columns behind": (*COLUMNS, "Rule Name", "Rule Type"),
    "unit before": ("ID", "Kernel Name", "Metric Unit", "Metric Name", "Metric Value"),
}
LAYOUTS = {
    "details": lambda n: text_of(details(n)),
    "details, few quotes": lambda n: text_of(details(n), quoting=csv.QUOTE_MINIMAL),
    "details, semicolons": lambda n: text_of(details(n), delimiter=";"),
    "details, Windows": lambda n: text_of(details(n), end="\r\n"),
    **{name: lambda n, c=columns: text_of(details(n, c)) for name, columns in MOVED_COLUMNS.items()},
    "raw": lambda n: text_of(raw(n)),
    "raw, units in brackets": lambda n: text_of(raw(n, bracketed=True)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("count", [6, 190])  # more figures than the decimal mark is told from
def test_every_layout_gives_the_same_points(read, layout, count):
    found = read(LAYOUTS[layout](count))
    assert told(found) == expected(count)
    assert found.skipped == ()


def test_pages_and_noise_one_after_the_other_give_all_launches(read):
    noise = "==PROF== x\nloss: 1, 2\n\n"
    text = noise + text_of(raw(3)) + noise + text_of(raw(2, bracketed=True)) + text_of(details(180, twist=1)) + noise
    assert told(read(text)) == [*expected(3), *expected(2), *expected(180, twist=1)]


def test_metrics_of_launches_that_are_interleaved_are_put_together(read):
    header, *rows = details(150)
    each = len(rows) // 150
    turned = [rows[i * each + m] for m in range(each) for i in range(150)]
    assert told(read(text_of([header, *turned]))) == expected(150)


def test_a_metric_without_a_unit_column_is_in_its_plain_unit(read):
    names = ("ID", "Process ID", "Kernel Name", "Metric Name", "Metric Value")
    rows = [["0", "1", "k", metric, "5"] for metric in OPERATIONS]
    found = read(text_of([names, *rows, ["0", "1", "k", "smsp__x", "1"], ["0", "1", "k", TIME, "1"]]) + text_of(raw(1)))
    assert [p.name for p in found.points] == ["plain"]
    assert {s.why.code for s in found.skipped} == {"import.unit", "import.no_time"}


def summary(calls="4", average="2.5"):
    names = ("Process ID", "Kernel Name", "Invocations", "Metric Name", "Metric Unit", "Minimum", "Maximum", "Average")
    return text_of(
        [
            names,
            ["1", "k", calls, "Duration", "us", "1", "9", average],
            ["1", "j", "1", "Duration", "us", "1", "9", "3"],
        ]
    )


@pytest.mark.parametrize(("calls", "count"), [("4", 4), ("1,234", 1234), ("0", 1), ("x", 1)])
def test_a_summary_tells_how_often_a_kernel_ran(read, calls, count):
    first, second = read(summary(calls)).points
    assert (first.calls, first.time_s, second.calls, second.time_s) == (
        count,
        pytest.approx(2.5e-6),
        1,
        pytest.approx(3e-6),
    )


def test_without_ids_each_repeated_metric_begins_another_launch_and_lines_tell_them_apart(read):
    names = ("Kernel Name", "Metric Name", "Metric Unit", "Metric Value")
    rows = [["k", metric, unit, f"{i}"] for i in (1, 2, 3) for metric, unit in ((TIME, "us"), (MOVED, "byte"))]
    rows += [["k", MOVED, "byte", "9"]]
    found = read(text_of([names, *rows]))
    assert [(p.time_s, p.bytes) for p in found.points] == [(pytest.approx(i * 1e-6), float(i)) for i in (1, 2, 3)]
    assert [(s.where, s.why.code, s.count) for s in found.skipped] == [("line 8", "import.no_time", 1)]


def test_launches_without_a_time_are_counted_under_the_first_and_odd_units_by_metric(read):
    rows = [["0", "1", "a", MOVED, "byte", "1"], ["1", "1", "b", MOVED, "byte", "1"], ["2", "1", "c", TIME, "us", "1"]]
    rows += [
        ["2", "1", "c", MOVED, "furlong", "1"],
        ["3", "1", "d", TIME, "us", "1"],
        ["3", "1", "d", MOVED, "furlong", "1"],
    ]
    names = ("ID", "Process ID", "Kernel Name", "Metric Name", "Metric Unit", "Metric Value")
    found = read(text_of([names, *rows]))
    assert [(s.where, s.why.code, dict(s.why.values), s.count) for s in found.skipped] == [
        ("line 2", "import.no_time", {"text": "a"}, 2),
        ("line 4", "import.unit", {"text": MOVED, "unit": "furlong"}, 2),
    ]


@pytest.mark.parametrize(
    ("line", "header"),
    [
        ('"ID","Kernel Name","a","b"', True),
        ('"ID","Kernel Name","a"', False),
        ('"ID";"Kernel Name";"a";"b"', True),
        ('"Kernel Name","a","b","c"', False),
        ('"Invocations","Kernel Name","a","b"', True),
        ('"ID","Kernel","a","b"', False),
        ("", False),
    ],
)
def test_a_header_names_the_kernel_a_launch_and_two_more(line, header):
    assert is_header(line) is header


def test_tables_without_values_or_with_too_many_columns_are_left_out(read, monkeypatch):
    odd = '"ID","Kernel Name","Metric Name","More"\n"1","k","m","3"\n'
    wide = text_of([["ID", "Kernel Name", *map(str, range(20))]])
    monkeypatch.setattr(limits, "TOOL_COLUMNS", 21)
    found = read(text_of(raw(1)) + odd + wide + text_of(raw(1)))
    assert len(found.points) == 2
    assert [(s.where, s.why.values["text"]) for s in found.skipped] == [
        ("line 4", "ID, Kernel Name, Metric Name, More"),
        ("line 6", "22 columns"),
    ]
    monkeypatch.setattr(limits, "TOOL_COLUMNS", 22)
    assert [s.where for s in read(text_of(raw(1)) + odd + wide).skipped] == ["line 4"]


@pytest.mark.parametrize(
    ("limit", "most", "text"),
    [
        ("TOOL_POINTS", 5, text_of(raw(5))),
        ("TOOL_POINTS", 5, text_of(details(5))),
        ("TOOL_PAGES", 3, text_of(raw(1)) * 3),
        ("TOOL_COLUMNS", 12, text_of(details(2))),
        ("TOOL_ROWS", 9, text_of(raw(7))),
        ("TOOL_FIGURES", 60, text_of(details(5))),
    ],
    ids=["points", "points below each other", "pages", "metrics", "rows", "figures"],
)
def test_as_much_as_a_limit_allows_is_read_and_more_is_refused(read, monkeypatch, limit, most, text):
    if limit == "TOOL_ROWS":
        most = text.count("\n") + 1
    monkeypatch.setattr(limits, limit, most)
    assert read(text).points
    monkeypatch.setattr(limits, limit, most - 1)
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.problems[0].values == {"limit": most - 1}


def test_where_few_cells_stand_in_quotes_a_value_in_quotes_is_read_as_the_others(read):
    header = "ID,Kernel Name,Metric Name,Metric Unit,Metric Value"
    lines = [
        header,
        f"0,k,{TIME},us,2.5",
        f'0,k,{MOVED},Kbyte,"1,234.5"',
        f'0,k,{BUSY},%,"40"',
        f'1,"a, b",{TIME},us,"3"',
    ]
    found = read("\n".join(lines))
    assert [(p.name, p.time_s, p.bytes, p.compute_busy) for p in found.points] == [
        ("k", pytest.approx(2.5e-6), pytest.approx(1234.5e3), pytest.approx(0.4)),
        ("a, b", pytest.approx(3e-6), None, None),
    ]


@pytest.mark.parametrize("telling", [0, 1, 3])
def test_any_figure_of_any_launch_may_tell_the_decimal_mark_of_all(read, telling):
    names = ("ID", "Kernel Name", "Metric Name", "Metric Unit", "Metric Value")
    rows = [[str(i), "k", m, u, "1,234"] for i in range(2) for m, u in ((TIME, "ms"), (BUSY, "%"))]
    before = read(text_of([names, *rows])).points[0].time_s
    rows[telling][-1] = "65,77"
    after = read(text_of([names, *rows])).points[telling == 0].time_s
    assert (before, after) == (pytest.approx(1.234), pytest.approx(1.234e-3))


@pytest.mark.parametrize("count", [6, 190])
def test_line_ends_of_windows_are_no_part_of_a_value_with_or_without_quotes(read, count):
    for quoting in (csv.QUOTE_ALL, csv.QUOTE_MINIMAL):
        assert told(read(text_of(details(count), quoting=quoting, end="\r\n"))) == expected(count)


@pytest.mark.parametrize("page", [details, raw])
def test_a_kernel_that_is_called_like_a_column_is_no_header(read, page):
    header, *rows = page(2)
    text = text_of([header, *([{"plain": "print Kernel Name", "a, b": "ID"}.get(c, c) for c in r] for r in rows)])
    assert [p.name for p in read(text).points] == ["print Kernel Name", "ID"]
