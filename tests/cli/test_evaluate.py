"""`evaluate --json` against closed forms and reference counts, and its shape."""

import csv
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.files.study.examples import example_path
from tests.cli.conftest import LLAMA_2_7B, LLAMA_3_8B

CLOSED_FORM_DEVICES = {"A100-40GB": "A100 SXM 40GB", "A100-80GB": "A100 SXM 80GB", "H100-SXM": "H100 SXM5"}
CLOSED_FORM_MODELS = {"Llama-2-7B": "meta-llama--Llama-2-7b-hf", "Llama-2-13B": "meta-llama--Llama-2-13b-hf"}
OPERATOR_KEYS = [
    "name",
    "kind",
    "count",
    "flops",
    "bytes_read",
    "bytes_written",
    "intensity_flop_per_byte",
    "compute_format",
    "peak_flop_per_s",
    "bound",
    "time_s",
    "share",
]
TOTAL_KEYS = [
    "flops",
    "bytes",
    "time_s",
    "floor_s",
    "expected_s",
    "simple",
    "tokens_per_s",
    "tokens_per_s_per_request",
    "weight_bytes_resident",
    "weight_bytes_streamed",
    "kv_bytes",
    "memory_bytes",
    "fits",
    "uniform_s",
    "uniform_tokens_per_s",
    "uniform_tokens_per_s_per_request",
    "routed_s",
    "routed_tokens_per_s",
    "routed_tokens_per_s_per_request",
]
DECODE_KEYS = ["kv_half_batch", "ridge_batch", "fit_batch", "knee_batch"]


def operators(found: Any, device: int = 0) -> dict[str, Any]:
    return {o["name"]: o for o in found["hardware"][device]["operators"]}


