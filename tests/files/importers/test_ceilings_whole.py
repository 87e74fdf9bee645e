"""Files of benchmarks with odd lines between good ones: everything that is read, and every line that is not."""

import json

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.importers import recognised

MIX = """\
Device:   Example GPU
  Experiment ID, Single Precision ops,,,,    Odd precision,,,, Half ops
 Compute iters, Flops/byte, ex.time, GFLOPS, GB/sec, Flops/byte, ex.time, GFLOPS, GB/sec, Iops/byte, Time, GIOPS, GB/sec
   0, 0.250, 2.00, 50.00, 200.00, 0.500, 0.50, 60.00, 120.00, 0.5, 1.00, 0.00, 100.00
Device:   Another GPU
   1, 1.500, 0.00, 50.00, 200.00, 0.500, 4.00, -1.0, 100.00, inf, 1.00, 0.00, -1.0
   2, 2.500, 2.00, 50.00, 0.00
   3 / 4, x, 2.00, 50.00, 200.00, 2.50, 1.00, 70.00
a, b, c
"""
MIX_TITLES = """\
Experiment ID, Half ops,, Other ops,,
Compute iters, Flops/byte, ex.time, GFLOPS, GB/sec
   0, 0.250, 2.00, 50.00, 200.00
Experiment ID, Single ops,,
Compute iters, Flops/byte, ex.time, GFLOPS, Rate
Experiment ID, Double ops,,
Compute iters, Flops/byte, ex.time, GFLOPS, GB/sec
   0, 0.250, 2.00, 50.00, 200.00
"""
BABEL = """\
BabelStream
Using OpenCL device Example one
Using CUDA device:
Copy 1.0 2.0
Using CUDA device:  Example two
Using CUDA device Example three
Function    MBytes/sec  Min (sec)   Max
Copy        100.5       0.1
dot:        x           0.1
Triad
Odd         3           0.1
Add         0           0.1

Function    GiB/s
Scale: 2
phase,n,max_mibytes_per_sec,x
Mul,1,3,4
Mul,1,-3,4
Noise,1,2
Odd,1,3,4
Dot,1,3,4,5
function,max_gbytes_per_sec
Read,5
Write,"6"
"""
CARM = """\
{"machine": "box", "memory_level_name": "L2", "cache_level": "L9", "bandwidth_gbps": 3, "isa": "avx", "operation": "l"},
{"machine": "other", "data_type": "i8", "performance_gops": 4, "name": "n"}
text
{"data_type": "f32", "bandwidth_gbps": 2, "performance_gops": 4, "time_seconds": 3, "num_threads": 5, "isa": "sse"}
{"data_type": "posit", "bandwidth_gbps": 2, "performance_gops": 4, "time_seconds": 3}
{"bandwidth_gbps": 2, "performance_gops": 4, "time_seconds": 0, "name": "no time"}
{"bandwidth_gbps": 2, "type": "no level"}
{"data_type": "posit", "performance_gops": 4, "name": "n"}
{"bandwidth_gbps": 0, "performance_gops": -4, "cache_level": "L1", "name": "nothing"}
{"bandwidth_gbps": "x"
"""
ERT = """\
  100.5 GFLOPs
  50.5 FP32 GFLOPs
  0 DRAM
  7.0 ODD GFLOPs
  8.0 L1 EXP
  9.0 HBM2e
  6e1 SLC
  x DRAM
  5 L10
META_DATA
HOSTNAME ('node-1.x', 'y')
HOSTNAME ('node-2', 'y')
3.0 L3
"""
ERTJSON = json.dumps(
    {
        "empirical": {
            "metadata": {"HOSTNAME": "h" * 120},
            "gflops": {
                "data": [
                    ["FP16 GFLOPs", 2.0],
                    ["GFLOPs", -1],
                    ["FP16 GFLOPs"],
                    [3, 4],
                    5,
                    ["", 1],
                    ["X GFLOPs", 1],
                    ["a GFLOPs b", 1],
                ]
            },
            "gbytes": {"data": [["L1", 3.0], ["l2", "4"], ["Odd", 1], ["DRAM", 0]]},
        }
    }
)
ERTJSON2 = json.dumps(
    {"spec": 3, "empirical": {"metadata": {"HOSTNAME": ["a"]}, "gbytes": {"data": [["L1", 3.0]]}, "gflops": []}}
)
NV = """\
Device 0: NVIDIA Example (00000000:01:00)
Device 1: Second (x)
memcpy first bandwidth (GB/s)
 0 2.5 3.5
memcpy before (GB/s)
           0         1
 0     5.50     4.50
Running a_memcpy.
memcpy CE bandwidth (MB/s)
           0         1
 0     N/A     4.50
 1     8.50    -3.0
 1     8.50
 2     0.00     5.50
 x     1.00     5.50
 3     7
 4     N/A      N/A
Running b_memcpy more words
Running c/d
Running local_x
memcpy local bandwidth (GiB/s)
 0 2.0 4.0
Running e.
memcpy bandwidth (TB/s)
 0 0.0
Running f.
memcpy total bandwidth (GB/s)
 0 1.5
Running g.
memcpy bandwidth (furlongs)
 0 1.5
Running h.
memcpy Totally bandwidth (GB/s))
 0 1.5
memcpy latency (ns)
 0 1.5
"""
NVJSON = json.dumps(
    {
        "nvbandwidth": {
            "testcases": [
                3,
                {"name": "a", "bandwidth_matrix": [[1.0, "0.0"], ["x", "3.0"], 5]},
                {"name": "lat_latency", "bandwidth_matrix": [[1.0]]},
                {"name": "n", "status": "Waived"},
                {"status": 3},
                {"name": "d", "bandwidth_description": "Some (MB/s)", "bandwidth_matrix": [[7]]},
                {"name": "e", "bandwidth_description": "Some ()", "bandwidth_matrix": [[7]]},
                {"name": "f", "bandwidth_description": "Total MB/s)", "bandwidth_matrix": [[7]]},
                {"name": "g", "bandwidth_description": "of Total (GB/s)", "bandwidth_matrix": [[7]]},
                {"name": "local", "bandwidth_description": ")", "bandwidth_matrix": [[7]]},
                {"name": 5, "bandwidth_matrix": [[2]]},
            ]
        }
    }
)
ROC = """\
noise,x
DEVICE_id,HBMBw,hbmbwlow,HBMBwHigh,MFMABF16Flops,I8Ops,F6F4Flops,L2Bw,FP99Flops,MFMA_FLOPs_F64
 3 ,1,0.5,1.5,7,8,9,2,4,5
3,1

4,0,1,2,x,-1,1,1,1,inf
"""
VALU = [f"SQ_INSTS_VALU_{o}_F{b}" for o in ("ADD", "MUL", "TRANS", "FMA") for b in (16, 32, 64)]
MATRIX = [f"SQ_INSTS_VALU_MFMA_MOPS_{kind}" for kind in ("BF16", "F32", "I8")]
MEMORY = [f"TCC_{name}_sum" for name in ("EA0_RDREQ", "EA0_RDREQ_32B", "EA0_WRREQ", "EA0_WRREQ_64B", "BUBBLE")]
COUNTERS = [*VALU, *MATRIX, *MEMORY]


