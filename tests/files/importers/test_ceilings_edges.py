"""Files of benchmarks at their edges: doubtful figures, what tells a tool, broken and endless ones."""

import json

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.importers import recognised


def mixbench(*tops):
    """One precision for each top in GB/s."""
    titles = ", ".join(f"Half {i},,," for i in range(len(tops)))
    names = ", Flops/byte, ex.time, GFLOPS, GB/sec" * len(tops)
    rows = ("".join(f", {i}, 1, {1 + i}, {top / (1 + i):g}" for top in tops) for i in range(2))
    return f"Experiment ID, {titles}\nCompute iters{names}\n" + "".join(f"{i}{row}\n" for i, row in enumerate(rows))


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
    assert len(read(mixbench(*range(1, 17))).points) == 32
    with pytest.raises(Refused):
        read(mixbench(*range(1, 18)))


@pytest.mark.parametrize(("milliseconds", "rounded"), [("0.99", True), ("1.00", False)])
def test_times_of_less_than_a_millisecond_are_said_to_be_rounded(read, milliseconds, rounded):
    point = read(mixbench(5).replace(", 0, 1, 1, 5", f", 0, {milliseconds}, 1, 5")).points[0]
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


@pytest.mark.parametrize(
    ("unit", "factor"), [("MB/s", 1e6), ("GB/s", 1e9), ("TB/s", 1e12), ("GiB/s", 2**30), ("gb/s", 1e9)]
)
def test_a_matrix_of_bandwidths_is_in_the_unit_of_its_heading_as_text_and_as_json(read, unit, factor):
    about = f"memcpy CE CPU(row) -> GPU(column) bandwidth ({unit})"
    text = f"Running host_to_device_memcpy_ce.\n{about}\n           0\n 0     55.50\n"
    test = {"name": "host_to_device_memcpy_ce", "bandwidth_description": about, "bandwidth_matrix": [["55.50"]]}
    for written in (text, json.dumps({"nvbandwidth": {"testcases": [test]}})):
        (ceiling,) = read(written).ceilings
        assert (ceiling.link, ceiling.rate) == ("host_to_device_memcpy_ce", pytest.approx(55.5 * factor))


@pytest.mark.parametrize(
    ("unit", "factor"), [("MB/s", 1e6), ("MBytes/sec", 1e6), ("GB/s", 1e9), ("MiB/s", 2**20), ("GiB/s", 2**30)]
)
def test_a_table_of_functions_is_in_the_unit_of_its_heading(read, unit, factor):
    (ceiling,) = read(f"Function    {unit}  Min (sec)   Max\nTriad       250.5   0.1   0.2\n").ceilings
    assert ceiling.rate == pytest.approx(250.5 * factor)
    column = f"max_{unit[:-2].lower()}ytes_per_sec" if unit.endswith("B/s") else "max_mbytes_per_sec"
    (ceiling,) = read(f"function,num_times,{column},min_runtime\nTriad,100,250.5,0.1\n").ceilings
    assert ceiling.rate == pytest.approx(250.5 * factor)


@pytest.mark.parametrize("length", [100, 101])
def test_the_name_of_a_device_is_kept_up_to_a_hundred_letters(read, length):
    name = "x" * length
    matrix = f"Device 0: {name} (00000000:01:00)\nRunning t.\nmemcpy CE bandwidth (GB/s)\n 0  1.5\n"
    stream = f"Using HIP device {name}\nFunction    MBytes/sec\nCopy   1.5\n"
    assert {read(text).device for text in (matrix, stream)} == {name[:100]}


MATRIX = "\n           0\n 0     55.50\n"
LONG = "x" * 300
NAMES = {
    "a test": (f"Running {LONG}.\nmemcpy bandwidth (GB/s){MATRIX}", 200),
    "a heading without a test": (f"memcpy {LONG} bandwidth (GB/s){MATRIX}", 200),
    "a test in JSON": (
        json.dumps({"testcases": [{"name": LONG, "bandwidth_description": "(GB/s)", "bandwidth_matrix": [["1.5"]]}]}),
        100,
    ),
    "a level": (json.dumps({"memory_level_name": "L1", "bandwidth_gbps": 5.0, "name": LONG}), 200),
    "an arithmetic": (json.dumps({"data_type": "dp", "performance_gops": 5.0, "name": LONG}), 200),
    "a precision": (mixbench(9).replace("Half 0", f"Half {LONG}"), 100),
}  # fmt: skip


@pytest.mark.parametrize("what", NAMES)
def test_the_name_of_a_ceiling_is_kept_up_to_some_length(read, what):
    text, length = NAMES[what]
    assert {len(c.name) for c in read(text).ceilings} == {length}
