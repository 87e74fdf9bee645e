"""Parameters and KV values of real configs, exactly."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.models import Model, build_model, supported
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row

PRODUCTS = {"matmul", "block_attention", "qkv_matmul", "batched_matmul", "attention", "moe_matmul", "conv1d", "conv2d"}

# Counted from the transformers library 5.24: every model made on the meta device, its parameters summed
# (ties once); KV values per token worked out by hand from layers, KV heads and head size. Some also have KV values at
# 8,192 tokens, bytes of state, and FLOPs of products of one pass of 512 tokens, all attention counted, all logits.
SIBLINGS: dict[str, dict[str, Any]] = {
    name: case
    for path in sorted(Path(__file__).parent.glob("siblings*.json"))
    for name, case in json.loads(path.read_text("utf-8")).items()
}


# bitnet's attention is Llama's: 30 layers of 5 KV heads
BITNET = {"model_type": "llama", "hidden_size": 2560, "intermediate_size": 6912, "num_hidden_layers": 30,
          "num_attention_heads": 20, "num_key_value_heads": 5, "vocab_size": 128256}  # fmt: skip
CACHES = {"bitnet-b1.58-2B": {"config": BITNET}}


@pytest.mark.parametrize("name", SIBLINGS)
def test_parameters_equal_the_reference_implementation(name: str) -> None:
    case = SIBLINGS[name]
    model = build_model(case["config"], name)
    assert (model.parameters, model.active_parameters) == (case["parameters"], case["active"])
    assert model.kv_bytes_per_token(1.0) == case["kv_values_per_token"]


FIGURES = [name for name, case in SIBLINGS.items() if case.keys() & {"kv_8192", "state", "flops_512"}]


@pytest.mark.parametrize("name", FIGURES)
def test_cache_state_and_products_of_a_pass_are_those_of_the_class(name: str, cost: Callable[[Row], Costs]) -> None:
    case = SIBLINGS[name]
    model = build_model(case["config"], name)
    found = {"kv_8192": model.kv_bytes(1, 8192, 1.0), "state": model.state_bytes(1)}
    if "flops_512" in case:
        rows = model.rows(one_step("prefill", 1, 512, attention_count="full", logits="all"))
        found["flops_512"] = sum(float(row.count * cost(row).flops) for row in rows if row.kind in PRODUCTS)
    assert {name: case[name] for name in found if name in case} == {n: v for n, v in found.items() if n in case}


def test_groups_of_tensors_add_up_to_the_parameters() -> None:
    for case in SIBLINGS.values():
        model = build_model(case["config"])
        assert sum(group.count * group.values_each for group in model.tensors) == model.parameters


@pytest.mark.parametrize(
    ("name", "by_hand"),
    [
        ("Llama-3.1-405B", 126 * 2 * 8 * 128),
        ("Mistral-Nemo", 40 * 2 * 8 * 128),  # head_dim is 128, not hidden / heads = 160
        ("Qwen3-0.6B", 28 * 2 * 8 * 128),  # head_dim is 128, not hidden / heads = 64
        ("gemma-3-1b", 26 * 2 * 1 * 256),
        ("gpt-oss-120b", 36 * 2 * 8 * 64),
        ("DeepSeek-V2", 60 * (512 + 64)),
        ("gpt2-xl", 48 * 2 * 25 * 64),
        ("phi-4", 40 * 2 * 10 * 128),
    ],
)
def test_kv_values_per_token_are_those_worked_out_by_hand(name: str, by_hand: int) -> None:
    assert build_model(SIBLINGS[name]["config"]).kv_bytes_per_token(1.0) == by_hand


def test_active_parameters_of_a_mixture_leave_out_the_idle_experts() -> None:
    mixtral = build_model(SIBLINGS["Mixtral-8x22B"]["config"])
    assert mixtral.parameters - mixtral.active_parameters == 56 * 6 * 3 * 6144 * 16384


def test_every_config_collected_has_its_exact_count(shared: Path) -> None:
    with (shared / "cases" / "params.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["parameters"]]
    assert len(rows) == 50
    assert {row["config"]: _collected(shared, row["config"]).parameters for row in rows} == {
        row["config"]: _of_its_class(row) for row in rows
    }


def _of_its_class(row: dict[str, str]) -> int:
    """The count of the class that the config names: BertForMaskedLM's stands beside that of the base class."""
    return int(row["also_right"].split()[0]) if row["model_type"] == "bert" else int(row["parameters"])


# Counts worked out apart where the collected cases give none: phi-4-preset is Phi-4-mini.
@pytest.mark.parametrize(
    ("file", "parameters"),
    [
        ("RWKV--rwkv-5-world-3b.json", 3_062_999_040),
        ("THUDM--chatglm3-6b.json", 6_243_584_000),
        ("microsoft--Phi-3.5-mini-instruct.json", 3_821_079_552),
        ("microsoft--Phi-3.5-vision-instruct.json", 4_146_621_440),
        ("microsoft--phi-1_5.json", 1_418_270_720),
        ("microsoft--phi-2.json", 2_779_683_840),
        ("microsoft--phi-4-preset.json", 3_836_021_760),
        ("openbmb--MiniCPM-MoE-8x2B.json", 13_873_291_776),
    ],
)
def test_collected_configs_without_a_count_are_built_all_the_same(shared: Path, file: str, parameters: int) -> None:
    assert _collected(shared, file).parameters == parameters


def test_no_collected_config_is_left_without_a_family(shared: Path) -> None:
    configs = [json.loads(path.read_text("utf-8")) for path in (shared / "cases" / "configs").glob("*.json")]
    assert len(configs) == 58
    assert {config["model_type"] for config in configs} <= set(supported())


@pytest.mark.parametrize(
    ("model", "file", "context"),
    [
        ("Llama-2-13B", "meta-llama--Llama-2-13b-hf.json", 512),
        ("Llama-3.1-8B", "meta-llama--Meta-Llama-3.1-8B.json", 4096),
        ("Qwen3-235B-A22B", "Qwen--Qwen3-235B-A22B-FP8.json", 32768),
        ("DeepSeek-R1 (MLA)", "deepseek-ai--DeepSeek-V3.json", 32768),
        ("DeepSeek-V3", "deepseek-ai--DeepSeek-V3.json", 1),
        ("Llama-3-8B", "meta-llama--Meta-Llama-3.1-8B.json", 1),
        ("Mistral-7B", "mistralai--Mistral-7B-v0.1.json", 1),
        ("DeepSeek-V2.5-1210 (MLA)", "DeepSeek-V2", 32768),
        ("GLM-Z1-32B-0414", "GLM-4-32B-0414", 32768),
        ("bitnet-b1.58-2B", "bitnet-b1.58-2B", 4096),
        ("Qwen3.8-27B hybrid", "Qwen--Qwen3.5-27B.json", 1),
    ],
)
def test_published_cache_sizes_are_met(shared: Path, model: str, file: str, context: int) -> None:
    with (shared / "cases" / "kv_cache.csv").open(encoding="utf-8") as rows:
        case = next(r for r in csv.DictReader(rows) if r["model"] == model and r["context"] == str(context))
    each = 1.0 if case["dtype"] == "fp8" else 2.0
    built = _collected(shared, file) if file.endswith(".json") else build_model((SIBLINGS | CACHES)[file]["config"])
    assert built.kv_bytes(1, context, each) == float(case["bytes"])


def _collected(shared: Path, name: str) -> Model:
    return build_model(json.loads((shared / "cases" / "configs" / name).read_text("utf-8")), name)
