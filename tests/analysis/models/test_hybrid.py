"""Hybrids: rows by the module names of their classes, fields that are honoured, ignored or refused."""

from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused


def names(rows: dict[str, Any], *kinds: str) -> list[str]:
    return [name for name, row in rows.items() if row.kind in kinds]


def test_a_short_convolution_stands_between_two_products(small: Any, rows_of: Any) -> None:
    rows = rows_of(small("lfm2"), context=100)
    found = list(rows)
    at = found.index("conv")
    assert found[at - 2 : at + 3] == ["in_proj", "gate_in", "conv", "gate_out", "conv.out_proj"]
    assert (rows["conv"].count, rows["attention"].count) == (4, 2)
    assert {"w1", "w3", "w2", "self_attn.out_proj", "q_layernorm", "embedding_norm"} <= set(found)


@pytest.mark.parametrize(
    ("change", "inner"),
    [
        ({}, 512),
        ({"block_ff_dim": 960}, 768),
        ({"block_auto_adjust_ff_dim": False}, 640),
        ({"block_multiple_of": 100}, 500),
        ({"block_ffn_dim_multiplier": 1.3}, 768),
    ],
)
def test_the_inner_size_of_lfm2_is_adjusted_as_its_class_does(
    small: Any, rows_of: Any, change: dict[str, Any], inner: int
) -> None:
    assert rows_of(small("lfm2", **change))["w1"].dims["n"] == inner


def test_heads_of_falcon_h1_look_and_scan_side_by_side(small: Any, rows_of: Any) -> None:
    rows = list(rows_of(small("falcon_h1")))
    order = ["input_layernorm", "in_proj", "conv1d", "scan", "norm", "out_proj", "q_proj", "attention", "o_proj"]
    order += ["mixers.add", "self_attn.residual_add", "pre_ff_layernorm", "gate_proj", "final_layernorm", "lm_head"]
    assert [name for name in rows if name in order] == order


def test_granite_has_experts_beside_a_block_that_always_works(small: Any, rows_of: Any) -> None:
    rows = rows_of(small("granitemoehybrid"))
    assert {
        "router",
        "experts.gate_up_proj",
        "experts.down_proj",
        "input_linear",
        "output_linear",
        "shared.add",
    } <= set(rows)
    assert not names(rows, "rotary")
    assert names(rows_of(small("granitemoehybrid", position_embedding_type="rope")), "rotary") == ["rotary_emb"]
    dense = rows_of(small("granitemoehybrid", num_local_experts=0))
    assert not names(dense, "moe_matmul", "router")
    assert "input_linear" in dense


def test_old_names_of_layers_mean_the_new_ones(small: Any) -> None:
    new = small("granitemoehybrid")
    old = {"linear_attention": "mamba", "full_attention": "attention"}
    for field in ("layer_types", "layers_block_type"):
        config = {**new, "layer_types": None, field: [old[kind] for kind in new["layer_types"]]}
        assert build_model(config).layers == build_model(new).layers


def test_jamba_norms_what_its_scan_is_fed(small: Any, rows_of: Any) -> None:
    rows = rows_of(small("jamba"))
    assert {"dt_layernorm", "b_layernorm", "c_layernorm", "x_proj", "dt_proj", "router"} <= set(rows)
    assert not names(rows, "rotary")
    layers = build_model(small("jamba")).layers
    assert {layer.indices: (layer.attention, layer.mlp) for layer in layers} == {
        (0, 2): ("mamba", "dense"),
        (1,): ("full", "moe 2 of 4"),
        (3, 5): ("mamba", "moe 2 of 4"),
        (4,): ("full", "dense"),
    }


@pytest.mark.parametrize(
    ("model_type", "change", "path", "code"),
    [
        ("lfm2", {"layer_types": ["conv", "mamba"] * 3}, "layer_types[1]", "model.layer_type_unknown"),
        ("lfm2", {"block_ffn_dim_multiplier": None}, "block_ffn_dim_multiplier", "model.not_a_multiple"),
        ("lfm2", {"block_ffn_dim_multiplier": "1"}, "block_ffn_dim_multiplier", "model.not_a_multiple"),
        ("lfm2_moe", {"layer_types": ...}, "layer_types", "model.missing"),
        ("lfm2_moe", {"num_experts_per_tok": 17}, "num_experts_per_tok", "model.top_k_over_experts"),
        ("granitemoehybrid", {"layer_types": ["conv"] * 6}, "layer_types[0]", "model.layer_type_unknown"),
        ("granitemoehybrid", {"mamba_d_head": 16}, "mamba_n_heads", "model.inner_size_differs"),
        ("granitemoehybrid", {"hidden_act": "gelu"}, "hidden_act", "model.variant_unread"),
        ("bamba", {"mamba_n_groups": 3}, "mamba_n_heads", "model.heads_not_divisible"),
        ("bamba", {"attn_layer_indices": "2"}, "attn_layer_indices", "model.not_a_list"),
        ("falcon_h1", {"mamba_d_ssm": 200}, "mamba_n_heads", "model.inner_size_differs"),
        ("jamba", {"attn_layer_offset": 3}, "attn_layer_offset", "model.out_of_range"),
        ("jamba", {"expert_layer_offset": 2}, "expert_layer_offset", "model.out_of_range"),
    ],
)
def test_what_a_class_refuses_is_refused_by_its_field(
    small: Any, model_type: str, change: dict[str, Any], path: str, code: str
) -> None:
    with pytest.raises(Refused) as refused:
        build_model(small(model_type, **change))
    assert [(p.path, p.code) for p in refused.value.problems] == [(path, code)]


@pytest.mark.parametrize(
    ("model_type", "change"),
    [
        ("lfm2", {"full_attn_idxs": [0]}),  # `layer_types` says it already
        ("lfm2", {"attention_bias": True}),
        ("lfm2_moe", {"use_expert_bias": False}),  # the bias is a buffer
        ("bamba", {"attn_layer_offset": 5}),
        ("falcon_h1", {"mamba_expand": 9}),  # `mamba_d_ssm` says the width
        ("jamba", {"attention_bias": True, "mlp_bias": True}),
    ],
)
def test_a_field_that_a_class_ignores_is_ignored(small: Any, model_type: str, change: dict[str, Any]) -> None:
    assert build_model(small(model_type, **change)).tensors == build_model(small(model_type)).tensors


def test_flags_of_old_lfm2_configs_outweigh_the_usual_ones(small: Any) -> None:
    tied = build_model(small("lfm2"))
    untied = build_model(small("lfm2", tie_word_embeddings=True, tie_embedding=False))
    assert (tied.tied, untied.tied) == (True, False)
    assert untied.parameters == tied.parameters + 256 * 1000