def launch(name, begin, end, values):
    return ",".join([name, begin, end, "7", *map(str, values)]) + "\n"


ROCPMC = (
    ",".join(["KernelName", "BeginNs", "EndNs", "gpu-id", *COUNTERS])
    + "\n"
    + launch("k", "1000", "3000", [*range(1, 15), 1000, 100, 20, 50, 30, 8])
    + launch("late", "5", "5", [1] * 20)
    + launch("no end", "5", "x", [1] * 20)
    + launch("odd", "5", "6", ["x"] * 20)
    + "\nshort,1\n"
    + launch("one", "5", "6", [0] * 20)
)

# ceilings: level, link or format; unit; giga; low; high; device; name; doubtful
# left out: where, why, values, how many; points: name, seconds, FLOPs, bytes, format, device, threads, notes
WHOLE = {
    "mixbench, two precisions": (
    MIX,
    [
        ("fp32", "vector", 50.0, None, None, "Example GPU", "Single Precision ops", False),
        ("DRAM", "vector", 200.0, None, None, "Example GPU", "Single Precision ops", True),
        ("Odd precision", "vector", 60.0, None, None, "Example GPU", "Odd precision", False),
        ("DRAM", "vector", 120.0, None, None, "Example GPU", "Odd precision", False),
        ("DRAM", "vector", 100.0, None, None, "Example GPU", "Half ops", False),
    ],
    [
        ("line 6", "row", {"text": "Single Precision ops"}, 1),
        ("line 6", "row", {"text": "Odd precision"}, 1),
        ("line 6", "row", {"text": "Half ops"}, 1),
        ("line 7", "row", {"text": "Odd precision"}, 1),
        ("line 8", "row", {"text": "Odd precision"}, 1),
        ("line 8", "row", {"text": "Half ops"}, 1),
    ],
    [
        ("Single Precision ops, 0.25 per byte", 0.002, 100000000.0, 400000000.0, "fp32", "Example GPU", None, []),
        ("Odd precision, 0.5 per byte", 0.0005, 30000000.0, 60000000.0, "Odd precision", "Example GPU", None,
         ["import.mixbench_rounded"]),
        ("Half ops, 0.5 per byte", 0.001, 0.0, 100000000.0, "fp16", "Example GPU", None, []),
        ("Single Precision ops, 2.5 per byte", 0.002, 100000000.0, 0.0, "fp32", "Example GPU", None, []),
        ("Single Precision ops, x", 0.002, 100000000.0, 400000000.0, "fp32", "Example GPU", None, []),
    ],
    ),
    "mixbench, tables that cannot be": (
    MIX_TITLES,
    [
        ("fp64", "vector", 50.0, None, None, "", "Double ops", False),
        ("DRAM", "vector", 200.0, None, None, "", "Double ops", False),
    ],
    [
        ("line 2", "columns", {"given": 2, "wanted": 1}, 1),
        ("Single ops", "header", {"text": "Flops/byte, ex.time, GFLOPS, Rate"}, 1),
    ],
    [
        ("Double ops, 0.25 per byte", 0.002, 100000000.0, 400000000.0, "fp64", "", None, []),
    ],
    ),
    "BabelStream": (
    BABEL,
    [
        ("DRAM", "vector", 0.1005, None, None, "Example one", "Copy", False),
        ("DRAM", "vector", 2.147483648, None, None, "Example one", "Scale", False),
        ("DRAM", "vector", 0.003145728, None, None, "Example one", "Mul", False),
        ("DRAM", "vector", 0.003145728, None, None, "Example one", "Dot", False),
        ("DRAM", "vector", 5.0, None, None, "Example one", "Read", False),
        ("DRAM", "vector", 6.0, None, None, "Example one", "Write", False),
    ],
    [
        ("line 9", "rate", {"text": "dot"}, 1),
        ("line 12", "rate", {"text": "Add"}, 1),
        ("line 18", "rate", {"text": "Mul"}, 1),
        ("line 20", "row", {"text": "Odd"}, 1),
    ],
    [

    ],
    ),
    "CARM": (
    CARM,
    [
        ("L2", "vector", 3.0, None, None, "box", "avx l", False),
        ("int8", "vector", 4.0, None, None, "other", "n", False),
    ],
    [
        ("line 6", "row", {"text": "no time"}, 1),
        ("line 7", "row", {"text": "no level"}, 1),
        ("line 8", "precision", {"text": "posit"}, 1),
        ("line 9", "row", {"text": "nothing"}, 1),
        ("line 10", "broken_json", {}, 1),
    ],
    [
        ("sse", 3.0, 12000000000.0, 6000000000.0, "fp32", "", 5, []),
        ("", 3.0, 12000000000.0, 6000000000.0, "", "", None, []),
    ],
    ),
    "ERT, text": (
    ERT,
    [
        ("fp64", "vector", 100.5, None, None, "", "GFLOPs", False),
        ("fp32", "vector", 50.5, None, None, "", "FP32 GFLOPs", False),
        ("HBM2e", "vector", 9.0, None, None, "", "HBM2e", False),
        ("SLC", "vector", 60.0, None, None, "", "SLC", False),
        ("L10", "vector", 5.0, None, None, "", "L10", False),
    ],
    [
        ("line 3", "rate", {"text": "DRAM 0"}, 1),
        ("line 4", "precision", {"text": "ODD GFLOPs"}, 1),
        ("line 5", "not_a_rate", {"text": "L1 EXP"}, 1),
    ],
    [

    ],
    ),
    "ERT, JSON": (
    ERTJSON,
    [
        ("fp16", "vector", 2.0, None, None, "", "FP16 GFLOPs", False),
        ("L1", "vector", 3.0, None, None, "", "L1", False),
        ("l2", "vector", 4.0, None, None, "", "l2", False),
    ],
    [
        ("empirical.gflops.data[1]", "rate", {"text": "GFLOPs -1"}, 1),
        ("empirical.gflops.data[2]", "row", {"text": "['FP16 GFLOPs']"}, 1),
        ("empirical.gflops.data[3]", "row", {"text": "[3, 4]"}, 1),
        ("empirical.gflops.data[4]", "row", {"text": "5"}, 1),
        ("empirical.gflops.data[5]", "rate", {"text": " 1"}, 1),
        ("empirical.gflops.data[6]", "precision", {"text": "X GFLOPs"}, 1),
        ("empirical.gflops.data[7]", "not_a_rate", {"text": "a GFLOPs b"}, 1),
        ("empirical.gbytes.data[2]", "not_a_rate", {"text": "Odd"}, 1),
        ("empirical.gbytes.data[3]", "rate", {"text": "DRAM 0"}, 1),
    ],
    [

    ],
    ),
    "ERT, JSON without a host": (
    ERTJSON2,
    [
        ("L1", "vector", 3.0, None, None, "", "L1", False),
    ],
    [
        ("spec", "not_measured", {}, 1),
    ],
    [

    ],
    ),
    "nvbandwidth, text": (
    NV,
    [
        ("memcpy first bandwidth (GB/s)", "vector", 4.0, 2500000000.0, 5500000000.0, "NVIDIA Example",
         "memcpy first bandwidth (GB/s)", False),
        ("a_memcpy", "vector", 0.0055, 4500000.0, 8500000.0, "NVIDIA Example", "a_memcpy", False),
        ("local_x", "vector", 3.221225472, 2147483648.0, 4294967296.0, "NVIDIA Example", "local_x", False),
        ("HBM", "vector", 6.442450944, 4294967296.0, 8589934592.0, "NVIDIA Example", "local_x", False),
    ],
    [
        ("line 24", "row", {"text": "e"}, 1),
        ("line 27", "both_directions", {"text": "f"}, 1),
        ("line 30", "unit", {"text": "g", "unit": "furlongs"}, 1),
        ("line 35", "unit", {"text": "h", "unit": "ns"}, 1),
    ],
    [

    ],
    ),
    "nvbandwidth, JSON": (
    NVJSON,
    [
        ("a", "vector", 3.0, 1000000000.0, 5000000000.0, "", "a", False),
        ("d", "vector", 0.007, 7000000.0, 7000000.0, "", "d", False),
        ("e", "vector", 7.0, 7000000000.0, 7000000000.0, "", "e", False),
        ("local", "vector", 7.0, 7000000000.0, 7000000000.0, "", "local", False),
        ("HBM", "vector", 14.0, 14000000000.0, 14000000000.0, "", "local", False),
        ("5", "vector", 2.0, 2000000000.0, 2000000000.0, "", "5", False),
    ],
    [
        ("lat_latency", "unit", {"text": "lat_latency", "unit": "ns"}, 1),
        ("n", "row", {"text": "Waived"}, 1),
        ("testcases", "row", {"text": "3"}, 1),
        ("f", "unit", {"text": "f", "unit": "Total MB/s"}, 1),
        ("g", "both_directions", {"text": "g"}, 1),
    ],
    [

    ],
    ),
    "rocprof-compute, roofs": (
    ROC,
    [
        ("HBM", "vector", 1.0, 500000000.0, 1500000000.0, "device 3", "HBMBw", False),
        ("bf16", "tensor", 7.0, None, None, "device 3", "MFMABF16Flops", False),
        ("int8", "vector", 8.0, None, None, "device 3", "I8Ops", False),
        ("fp4", "vector", 9.0, None, None, "device 3", "F6F4Flops", False),
        ("L2", "vector", 2.0, None, None, "device 3", "L2Bw", False),
        ("fp64", "tensor", 5.0, None, None, "device 3", "MFMA_FLOPs_F64", False),
        ("fp4", "vector", 1.0, None, None, "device 4", "F6F4Flops", False),
        ("L2", "vector", 1.0, None, None, "device 4", "L2Bw", False),
    ],
    [
        ("line 3, FP99Flops", "precision", {"text": "FP99Flops"}, 1),
        ("line 4", "columns", {"given": 2, "wanted": 10}, 1),
        ("line 6, HBMBw", "rate", {"text": "0"}, 1),
        ("line 6, MFMABF16Flops", "rate", {"text": "x"}, 1),
        ("line 6, I8Ops", "rate", {"text": "-1"}, 1),
        ("line 6, FP99Flops", "precision", {"text": "FP99Flops"}, 1),
        ("line 6, MFMA_FLOPs_F64", "rate", {"text": "inf"}, 1),
    ],
    [

    ],
    ),
    "rocprof-compute, counters": (
    ROCPMC,
    [

    ],
    [
        ("line 3", "no_time", {"text": "late"}, 1),
        ("line 4", "no_time", {"text": "no end"}, 1),
        ("line 7", "columns", {"given": 2, "wanted": 24}, 1),
    ],
    [
        ("k", 2e-06, 20928.0, 8832.0, "", "GPU 7", None, []),
        ("odd", 1e-09, None, None, "", "GPU 7", None, ["import.no_flop_counters", "import.no_byte_counters"]),
        ("one", 1e-09, 0.0, 0.0, "", "GPU 7", None, []),
    ],
    ),
}  # fmt: skip


