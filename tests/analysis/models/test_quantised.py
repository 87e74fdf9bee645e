"""Quantised checkpoints: bytes follow `quantization_config`, modules left out stay wide."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.module_patterns import Patterns, patterns_of, unread
from explorer.analysis.problem import Refused
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]


def _tensors(bits: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"num_bits": bits, "type": kind, **more}


def _compressed(weights: dict[str, Any], inputs: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    group = {"targets": ["Linear"], "weights": weights, "input_activations": inputs}
    return {"quant_method": "compressed-tensors", "config_groups": {"group_0": group}, **more}


GROUP_4 = _tensors(4, "int", strategy="group", group_size=128, symmetric=True)
# what the config says, bits per weight by hand (scales and zeros included), the format linear inputs are quantised to
METHODS: list[tuple[dict[str, Any], float, str]] = [
    ({"quant_method": "gptq", "bits": 4, "group_size": 128}, 4 + 16 / 128 + 4 / 128, ""),
    ({"quant_method": "gptq", "bits": 4, "group_size": 32}, 4 + 16 / 32 + 4 / 32, ""),
    ({"quant_method": "gptq", "bits": 4, "group_size": -1}, 4, ""),
    ({"quant_method": "gptq", "bits": 8, "group_size": -1}, 8, ""),
    ({"quant_method": "awq", "bits": 4, "group_size": 64, "zero_point": True}, 4 + 16 / 64 + 4 / 64, ""),
    ({"quant_method": "awq", "w_bit": 4, "q_group_size": 128}, 4 + 20 / 128, ""),
    ({"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}, 4 + 32 / 64, ""),
    (
        {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_use_double_quant": True},
        4 + 8 / 64 + 32 / (64 * 256),
        "",
    ),
    ({"quant_method": "bitsandbytes", "load_in_8bit": True}, 8, "int8"),
    ({"quant_method": "fp8", "activation_scheme": "static"}, 8, "fp8"),
    ({"quant_method": "fp8", "weight_block_size": [128, 128]}, 8 + 32 / 128**2, ""),
    ({"quant_method": "fbgemm_fp8"}, 8, "fp8"),
    ({"quant_method": "mxfp4"}, 4 + 8 / 32, ""),
    (_compressed(GROUP_4), 4 + 16 / 128, ""),
    (_compressed({**GROUP_4, "symmetric": False}), 4 + 20 / 128, ""),
    (_compressed({**GROUP_4, "group_size": 32}), 4 + 16 / 32, ""),
    (_compressed(_tensors(8, "int", strategy="channel"), _tensors(8, "int")), 8, "int8"),
    (_compressed(_tensors(8, "float", strategy="channel"), _tensors(8, "float")), 8, "fp8"),
    (
        _compressed(_tensors(8, "float", strategy="block", block_structure=[128, 128]), _tensors(8, "float")),
        8 + 32 / 128**2,
        "fp8",
    ),
    (
        _compressed(_tensors(4, "float", strategy="tensor_group", group_size=16), _tensors(4, "float", group_size=16)),
        4 + 8 / 16,
        "nvfp4",
    ),
    (_compressed(_tensors(4, "float", strategy="group", group_size=32)), 4 + 8 / 32, ""),
    ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, 4.5, "nvfp4"),
    ({"quant_algo": "FP8", "producer": {"name": "modelopt"}}, 8, "fp8"),
]


@pytest.mark.parametrize(("stated", "bits", "inputs"), METHODS, ids=[f"{i}-{m[1]:.4g}" for i, m in enumerate(METHODS)])
def test_bytes_of_linear_weights_follow_the_method(
    small: Small, rows_of: Rows, catalogue: Catalogue, stated: dict[str, Any], bits: float, inputs: str
) -> None:
    model = build_model(small("llama", quantization_config=stated))
    linear = sum(group.values for group in model.tensors if group.storage == "linear")
    expected = linear * bits / 8 + 2 * (model.parameters - linear)
    assert model.weight_bytes(None, catalogue.format_by_id) == pytest.approx(expected, rel=1e-12)
    row = rows_of(small("llama", quantization_config=stated))["q_proj"]
    assert row.activations == (inputs or "bf16")
    assert not [note.code for note in model.assumptions if note.code == "model.quantisation_unread"]


def test_a_method_that_is_not_read_is_named(small: Small, catalogue: Catalogue) -> None:
    for stated in ({"quant_method": "hqq"}, {"quant_method": "gptq", "bits": 3}, {"quant_method": ["fp8"]}, {}):
        model = build_model(small("llama", quantization_config=stated))
        assert "model.quantisation_unread" in [note.code for note in model.assumptions]
        assert model.weight_bytes(None, catalogue.format_by_id) == 2 * model.parameters


def test_a_cache_quantised_by_the_checkpoint_is_held_in_8_bit(small: Small, rows_of: Rows) -> None:
    stated = _compressed(GROUP_4, kv_cache_scheme=_tensors(8, "float"))
    assert build_model(small("llama", quantization_config=stated)).kv_format == "fp8"
    assert rows_of(small("llama", quantization_config=stated))["attention"].kv == "fp8"
    modelopt = {"quant_algo": "FP8", "kv_cache_quant_algo": "FP8"}
    assert build_model(small("llama", quantization_config=modelopt)).kv_format == "fp8"


def test_a_nested_config_may_say_how_the_whole_is_stored(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("kimi_k25"))
    wide = ("q_a_proj", "o_proj", "gate_proj[dense]", "shared_experts.up_proj", "lm_head")
    assert {rows[name].weights for name in wide} == {"bf16"}
    assert {rows[name].weights for name in ("experts.gate_proj", "experts.down_proj")} == {"int4-sym-g32"}


def test_the_checkpoint_of_kimi_k25_has_its_published_size(shared: Path, catalogue: Catalogue) -> None:
    """int4 experts in groups of 32 beside 16-bit attention: about 595 GB, as its files are listed (recalled)."""
    config = json.loads((shared / "cases" / "configs" / "moonshotai--Kimi-K2.5.json").read_text("utf-8"))
    assert build_model(config).weight_bytes(None, catalogue.format_by_id) == pytest.approx(595e9, rel=2e-3)


@pytest.mark.parametrize(
    ("pattern", "named", "not_named"),
    [
        ("lm_head", "lm_head", "layers.0.mlp.lm_heads"),
        ("model.layers.3.mlp", "layers.3.mlp.gate_proj", "layers.30.mlp.gate_proj"),
        ("model.layers.*.self_attn", "layers.7.self_attn.q_proj", "layers.7.mlp.up_proj"),
        ("*.mlp.gate", "layers.7.mlp.gate", "layers.7.mlp.gate_proj"),
        ("model.layers.0.self_attn*", "layers.0.self_attn.q_proj", "layers.0.mlp.up_proj"),
        ("gate", "layers.7.mlp.gate", "layers.7.mlp.up_proj"),
        ("re:.*self_attn.*", "layers.7.self_attn.q_proj", "layers.7.mlp.up_proj"),
        (r"re:.*mlp\.(gate|up|gate_up|down)_proj.*", "layers.0.mlp.up_proj", "layers.0.mlp.experts.up_proj"),
        (r"re:model\.layers\.\d+\.mlp\.gate$", "layers.12.mlp.gate", "layers.12.mlp.gate_proj"),
        ("re:.*q_proj$", "layers.7.self_attn.q_proj", "layers.7.self_attn.q_proj.lora"),
        ("re:self_attn", "self_attn.q_proj", "layers.7.self_attn.q_proj"),
    ],
)
def test_patterns_name_modules_as_their_authors_mean_them(pattern: str, named: str, not_named: str) -> None:
    found = Patterns(_read(pattern))
    assert found.name(named)
    assert not found.name(not_named)


def _read(pattern: str) -> tuple[str, ...]:
    return patterns_of([pattern])


def test_expressions_beyond_what_is_read_are_named_and_ignored(small: Small) -> None:
    strange = ["re:(a+)+$", "re:((a|b)|c)", "re:[a-z]*", "re:(a", "re:a{2}"]
    assert unread((*strange, "re:.*mlp.*", "lm_head")) == tuple(strange)
    model = build_model(small("llama", quantization_config={"quant_method": "fp8", "ignore": strange}))
    assert [n.values["patterns"] for n in model.assumptions if n.code == "model.patterns_unread"] == [
        ", ".join(strange)
    ]


def test_no_pattern_takes_long() -> None:
    hostile = ["re:" + ".*a" * 90 + "$", "re:" + "(a|b|c)" * 40, "*a" * 140, "re:" + ".*" * 140, "*." * 140 + "x"]
    began = time.perf_counter()
    for pattern in hostile:
        assert isinstance(Patterns(_read(pattern)).name("layers.77.self_attn.indexer.a.a.a.a.a.a.a.a.a.zzz"), bool)
    assert time.perf_counter() - began < 1


FAULTS: list[tuple[str, dict[str, Any], str, str]] = [
    ("qwen2_moe", {"shared_expert_intermediate_size": ...}, "shared_expert_intermediate_size", "model.missing"),
    ("deepseek_v32", {"index_topk": ...}, "index_topk", "model.missing"),
    ("deepseek_v32", {"q_lora_rank": None}, "q_lora_rank", "model.missing"),
    ("glm_moe_dsa", {"indexer_types": ["shared"] * 6}, "indexer_types", "model.index_missing"),
    ("glm_moe_dsa", {"indexer_types": ["full"]}, "indexer_types", "model.layer_types_count"),
    ("glm_moe_dsa", {"index_topk_pattern": "FX"}, "index_topk_pattern", "model.pattern_unread"),
    ("mimo_v2_flash", {"swa_head_dim": 64}, "swa_head_dim", "model.sliding_size_differs"),
    ("mimo_v2_flash", {"n_shared_experts": 1}, "n_shared_experts", "model.not_of_this_family"),
    ("mimo_v2_flash", {"hybrid_layer_pattern": [0, 1]}, "hybrid_layer_pattern", "model.layer_types_count"),
    ("mimo_v2_flash", {"hybrid_layer_pattern": [2] * 6}, "hybrid_layer_pattern", "model.not_a_list"),
    ("qwen3_5_text", {"layer_types": ["mamba"] * 6}, "layer_types[0]", "model.layer_type_unknown"),
    ("qwen3_5_text", {"linear_num_key_heads": 3}, "linear_num_value_heads", "model.heads_not_divisible"),
    ("mamba", {"intermediate_size": 500}, "intermediate_size", "model.inner_size_differs"),
    ("mamba2", {"num_heads": 8}, "num_heads", "model.inner_size_differs"),
    ("nemotron_h", {"hybrid_override_pattern": "MX"}, "hybrid_override_pattern", "model.pattern_unread"),
    ("nemotron_h", {"mlp_hidden_act": "silu"}, "mlp_hidden_act", "model.activation_unknown"),
    ("nemotron-nas", {"block_configs": ...}, "block_configs", "model.missing"),
    ("nemotron-nas", {"block_configs": [{}] * 6}, "block_configs[0].attention", "model.not_an_object"),
    ("rwkv5", {"model_version": "6"}, "model_version", "model.rwkv_version"),
    ("deepseek_v4", {"compress_ratios": [0, 4]}, "compress_ratios", "model.layer_types_count"),
    ("deepseek_v4", {"compress_ratios": [5] * 6}, "compress_ratios", "model.not_a_list"),
    ("deepseek_v4", {"num_key_value_heads": 2}, "num_key_value_heads", "model.not_of_this_family"),
    ("llava", {"text_config": {"model_type": "gpt9"}}, "text_config.model_type", "model.text_unknown"),
    ("llava", {"vision_config": {"model_type": "eye"}}, "vision_config.model_type", "model.vision_unknown"),
    ("qwen3_vl", {"vision_config": {"out_hidden_size": 100}}, "vision_config.out_hidden_size", "model.vision_width"),
    ("llama4_text", {"interleave_moe_layer_step": 0}, "interleave_moe_layer_step", "model.out_of_range"),
]


@pytest.mark.parametrize(("model_type", "change", "path", "code"), FAULTS)
def test_a_fault_of_these_families_is_named_with_its_field(
    small: Small, model_type: str, change: dict[str, Any], path: str, code: str
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **change))
    assert (code, path) in [(p.code, p.path) for p in refusal.value.problems]
