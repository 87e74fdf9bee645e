"""Tools that measure ceilings; the texts are made up in each tool's layout."""

import json
from pathlib import Path

import pytest

from explorer.analysis.problem import Refused
from explorer.files.importers import read_measurements


def rates(found):
    """Rate of each level, link or format, in giga."""
    return {c.level or c.link or c.format: round(c.rate / 1e9, 6) for c in found.ceilings}


def test_ert_text_is_double_precision_where_it_names_none(read):
    found = read(
        "  100.5 GFLOPs\n\n 7000.0 Weight\n\n  900.0 L1\n   50.0 DRAM\n\nMETA_DATA\nHOSTNAME ('box', [])\n12.0 L9\n"
    )
    assert rates(found) == {"fp64": 100.5, "L1": 900.0, "DRAM": 50.0}
    assert (found.device, found.skipped[0].why.code) == ("box", "import.not_a_rate")


def test_ert_json_gives_what_was_measured_and_leaves_the_sheet_out(read):
    empirical = {"gflops": {"data": [["FP32 GFLOPs", 8.0], ["FP64 GFLOPs", 4.0]]}, "gbytes": {"data": [["DRAM", 2.0]]}}
    found = read(json.dumps({"spec": {"gbytes": {"data": [["DRAM", 9.0]]}}, "empirical": empirical}))
    assert rates(found) == {"fp32": 8.0, "fp64": 4.0, "DRAM": 2.0}
    assert [s.where for s in found.skipped] == ["spec"]


MIXBENCH = """mixbench (v9)
Device:              Example GPU
--------- CSV data ---------
Experiment ID, Single Precision ops,,,,        Integer operations,,,
Compute iters, Flops/byte, ex.time,  GFLOPS, GB/sec, Iops/byte, ex.time,   GIOPS, GB/sec
            0,      0.250,    2.00,   50.00, 200.00,     0.250,    1.00,   60.00, 300.00
            1,      0.750,    2.00,  150.00, 160.00,     0.750,    4.00,   75.00, 100.00
----------------------------
"""


def test_mixbench_gives_each_row_of_each_precision_and_their_tops(read):
    found = read(MIXBENCH)
    assert found.kind == "ceilings"
    assert [(c.format or c.level, c.rate / 1e9) for c in found.ceilings] == [
        ("fp32", 150.0),
        ("DRAM", 200.0),
        ("int32", 75.0),
        ("DRAM", 300.0),
    ]
    point = found.points[2]
    assert (point.time_s, point.flops, point.bytes) == (pytest.approx(2e-3), pytest.approx(3e8), pytest.approx(3.2e8))


def test_mixbench_columns_are_found_by_their_names(read):
    turned = MIXBENCH.replace("Flops/byte, ex.time,  GFLOPS, GB/sec, Iops", "Flops/byte, GB/sec, GFLOPS, ex.time, Iops")
    turned = turned.replace("0.250,    2.00,   50.00, 200.00,", "0.250, 200.00, 50.00, 2.00,", 1)
    assert read(turned).points[0].bytes == pytest.approx(4e8)


def test_mixbench_rows_without_memory_traffic_count_for_the_top_of_compute(read):
    last = "            2,        inf,    1.00,  500.00,   0.00,       inf,    1.00,   90.00,   0.00\n"
    at = MIXBENCH.rindex("-----")
    found = read(MIXBENCH[: at - 23] + last)
    assert [c.rate for c in found.ceilings if c.format == "fp32"] == [500e9]
    assert len(found.points) == 6


@pytest.mark.parametrize(
    ("rows", "roofs", "why"),
    [
        (["50.00, 200.00", "150.00, 199.00"], {"DRAM": 200.0}, {"import.memory_side"}),
        (["75.00, 300.00", "75.00, 100.00"], {"fp32": 75.0}, {"import.compute_side"}),
        (["50.00, 200.00"], {}, {"import.memory_side", "import.compute_side"}),
        (["50.00, 200.00", "150.00, 150.00"], {"fp32": 150.0, "DRAM": 200.0}, set()),
    ],
    ids=["memory", "compute", "one row", "both"],
)
def test_a_sweep_that_never_leaves_one_side_of_the_ridge_gives_that_sides_roof_alone(read, rows, roofs, why):
    lines = ["Experiment ID, Single Precision ops", "Compute iters, Flops/byte, ex.time, GFLOPS, GB/sec"]
    found = read("\n".join([*lines, *(f"{i}, {i}.5, 2.00, {row}" for i, row in enumerate(rows))]) + "\n")
    assert rates(found) == roofs
    assert {s.why.code for s in found.skipped} == why


