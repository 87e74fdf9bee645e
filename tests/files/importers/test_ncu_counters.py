"""What each counter of Nsight Compute is worth, alone and together."""

from itertools import product

import pytest

from explorer.files.importers.ncu.kernel import Kernel, point
from explorer.files.importers.ncu.metrics import factor, meaning, scale

TIME, MOVED, BUSY = "gpu__time_duration.sum", "dram__bytes.sum", "sm__throughput.avg.pct_of_peak_sustained_elapsed"
UNITS = {TIME: "us", MOVED: "Kbyte", BUSY: "%"}
OTHER = "device__attribute_x"
OPERATIONS = {
    f"sm__sass_thread_inst_executed_op_{f}{o}_pred_on.sum": i
    for i, (f, o) in enumerate(product("dfh", ("add", "mul", "fma")))
}

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
        (COUNTED[:2], 20, "import.part_of_flops"),
        (COUNTED[1:], 110, "import.part_of_flops"),
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


def test_a_lower_bound_of_flops_names_the_counters_that_are_missing():
    found, _ = made(SECOND, bytes_metric("bytes.sum", "1"), *COUNTED[:2], *COUNTED[3:6])
    (note,) = found.notes
    assert (found.flops, note.values["missing"]) == (60, "fp64 fma, fp16")


def test_metrics_that_were_not_collected_are_passed_over_whatever_their_unit():
    found, odd = made(SECOND, ("dram__bytes_read.sum", "", "n/a"), bytes_metric("bytes.sum", "7"))
    assert (found.bytes, odd) == (7, ())


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