def test_the_json_has_the_keys_of_the_manual(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    found = as_json("evaluate", "--model", config(LLAMA_3_8B), "--hardware", "H100 SXM5", "MI300X")
    assert list(found) == ["model", "workload", "assumptions", "hardware", "measurements"]
    assert [d["name"] for d in found["hardware"]] == ["NVIDIA H100 SXM5 80GB", "AMD Instinct MI300X"]
    device = found["hardware"][0]
    assert {"peak_flop_per_s", "bandwidth_byte_per_s", "ridge_flop_per_byte"} < set(device)
    assert all(list(o) == OPERATOR_KEYS for o in device["operators"])
    assert list(device["totals"]) == TOTAL_KEYS
    assert list(device["decode"]) == DECODE_KEYS
    assert found["workload"]["batch"] == 1
    assert found["workload"]["context"] == 2048
    assert found["workload"]["weights"] == "bf16"


def test_shares_are_those_of_all_calls_and_sum_to_one(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    found = as_json("evaluate", "--model", config(LLAMA_3_8B), "--hardware", "H100 SXM5", "--batch", 8)
    device = found["hardware"][0]
    total = device["totals"]["time_s"]
    assert sum(o["share"] for o in device["operators"]) == pytest.approx(1)
    for o in device["operators"]:
        assert o["share"] == pytest.approx(o["count"] * o["time_s"] / total)
    assert sum(o["count"] * o["flops"] for o in device["operators"]) == pytest.approx(device["totals"]["flops"])


def test_tokens_per_second_follow_from_the_floor(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    found = as_json("evaluate", "--model", config(LLAMA_3_8B), "--hardware", "H100 SXM5", "--batch", 8)
    totals = found["hardware"][0]["totals"]
    assert totals["tokens_per_s"] == pytest.approx(8 / totals["floor_s"])
    assert totals["tokens_per_s_per_request"] == pytest.approx(1 / totals["floor_s"])
    assert totals["floor_s"] <= totals["time_s"]
    assert totals["expected_s"] == pytest.approx([totals["time_s"] / 0.8, totals["time_s"] / 0.6])


def test_outside_decode_the_batches_are_null(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    found = as_json("evaluate", "--model", config(LLAMA_3_8B), "--hardware", "H100 SXM5", "--phase", "prefill")
    assert set(found["hardware"][0]["decode"].values()) == {None}


def test_operators_without_a_model_have_no_tokens(as_json: Callable[..., Any]) -> None:
    found = as_json("evaluate", example_path("matmul-and-vector"))
    assert found["model"] is None
    totals = found["hardware"][0]["totals"]
    assert totals["tokens_per_s"] is None
    assert totals["fits"] is None
    assert found["hardware"][0]["ridge_flop_per_byte"] == 150


def test_two_devices_count_as_twice_the_rates_and_it_is_said(
    as_json: Callable[..., Any], config: Callable[..., Path]
) -> None:
    command = ("evaluate", "--model", config(LLAMA_3_8B), "--hardware", "H100 SXM5")
    one, two = as_json(*command), as_json(*command, "--devices", 2)
    assert two["hardware"][0]["bandwidth_byte_per_s"] == 2 * one["hardware"][0]["bandwidth_byte_per_s"]
    assert two["hardware"][0]["totals"]["floor_s"] == pytest.approx(one["hardware"][0]["totals"]["floor_s"] / 2)
    assert any("ideal" in line for line in two["assumptions"])


def test_compute_that_cannot_be_judged_is_null_and_said(
    as_json: Callable[..., Any], config: Callable[..., Path], tmp_path: Path
) -> None:
    file = tmp_path / "bare.yaml"
    file.write_text("format: 1\nid: bare\nname: Bare\nvendor: V\nmemory: [{level: DDR, bandwidth: 89.6e9}]\n")
    found = as_json("evaluate", "--model", config(LLAMA_3_8B), "--hardware", file)
    device = found["hardware"][0]
    assert device["peak_flop_per_s"] is None
    assert device["ridge_flop_per_byte"] is None
    assert {o["bound"] for o in device["operators"]} == {"memory"}
    assert any("not judged" in line for line in found["assumptions"])


def test_an_eager_step_pays_for_launches(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    command = ("evaluate", "--model", config(LLAMA_3_8B), "--hardware", "H100 SXM5")
    graph, eager = as_json(*command), as_json(*command, "--launch", "eager")
    assert operators(eager)["input_layernorm"]["bound"] == "overhead"
    assert eager["hardware"][0]["totals"]["time_s"] > graph["hardware"][0]["totals"]["time_s"]
    assert eager["hardware"][0]["totals"]["floor_s"] == graph["hardware"][0]["totals"]["floor_s"]


# operators_closed_form.csv: Llama-2-7B, 16 bit, context 2048: FLOPs and bytes per call, seconds on the H100 SXM.
@pytest.mark.parametrize(
    ("batch", "name", "flops", "moved", "time_s"),
    [
        (1, "q_proj", 33_554_432, 33_570_816, 1.0021139104477612e-05),
        (1, "attention", 33_554_432, 33_570_816, 1.0021139104477612e-05),
        (8, "attention", 268_435_456, 268_566_528, 8.01691128358209e-05),
        (8, "lm_head", 2_097_152_000, 262_721_536, 7.842433910447762e-05),
        (32, "attention", 1_073_741_824, 1_074_266_112, 0.0003206764513432836),
        (32, "lm_head", 8_388_608_000, 264_454_144, 7.894153552238806e-05),
    ],
)
def test_llama_2_7b_decode_matches_the_closed_form(
    as_json: Callable[..., Any],
    config: Callable[..., Path],
    batch: int,
    name: str,
    flops: int,
    moved: int,
    time_s: float,
) -> None:
    found = as_json("evaluate", "--model", config(LLAMA_2_7B), "--hardware", "H100 SXM5", "--batch", batch)
    row = operators(found)[name]
    assert row["flops"] == flops
    assert row["bytes_read"] + row["bytes_written"] == moved
    assert row["time_s"] == pytest.approx(time_s, rel=1e-9)


# prefill_flops.csv: counted while the reference code of the model ran on 512 tokens.
def test_prefill_flops_are_those_of_the_reference_code(
    as_json: Callable[..., Any], config: Callable[..., Path]
) -> None:
    assert _product_flops(as_json, config(LLAMA_2_7B)) == 6_903_086_186_496
    assert _product_flops(as_json, config(LLAMA_3_8B)) == 7_822_209_187_840


def _product_flops(as_json: Callable[..., Any], model: Path) -> int:
    found = as_json(
        *("evaluate", "--model", model, "--hardware", "H100 SXM5", "--phase", "prefill", "--batch", 1),
        *("--context", 512, "--count-attention", "full", "--logits", "all"),
    )
    products = [o for o in found["hardware"][0]["operators"] if "matmul" in o["kind"] or o["kind"] == "attention"]
    total = sum(o["count"] * o["flops"] for o in products)
    assert total == int(total)
    return int(total)


def test_every_row_of_the_closed_forms_is_met(as_json: Callable[..., Any], shared: Path) -> None:
    cases: dict[tuple[str, str, str], list[dict[str, str]]] = defaultdict(list)
    with (shared / "cases" / "operators_closed_form.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            cases[row["model"], row["phase"], row["batch"]].append(row)
    compared = 0
    for (model, phase, batch), rows in cases.items():
        path = shared / "cases" / "configs" / f"{CLOSED_FORM_MODELS[model]}.json"
        found = as_json(
            *("evaluate", "--model", path, "--hardware", *CLOSED_FORM_DEVICES.values(), "--phase", phase),
            *("--batch", batch, "--context", 2048, "--weights", "fp16", "--activations", "fp16", "--kv", "fp16"),
        )
        for row in rows:
            name = row["op"].removesuffix("_causal")
            if name in {"TOTAL", "attention_full_reference"}:
                continue
            ours = operators(found, list(CLOSED_FORM_DEVICES).index(row["hardware"]))[name]
            assert ours["count"] == int(row["count"])
            assert ours["flops"] == pytest.approx(float(row["flops_per_call"]), rel=1e-9)
            assert ours["bytes_read"] + ours["bytes_written"] == pytest.approx(float(row["bytes_per_call"]), rel=1e-9)
            assert ours["intensity_flop_per_byte"] == pytest.approx(float(row["ai"]), rel=1e-9)
            assert ours["bound"] == row["bound"]
            assert ours["time_s"] == pytest.approx(float(row["seconds_per_call"]), rel=1e-9)
            compared += 1
    assert compared > 200


def test_every_prefill_count_of_a_known_family_is_met(as_json: Callable[..., Any], shared: Path) -> None:
    compared = 0
    with (shared / "cases" / "prefill_flops.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            counted = int(row["matmul_flops_full_attention_all_logits"])
            assert _product_flops(as_json, shared / "cases" / "configs" / row["config"]) == counted, row["config"]
            compared += 1
    assert compared == 27
