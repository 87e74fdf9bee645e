"""llama-bench in every form; the texts are made up in the tool's layout."""

import json
import re
from pathlib import Path

import pytest

from explorer.analysis.problem import Refused
from explorer.files.importers import read_measurements

TABLE = """
ggml_cuda_init: found 1 CUDA devices:
  Device 0: NVIDIA Example 9000, compute capability 9.9, VMM: yes
| model                    |       size |     params | backend | ngl | test          |              t/s |
| ------------------------ | ---------: | ---------: | ------- | --: | ------------: | ---------------: |
| llama 8B Q4_K - Medium   |   4.50 GiB |     8.03 B | CUDA    |  99 | pp512         |  4000.00 ± 40.00 |
| llama 8B Q4_K - Medium   |   4.50 GiB |     8.03 B | CUDA    |  99 | tg128 @ d1024 |    100.00 ± 1.00 |

build: 1234abcd (4242)
"""
ROW = {
    "build_commit": "x", "cpu_info": "A CPU", "gpu_info": "A GPU", "backends": "CUDA", "model_type": "llama 7B Q4_0",
    "model_filename": "/models/Some-7B-Q4_0.gguf", "model_size": 4_000_000_000, "model_n_params": 7_000_000_000,
    "n_threads": 8, "type_k": "f16", "n_gpu_layers": 99, "n_prompt": 0, "n_gen": 64, "n_depth": 0,
    "avg_ns": 1_280_000_000, "avg_ts": 50.0, "stddev_ts": 0.5, "samples_ts": [49.0, 50.0, 51.0],
}  # fmt: skip


def test_a_decode_row_is_the_time_of_one_step_at_the_middle_of_its_run(read):
    point = read(TABLE).points[1]
    assert (point.phase, point.tokens_per_s, point.time_s) == ("decode", 100.0, 0.01)
    assert (point.depth, point.context, point.batch, point.calls) == (1024, 1024 + 64, 1, 128)
    assert point.deviation_s == pytest.approx(1e-4)


def test_a_prefill_row_is_the_time_of_the_whole_prompt(read):
    point = read(TABLE).points[0]
    assert (point.phase, point.context, point.time_s) == ("prefill", 512, 0.128)


def test_a_table_tells_size_parameters_format_and_the_log_above_it_the_device(read):
    point = read(TABLE).points[0]
    assert (point.size_bytes, point.parameters) == (round(4.5 * 2**30), 8_030_000_000)
    assert (point.format, point.device) == ("Q4_K - Medium", "NVIDIA Example 9000")


def test_the_log_of_one_run_names_no_device_for_the_next_table(read):
    second = TABLE.partition("| model")[1] + TABLE.partition("| model")[2].replace("4000", "3000")
    assert read(f"{TABLE}\nanother machine\n{second}").points[2].device == ""


def test_columns_may_stand_in_any_order_and_others_between(read):
    found = read("| t/s | fa | test | mmap | model |\n|-|-|-|-|-|\n| 12.5 ± 0.1 | 1 | tg32 | 0 | x 1B F16 |\n")
    assert [(p.tokens_per_s, p.model, p.deviation_s is None) for p in found.points] == [(12.5, "x 1B F16", False)]


def test_two_rates_in_a_row_are_two_points_named_by_their_columns(read):
    found = read(
        "| model | test | t/s (main) | t/s (PR) | Speedup |\n|-|-|-|-|-|\n| m | pp 512 | 10 ± 1 | 20 ± 1 | 2 |\n"
    )
    assert [(p.name, p.tokens_per_s) for p in found.points] == [("m pp512 (main)", 10.0), ("m pp512 (PR)", 20.0)]


def test_an_empty_backend_is_the_one_above(read):
    found = read("| backend | test | t/s |\n|-|-|-|\n| CPU | pp8 | 1.0 |\n| | tg8 | 2.0 |\n")
    assert [p.backend for p in found.points] == ["CPU", "CPU"]


def test_repeated_rows_and_rows_without_a_header_are_left_out_with_the_reason(read):
    lines = TABLE.splitlines()
    found = read("| stray | row |\n" + TABLE + "\nquoted:\n" + "\n".join(lines[1:8]))
    assert len(found.points) == 2
    assert {s.why.code for s in found.skipped} == {"import.no_header", "import.repeated"}


@pytest.mark.parametrize(
    ("cell", "why"), [("pp512 | oom", "import.llama_rate"), ("warm-up | 3.0", "import.llama_test")]
)
def test_a_row_that_cannot_be_used_is_listed_with_why(read, cell, why):
    found = read(f"| model | test | t/s |\n|-|-|-|\n| m | pp8 | 5.0 |\n| m | {cell} |\n")
    assert [(s.where, s.why.code) for s in found.skipped] == [("line 4", why)]


def test_prompt_and_generation_timed_together_belong_to_no_phase(read):
    point = read("| model | test | t/s |\n|-|-|-|\n| m | pp512+tg128 | 320.0 |\n").points[0]
    assert point.phase is None
    assert point.depth in {None, 0}
    assert point.time_s == pytest.approx(2.0)
    assert point.notes[0].code == "import.llama_mixed"


def test_generation_behind_a_prompt_counts_the_prompt_as_held(read):
    point = read("| model | test | t/s |\n|-|-|-|\n| m | tg64@pp256 | 30.0 |\n").points[0]
    assert (point.phase, point.depth, point.context) == ("decode", 256, 288)