def test_a_row_that_is_cut_short_gives_no_figure_that_may_lack_digits(read):
    at = MIXBENCH.rindex("75.00, 100.00")
    found = read(MIXBENCH[:at] + "7")
    assert [p.name for p in found.points] == [
        "Single Precision ops, 0.25 per byte",
        "Integer operations, 0.25 per byte",
        "Single Precision ops, 0.75 per byte",
    ]
    assert (found.skipped[0].where, found.skipped[0].why.code) == ("line 7", "import.cut_row")


def test_a_benchmark_under_a_profiler_gives_no_ceilings(read):
    with pytest.raises(Refused) as refused:
        read("==PROF== Connected to process 7\n" + BABEL)
    assert [p.code for p in refused.value.problems] == ["import.unusable", "import.profiled"]
    found = read("==8124== NVPROF is profiling process 8124\n" + MIXBENCH)
    assert (found.ceilings, len(found.points)) == ((), 4)


BABEL = """BabelStream
Total size: {size}
Using CUDA device {device}
Function    MBytes/sec  Min (sec)   Max         Average
Copy        900000.000  0.00204     0.00204     0.00204
"""


@pytest.mark.parametrize(
    ("size", "device", "doubtful"),
    [
        ("805.3 MB (=0.8 GB)", "NVIDIA GeForce RTX 4090", False),
        ("805.3 MB (=0.8 GB)", "Some GPU", False),
        ("60.0 MB (=0.1 GB)", "Some GPU", True),
        ("100.0 MB", "NVIDIA A100-SXM4-40GB", False),
    ],
)
def test_arrays_that_may_lie_in_a_cache_make_no_roof_by_themselves(read, size, device, doubtful):
    assert [c.doubtful for c in read(BABEL.format(size=size, device=device)).ceilings] == [doubtful]


def test_arrays_that_fit_in_the_devices_cache_make_no_roof_and_the_reason_names_both(read):
    with pytest.raises(Refused) as refused:
        read(BABEL.format(size="60.0 MB (=0.1 GB)", device="NVIDIA GeForce RTX 4090"))
    assert refused.value.problems[1].values == {"size": 60_000_000, "cache": 72 * 1024**2}
    columns = "function,num_times,n_elements,sizeof,max_mbytes_per_sec\n"
    with pytest.raises(Refused):
        read(f"Using CUDA device NVIDIA GeForce RTX 4090\n{columns}Copy,100,1000000,8,900000\n")


def test_a_function_whose_row_is_cut_short_makes_no_ceiling(read):
    found = read(BABEL.format(size="805.3 MB", device="x") + "Triad       19")
    assert ([c.name for c in found.ceilings], [s.why.code for s in found.skipped]) == (["Copy"], ["import.cut_row"])


def test_mixbench_of_the_first_versions_is_read(read):
    found = read(
        "Operations ratio,  Single Precision ops,,,   Double precision ops,,,\n"
        "  compute/memory,    Time,  GFLOPS, GB/sec,    Time,  GFLOPS, GB/sec\n"
        "       0/32,       200.00,    0.00, 140.00,  400.00,    0.00, 141.00\n"
        "      23/ 9,        50.00, 1000.00,   0.00,  400.00,  160.00,  10.00\n"
    )
    assert [(c.format or c.level, c.rate / 1e9) for c in found.ceilings] == [
        ("fp32", 1000.0), ("DRAM", 140.0), ("fp64", 160.0), ("DRAM", 141.0),
    ]  # fmt: skip
    assert found.points[2].name == "Single Precision ops, 23/9"


@pytest.mark.parametrize(
    ("unit", "factor"), [("MBytes/sec", 1e6), ("MiBytes/sec", 2**20), ("GBytes/sec", 1e9), ("GiBytes/sec", 2**30)]
)
def test_babelstream_rates_follow_the_unit_of_their_header(read, unit, factor):
    found = read(
        f"BabelStream\nVersion: 9\nFunction    {unit}  Min (sec)   Max\nCopy   100.5   0.1  0.2\nDot   99.0  0.1  0.2\n"
    )
    assert [(c.name, c.level, c.rate) for c in found.ceilings] == [
        ("Copy", "DRAM", pytest.approx(100.5 * factor)),
        ("Dot", "DRAM", pytest.approx(99.0 * factor)),
    ]


