"""The same launches in every layout of Nsight Compute, and what each counter is worth."""

import csv
import io
from itertools import product

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.importers.ncu.kernel import Kernel, point
from explorer.files.importers.ncu.metrics import factor, meaning, scale
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


FACTORS = {
    ("time", "s"): 1.0,
    ("time", "second"): 1.0,
    ("time", "usecond"): 1e-6,
    ("time", "ms"): 1e-3,
    ("time", "x"): None,
    ("byte", "byte"): 1.0,
    ("byte", "Mbyte"): 1e6,
    ("byte", "KB"): 1e3,
    ("byte", "bytes"): None,
    ("rate", "Gbyte/s"): 1e9,
    ("rate", "byte/second"): 1.0,
    ("rate", "TB/s"): 1e12,
    ("rate", "byte"): None,
    ("share", "%"): 0.01,
    ("share", ""): None,
    ("clock", "cycle/second"): 1.0,
    ("clock", "cycle/nsecond"): 1e9,
    ("clock", "cycle/s"): 1.0,
    ("clock", "cycle/msecond"): 1e3,
    ("clock", "cycle/usecond"): 1e6,
    ("clock", "cycle/us"): 1e6,
    ("clock", "cycle/ns"): 1e9,
    ("clock", "Ghz"): 1e9,
    ("clock", "MHz"): 1e6,
    ("clock", "hz"): 1.0,
    ("clock", "x"): None,
    ("cycle", "cycle"): 1.0,
    ("cycle", "Kcycle"): 1e3,
    ("cycle", "sector"): None,
    ("sector", "Msector"): 1e6,
    ("any", "x"): 1.0,
    ("inst", ""): 1.0,
    ("inst", "op"): 1.0,
    ("inst", "inst"): 1.0,
    ("inst", "Kinst"): 1e3,
    ("inst", "Mop"): 1e6,
    ("inst", "inst/cycle"): 1.0,
    ("inst", "op/cycle"): 1.0,
    ("inst", "byte"): None,
    ("share", " % "): 0.01,
}


@pytest.mark.parametrize(("kind", "unit"), FACTORS)
def test_one_of_a_unit_is_so_much_of_the_base_unit(kind, unit):
    assert factor(kind, unit) == FACTORS[kind, unit]


TENSOR = "sm__ops_path_tensor_src_fp16_dst_fp32"
MEANINGS = {
    "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum": "inst:dadd",
    "sm__sass_thread_inst_executed_op_hfma_pred_on.sum.per_cycle_elapsed": "per_cycle:hfma",
    "sm__sass_thread_inst_executed_op_hfma_pred_on": None,
    "sm__sass_thread_inst_executed_op_hfma_pred_on_x2.sum": None,
    "derived__sm__sass_thread_inst_executed_op_ffma_pred_on_x2": "per_cycle:ffma_x2",
    "derived__sm__sass_thread_inst_executed_op_fadd_pred_on_x2": None,
    "derived__sm__sass_thread_inst_executed_op_ffma_pred_on": None,
    f"{TENSOR}.sum": "tensor_ops:src_fp16_dst_fp32",
    f"{TENSOR}_sparsity_on.sum": "tensor_ops_sparsity_on:src_fp16_dst_fp32",
    f"{TENSOR}_sparsity_off.sum": "tensor_ops_sparsity_off:src_fp16_dst_fp32",
    f"{TENSOR}.avg": None,
    "sm__ops_path_tensor_src_fp16.sum": None,
    "sm__ops_path_tensor_src_fp16_dst_.sum": None,
    "sm__ops_path_tensor_xsrc_fp16_dst_fp32.sum": None,
    "sm__pipe_tensor_cycles_active.avg": "tensor:sm__pipe_tensor_cycles_active.avg",
    "sm__inst_executed_pipe_tensor.sum": "tensor:sm__inst_executed_pipe_tensor.sum",
    "sm__inst_executed_pipe_tensor.min": None,
    "sm__inst_executed_pipe_tensor.sum.peak_sustained": None,
    "sm__pipe_tensor.avg.peak_sustained.sum": None,
    "x" * 301: None,
    "pipe_tensor.sum".rjust(300, "x"): "tensor:" + "pipe_tensor.sum".rjust(300, "x"),
    "pipe_tensor.sum".rjust(301, "x"): None,
}


@pytest.mark.parametrize("metric", MEANINGS, ids=range(len(MEANINGS)))
def test_a_metric_is_known_by_its_whole_name(metric):
    found = meaning(metric)
    assert (found.key if found else None) == MEANINGS[metric]