def test_batched_bench_gives_both_phases_with_all_requests_rates(read):
    header = "|    PP |  TG |  B | N_KV | T_PP s | S_PP t/s | T_TG s | S_TG t/s | T s | S t/s |\n"
    found = read(f"Model: https://host.example/org/small-3b\n\n{header}|-|-|-|-|-|-|-|-|-|-|\n"
                 "| 512 | 32 | 4 | 2176 | 1.024 | 2000.0 | 0.640 | 200.0 | 1.664 | 1307.7 |\n")  # fmt: skip
    prefill, decode = found.points
    assert (prefill.batch, prefill.time_s, prefill.model) == (4, pytest.approx(1.024), "small-3b")
    assert (decode.time_s, decode.context, decode.tokens_per_s) == (pytest.approx(0.02), 528, 200.0)


@pytest.mark.parametrize("cells", ["512 | x | 4", "x | 32 | 4", "512 | 32 | x"])
def test_a_batched_row_whose_sizes_are_no_numbers_is_left_out_with_its_reason(read, cells):
    header = "| PP | TG | B | N_KV | S_PP t/s | S_TG t/s |\n|-|-|-|-|-|-|\n"
    found = read(f"{header}| 512 | 32 | 4 | 2176 | 2000.0 | 200.0 |\n| {cells} | 2176 | 2000.0 | 200.0 |\n")
    assert len(found.points) == 2
    assert [(s.where, s.why.code) for s in found.skipped] == [("line 4", "import.llama_test")]


def test_sweep_bench_goes_on_behind_what_it_held_before(read):
    header = "|    PP |     TG |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |\n"
    prefill, decode = read(f"{header}|-|-|-|-|-|-|-|\n| 512 | 128 | 1024 | 1.0 | 512.0 | 2.0 | 64.0 |\n").points
    assert (prefill.depth, prefill.time_s) == (1024, 1.0)
    assert (decode.depth, decode.context, decode.batch) == (1024, 1088, 1)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([ROW]),
        json.dumps([ROW], indent=2),
        json.dumps(ROW) + "\n",
        "main: build 1\nload [ok]\n" + json.dumps([ROW], indent=1) + "\ndone.\n",
        json.dumps([ROW, ROW])[: -len(json.dumps(ROW)) // 2],  # cut in the second
    ],
    ids=["json", "indented", "jsonl", "with a log", "cut short"],
)
def test_json_is_read_with_or_without_a_log_around_it(read, text):
    point = read(text).points[0]
    assert (point.tokens_per_s, point.time_s, point.device, point.file) == (50.0, 0.02, "A GPU", "Some-7B-Q4_0.gguf")
    assert point.quartiles_s == (pytest.approx(1 / 50.5, rel=1e-3), pytest.approx(1 / 49.5, rel=1e-3))


def test_a_rate_left_out_follows_from_the_time(read):
    assert read(json.dumps({**ROW, "avg_ts": None})).points[0].tokens_per_s == pytest.approx(50.0)


def test_old_columns_name_the_backend_by_flags(read):
    old = {k: v for k, v in ROW.items() if k not in {"backends", "n_depth"}} | {"cuda": False, "metal": True}
    assert read(json.dumps(old)).points[0].backend == "METAL"


def test_csv_is_read_by_column_names(read):
    found = read('noise\nn_gen,avg_ts,n_prompt,model_type\n"64","50.0","0","m, with comma"\n"0","9e3","512","m"\n')
    assert [(p.phase, p.tokens_per_s) for p in found.points] == [("decode", 50.0), ("prefill", 9000.0)]


def test_sql_is_read_with_quotes_inside(read):
    found = read("CREATE TABLE t (x);\n\nINSERT INTO t (model_type, n_prompt, n_gen, avg_ts) VALUES "
                 "('o''model', '0', '8', '4.0'), ('b', '16', '0', '8.0');\n")  # fmt: skip
    assert [(p.model, p.tokens_per_s) for p in found.points] == [("o'model", 4.0), ("b", 8.0)]


@pytest.mark.parametrize(
    "text",
    [
        'n_prompt,n_gen,avg_ts,extra\n"0","64","50.0"\n',
        "INSERT INTO t (n_prompt, n_gen, avg_ts) VALUES ('1', '0', '64', '50.0');",
    ],
)
def test_a_row_whose_values_do_not_fit_its_columns_is_refused_with_both_counts(read, text):
    with pytest.raises(Refused) as refused:
        read(text)
    assert refused.value.problems[1].code == "import.columns"


def test_every_raw_output_of_the_collection_is_read_or_refused_with_the_reason(shared: Path):
    for path in sorted((shared / "cases" / "llama_bench_raw").iterdir()):
        if path.name == "llamacpp_README_old2023.sql":  # 27 values under 26 columns
            with pytest.raises(Refused):
                read_measurements(path)
            continue
        found = read_measurements(path)
        left_out = sum(s.count for s in found.skipped)
        rates = len(re.findall(r"\d ±", path.read_text(encoding="utf-8")))
        if path.suffix in {".md", ".txt"} and "mac-m2" not in path.name:
            assert len(found.points) <= rates <= len(found.points) + 2 * left_out, path.name
        assert all(p.tokens_per_s and p.time_s for p in found.points), path.name


def test_upstream_samples_agree_with_a_separate_program(shared: Path):
    expected = json.loads((shared / "samples" / "expected.json").read_text())
    for name in (n for n in expected if n.startswith("llama_bench/")):
        for point, wanted in zip(read_measurements(shared / "samples" / name).points, expected[name], strict=True):
            assert point.name.endswith(wanted["test"])
            assert point.tokens_per_s == wanted["ts"]
            if wanted["weight_gbs"]:
                assert point.size_bytes * point.tokens_per_s / 1e9 == pytest.approx(wanted["weight_gbs"])
            assert 2 * point.parameters * point.tokens_per_s / 1e12 == pytest.approx(wanted["gemm_tflops"])
