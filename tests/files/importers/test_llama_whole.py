"""Whole outputs of llama-bench with odd parts between good ones: every point, and every part that is left out."""

import json

import msgspec
import pytest

T = {}
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


T["tables and a log"] = """found 1 CUDA devices:
  Device 0: First GPU, compute capability 9.9, VMM: yes
  Device 1: Second GPU, gfx1100 (0x1)
  Device 1: Second GPU, gfx1100 (0x1)
  Device 2: no end
## https://example.org/x/Some-Model-1.0
| stray | a |
| model | backend | ngl | threads | type_k | size | params | test | t/s |
| :-- | --: | - | - | - | - | - | - | - |
| a Q8_0 | CUDA | 0 | 4 | q8_0 | 1 GiB | 2 B | pp8+tg4 @ d2 | 10.0 +/- 1.0 |
| | | 99 | | | | | tg 5 | 20.0 |
| **b** | CPU | 0 | | | | | tg5@pp7 | 20.0 |
| b | CPU | 0 | | | | | pp0 | 20.0 |
| b | CPU | 0 | | | | | pp1 | 0 |
| b | CPU |
| b | CPU |
> | c | BLAS | 0 | | | | | PP 1 | 2 ± 1 ± 3 |
> | c | BLAS | 0 | | | | | PP 1 | 2 ± 1 ± 3 |
text ends the table
| c | BLAS | 0 | | | | | PP 1 | 2 |
| test | t/s | tok/s (new) |
| - | - | - |
| tg1 | 2 | 3 |
"""
T["devices of other logs"] = (
    """ggml_vulkan: 0 = Some Vulkan GPU (driver) | uma: 0
GPU name:   Metal one
picking default device: Metal two
Model: plain-name
"""
    "| test | t/s |\n|-|-|\n| tg1 | 2 |\n\n| test | t/s |\n| tg3 | 4 |\nfound 2 ROCm devices:\n"
    + "x" * 301
    + " GPU name: too long\n| test | t/s |\n| tg5 | 6 |\n"
)
T["batched and swept"] = """Model: m
|   PP |   TG | B | N_KV | T_PP s | S_PP t/s | T_TG s | S_TG t/s |
|------|------|---|------|--------|----------|--------|----------|
|  128 |   32 | 4 |  640 |  1.0   | 512.0    | 2.0    | 64.0     |
|  128 |    0 | 1 |  128 |  1.0   | 128.0    | 0.0    | 0.0      |
|    0 |   32 | 1 |  128 |  1.0   | 128.0    | 0.0    | 0.0      |
|  128 |   32 | x |  128 |  1.0   | 128.0    | 0.0    | 0.0      |
|  128 |   32 | 2 |  128 |  1.0   | -1       | 0.0    | x        |

| PP | TG | N_KV | S_PP t/s | S_TG t/s |
|-|-|-|-|-|
| 8 | 4 | 16 | 80 | 40 |
| 8 | 4 | x | 80 | 40 |
"""
T["JSON"] = (
    "log\n"
    + json.dumps(
        [
            row(),
            {"other": 1},
            row(
                n_gen=0,
                n_prompt=16,
                backends=None,
                cuda=1,
                gpu_info="",
                n_depth=None,
                samples_ts=[5.0],
                n_gpu_layers=None,
            ),
            row(n_gen=0),
            row(avg_ts=None),
            row(avg_ts=None, avg_ns=None),
            row(backends=None, cuda="0", metal="true", n_prompt=3),
            row(backends=None, cuda=0, model_type=None),
            row(backends="CPU", n_prompt="x"),
            row(backends=None, gpu_info=None, model_type=5, type_k=None),
        ],
        indent=1,
    )
    + "\nmore\n"
    + json.dumps(row(n_gen=3))
    + "\n"
)
T["JSON by lines"] = (
    "\n".join(json.dumps(row(n_gen=i)) for i in (1, 2)) + '\n{"n_prompt": 1, broken\n' + json.dumps(row(n_gen=3)) + "\n"
)
T["CSV"] = """build,model_type,n_prompt,n_gen,avg_ts,x
1,"a, b",8,0,5.0,y
noise, three
noise
1,b,0,8
1,b,0,8,0,y
1,c,0,2,7.0,z
"""
T["SQL"] = """CREATE TABLE x;
INSERT INTO test (`model_type`, n_prompt, "n_gen", avg_ts) VALUES ('it''s', '8', 0, 5.0), ('b','0',4 , 6),
 ('c', 1);
insert into other (a, b) values (1, 2);
INSERT INTO test (n_prompt, n_gen, avg_ts) VALUES ('1', 0, 5.0), ('broken;
INSERT INTO test (n_prompt, n_gen, avg_ts) VALUES ('2', 0, 5.0);
INSERT nothing
"""