def test_a_scale_is_the_key_the_factor_and_whether_it_is_of_tensor_cores():
    assert scale("Memory Throughput", "%") == ("memory_busy", 0.01, False)
    assert scale("Memory Throughput", "Gbyte/s") == ("rate", 1e9, False)
    assert scale("Memory Throughput", "x") is None
    assert scale("nothing", "%") is None
    assert scale(f"{TENSOR}.sum", "") == ("tensor_ops:src_fp16_dst_fp32", 1.0, True)


def made(*metrics, name="k", mark="."):
    kernel = Kernel("here", name)
    for metric, unit, value in metrics:
        kernel.add(metric, unit, value)
    return point(kernel, mark)


SECOND = (TIME, "s", "2")
COUNTED = [(metric, "inst", "10") for metric in OPERATIONS]


@pytest.mark.parametrize(
    ("metrics", "time"),
    [
        ([(TIME, "s", "2"), ("gpu__time_active.sum", "s", "3")], 2),
        ([("gpu__time_active.sum", "s", "3")], 3),
        ([("sm__cycles_elapsed.avg", "cycle", "10"), ("sm__cycles_elapsed.avg.per_second", "hz", "5")], 2),
        ([("sm__cycles_elapsed.max", "cycle", "10"), ("sm__cycles_elapsed.avg.per_second", "hz", "5")], 2),
        ([("gpc__cycles_elapsed.max", "cycle", "10"), ("gpc__cycles_elapsed.avg.per_second", "hz", "5")], 2),
        ([("Elapsed Cycles", "cycle", "10"), ("SM Frequency", "hz", "5")], 2),
        ([("Elapsed Cycles", "cycle", "10"), ("SM Frequency", "hz", "0")], None),
        ([("Elapsed Cycles", "cycle", "10")], None),
        ([(TIME, "s", "0")], None),
        ([(TIME, "s", "-1")], None),
        ([(TIME, "s", "x")], None),
        ([(TIME, "s", "1e999")], None),
        ([(TIME, "s", "2"), (TIME, "s", "7")], 2),
    ],
)
def test_the_time_is_told_or_follows_from_cycles_and_their_rate(metrics, time):
    found, _ = made(*metrics)
    assert (found.time_s if found else None) == time


def bytes_metric(name, value, unit="byte"):
    return (f"dram__{name}", unit, value)


@pytest.mark.parametrize(
    ("metrics", "size", "note"),
    [
        (
            [bytes_metric("bytes.sum", "7"), bytes_metric("bytes_read.sum", "1"), bytes_metric("bytes_write.sum", "2")],
            7,
            None,
        ),
        ([bytes_metric("bytes_read.sum", "1"), bytes_metric("bytes_write.sum", "2")], 3, None),
        ([bytes_metric("bytes_op_read.sum", "1"), bytes_metric("bytes_op_write.sum", "2")], 3, None),
        (
            [bytes_metric("sectors_op_read.sum", "1", "sector"), bytes_metric("sectors_op_write.sum", "2", "sector")],
            96,
            None,
        ),
        ([bytes_metric("sectors.sum", "3", "sector")], 96, None),
        ([bytes_metric("bytes.sum.per_second", "5", "byte/s")], 10, None),
        (
            [
                bytes_metric("bytes_read.sum.per_second", "5", "byte/s"),
                bytes_metric("bytes_write.sum.per_second", "4", "byte/s"),
            ],
            18,
            None,
        ),
        ([bytes_metric("bytes_read.sum.per_second", "5", "byte/s")], None, "import.no_byte_counters"),
        (
            [bytes_metric("bytes_read.sum", "1"), bytes_metric("sectors_write.sum", "1", "sector")],
            None,
            "import.half_of_bytes",
        ),
        ([bytes_metric("sectors_op_write.sum", "1", "sector")], None, "import.half_of_bytes"),
        ([], None, "import.no_byte_counters"),
    ],
    ids=range(11),
)
def test_bytes_come_from_the_best_counter_there_is(metrics, size, note):
    found, _ = made(SECOND, *COUNTED, *metrics)
    assert (found.bytes, [n.code for n in found.notes]) == (size, [note] if note else [])


