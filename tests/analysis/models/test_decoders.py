"""What sets single decoders apart: caches that are shared or kept whole, experts that do nothing, norms and gates."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]


def test_the_last_layers_of_gemma3n_hold_no_cache_but_read_those_of_others(small: Small, rows_of: Rows) -> None:
    types = (["sliding_attention"] * 4 + ["full_attention"]) * 2
    whole = build_model(small("gemma3n_text", layer_types=types))
    shared = build_model(small("gemma3n_text", layer_types=types, num_kv_shared_layers=4))
    each = 2 * 2 * 32
    assert whole.kv_bytes(1, 1000, 1.0) == 8 * 128 * each + 2 * 1000 * each
    assert shared.kv_bytes(1, 1000, 1.0) == 5 * 128 * each + 1000 * each
    assert whole.parameters - shared.parameters == 4 * (2 * 256 * 2 * 32 + 32)
    rows = rows_of(small("gemma3n_text", layer_types=types, num_kv_shared_layers=4))
    assert rows["attention"].count + rows["attention[sliding]"].count == 10


def test_streams_of_gemma3n_are_predicted_by_weights_read_once(small: Small, rows_of: Rows, cost: Cost) -> None:
    rows = rows_of(small("gemma3n_text"), batch=4)
    assert (rows["modality_router"].dims["m"], rows["predict"].dims["b"]) == (8, 4)
    assert cost(rows["modality_router"]).weight_bytes == 2 * 256 * 3
    assert {"altup_projections.0", "altup_projections.1", "altup_unembed_projections.1"} <= rows.keys()
    assert rows["gate_cutoff[640]"].count == 2


def test_local_layers_of_gpt_neo_read_a_window_of_a_cache_that_is_kept_whole(
    small: Small, rows_of: Rows, cost: Cost
) -> None:
    model = build_model(small("gpt_neo"))
    assert model.kv_bytes(1, 500, 1.0) == 4 * 500 * 2 * 256
    read = sum(row.count * cost(row).kv_bytes for row in rows_of(small("gpt_neo"), context=500).values())
    assert read == 2 * (2 * 500 + 2 * 64) * 2 * 256


@pytest.mark.parametrize(
    "types", [[[["global", "local"], 3]], [[["global", "near"], 2]], [[["global"], True]], "global", []]
)
def test_patterns_of_gpt_neo_must_name_every_layer(small: Small, types: Any) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small("gpt_neo", attention_types=types))
    assert [(p.code, p.path) for p in refusal.value.problems] == [("model.layer_types_count", "attention_types")]


def test_experts_that_do_nothing_are_choices_of_the_router_alone(small: Small, rows_of: Rows) -> None:
    model, rows = build_model(small("longcat_flash")), rows_of(small("longcat_flash"))
    assert rows["router.classifier"].dims["n"] == 16 + 8
    assert rows["experts.gate_proj"].dims["top_k"] == 6 * 16 / 24
    assert "model.zero_experts" in [note.code for note in model.assumptions]
    assert model.kv_bytes_per_token(1.0) == 3 * 2 * (64 + 16)
    assert {"self_attn.0.o_proj", "self_attn.1.o_proj", "mlps.0.down_proj", "mlps.1.down_proj"} <= rows.keys()
    with pytest.raises(Refused) as refusal:
        build_model(small("longcat_flash", zero_expert_num=5))
    assert [(p.code, p.path) for p in refusal.value.problems] == [("model.variant_unread", "zero_expert_num")]


@pytest.mark.parametrize(
    ("model_type", "change", "rows"),
    [
        ("bitnet", {}, {"attn_sub_norm", "ffn_sub_norm"}),
        (
            "afmoe",
            {},
            {"gate_proj", "gate_proj[dense]", "gate", "pre_mlp_layernorm", "post_mlp_layernorm", "embed_scale"},
        ),
        ("hyperclovax", {}, {"post_norm1", "post_norm2", "embed_scale", "logit_scale"}),
        ("hunyuan_v1_moe", {}, {"query_layernorm", "key_layernorm", "gate.wg", "shared_mlp.down_proj"}),
        ("granitemoeshared", {}, {"router", "experts.gate_up_proj", "shared_mlp.input_linear"}),
        ("ctrl", {}, {"Wq", "Wk", "Wv", "dense", "ffn.0", "ffn.2"}),
        ("dbrx", {}, {"Wqkv", "norm_1", "norm_2", "router.layer", "experts.mlp.w1", "experts.mlp.v1"}),
        ("jetmoe", {}, {"kv_proj", "input_linear", "output_linear"}),
        ("doge", {}, {"dt_proj", "input_residual", "post_attention_residual"}),
        ("modernbert-decoder", {}, {"attn_norm", "mlp_norm", "attn.Wo", "mlp.Wo", "decoder"}),
    ],
)
def test_rows_bear_the_names_of_their_modules(
    small: Small, rows_of: Rows, model_type: str, change: dict[str, Any], rows: set[str]
) -> None:
    assert rows <= rows_of(small(model_type, **change)).keys()


@pytest.mark.parametrize(
    ("model_type", "change", "turned"),
    [
        ("smollm3", {}, 5),  # of six layers all but the fourth
        ("smollm3", {"no_rope_layers": [1, 0, 0, 0, 0, 1]}, 2),
        ("exaone4", {}, 5),
        ("exaone4", {"sliding_window": None, "layer_types": ["full_attention"] * 6}, 6),
        ("afmoe", {}, 4),
        ("cwm", {}, 6),
    ],
)
def test_layers_without_positions_are_not_rotated(
    small: Small, rows_of: Rows, model_type: str, change: dict[str, Any], turned: int
) -> None:
    assert rows_of(small(model_type, **change))["rotary_emb"].count == turned


def test_full_layers_stand_first_or_last_in_their_period(small: Small) -> None:
    def full(model_type: str, **change: Any) -> list[int]:
        layers = build_model(small(model_type, **change)).layers
        return sorted(i for part in layers if part.attention == "full" for i in part.indices)

    assert (full("cwm"), full("exaone4"), full("afmoe")) == ([0, 4], [3], [2, 5])
    assert (full("modernbert-decoder"), full("dots1"), full("smollm3")) == ([0, 3], [0, 1, 2, 3], [0, 1, 2, 4, 5])


def test_two_attentions_are_counted_where_one_is_subtracted(small: Small, rows_of: Rows, cost: Cost) -> None:
    twice, once = (rows_of(small(t), "prefill", 1, 48)["attention"] for t in ("diffllama", "llama"))
    assert cost(twice).flops == 2 * cost(once).flops
    assert cost(twice).kv_bytes == cost(once).kv_bytes


def test_what_a_class_cannot_do_by_itself_is_said(small: Small) -> None:
    codes = {t: [note.code for note in build_model(small(t)).assumptions] for t in ("trocr", "openai-gpt")}
    assert "model.cross_attention_idle" in codes["trocr"]
    assert "model.no_cache_kept" in codes["openai-gpt"]


def test_experts_per_token_of_hunyuan_may_be_listed_if_all_are_alike(small: Small) -> None:
    one = build_model(small("hunyuan_v1_moe"))
    listed = build_model(small("hunyuan_v1_moe", moe_topk=[2] * 6))
    assert (one.parameters, one.active_parameters) == (listed.parameters, listed.active_parameters)
    for wrong in ([2, 2, 2, 1, 2, 2], [2, 2]):
        with pytest.raises(Refused) as refusal:
            build_model(small("hunyuan_v1_moe", moe_topk=wrong))
        assert [p.path for p in refusal.value.problems] == ["moe_topk"]
