"""BLT counted whole; what a step runs is the global transformer over patches."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.tensor_names import place_of
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step

Small = Callable[..., dict[str, Any]]

# Parameters of the small config with one part changed, counted on the class of the transformers library 5.24.
COUNTED: list[tuple[dict[str, Any], int]] = [
    ({}, 744560),
    ({"encoder_config": {"cross_attn_all_layers": True}}, 753872),
    ({"decoder_config": {"cross_attn_all_layers": False}}, 725936),
    ({"patch_in_forward": False}, 719440),
    ({"tie_word_embeddings": True}, 741200),
    ({"encoder_hash_byte_group_size": None}, 773360),
    ({"encoder_config": {"intermediate_size": 100, "num_key_value_heads": 2}}, 729584),
    ({"global_config": {"hidden_size": 96}, "decoder_config": {"hidden_size_global": 96}}, 569200),
    ({"patcher_config": {"num_key_value_heads": 1}}, 742512),
    ({"cross_attn_k": 3, "encoder_config": {"cross_attn_k": 3}, "decoder_config": {"cross_attn_k": 3}}, 759152),
]


def _changed(config: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    return {**config, **{k: {**config[k], **v} if isinstance(v, dict) else v for k, v in change.items()}}


@pytest.mark.parametrize(("change", "parameters"), COUNTED)
def test_every_part_counts_as_in_its_class(small: Small, change: dict[str, Any], parameters: int) -> None:
    assert build_model(_changed(small("blt"), change)).parameters == parameters


def test_steps_run_the_global_transformer_over_patches(small: Small) -> None:
    model = build_model(small("blt"))
    apart = {group.name for group in model.tensors if group.role == "vision"}
    assert apart == {"local_encoder", "local_decoder", "patcher", "encoder_hash_tok_embedding", "lm_head"}
    assert "model.patches" in {note.code for note in model.assumptions}
    assert model.kv_bytes_per_token(2.0) == 4 * 2 * 4 * 16 * 2
    assert model.max_context == 512
    rows = [row.name for row in model.rows(one_step("decode", 1, 100))]
    assert rows[0] == "token_embedding_projection"
    assert "lm_head" not in rows


def test_patches_as_wide_as_the_global_transformer_are_not_projected(small: Small) -> None:
    change = {"global_config": {"hidden_size": 96}, "decoder_config": {"hidden_size_global": 96}}
    rows = [row.name for row in build_model(_changed(small("blt"), change)).rows(one_step("decode", 1, 100))]
    assert "token_embedding_projection" not in rows


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"decoder_config": {"hidden_size": 64}}, "decoder_config.hidden_size"),
        ({"decoder_config": {"hidden_size_global": 64}}, "decoder_config.hidden_size_global"),
        ({"cross_attn_k": 3}, "encoder_config.cross_attn_k"),
        ({"tie_word_embeddings": True, "encoder_config": {"vocab_size": 80}}, "encoder_config.vocab_size"),
        ({"patcher_config": {"num_attention_heads": 5}}, "patcher_config.hidden_size"),
    ],
)
def test_sizes_that_do_not_meet_are_refused_by_their_field(small: Small, change: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(_changed(small("blt"), change))
    assert field in [problem.path for problem in refusal.value.problems]


@pytest.mark.parametrize(
    ("name", "aside"),
    [
        ("model.local_encoder.layers.*.self_attn.q_proj.weight", True),
        ("model.local_decoder.layers.*.mlp.down_proj.weight", True),
        ("model.patcher.layers.*.self_attn.q_proj.weight", True),
        ("model.patcher.embed_tokens.weight", True),
        ("model.global_transformer.layers.*.self_attn.q_proj.weight", False),
        ("coarse_acoustics.layers.*.attn.att_proj.weight", True),
        ("fine_acoustics.lm_heads.*.weight", True),
        ("semantic.layers.*.attn.att_proj.weight", False),
        ("depth_decoder.model.layers.*.self_attn.q_proj.weight", True),
    ],
)
def test_tensors_of_what_stands_beside_are_no_row_s(name: str, *, aside: bool) -> None:
    assert place_of(name, layered="*" in name).aside is aside
