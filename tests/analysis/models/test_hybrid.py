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


def test_kimi_has_a_decay_for_every_channel_of_a_key_and_no_positions(small: Any, rows_of: Any) -> None:
    rows = rows_of(small("kimi_linear"))
    assert (rows["delta_rule"].dims["decays"], rows["delta_rule"].dims["D_k"]) == (24, 24)
    assert {"f_a_proj", "f_b_proj", "b_proj", "g_a_proj", "g_b_proj", "o_norm", "kv_a_proj_with_mqa"} <= set(rows)
    assert not names(rows, "rotary")
    tied = build_model(small("kimi_linear", tie_word_embeddings=True))
    assert not tied.tied
    assert "model.head_untied" in {note.code for note in tied.assumptions}


def test_kimi_layers_are_told_from_one_on(small: Any) -> None:
    listed = {"full_attn_layers": [2, 5], "kda_layers": [1, 3, 4, 6], "head_dim": 24, "num_heads": 6}
    model = build_model(small("kimi_linear", layer_types=..., linear_attn_config=listed))
    assert {i for layer in model.layers if layer.attention == "mla" for i in layer.indices} == {1, 4}
    assert model.state_bytes(1) == build_model(small("kimi_linear")).state_bytes(1) / 3 * 4
    plain = build_model(small("kimi_linear", layer_types=...))
    assert {i for layer in plain.layers if layer.attention == "mla" for i in layer.indices} == {4}


def test_a_block_that_layers_share_is_held_once_and_read_by_each(small: Any, rows_of: Any) -> None:
    config = small("zamba2", num_mem_blocks=1)
    rows, model = rows_of(config), build_model(config)
    assert (rows["q_proj"].count, rows["gate_up_proj"].count, rows["linear"].count, rows["scan"].count) == (3, 3, 3, 6)
    held = {group.name: group.count for group in model.tensors}
    assert held["shared_transformer.self_attn.q_proj.weight"] == 1
    assert held["shared_transformer.feed_forward.gate_up_proj_adapter_list.0.weight"] == 3
    two = {group.name: group.count for group in build_model(small("zamba2")).tensors}
    assert two["shared_transformer.self_attn.q_proj.weight"] == 2


def test_zamba_feeds_its_shared_block_with_the_stream_and_the_embedding(small: Any, rows_of: Any) -> None:
    rows = rows_of(small("zamba"))
    assert (rows["concatenate"].dims["values"], rows["q_proj"].dims["k"], rows["o_proj"].dims["n"]) == (512, 512, 256)
    assert (rows["x_proj_weight"].dims["heads"], rows["x_proj_weight"].dims["k"]) == (4, 128)
    assert rows["scan"].dims["groups"] == 4
    alone = rows_of(small("zamba", n_mamba_heads=1))
    assert "x_proj" in alone
    assert "groups" not in alone["scan"].dims


def test_norms_of_olmo_hybrid_stand_before_linear_layers_and_behind_full_ones(small: Any, rows_of: Any) -> None:
    layers = build_model(small("olmo_hybrid")).architecture.layers
    halves = {layer.attention: [op.name for op in layer.ops if op.group in {"norm", "residual"}] for layer in layers}
    linear = ["input_layernorm", "o_norm", "residual_add", "post_attention_layernorm", "residual_add"]
    full = [
        "q_norm",
        "k_norm",
        "post_attention_layernorm",
        "residual_add",
        "post_feedforward_layernorm",
        "residual_add",
    ]
    assert halves == {"linear": linear, "full": full}
    turned = names(rows_of(small("olmo_hybrid")), "rotary")
    assert turned == ["rotary_emb"]
    assert not names(rows_of(small("olmo_hybrid", rope_parameters={"rope_theta": None})), "rotary")


def test_recurrentgemma_repeats_its_pattern(small: Any, rows_of: Any) -> None:
    rows = rows_of(small("recurrent_gemma"))
    assert (rows["rg_lru"].count, rows["attention[sliding]"].count) == (4, 2)
    assert rows["gate_proj"].dims["n"] == 320
    assert rows["input_gate_weight"].dims["bias"] == 2 * 320
    assert "final_logit_softcapping" in rows
    other = rows_of(small("recurrent_gemma", block_types=["attention", "recurrent"]))
    assert (other["rg_lru"].count, other["attention[sliding]"].count) == (3, 3)