POINTS = {
    "tables and a log": [
        {"name": "a Q8_0 pp8+tg4 @ d2", "time_s": 1.2, "tokens_per_s": 10.0, "deviation_s": 0.12, "context": 8,
         "depth": 2, "model": "a Q8_0", "size_bytes": 1073741824.0, "parameters": 2000000000.0, "format": "Q8_0",
         "kv": "q8_0", "device": "First GPU + Second GPU", "backend": "CUDA", "threads": 4, "offloaded_layers": 0,
         "notes": ["no_layers", "mixed"]},
        {"name": "a Q8_0 tg5", "calls": 5.0, "time_s": 0.05, "tokens_per_s": 20.0, "phase": "decode", "context": 2,
         "model": "a Q8_0", "format": "Q8_0", "device": "First GPU + Second GPU", "backend": "CUDA",
         "offloaded_layers": 99},
        {"name": "b tg5 @ d7", "calls": 5.0, "time_s": 0.05, "tokens_per_s": 20.0, "phase": "decode", "context": 9,
         "depth": 7, "model": "b", "backend": "CPU", "offloaded_layers": 0},
        {"name": "c pp1", "time_s": 0.5, "tokens_per_s": 2.0, "phase": "prefill", "context": 1, "model": "c",
         "device": "First GPU + Second GPU", "backend": "BLAS", "offloaded_layers": 0},
        {"name": "Some-Model-1.0 tg1", "time_s": 0.5, "tokens_per_s": 2.0, "phase": "decode", "context": 1, "model":
         "Some-Model-1.0"},
        {"name": "Some-Model-1.0 tg1 (new)", "time_s": 0.3333333333333333, "tokens_per_s": 3.0, "phase": "decode",
         "context": 1, "model": "Some-Model-1.0"},
    ],
    "devices of other logs": [
        {"name": "plain-name tg1", "time_s": 0.5, "tokens_per_s": 2.0, "phase": "decode", "context": 1, "model":
         "plain-name", "device": "Some Vulkan GPU (driver) + Metal one + Metal two"},
        {"name": "plain-name tg3", "calls": 3.0, "time_s": 0.25, "tokens_per_s": 4.0, "phase": "decode", "context":
         1, "model": "plain-name"},
        {"name": "plain-name tg5", "calls": 5.0, "time_s": 0.16666666666666666, "tokens_per_s": 6.0, "phase":
         "decode", "context": 2, "model": "plain-name"},
    ],
    "batched and swept": [
        {"name": "m pp128 (B=4)", "time_s": 1.0, "tokens_per_s": 512.0, "phase": "prefill", "batch": 4, "context":
         128, "model": "m"},
        {"name": "m tg32 @ d128 (B=4)", "calls": 32.0, "time_s": 0.0625, "tokens_per_s": 64.0, "phase": "decode",
         "batch": 4, "context": 144, "depth": 128, "model": "m"},
        {"name": "m pp128 (B=1)", "time_s": 1.0, "tokens_per_s": 128.0, "phase": "prefill", "context": 128, "model":
         "m"},
        {"name": "m pp8 @ d16", "time_s": 0.1, "tokens_per_s": 80.0, "phase": "prefill", "context": 8, "depth": 16,
         "model": "m"},
        {"name": "m tg4 @ d16", "calls": 4.0, "time_s": 0.025, "tokens_per_s": 40.0, "phase": "decode", "context":
         18, "depth": 16, "model": "m"},
    ],
    "JSON": [
        {"name": "llama 7B Q4_0 tg64 @ d10", "calls": 64.0, "time_s": 0.02, "tokens_per_s": 50.0, "quartiles_s":
         (0.018333333333333333, 0.0225), "deviation_s": 0.0002, "phase": "decode", "context": 42, "depth": 10,
         "model": "llama 7B Q4_0", "file": "Some-7B.gguf", "size_bytes": 4000.0, "parameters": 7000.0, "format":
         "Q4_0", "kv": "f16", "device": "A GPU", "backend": "CUDA", "threads": 8, "offloaded_layers": 0, "notes":
         ["no_layers"]},
        {"name": "llama 7B Q4_0 pp16", "time_s": 0.32, "tokens_per_s": 50.0, "deviation_s": 0.0032, "phase":
         "prefill", "context": 16, "model": "llama 7B Q4_0", "file": "Some-7B.gguf", "size_bytes": 4000.0,
         "parameters": 7000.0, "format": "Q4_0", "kv": "f16", "device": "A CPU", "backend": "CUDA", "threads": 8},
        {"name": "llama 7B Q4_0 tg64 @ d10", "calls": 64.0, "time_s": 0.02, "tokens_per_s": 50.0, "quartiles_s":
         (0.018333333333333333, 0.0225), "deviation_s": 0.0002, "phase": "decode", "context": 42, "depth": 10,
         "model": "llama 7B Q4_0", "file": "Some-7B.gguf", "size_bytes": 4000.0, "parameters": 7000.0, "format":
         "Q4_0", "kv": "f16", "device": "A GPU", "backend": "CUDA", "threads": 8, "offloaded_layers": 0, "notes":
         ["no_layers"]},
        {"name": "llama 7B Q4_0 pp3+tg64 @ d10", "time_s": 1.34, "tokens_per_s": 50.0, "quartiles_s":
         (1.2283333333333335, 1.5075), "deviation_s": 0.0134, "context": 3, "depth": 10, "model": "llama 7B Q4_0",
         "file": "Some-7B.gguf", "size_bytes": 4000.0, "parameters": 7000.0, "format": "Q4_0", "kv": "f16", "device":
         "A GPU", "backend": "METAL", "threads": 8, "offloaded_layers": 0, "notes": ["no_layers", "mixed"]},
        {"name": "C:\\m\\Some-7B.gguf tg64 @ d10", "calls": 64.0, "time_s": 0.02, "tokens_per_s": 50.0,
         "quartiles_s": (0.018333333333333333, 0.0225), "deviation_s": 0.0002, "phase": "decode", "context": 42,
         "depth": 10, "model": "C:\\m\\Some-7B.gguf", "file": "Some-7B.gguf", "size_bytes": 4000.0, "parameters":
         7000.0, "kv": "f16", "device": "A CPU", "backend": "CPU", "threads": 8, "offloaded_layers": 0},
        {"name": "5 tg64 @ d10", "calls": 64.0, "time_s": 0.02, "tokens_per_s": 50.0, "quartiles_s":
         (0.018333333333333333, 0.0225), "deviation_s": 0.0002, "phase": "decode", "context": 42, "depth": 10,
         "model": "5", "file": "Some-7B.gguf", "size_bytes": 4000.0, "parameters": 7000.0, "device": "A CPU",
         "threads": 8, "offloaded_layers": 0},
        {"name": "llama 7B Q4_0 tg3 @ d10", "calls": 3.0, "time_s": 0.02, "tokens_per_s": 50.0, "quartiles_s":
         (0.018333333333333333, 0.0225), "deviation_s": 0.0002, "phase": "decode", "context": 11, "depth": 10,
         "model": "llama 7B Q4_0", "file": "Some-7B.gguf", "size_bytes": 4000.0, "parameters": 7000.0, "format":
         "Q4_0", "kv": "f16", "device": "A GPU", "backend": "CUDA", "threads": 8, "offloaded_layers": 0, "notes":
         ["no_layers"]},
    ],
    "JSON by lines": [
        {"name": "llama 7B Q4_0 tg1 @ d10", "time_s": 0.02, "tokens_per_s": 50.0, "quartiles_s":
         (0.018333333333333333, 0.0225), "deviation_s": 0.0002, "phase": "decode", "context": 10, "depth": 10,
         "model": "llama 7B Q4_0", "file": "Some-7B.gguf", "size_bytes": 4000.0, "parameters": 7000.0, "format":
         "Q4_0", "kv": "f16", "device": "A GPU", "backend": "CUDA", "threads": 8, "offloaded_layers": 0, "notes":
         ["no_layers"]},
        {"name": "llama 7B Q4_0 tg2 @ d10", "calls": 2.0, "time_s": 0.02, "tokens_per_s": 50.0, "quartiles_s":
         (0.018333333333333333, 0.0225), "deviation_s": 0.0002, "phase": "decode", "context": 11, "depth": 10,
         "model": "llama 7B Q4_0", "file": "Some-7B.gguf", "size_bytes": 4000.0, "parameters": 7000.0, "format":
         "Q4_0", "kv": "f16", "device": "A GPU", "backend": "CUDA", "threads": 8, "offloaded_layers": 0, "notes":
         ["no_layers"]},
        {"name": "llama 7B Q4_0 tg3 @ d10", "calls": 3.0, "time_s": 0.02, "tokens_per_s": 50.0, "quartiles_s":
         (0.018333333333333333, 0.0225), "deviation_s": 0.0002, "phase": "decode", "context": 11, "depth": 10,
         "model": "llama 7B Q4_0", "file": "Some-7B.gguf", "size_bytes": 4000.0, "parameters": 7000.0, "format":
         "Q4_0", "kv": "f16", "device": "A GPU", "backend": "CUDA", "threads": 8, "offloaded_layers": 0, "notes":
         ["no_layers"]},
    ],
    "CSV": [
        {"name": "a, b pp8", "time_s": 1.6, "tokens_per_s": 5.0, "phase": "prefill", "context": 8, "model": "a, b"},
        {"name": "c tg2", "calls": 2.0, "time_s": 0.14285714285714285, "tokens_per_s": 7.0, "phase": "decode",
         "context": 1, "model": "c"},
    ],
    "SQL": [
        {"name": "it's pp8", "time_s": 1.6, "tokens_per_s": 5.0, "phase": "prefill", "context": 8, "model": "it's"},
        {"name": "b tg4", "calls": 4.0, "time_s": 0.16666666666666666, "tokens_per_s": 6.0, "phase": "decode",
         "context": 2, "model": "b"},
        {"name": "pp1", "time_s": 0.2, "tokens_per_s": 5.0, "phase": "prefill", "context": 1},
        {"name": "pp2", "time_s": 0.4, "tokens_per_s": 5.0, "phase": "prefill", "context": 2},
    ],
}  # fmt: skip
LEFT_OUT = {
    "tables and a log": [
        ("line 7", "no_header", {}, 2),
        ("line 13", "llama_test", {"text": "b | CPU | 0 |  |  |  |  | pp0 | 20.0", "given": 9, "wanted": 9}, 1),
        ("line 14", "llama_rate", {"text": "b | CPU | 0 |  |  |  |  | pp1 | 0", "given": 9, "wanted": 9}, 1),
        ("line 15", "cells", {"text": "b | CPU", "given": 2, "wanted": 9}, 1),
        ("line 16", "repeated", {}, 2),
    ],
    "devices of other logs": [],
    "batched and swept": [
        ("line 6", "llama_test", {"text": "0 | 32 | 1 | 128 | 1.0 | 128.0 | 0.0 | 0.0", "given": 8, "wanted": 8}, 1),
        ("line 7", "llama_test", {"text": "128 | 32 | x | 128 | 1.0 | 128.0 | 0.0 | 0.0", "given": 8, "wanted": 8}, 1),
        ("line 8", "llama_rate", {"text": "128 | 32 | 2 | 128 | 1.0 | -1 | 0.0 | x", "given": 8, "wanted": 8}, 1),
        ("line 13", "llama_test", {"text": "8 | 4 | x | 80 | 40", "given": 5, "wanted": 5}, 1),
    ],
    "JSON": [
        ("line 2, entry 3", "llama_test", {"text": "llama 7B Q4_0"}, 1),
        ("line 2, entry 5", "llama_rate", {"text": "llama 7B Q4_0"}, 1),
        ("line 2, entry 8", "llama_test", {"text": "llama 7B Q4_0"}, 1),
    ],
    "JSON by lines": [],
    "CSV": [("line 5", "columns", {"given": 4, "wanted": 6}, 1), ("line 6", "llama_rate", {"text": "b"}, 1)],
    "SQL": [("line 2", "columns", {"given": 2, "wanted": 4}, 1)],
}
USUAL = {"calls": 1.0, "batch": 1, "depth": 0}


def told(point):
    """What a point says beyond the usual."""
    said = msgspec.structs.asdict(point) | {"notes": [n.code.removeprefix("import.llama_") for n in point.notes]}
    return {k: v for k, v in said.items() if v not in (None, "", [], ()) and v != USUAL.get(k)}


def near(said):
    return {k: pytest.approx(v) if isinstance(v, float | tuple) else v for k, v in said.items()}


@pytest.mark.parametrize("name", T)
def test_an_output_gives_all_its_tests_and_names_each_part_that_it_leaves_out(read, name):
    found = read(T[name])
    assert [told(p) for p in found.points] == [near(p) for p in POINTS[name]]
    assert [
        (s.where, s.why.code.removeprefix("import."), dict(s.why.values), s.count) for s in found.skipped
    ] == LEFT_OUT[name]
