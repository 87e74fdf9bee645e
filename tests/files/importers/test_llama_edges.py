"""Outputs of llama-bench with broken and endless parts."""

import json

import pytest

from explorer.files.importers import recognised
from explorer.files.importers.llama import rows

ROW = {
    "cpu_info": "A CPU",
    "gpu_info": "A GPU",
    "backends": "CUDA",
    "model_type": "llama 7B Q4_0",
    "model_filename": "C:\\m\\Some-7B.gguf",
    "model_size": 4000,
    "model_n_params": 7000,
    "n_threads": 8,
    "type_k": "f16",
    "n_gpu_layers": 0,
    "n_prompt": 0,
    "n_gen": 64,
    "n_depth": 10,
    "avg_ns": 1280000000,
    "avg_ts": 50.0,
    "stddev_ts": 0.5,
    "samples_ts": [40.0, 50.0, "x", 60.0],
}


def row(**more):
    return {k: v for k, v in (ROW | more).items() if v is not None}


HEADER = "n_prompt,n_gen,avg_ts\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (HEADER + "1,0,5\n" + HEADER + "2,0,5\n", ["pp1", "pp2"]),  # a header again is no row
        ("a,1,0,5\n" + HEADER + "1,0,5", ["pp1"]),
        (json.dumps(row(n_gen=1)) + " trailing\n" + json.dumps(row(n_gen=2)), ["tg1", "tg2"]),
        ("[" + json.dumps(row(n_gen=1)) + "," + json.dumps(row(n_gen=2)) + ', {"n_prompt":', ["tg1", "tg2"]),
        ("[" + json.dumps(row(n_gen=1)) + ' {"broken\n' + json.dumps(row(n_gen=2)), ["tg1", "tg2"]),
        (json.dumps(row(n_gen=1, note="x" * 600)), ["tg1"]),
        (json.dumps(row(n_gen=1, note=["x" * 600, 2])), ["tg1"]),
        ("{" * 20_000 + "\n" + json.dumps(row(n_gen=2)), ["tg2"]),
        ('{"a": ' + "9" * 5_000 + "}\n" + json.dumps(row(n_gen=2)), ["tg2"]),
    ],
)
def test_good_parts_are_found_whatever_stands_beside_them(read, text, names):
    found = read(text)
    assert [p.name.removeprefix("llama 7B Q4_0 ").removesuffix(" @ d10") for p in found.points] == names


def test_rows_after_a_json_value_are_counted_from_where_it_ends(read):
    first = json.dumps(row(n_gen=1), indent=1)
    found = read(first + "\n" + json.dumps(row(n_gen=0)) + "\n")
    assert [s.where for s in found.skipped] == [f"line {first.count(chr(10)) + 2}"]


def test_more_values_in_pieces_than_a_row_has_are_no_row(read):
    good = "INSERT INTO t (n_prompt, n_gen, avg_ts) VALUES (1, 0, 5);\n"
    long = "INSERT INTO t (n_prompt, n_gen, avg_ts) VALUES (" + "1," * 10_000 + "1);\n"
    found = read(long + good)
    assert (len(found.points), found.skipped) == (1, ())


def test_sixteen_devices_are_named_and_no_more(read):
    log = "".join(f"  Device {i}: GPU {i}, gfx\n" for i in range(18))
    found = read(log + "| test | t/s |\n|-|-|\n| tg1 | 2 |\n")
    assert found.points[0].device == " + ".join(f"GPU {i}" for i in range(16))


def test_lines_that_are_longer_than_any_of_a_log_tell_nothing(read):
    table = "| test | t/s |\n|-|-|\n| tg1 | 2 |\n"
    for length, device in ((300, True), (301, False)):
        line = "GPU name: " + "x" * (length - 10)
        assert bool(read(line + "\n" + table).points[0].device) is device


def test_ten_thousand_samples_are_looked_at(read):
    samples = [40.0] * 10_000 + [80.0] * 30_000
    (point,) = read(json.dumps(row(samples_ts=samples))).points
    assert point.quartiles_s == (1 / 40, 1 / 40)


@pytest.mark.parametrize("twice", ["| test | test | t/s |", "| test | t/s | T/S |"])
def test_a_table_with_two_columns_of_one_name_is_none(read, twice):
    found = read(f"{twice}\n|-|-|-|\n| tg1 | 2 | 3 |\n| test | t/s |\n|-|-|\n| tg1 | 2 |\n")
    assert len(found.points) == 1
    assert [s.why.code for s in found.skipped] == ["import.no_header"]