@pytest.mark.parametrize(
    ("metrics", "flops", "note"),
    [
        (COUNTED, 120, None),
        (COUNTED[:3], 40, "import.part_of_flops"),
        (COUNTED[:2], None, "import.no_flop_counters"),
        (COUNTED[1:], 80, "import.part_of_flops"),
        ([], None, "import.no_flop_counters"),
        ([(f"{TENSOR}.sum", "", "5")], 5, None),
        ([*COUNTED[:3], (f"{TENSOR}.sum", "", "5")], 45, None),
        ([(f"{TENSOR}_sparsity_on.sum", "", "5"), (f"{TENSOR}_sparsity_off.sum", "", "6")], 11, None),
        ([(f"{TENSOR}_sparsity_on.sum", "", "5"), (f"{TENSOR}.sum", "", "7")], 7, None),
        ([*COUNTED, (f"{TENSOR}.sum", "", "0")], 120, None),
        ([(f"{TENSOR}.sum", "", "0")], None, "import.no_flop_counters"),
        ([*COUNTED, ("sm__inst_executed_pipe_tensor.sum", "x", "1")], None, "import.tensor_missed"),
        ([*COUNTED, ("sm__inst_executed_pipe_tensor.sum", "x", "0")], 120, None),
        ([(m, u, "0") for m, u, _ in COUNTED[:3]], None, "import.part_of_flops"),
    ],
    ids=range(14),
)
def test_flops_are_counted_once_and_what_misses_is_said(metrics, flops, note):
    found, _ = made(SECOND, bytes_metric("bytes.sum", "1"), *metrics)
    assert (found.flops, [n.code for n in found.notes]) == (flops, [note] if note else [])


@pytest.mark.parametrize(
    ("clocks", "doubled", "flops"),
    [
        (
            [("smsp__cycles_elapsed.avg.per_second", "hz", "10"), ("sm__cycles_elapsed.avg.per_second", "hz", "7")],
            True,
            2 * 10 * (3 + 4 + 11),
        ),
        ([("sm__cycles_elapsed.avg.per_second", "hz", "7")], True, 2 * 7 * (3 + 4 + 11)),
        ([("sm__cycles_elapsed.avg.per_second", "hz", "7")], False, 2 * 7 * (3 + 4 + 2 * 5)),
        ([], True, None),
    ],
    ids=range(4),
)
def test_counts_per_cycle_are_worth_the_cycles_of_the_launch(clocks, doubled, flops):
    front = "smsp__sass_thread_inst_executed_op_f"
    metrics = [
        (f"{front}{o}_pred_on.sum.per_cycle_elapsed", "inst/cycle", v)
        for o, v in (("add", "3"), ("mul", "4"), ("fma", "5"))
    ]
    if doubled:
        metrics.append((f"derived__{front}fma_pred_on_x2", "inst", "11"))
    found, _ = made(SECOND, *metrics, *clocks)
    assert found.flops == flops


def test_shares_of_memory_and_compute_are_kept_and_one_with_hits_is_marked():
    busy, hits = ("DRAM Throughput", "%", "40"), ("Memory [%]", "%", "60")
    both, _ = made(SECOND, busy, hits)
    alone, _ = made(SECOND, hits, ("SOL SM", "%", "70"))
    assert (both.memory_busy, alone.memory_busy, alone.compute_busy) == (0.4, 0.6, pytest.approx(0.7))
    assert "import.busy_with_hits" not in {n.code for n in both.notes}
    assert "import.busy_with_hits" in {n.code for n in alone.notes}


def test_figures_that_cannot_be_cost_only_themselves():
    found, odd = made(SECOND, (MOVED, "byte", "-5"), (BUSY, "%", "x"), *COUNTED, ("SM [%]", "furlong", "1"))
    assert (found.bytes, found.flops) == (None, 120)
    assert odd == (("SM [%]", "furlong"),)
    assert made(SECOND, (MOVED, "byte", "1e999"))[0].bytes is None


@pytest.mark.parametrize("name", ["x_hmma_y", "sm80_16816_x", "flash_fwd_kernel", "NVJET_x", "volta_h884gemm"])
def test_a_kernel_of_tensor_cores_is_told_by_its_name_where_nothing_counts_them(name):
    assert made(SECOND, *COUNTED, name=name)[0].flops is None
    idle = ("sm__inst_executed_pipe_tensor.sum", "x", "0")
    assert made(SECOND, *COUNTED, idle, name=name)[0].flops == 120


def test_the_decimal_mark_of_the_file_is_that_of_all_its_figures():
    assert made((TIME, "s", "1.500"), mark=",")[0].time_s == 1500
    assert made((TIME, "s", "1,5"), mark=",")[0].time_s == 1.5
    assert made((TIME, "s", "1,500"), mark=".")[0].time_s == 1500
    assert made((TIME, "s", "1'500"), mark=".")[0].time_s == 1500