def test_stream_is_read_too(read):
    found = read("STREAM version 9\nFunction    Best Rate MB/s  Avg time\nCopy:   90000.0  0.1\nTriad:  95000.0  0.1\n")
    assert [(c.name, c.rate) for c in found.ceilings] == [("Copy", 90e9), ("Triad", 95e9)]


def test_babelstream_csv_is_read_by_column_names(read):
    found = read("num_times,function,sizeof,max_mbytes_per_sec\n100,Triad,8,2500.0\n100,Nonsense,8,1\n")
    assert [(c.name, c.rate) for c in found.ceilings] == [("Triad", pytest.approx(2.5e9))]
    assert found.skipped[0].why.code == "import.row"


def test_carm_lines_are_levels_in_bytes_and_arithmetic_in_operations(read):
    lines = [
        {"type": "memory", "cache_level": "L1", "bandwidth_gbps": 170.0, "name": "a"},
        {"type": "arithmetic", "data_type": "f64", "performance_gops": 30.0, "name": "b"},
        {"type": "arithmetic", "data_type": "posit16", "performance_gops": 30.0},
        {"type": "mixed", "bandwidth_gbps": 10.0, "performance_gops": 5.0, "time_seconds": 2.0, "name": "c"},
    ]
    found = read("\n".join(map(json.dumps, lines)) + "\n{broken\n")
    assert rates(found) == {"L1": 170.0, "fp64": 30.0}
    assert [(p.name, p.bytes, p.flops) for p in found.points] == [("c", 2e10, 1e10)]
    assert [s.why.code for s in found.skipped] == ["import.precision", "import.broken_json"]


NVBANDWIDTH = """nvbandwidth Version: v9
Device 0: NVIDIA Example (00000000:01:00)

Running host_to_device_memcpy_ce.
memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)
           0         1
 0     55.50     54.50

SUM host_to_device_memcpy_ce 110.00
Running device_local_copy.
memcpy local GPU(column) bandwidth (GB/s)
           0
 0   1500.25
Running device_to_device_latency_sm.
Device to Device Latency SM GPU(row) <-> GPU(column) latency (ns)
           0         1
 0       N/A    700.00
"""


def test_nvbandwidth_gives_links_and_the_memory_itself_and_leaves_latencies_out(read):
    found = read(NVBANDWIDTH)
    assert rates(found) == {"host_to_device_memcpy_ce": 55.0, "device_local_copy": 1500.25, "HBM": 3000.5}
    assert (found.ceilings[0].low, found.ceilings[0].high) == (54.5e9, 55.5e9)
    assert (found.device, found.skipped[0].why.code) == ("NVIDIA Example", "import.unit")


def test_nvbandwidth_totals_of_both_directions_are_left_out(read):
    table = "           0         1\n 0      0.00    {0}\n 1    {0}      0.00\n"
    text = "Running device_to_device_bidirectional_memcpy_read_ce.\n" + "".join(
        f"memcpy CE GPU(row) <-> GPU(column) {title} bandwidth (GB/s)\n{table.format(rate)}\n"
        for title, rate in (("Read1", "100.00"), ("Read2", "110.00"), ("Total", "210.00"))
    )
    found = read(text)
    assert [c.rate for c in found.ceilings] == [100e9, 110e9]
    assert [s.why.code for s in found.skipped] == ["import.both_directions"]


def test_nvbandwidth_json_is_read_without_the_diagonal(read):
    cases = [{"name": "device_to_device_x", "bandwidth_matrix": [["0.0", "100.0"], ["300.0", "0.0"]]}]
    assert rates(read(json.dumps({"nvbandwidth": {"testcases": cases}}))) == {"device_to_device_x": 200.0}


def test_rocprof_roofs_are_those_of_each_device_with_their_spread(read):
    found = read(
        "device,HBMBw,HBMBwLow,hbmBwHigh,MFMAF16Flops,FP32Flops,OddThing\n0,1000,990,1010,90000,20000,x\n1,1100,,,0,1,x\n"
    )
    assert [(c.level or c.format, c.unit, c.rate, c.low, c.device) for c in found.ceilings[:3]] == [
        ("HBM", "vector", 1e12, 990e9, "device 0"),
        ("fp16", "tensor", 9e13, None, "device 0"),
        ("fp32", "vector", 2e13, None, "device 0"),
    ]
    assert [s.where for s in found.skipped] == ["line 3, MFMAF16Flops"]


