"""Files of benchmarks with odd lines between good ones: everything that is read, and every line that is not."""

import json

import pytest

from explorer.files.importers import recognised
from tests.files.importers.telling import ceilings, near, points, skipped

MIX = """\
Device:   Example GPU
  Experiment ID, Single Precision ops,,,,    Odd precision,,,, Half ops
 Compute iters, Flops/byte, ex.time, GFLOPS, GB/sec, Flops/byte, ex.time, GFLOPS, GB/sec, Iops/byte, Time, GIOPS, GB/sec
   0, 0.250, 2.00, 40.00, 200.00, 0.500, 0.50, 60.00, 120.00, 0.5, 1.00, 0.00, 100.00
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
# ceilings: level, link or format; unit; giga; low; high; device; name; doubtful
# left out: where, why, values, how many; points: name, seconds, FLOPs, bytes, format, device, threads, notes
WHOLE = {
    "mixbench, two precisions": (
    MIX,
    [
        ("DRAM", "vector", 200.0, None, None, "Example GPU", "Single Precision ops", True),
        ("DRAM", "vector", 100.0, None, None, "Example GPU", "Half ops", False),
    ],
    [
        ("line 6", "row", {"text": "Single Precision ops"}, 1),
        ("line 6", "row", {"text": "Odd precision"}, 1),
        ("line 6", "row", {"text": "Half ops"}, 1),
        ("line 7", "cut_row", {}, 1),
        ("line 8", "cut_row", {}, 1),
        ("Single Precision ops", "memory_side", {}, 1),
        ("Odd precision", "memory_side", {}, 1),
        ("Odd precision", "compute_side", {}, 1),
    ],
    [
        ("Single Precision ops, 0.25 per byte", 0.002, 80000000.0, 400000000.0, "fp32", "Example GPU", None, []),
        ("Odd precision, 0.5 per byte", 0.0005, 30000000.0, 60000000.0, "Odd precision", "Example GPU", None,
         ["import.mixbench_rounded"]),
        ("Half ops, 0.5 per byte", 0.001, 0.0, 100000000.0, "fp16", "Example GPU", None, []),
        ("Single Precision ops, x", 0.002, 100000000.0, 400000000.0, "fp32", "Example GPU", None, []),
    ],
    ),
    "mixbench, tables that cannot be": (
    MIX_TITLES,
    [],
    [
        ("line 2", "columns", {"given": 2, "wanted": 1}, 1),
        ("Single ops", "header", {"text": "Flops/byte, ex.time, GFLOPS, Rate"}, 1),
        ("Double ops", "memory_side", {}, 1),
        ("Double ops", "compute_side", {}, 1),
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
}  # fmt: skip


@pytest.mark.parametrize(("text", "roofs", "left_out", "measured"), WHOLE.values(), ids=WHOLE)
def test_a_file_gives_all_that_it_holds_and_names_each_line_that_it_leaves_out(read, text, roofs, left_out, measured):
    found = read(text)
    assert ceilings(found) == near(roofs)
    assert skipped(found) == left_out
    assert points(found) == near(measured)


DEVICES = {
    "mixbench, two precisions": "Example GPU",
    "BabelStream": "Example one",
    "CARM": "box",
    "ERT, text": "node-1.x",
    "ERT, JSON": "h" * 100,
}


@pytest.mark.parametrize("name", WHOLE)
def test_the_device_is_the_first_one_that_is_named(read, name):
    assert read(WHOLE[name][0]).device == DEVICES.get(name, "")


@pytest.mark.parametrize("name", WHOLE)
def test_each_file_is_recognised_as_its_tools_alone(read, tmp_path, name):
    found = read(WHOLE[name][0])
    assert found.tool == recognised(tmp_path / "measured.bin") == name.partition(",")[0]
    assert found.kind == ("points" if "counters" in name else "ceilings")
