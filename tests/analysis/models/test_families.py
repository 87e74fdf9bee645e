"""What sets families apart: products counted from the reference, parallel halves, biases, shared caches, variants."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
PRODUCTS = {"matmul", "qkv_matmul", "attention", "moe_matmul"}

# FLOPs of matrix products and convolutions of one forward pass of 48 tokens (logits for all) of the small configs,
# counted by torch.utils.flop_counter over the transformers library 5.24 with eager attention.
COUNTED = {
    "gemma": 416219136,
    "gptj": 258146304,
    "gpt_neox": 378470400,
    "gpt_bigcode": 225116160,
    "starcoder2": 321847296,
    "bloom": 258146304,
    "mpt": 258146304,
    "phi": 321847296,
    "stablelm": 416219136,
    "cohere": 416219136,
    "cohere2": 416219136,
    "granite": 416219136,
    "glm": 416219136,
    "glm4": 416219136,
    "opt": 186236928,
    "falcon": 229834752,
    "bert": 354025472,
    "roberta": 354025472,
    "xlm-roberta": 354025472,
    "camembert": 354025472,
    "distilbert": 176947200,
    "modernbert": 448266240,
}


@pytest.mark.parametrize("model_type", COUNTED)
def test_products_of_a_forward_pass_equal_those_counted_in_the_reference(
    small: Small, rows_of: Rows, cost: Cost, model_type: str
) -> None:
    rows = rows_of(small(model_type), "prefill", 1, 48, attention_count="full", logits="all")
    assert _products(rows, cost) == COUNTED[model_type]


def _products(rows: dict[str, Row], cost: Cost) -> float:
    return sum(float(row.count * cost(row).flops) for row in rows.values() if row.kind in PRODUCTS)


def test_experts_beside_a_dense_block_and_shared_caches_equal_the_reference(rows_of: Rows, cost: Cost) -> None:
    config = {
        "model_type": "gemma4_text", "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 6,
        "num_attention_heads": 4, "num_key_value_heads": 2, "num_global_key_value_heads": 1, "attention_k_eq_v": True,
        "head_dim": 16, "global_head_dim": 32, "vocab_size": 100, "vocab_size_per_layer_input": 100,
        "hidden_size_per_layer_input": 8, "num_kv_shared_layers": 2, "use_double_wide_mlp": True, "sliding_window": 16,
        "layer_types": ["sliding_attention", "sliding_attention", "full_attention"] * 2, "enable_moe_block": True,
        "num_experts": 8, "top_k_experts": 2, "moe_intermediate_size": 24, "final_logit_softcapping": 30.0,
    }  # fmt: skip
    assert build_model(config).parameters == 475784
    assert _products(rows_of(config, "prefill", 1, 48, attention_count="full", logits="all"), cost) == 33644544


def test_parallel_halves_share_one_norm_and_are_both_added(small: Small) -> None:
    names = [row.name for row in build_model(small("gptj")).rows(one_step("decode", 1, 10))]
    order = ["ln_1", "attention", "out_proj", "fc_in", "fc_out", "attn.residual_add", "mlp.residual_add", "ln_f"]
    assert [name for name in names if name in order] == order
    assert "ln_2" not in names


def test_two_norms_of_parallel_halves_are_both_counted(small: Small, rows_of: Rows) -> None:
    assert rows_of(small("gpt_neox"))["post_attention_layernorm"].count == 6
    assert {"ln_attn", "ln_mlp"} <= rows_of(small("falcon")).keys()
    assert "input_layernorm" in rows_of(small("falcon", num_ln_in_parallel_attn=1))
    in_turn = rows_of(small("falcon", new_decoder_architecture=False, parallel_attn=False))
    assert "post_attention_layernorm" in in_turn


@pytest.mark.parametrize(
    ("changes", "kv_heads"),
    [
        ({}, 2),
        ({"new_decoder_architecture": False}, 1),  # multi_query is the class default
        ({"new_decoder_architecture": False, "multi_query": False}, 8),
    ],
)
def test_falcons_have_as_many_kv_heads_as_their_generation(
    small: Small, rows_of: Rows, changes: dict[str, Any], kv_heads: int
) -> None:
    config = small("falcon", **changes)
    assert rows_of(config)["attention"].dims["kv_heads"] == kv_heads
    assert build_model(config).kv_bytes_per_token(1.0) == 3 * 2 * kv_heads * 32


def test_positions_by_bias_on_the_scores_need_no_rotary(small: Small, rows_of: Rows) -> None:
    for model_type in ("bloom", "mpt", "RefinedWebModel"):
        assert "rotary_emb" not in rows_of(small(model_type))
    assert "rotary_emb" in rows_of(small("falcon"))


def test_only_windowed_layers_of_cohere2_are_rotated(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("cohere2"))
    assert (rows["rotary_emb"].count, rows["attention[sliding]"].count, rows["attention"].count) == (4, 4, 2)


@pytest.mark.parametrize(
    ("model_type", "changes", "dim"),
    [
        ("gptj", {}, 16),
        ("gptj", {"rotary_dim": None}, 32),
        ("gpt_neox", {}, 8),
        ("phi", {}, 16),
        ("phi", {"partial_rotary_factor": 0.4}, 12),
        ("phi", {"rope_parameters": {"partial_rotary_factor": 0.25}}, 8),
        ("phi-msft", {}, 16),
        ("chatglm", {}, 16),
        ("stablelm", {}, 8),
        ("glm4_moe", {}, 16),
        ("glm4_moe", {"partial_rotary_factor": 0.25}, 8),
        ("qwen3_next", {}, 12),
        ("qwen3_next", {"partial_rotary_factor": 0.5}, 24),
        ("qwen3_5_text", {}, 12),
        ("qwen3_5_moe_text", {}, 12),
    ],
)
def test_part_of_a_head_is_rotated_as_each_family_says_it(
    small: Small, rows_of: Rows, model_type: str, changes: dict[str, Any], dim: int
) -> None:
    assert rows_of(small(model_type, **changes))["rotary_emb"].dims["dim"] == dim


def test_a_table_narrower_than_the_stream_is_bridged_by_two_projections(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("opt"), batch=3)
    assert (rows["project_in"].dims["k"], rows["project_in"].dims["n"]) == (64, 256)
    assert (rows["project_out"].dims["k"], rows["project_out"].dims["n"]) == (256, 64)
    assert rows["lm_head"].dims["k"] == 64
    assert "project_in" not in rows_of(small("opt", word_embed_proj_dim=256))


def test_learnt_positions_of_opt_have_two_spare_rows(small: Small) -> None:
    tensors = {group.name: group.values for group in build_model(small("opt")).tensors}
    assert tensors["embed_positions.weight"] == (512 + 2) * 256


@pytest.mark.parametrize(
    ("model_type", "changes", "row", "values"),
    [
        ("bloom", {}, "ln_f", 2 * 256),  # scale and shift
        ("mpt", {}, "norm_f", 256),  # a scale alone
        ("opt", {"layer_norm_elementwise_affine": False, "do_layer_norm_before": True}, "decoder.final_layer_norm", 0),
        ("phi", {}, "q_layernorm", 2 * 32),
        ("cohere", {}, "q_norm", 8 * 32),  # one scale for each head
        ("cohere", {}, "k_norm", 2 * 32),
        ("gemma4_text", {}, "v_norm", 0),
    ],
)
def test_norms_stream_the_weights_they_own(
    small: Small, rows_of: Rows, cost: Cost, model_type: str, changes: dict[str, Any], row: str, values: int
) -> None:
    assert cost(rows_of(small(model_type, **changes))[row]).weight_bytes == 2 * values


def test_norms_after_the_residual_follow_it(small: Small) -> None:
    names = [row.name for row in build_model(small("opt")).rows(one_step("decode", 1, 10))]
    order = [
        "out_proj",
        "self_attn.residual_add",
        "self_attn_layer_norm",
        "fc1",
        "mlp.residual_add",
        "final_layer_norm",
    ]
    assert [name for name in names if name in order] == order


def test_head_biases_are_parameters(small: Small) -> None:
    for model_type in ("gptj", "phi", "phi-msft"):
        assert ("lm_head.bias", 1000) in [(g.name, g.values) for g in build_model(small(model_type)).tensors]


def test_multi_query_attention_is_off_where_the_config_says_so(small: Small) -> None:
    one, many = (build_model(small("gpt_bigcode", multi_query=flag)).kv_bytes_per_token(1.0) for flag in (True, False))
    assert (one, many) == (3 * 2 * 32, 3 * 2 * 8 * 32)


def test_multipliers_of_granite_are_rows_where_they_are_not_one(small: Small, rows_of: Rows) -> None:
    assert {"embed_scale", "logit_scale"} <= rows_of(small("granite")).keys()
    plain = rows_of(small("granite", embedding_multiplier=1.0, logits_scaling=1))
    assert not {"embed_scale", "logit_scale"} & plain.keys()


def test_full_layers_of_gemma4_write_values_without_projecting_them(small: Small, rows_of: Rows) -> None:
    config = small("gemma4_text")
    rows = rows_of(config, kv="fp8")
    assert (rows["k_proj"].count, rows["k_proj[sliding]"].count) == (1, 5)
    assert rows["v_proj[sliding]"].count == 5
    assert "v_proj" not in rows
    assert (rows["v_norm"].output, rows["v_norm[sliding]"].output) == ("fp8", "bf16")
    assert build_model(config).kv_bytes(1, 1000, 1.0) == 5 * 128 * 2 * 2 * 32 + 1000 * 2 * 1 * 64


def test_layers_without_a_cache_of_their_own_project_no_keys_but_read_those_of_others(
    small: Small, rows_of: Rows, cost: Cost
) -> None:
    config = small("gemma4_text", num_kv_shared_layers=3, layer_types=["sliding_attention", "full_attention"] * 3)
    model, rows = build_model(config), rows_of(config)
    assert rows["k_proj"].count + rows["k_proj[sliding]"].count == 3
    assert rows["attention"].count + rows["attention[sliding]"].count == 6
    held = 2 * 128 * 2 * 2 * 32 + 1000 * 2 * 1 * 64
    assert model.kv_bytes(1, 1000, 1.0) == held
    read = sum(row.count * cost(row).kv_bytes for row in rows.values())
    assert read == 2 * (3 * 128 * 2 * 2 * 32 + 3 * 1000 * 2 * 1 * 64)
    assert {layer.attention for layer in model.layers} == {
        "sliding 128", "full", "sliding 128, shared KV", "full, shared KV"
    }  # fmt: skip


def test_experts_beside_the_dense_block_are_named(small: Small, rows_of: Rows) -> None:
    assert {layer.mlp for layer in build_model(small("gemma4")).layers} == {"dense + moe 4 of 16"}
    assert {"gate_proj", "router.proj", "experts.gate_up_proj", "experts.down_proj"} <= rows_of(small("gemma4")).keys()


@pytest.mark.parametrize(
    ("model_type", "change", "path"),
    [
        ("mpt", {"attn_config": {"alibi": False}}, "attn_config.alibi"),
        ("mpt", {"attn_config": {"attn_type": "grouped_query_attention"}}, "attn_config.attn_type"),
        ("mpt", {"expansion_ratio": 3}, "expansion_ratio"),
        ("mpt", {"no_bias": False}, "no_bias"),
        ("falcon", {"parallel_attn": False}, "parallel_attn"),
        ("chatglm", {"pre_seq_len": 128}, "pre_seq_len"),
        ("internlm2", {"hidden_act": "gelu"}, "hidden_act"),
        ("gpt_bigcode", {"add_cross_attention": True}, "add_cross_attention"),
        ("bert", {"is_decoder": True}, "is_decoder"),
        ("bert", {"position_embedding_type": "relative_key"}, "position_embedding_type"),
        ("gemma4_text", {"use_bidirectional_attention": "all"}, "use_bidirectional_attention"),
    ],
)
def test_variants_that_are_not_exact_are_refused_by_their_field(
    small: Small, model_type: str, change: dict[str, Any], path: str
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **change))
    assert [(p.code, p.path) for p in refusal.value.problems] == [("model.variant_unread", path)]


@pytest.mark.parametrize(
    ("model_type", "change", "path", "code"),
    [
        ("gptj", {"rotary_dim": 64}, "rotary_dim", "model.rotary_over_head"),
        ("opt", {"ffn_dim": None}, "ffn_dim", "model.missing"),
        ("bloom", {"n_layer": ...}, "n_layer", "model.missing"),
        ("chatglm", {"multi_query_group_num": 3}, "num_attention_heads", "model.heads_not_divisible"),
        ("distilbert", {"n_heads": 7}, "n_heads", "model.hidden_not_divisible"),
        ("t5", {"feed_forward_proj": "gated-relu"}, "feed_forward_proj", "model.activation_unknown"),
        ("whisper", {"decoder_attention_heads": 7}, "decoder_attention_heads", "model.hidden_not_divisible"),
        ("gemma4_text", {"num_kv_shared_layers": 6}, "num_kv_shared_layers", "model.shared_layers"),
        ("gemma4_text", {"num_kv_shared_layers": 1}, "num_kv_shared_layers", "model.shared_kinds"),
        ("gemma4", {"text_config": {}}, "text_config.hidden_size", "model.missing"),
    ],
)
def test_faults_of_a_family_are_named_with_their_field(
    small: Small, model_type: str, change: dict[str, Any], path: str, code: str
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **change))
    assert (code, path) in [(p.code, p.path) for p in refusal.value.problems]


def test_towers_that_are_not_known_are_named_as_left_out(small: Small) -> None:
    other = build_model(small("phi3_v", img_processor={"model_name": "someone/else"}))
    assert "model.vision_not_counted" in [note.code for note in other.assumptions]
    assert other.parameters == other.active_parameters
    heard = build_model(small("gemma4", audio_config={"hidden_size": 64}))
    assert "model.audio_left_out" in [note.code for note in heard.assumptions]