VALU = [f"SQ_INSTS_VALU_{o}_F{b}" for o in ("ADD", "MUL", "TRANS", "FMA") for b in (16, 32, 64)]
EA = ["TCC_EA_RDREQ_sum", "TCC_EA_RDREQ_32B_sum", "TCC_EA_WRREQ_sum", "TCC_EA_WRREQ_64B_sum"]


def counters(columns, values):
    names = ["Kernel_Name", "Start_Timestamp", "End_Timestamp", *columns]
    return ",".join(names) + '\n"k(a, b)",1000,3000,' + ",".join(map(str, values)) + "\n"


def test_rocprof_names_of_newer_devices_are_known(read):
    found = read("devID,MALLBw,FP8Flops,MFMAF4Flops,MFMAF6Flops,MFMA_FLOPs_F6F4\n0,8,1,2,3,4\n")
    assert rates(found) == {"MALL": 8.0, "fp8": 1.0, "fp6": 3.0, "fp4": 4.0}


def test_rocprof_counters_become_flops_and_bytes(read):
    columns = [*VALU, "SQ_INSTS_VALU_MFMA_MOPS_F16", *EA]
    point = read(counters(columns, [1] * 12 + [10, 100, 20, 50, 30])).points[0]
    assert point.flops == 64 * (9 + 2 * 3) + 512 * 10
    assert point.bytes == 20 * 32 + 80 * 64 + 30 * 64 + 20 * 32
    assert (point.name, point.time_s) == ("k(a, b)", pytest.approx(2e-6))


def test_rocprof_counters_that_miss_a_part_give_no_flops_and_say_so(read):
    point = read(counters([*VALU[1:], "SQ_INSTS_VALU_MFMA_MOPS_F16"], [1] * 12)).points[0]
    assert (point.flops, point.bytes) == (None, None)
    assert {n.code for n in point.notes} == {"import.no_flop_counters", "import.no_byte_counters"}


def test_rocprof_is_told_by_its_memory_or_its_counters(read):
    with pytest.raises(Refused):
        read("device,FP32Flops\n0,1\n")


@pytest.mark.parametrize("text", ["hello", "a,b\n1,2\n", "{}", "[]", "<html>", "\x00\x01\x02"])
def test_what_is_of_no_known_tool_is_refused(read, text):
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.problems[0].code == "import.unknown"


def test_an_empty_file_is_refused(read):
    with pytest.raises(Refused) as refused:
        read("")
    assert refused.value.problems[0].code == "import.empty"


def test_samples_agree_with_a_separate_program(shared: Path):
    samples = shared / "samples"
    expected = json.loads((samples / "expected.json").read_text())
    for name in (n for n in expected if n.startswith("mixbench/")):
        found = read_measurements(samples / name)
        for title, wanted in expected[name].items():
            mine = {("gflops" if c.format else "gbs"): c.rate / 1e9 for c in found.ceilings if c.name == title}
            assert mine == {"gflops": pytest.approx(wanted["max_gflops"]), "gbs": pytest.approx(wanted["max_gbs"])}
            assert sum(p.name.startswith(title) for p in found.points) == wanted["points"]
    ert = expected["ert/roofline.edison.nersc.gov.01.json"]
    found = rates(read_measurements(samples / "ert" / "roofline.edison.nersc.gov.01.json"))
    assert found == {"fp64": ert["gflops"][0][1], **dict(ert["gbytes"])}
    rocprof = expected["rocprof_compute/vcopy_MI200_roofline.csv"]
    ceilings = read_measurements(samples / "rocprof_compute" / "vcopy_MI200_roofline.csv").ceilings
    assert len({c.device for c in ceilings}) == rocprof["devices"]
    first = {c.name: c.rate / 1e9 for c in ceilings if c.device == "device 0"}
    assert {n: pytest.approx(first[n]) for n in rocprof["first"]} == rocprof["first"]


def test_every_ceiling_sample_of_the_collection_is_read(shared: Path):
    for folder in ("babelstream", "carm", "ert", "mixbench", "nvbandwidth", "rocprof_compute"):
        for path in sorted((shared / "samples" / folder).iterdir()):
            found = read_measurements(path)
            assert found.ceilings or found.points, path.name