@pytest.mark.parametrize(("characters", "count"), [(200_000, 2), (300_000, 1)])
def test_a_row_in_json_may_be_long_and_an_endless_one_is_passed_over(read, characters, count):
    found = read(json.dumps(row(n_gen=1, samples_note="x" * characters)) + "\n" + json.dumps(row(n_gen=2)))
    assert [p.calls for p in found.points] == [1.0, 2.0][-count:]


@pytest.mark.parametrize(("broken", "count"), [(10, 1), (1_000, 0)])
def test_some_broken_json_costs_only_itself_and_where_most_is_broken_the_rest_is_prose(read, broken, count):
    assert len(read(HEADER + "1,0,5\n" + "{a\n" * broken + json.dumps(row())).points) == 1 + count


ROWS = "| test | t/s |\n|-|-|\n| tg1 | 2 |\n"


@pytest.mark.parametrize(
    "other",
    [
        "found 1 CUDA devices:\n  Device 0: Other GPU, compute capability 9.0, VMM: yes\n" + ROWS,
        "Model: other\n" + ROWS,
        "and again\n" + ROWS.replace("t/s", "tok/s"),
    ],
    ids=["another device", "another model", "other columns"],
)
def test_the_same_cells_below_another_log_or_header_are_another_test(read, other):
    log = "found 1 CUDA devices:\n  Device 0: Some GPU, compute capability 8.0, VMM: yes\n"
    found = read(log + ROWS + other)
    assert (len(found.points), found.skipped) == (2, ())


def test_a_table_that_stands_twice_is_read_once(read):
    found = read("Model: m\n" + ROWS + "\n" + ROWS)
    assert (len(found.points), [s.why.code for s in found.skipped]) == (1, ["import.repeated"])


def test_a_log_behind_the_rows_of_a_csv_still_names_the_device(read):
    csv = "build_commit,model_type,n_gpu_layers,n_prompt,n_gen,avg_ts,stddev_ts,test_time\na,b,99,8,0,5.0,0.1,x\n"
    log = "ggml_cuda_init: found 1 CUDA devices:\n  Device 0: Some GPU, compute capability 8.0, VMM: yes\n"
    found = read(csv + log + ROWS)
    assert ([p.device for p in found.points], found.skipped) == (["", "Some GPU"], ())


def test_samples_of_several_requests_are_as_long_as_their_middle():
    made = rows.point(rows.Test(prompt=8, generated=0, requests=4), 64.0, samples=[64.0, 64.0])
    assert (made.time_s, made.quartiles_s) == (0.5, (0.5, 0.5))


LINE = {"n_prompt": 8, "n_gen": 0, "avg_ts": 5.0, "avg_ns": 1}


@pytest.mark.parametrize(
    ("missing", "known"),
    [
        ((), True), (("avg_ts",), True), (("avg_ns",), True),
        (("n_prompt",), False), (("n_gen",), False), (("avg_ts", "avg_ns"), False), (("n_gen", "avg_ts"), False),
    ],
)  # fmt: skip
def test_rows_of_the_tool_are_told_by_what_was_run_and_how_fast(tmp_path, missing, known):
    path = tmp_path / "x"
    path.write_text(json.dumps({k: v for k, v in LINE.items() if k not in missing}))
    assert recognised(path) == ("llama-bench" if known else "")


@pytest.mark.parametrize(
    ("line", "device"),
    [
        ("  Device 0: NVIDIA A100-SXM4-80GB, compute capability 8.0, VMM: yes", "NVIDIA A100-SXM4-80GB"),
        ("  Device 0: AMD Radeon RX 7900 XTX, gfx1100 (0x1100), VMM: no, Wave Size: 32", "AMD Radeon RX 7900 XTX"),
        ("  Device 0: AMD MI100, gfx908:sramecc+ (0x908), compute capability 9.0, VMM: no", "AMD MI100"),
        ("  Device 0: AMD MI100, compute capability 9.0, gfx908, compute capability 9.0", "AMD MI100"),
        ("ggml_vulkan: 0 = Intel(R) Arc(tm) A770 (ANV) | uma: 0 | fp16: 1", "Intel(R) Arc(tm) A770 (ANV)"),
        ("ggml_metal_init: GPU name:   MTLGPUFamilyApple8  ", "MTLGPUFamilyApple8"),
        ("ggml_metal_init: picking default device: Apple M2 Ultra", "Apple M2 Ultra"),
        ("  Device 0: , compute capability 8.0", ""),
        ("  Device 0: no more", ""),
    ],
)  # fmt: skip
def test_the_name_of_a_device_ends_where_the_log_goes_on_with_what_it_can_do(read, line, device):
    assert [p.device for p in read(line + "\n" + ROWS).points] == [device]
