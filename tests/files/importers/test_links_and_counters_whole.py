"""Files of links, roofs and counters with odd lines between good ones: all that is read, and all that is not."""

import json

import pytest

from explorer.files.importers import recognised
from tests.files.importers.telling import ceilings, near, points, skipped

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


@pytest.mark.parametrize(("text", "roofs", "left_out", "measured"), WHOLE.values(), ids=WHOLE)
def test_a_file_gives_all_that_it_holds_and_names_each_line_that_it_leaves_out(read, text, roofs, left_out, measured):
    found = read(text)
    assert ceilings(found) == near(roofs)
    assert skipped(found) == left_out
    assert points(found) == near(measured)


DEVICES = {"nvbandwidth, text": "NVIDIA Example"}


@pytest.mark.parametrize("name", WHOLE)
def test_the_device_is_the_first_one_that_is_named(read, name):
    assert read(WHOLE[name][0]).device == DEVICES.get(name, "")


@pytest.mark.parametrize("name", WHOLE)
def test_each_file_is_recognised_as_its_tools_alone(read, tmp_path, name):
    found = read(WHOLE[name][0])
    assert found.tool == recognised(tmp_path / "measured.bin") == name.partition(",")[0]
    assert found.kind == ("points" if "counters" in name else "ceilings")
