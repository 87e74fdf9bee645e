"""Outputs of llama-bench with broken and endless parts."""

import json

import pytest

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