def ceilings(found):
    return [
        (c.level or c.link or c.format, c.unit, c.rate / 1e9, c.low, c.high, c.device, c.name, c.doubtful)
        for c in found.ceilings
    ]


def skipped(found):
    return [(s.where, s.why.code.removeprefix("import."), dict(s.why.values), s.count) for s in found.skipped]


def points(found):
    return [
        (p.name, p.time_s, p.flops, p.bytes, p.format, p.device, p.threads, [n.code for n in p.notes])
        for p in found.points
    ]


def near(rows):
    """The same with room for rounding in the figures."""
    return [tuple(pytest.approx(v) if isinstance(v, float) else v for v in row) for row in rows]


@pytest.mark.parametrize(("text", "roofs", "left_out", "measured"), WHOLE.values(), ids=WHOLE)
def test_a_file_gives_all_that_it_holds_and_names_each_line_that_it_leaves_out(read, text, roofs, left_out, measured):
    found = read(text)
    assert ceilings(found) == near(roofs)
    assert skipped(found) == left_out
    assert points(found) == near(measured)


DEVICES = {
    "mixbench, two precisions": "Example GPU", "BabelStream": "Example one", "CARM": "box", "ERT, text": "node-1.x",
    "ERT, JSON": "h" * 100, "nvbandwidth, text": "NVIDIA Example",
}  # fmt: skip