def test_xlstm_holds_a_matrix_a_sum_and_a_maximum_per_head(small: Any, rows_of: Any) -> None:
    config = small("xlstm")
    assert build_model(config).state_bytes(1) == 3 * 4 * 4 * (32 * 64 + 32 + 1)
    assert {"q", "k", "v", "ogate_preact", "igate_preact", "fgate_preact", "proj_up_gate", "proj_down"} <= set(
        rows_of(config)
    )
    fused = rows_of(small("xlstm", weight_mode="fused"))
    assert {"qkv_opreact", "ifgate_preact", "proj_up_gate_z"} <= set(fused)


def test_falcon_mamba_norms_without_weights(small: Any, rows_of: Any) -> None:
    rows = rows_of(small("falcon_mamba"))
    assert {rows[name].dims["per_channel"] for name in ("dt_layernorm", "b_layernorm", "c_layernorm")} == {0}


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
        (
            "kimi_linear",
            {"layer_types": None, "linear_attn_config": {"full_attn_layers": [2], "kda_layers": [1, 3]}},
            "linear_attn_config.full_attn_layers",
            "model.layer_types_count",
        ),
        ("kimi_linear", {"num_experts_per_token": 17}, "num_experts_per_token", "model.top_k_over_experts"),
        ("minimax", {"sliding_window": 128}, "sliding_window", "model.variant_unread"),
        ("zamba", {"attention_hidden_size": 300}, "attention_hidden_size", "model.inner_size_differs"),
        ("zamba", {"hidden_mamba_act": "gelu"}, "hidden_mamba_act", "model.variant_unread"),
        ("zamba", {"n_mamba_heads": 3}, "n_mamba_heads", "model.hidden_not_divisible"),
        ("zamba2", {"add_bias_linear": True}, "add_bias_linear", "model.variant_unread"),
        ("zamba2", {"tie_word_embeddings": False}, "tie_word_embeddings", "model.variant_unread"),
        ("zamba2", {"layers_block_type": None}, "layer_types", "model.layer_types_count"),
        ("zamba2", {"mamba_headdim": 64}, "n_mamba_heads", "model.inner_size_differs"),
        ("falcon_mamba", {"intermediate_size": 500}, "intermediate_size", "model.inner_size_differs"),
        ("recurrent_gemma", {"block_types": ["mamba"]}, "block_types[0]", "model.layer_type_unknown"),
        ("recurrent_gemma", {"block_types": []}, "block_types", "model.layer_type_unknown"),
        ("recurrent_gemma", {"lru_width": 300}, "lru_width", "model.hidden_not_divisible"),
        ("xlstm", {"use_bias": True}, "use_bias", "model.variant_unread"),
        ("xlstm", {"embedding_dim": 128}, "embedding_dim", "model.two_names"),
        ("xlstm", {"weight_mode": "other"}, "weight_mode", "model.variant_unread"),
        ("xlstm", {"qk_dim_factor": 0}, "qk_dim_factor", "model.not_a_multiple"),
        ("olmo_hybrid", {"layer_types": ["linear_attention"] * 6}, "layer_types", "model.variant_unread"),
        ("olmo_hybrid", {"linear_num_key_heads": 3}, "linear_num_value_heads", "model.heads_not_divisible"),
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
        ("kimi_linear", {"num_key_value_heads": 1, "head_dim": 7}),
        ("minimax", {"attention_bias": True, "block_size": 64}),
        ("zamba2", {"use_conv_bias": False}),
        ("xlstm", {"add_out_norm": False}),
    ],
)
def test_a_field_that_a_class_ignores_is_ignored(small: Any, model_type: str, change: dict[str, Any]) -> None:
    assert build_model(small(model_type, **change)).tensors == build_model(small(model_type)).tensors


def test_flags_of_old_lfm2_configs_outweigh_the_usual_ones(small: Any) -> None:
    tied = build_model(small("lfm2"))
    untied = build_model(small("lfm2", tie_word_embeddings=True, tie_embedding=False))
    assert (tied.tied, untied.tied) == (True, False)
    assert untied.parameters == tied.parameters + 256 * 1000
