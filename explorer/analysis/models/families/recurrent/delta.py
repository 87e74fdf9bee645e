"""Qwen3-Next and the text models of Qwen3.5: gated DeltaNet, gated attention in every fourth layer."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.blocks.states.linear_attention import GatedAttention, GatedDeltaNet
from explorer.analysis.models.config.drafts import note_drafts
from explorer.analysis.models.config.feedforward import dense
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.layer_lists import kinds_of
from explorer.analysis.models.families.decoder import BASE, BIASED, DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import rotary_part
from explorer.analysis.models.families.sparse.qwen_moe import qwen_with_shared
from explorer.analysis.models.transformer import Decoder, Half, Mixer
from explorer.analysis.problem import Value

DELTA: Mapping[str, Value | None] = {
    "attention_bias": False,
    "hidden_act": "silu",
    "tie_word_embeddings": False,
    "head_dim": 256,
    "num_key_value_heads": 2,
    "linear_conv_kernel_dim": 4,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
}


def _delta_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Gated DeltaNet, with gated attention where `layer_types` says so or in every fourth layer."""
    attention = grouped_query(family, fields, hidden, 1)[0]
    key_heads, value_heads = fields.size("linear_num_key_heads"), fields.size("linear_num_value_heads")
    divides = value_heads % key_heads == 0
    fields.check(divides, "model.heads_not_divisible", "linear_num_value_heads", heads=value_heads, kv=key_heads)
    net = GatedDeltaNet(
        hidden,
        key_heads,
        value_heads,
        fields.size("linear_key_head_dim"),
        fields.size("linear_value_head_dim"),
        fields.size("linear_conv_kernel_dim"),
        split=family.label.startswith("Qwen3.5"),
    )
    kinds = kinds_of(fields, "layer_types", layers, ("linear_attention", "full_attention"))
    period = fields.size("full_attention_interval", otherwise=4)
    kinds = kinds or tuple("linear_attention" if (i + 1) % period else "full_attention" for i in range(layers))
    fields.note("model.states_counted")
    gated = GatedAttention(attention) if isinstance(attention, GroupedQuery) else attention
    return tuple(gated if kind == "full_attention" else net for kind in kinds)


def _left_out_mtp(fields: Fields, decoder: Decoder) -> Decoder:
    """Layers for multi-token prediction are named, under Qwen3.5's own name for them."""
    note_drafts(fields, decoder, fields.config.get("mtp_num_hidden_layers"))
    return decoder


def _all_sparse(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    return qwen_with_shared(fields.restated(decoder_sparse_step=1, mlp_only_layers=[]), hidden, layers)


QWEN35 = DecoderReader(
    "Qwen3.5",
    {**DELTA, "num_key_value_heads": 4},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    rotary=rotary_part(otherwise=0.25),
    mixers=_delta_mixers,
    mlps=dense(),
    finish=_left_out_mtp,
)
QWEN35_MOE = replace(QWEN35, label="Qwen3.5 MoE", defaults=DELTA, mlps=_all_sparse)

FAMILIES: Final = (
    Family(
        ("qwen3_next",),
        replace(
            QWEN35,
            label="Qwen3-Next",
            defaults={**DELTA, **BASE, **BIASED, "decoder_sparse_step": 1},
            mlps=qwen_with_shared,
        ),
    ),
    Family(("qwen3_5_text",), QWEN35),
    Family(("qwen3_5_moe_text",), QWEN35_MOE),
)