@pytest.mark.parametrize("name", WHOLE)
def test_the_device_is_the_first_one_that_is_named(read, name):
    assert read(WHOLE[name][0]).device == DEVICES.get(name, "")


@pytest.mark.parametrize("name", WHOLE)
def test_each_file_is_recognised_as_its_tools_alone(read, tmp_path, name):
    found = read(WHOLE[name][0])
    assert found.tool == recognised(tmp_path / "measured.bin") == name.partition(",")[0]
    assert found.kind == ("points" if "counters" in name else "ceilings")


def mixbench(*tops):
    """One precision for each top in GB/s."""
    titles = ", ".join(f"Half {i},,," for i in range(len(tops)))
    names = ", Flops/byte, ex.time, GFLOPS, GB/sec" * len(tops)
    row = "".join(f", 1, 1, 1, {top}" for top in tops)
    return f"Experiment ID, {titles}\nCompute iters{names}\n0{row}\n"


@pytest.mark.parametrize(
    ("tops", "doubtful"),
    [
        ((100, 100, 150), []), ((100, 100, 151), [151]), ((100, 100, 999), [999]), ((100, 151, 200), []),
        ((10, 100, 151), [151]), ((100,), []), ((100, 300), []), ((100, 310), [310]), ((0, 100, 100), []),
    ],
)  # fmt: skip
def test_a_bandwidth_of_more_than_one_and_a_half_times_the_usual_one_is_doubtful(read, tops, doubtful):
    found = read(mixbench(*tops))
    assert [c.rate / 1e9 for c in found.ceilings if c.doubtful] == doubtful
    assert [c.rate / 1e9 for c in found.ceilings if c.level] == [t for t in tops if t]


