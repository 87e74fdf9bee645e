"""Quantised checkpoints: bytes follow `quantization_config`, modules left out stay wide."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.module_patterns import Patterns, patterns_of
from explorer.analysis.problem import Refused
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]


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