def test_as_many_precisions_side_by_side_as_the_tool_could_have_are_read_and_no_more(read):
    assert len(read(mixbench(*range(1, 17))).points) == 16
    with pytest.raises(Refused):
        read(mixbench(*range(1, 18)))


@pytest.mark.parametrize(("milliseconds", "rounded"), [("0.99", True), ("1.00", False)])
def test_times_of_less_than_a_millisecond_are_said_to_be_rounded(read, milliseconds, rounded):
    (point,) = read(mixbench(5).replace(", 1, 1, 1, 5", f", 1, {milliseconds}, 1, 5")).points
    assert bool(point.notes) is rounded


def test_what_is_in_no_table_or_without_a_heading_is_passed_over(read):
    rows = "Copy 1.0 2.0\n"
    found = read(rows + "Function MBytes/sec Min\n" + rows)
    assert (len(found.ceilings), found.skipped) == (1, ())


KERNEL = "Kernel_Name,Start_Timestamp,End_Timestamp,SQ_X\nk,1,2,3\n"


@pytest.mark.parametrize(
    ("text", "tool"),
    [
        ("\n" * 199 + KERNEL, "rocprof-compute"),
        ("\n" * 200 + KERNEL, ""),
        (KERNEL.replace("SQ_X", "X"), ""),
        (KERNEL.replace("End_", "Some_"), ""),
        (KERNEL.replace("Start_", "Some_"), ""),
        (KERNEL.replace("Kernel_Name", "Name"), ""),
        ("device,HBMBw,FP32Flops\n", "rocprof-compute"),
        ("device,FP32Flops\n", ""),
        ("1 GFLOPs\n1 DRAM\n", "ERT"),
        ("1 GFLOPs\n1 L9\n", ""),
        ("1 FP32 GFLOPs\n1 L1\n", "ERT"),
        ("1 FP32 DRAM\n1 GFLOPs\n", ""),
        ("1 a b GFLOPs\n1 DRAM\n", ""),
        ("1 DRAM\n", ""),
        ('{"empirical": {}}', ""),
        ('{"gbytes": {}}', ""),
        ("compute/memory,\n", ""),
        ("Operations ratio,\n", ""),
        ("rate: max_mbytes_per_sec, function", ""),
        ("function, max_mbytes_per_sec", "BabelStream"),
        ("Running a memcpy bandwidth (GB/s)", "nvbandwidth"),
        ("bandwidth (GB/s) memcpy", ""),
        ("memcpy (GB/s) of bandwidth", ""),
        ('{"testcases": []}', ""),
        ('"performance_gops" : 1', "CARM"),
        ('"performance_gops"', ""),
    ],
)
def test_a_file_is_known_by_the_words_of_its_tool_and_not_by_half_of_them(tmp_path, text, tool):
    path = tmp_path / "a.txt"
    path.write_text(text)
    assert recognised(path) == tool


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        (json.dumps({"empirical": {"gbytes": {"data": [["L1", 1]]}}}), "TOOL_JSON"),
        (json.dumps({"testcases": [{"name": "a", "bandwidth_matrix": [[1]]}]}), "TOOL_JSON"),
    ],
)
def test_json_of_as_many_letters_as_are_parsed_at_once_is_read_and_one_more_is_refused(
    read, monkeypatch, text, counted
):
    monkeypatch.setattr(limits, counted, len(text))
    assert read(text).ceilings
    monkeypatch.setattr(limits, counted, len(text) - 1)
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.problems[0].code == "file.too_large"


def test_ert_json_of_more_figures_than_a_roofline_has_is_refused(read, monkeypatch):
    monkeypatch.setattr(limits, "TOOL_POINTS", 2)
    text = json.dumps({"empirical": {"gbytes": {"data": [["L1", 1]] * 3}}})
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.problems[0].code == "import.many"
    assert len(read(text.replace('["L1", 1], ', "", 1)).ceilings) == 2


def test_a_csv_of_counters_whose_quotes_cannot_be_is_left_out_from_there(read):
    broken = KERNEL + '"' + "x" * 200_000 + '",1,2,3\n'
    found = read(broken)
    assert len(found.points) == 1
    assert [(s.where, s.why.code) for s in found.skipped] == [("line 1", "import.header")]


def test_lines_above_the_header_of_counters_count(read):
    found = read("noise\nnoise\n" + KERNEL + "k,1\n")
    assert [s.where for s in found.skipped] == ["line 5"]


def test_the_device_of_a_roof_is_told_by_the_column_of_that_name(read):
    assert [c.device for c in read("HBMBw,L2Bw,dev_id\n1,2,7\n").ceilings] == ["device 7"] * 2
    assert [c.device for c in read("HBMBw,L2Bw,place\n1,2,7\n").ceilings] == [""] * 2


@pytest.mark.parametrize("text", ['{"empirical": {"gbytes": [', '{"testcases": [], "bandwidth_matrix": ['])
def test_json_that_is_cut_short_is_refused_as_broken(read, text):
    with pytest.raises(Refused) as refused:
        read(text)
    assert [(p.code, p.path) for p in refused.value.problems][1:] == [("import.broken_json", "JSON")]


def test_a_line_of_a_csv_that_is_longer_than_any_is_passed_over(read):
    found = read("function,max_gbytes_per_sec\nCopy," + " " * 100_000 + "1\nDot,2\n")
    assert [c.name for c in found.ceilings] == ["Dot"]
    assert [s.where for s in found.skipped] == ["line 2"]


def test_lines_with_windows_ends_count_once(read):
    found = read(("noise\nnoise\n" + KERNEL + "k,1\n").replace("\n", "\r\n"))
    assert [s.where for s in found.skipped] == ["line 5"]
