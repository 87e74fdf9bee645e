"""Mamba beside attention: Granite 4, Bamba, Falcon-H1 and Jamba."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.mixture import WithSharedBlock
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.states.parallel import SideBySide
from explorer.analysis.models.config.feedforward import dense, silu
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.sparse import routed_of
from explorer.analysis.models.families.decoder import BASE, BIASED, DecoderReader, Finish, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.recurrent.mamba import INNER
from explorer.analysis.models.families.recurrent.mixers import (
    FULL,
    LINEAR,
    at_offset,
    attention,
    chosen,
    every_one,
    feed_forward,
    first_mamba,
    listed,
    second_mamba,
    within,
)
from explorer.analysis.models.transformer import Decoder, Half, Mixer
from explorer.analysis.problem import Value

MAMBA: Mapping[str, Value | None] = {
    "mamba_d_conv": 4,
    "mamba_expand": 2,
    "mamba_conv_bias": True,
    "mamba_proj_bias": False,
}
MAMBA_2: Mapping[str, Value | None] = {**MAMBA, "mamba_n_heads": 128, "mamba_n_groups": 1, "mamba_d_state": 256}
NORMS = NormScheme("input_layernorm", "", "pre_ff_layernorm", "", "final_layernorm")


def _granite_attention(family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    """Attention that knows positions where `position_embedding_type` is rope."""
    turned = fields.config.get("position_embedding_type") == "rope"
    return attention(replace(family, rotary="whole" if turned else "none"), fields, hidden)


def _granite_blocks(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """A block that always works, with experts beside it where there are any."""
    inner, act = fields.size("shared_intermediate_size"), silu(fields)
    whole = GatedMlp(hidden, inner, act, fused="input_linear", down="output_linear", parent="shared_mlp")
    if not fields.natural("num_local_experts"):
        return (whole,) * layers
    routed = routed_of(fields, "num_local_experts")
    size, parent = fields.size("intermediate_size"), "block_sparse_moe"
    experts = Experts(
        hidden, size, routed.experts, routed.top_k, activation=act, router="router", fused=True, parent=parent
    )
    return (WithSharedBlock(experts, replace(whole, role="shared_experts")),) * layers


def _scaled(embedding: str, logits: str) -> Finish:
    """Embedding and logits are scaled where their multipliers are not 1; all others are fused into their neighbours."""

    def finish(fields: Fields, decoder: Decoder) -> Decoder:
        scaled = [fields.config.get(name) not in (None, 1, 1.0) for name in (embedding, logits)]
        return feed_forward(fields, replace(decoder, scaled_embedding=scaled[0], scaled_logits=scaled[1]))

    return finish


def _bamba_kinds(fields: Fields, layers: int) -> tuple[str, ...]:
    """Attention in the layers that `attn_layer_indices` names."""
    found = fields.items("attn_layer_indices", lambda item: isinstance(item, int)) or ()
    return tuple(FULL if i in found else LINEAR for i in range(layers))


def _both(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Mamba-2 and attention in every layer."""
    states = second_mamba(family, fields, hidden, fields.optional_size("mamba_d_ssm"))
    made = replace(states, out_bias=fields.flag("projectors_bias"), normed=fields.flag("mamba_rms_norm"))
    fields.note("model.states_counted")
    return tuple(SideBySide(hidden, made, one) for one in grouped_query(family, fields, hidden, layers))


def _jamba_kinds(fields: Fields, layers: int) -> tuple[str, ...]:
    places = at_offset(fields, layers, "attn_layer_period", "attn_layer_offset")
    return tuple(FULL if here else LINEAR for here in places)


def _jamba_mamba(_family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    return replace(first_mamba(fields, hidden), inner_norms=INNER)


def _jamba_blocks(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Experts in every few layers, dense blocks of the same size in the others."""
    places = at_offset(fields, layers, "expert_layer_period", "expert_layer_offset")
    plain = dense()(fields, hidden, 1)[0]
    routed = routed_of(fields, "num_experts", "num_local_experts")
    if routed.experts == 1:
        return (plain,) * layers
    inner, act = fields.size("intermediate_size"), silu(fields)
    experts = Experts(hidden, inner, routed.experts, routed.top_k, activation=act, router="router", fused=True)
    return tuple(experts if here else plain for here in places)


FAMILIES: Final = (
    Family(
        ("granitemoehybrid",),
        DecoderReader(
            "Granite 4",
            {**BIASED, **MAMBA_2, "num_local_experts": 8, "num_experts_per_tok": 2, "shared_intermediate_size": 1024},
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            mixers=chosen(
                listed((FULL, LINEAR), every_one(LINEAR), "layer_types", "layers_block_type"),
                full_attention=_granite_attention,
                linear_attention=second_mamba,
            ),
            mlps=_granite_blocks,
            finish=_scaled("embedding_multiplier", "logits_scaling"),
        ),
    ),
    Family(
        ("bamba",),
        DecoderReader(
            "Bamba",
            {**BIASED, **MAMBA_2, "mlp_bias": False, "num_key_value_heads": 8},
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            rotary=lambda _fields, head_dim: head_dim // 2,
            norms=NORMS,
            mixers=chosen(_bamba_kinds, full_attention=attention, linear_attention=second_mamba),
            mlps=within("feed_forward", dense(bias="mlp_bias")),
            finish=feed_forward,
        ),
    ),
    Family(
        ("falcon_h1",),
        DecoderReader(
            "Falcon-H1",
            {
                **BIASED,
                **MAMBA_2,
                "mlp_bias": False,
                "num_key_value_heads": 8,
                "mamba_d_ssm": 1024,
                "mamba_rms_norm": False,
                "projectors_bias": False,
            },
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            norms=NORMS,
            mixers=_both,
            mlps=within("feed_forward", dense(bias="mlp_bias")),
            finish=_scaled("embedding_multiplier", "lm_head_multiplier"),
        ),
    ),
    Family(
        ("jamba",),
        DecoderReader(
            "Jamba",
            {
                **BASE,
                **MAMBA,
                "mamba_d_state": 16,
                "num_key_value_heads": 8,
                "num_experts": 16,
                "num_experts_per_tok": 2,
                "expert_layer_period": 2,
                "expert_layer_offset": 1,
                "attn_layer_period": 8,
                "attn_layer_offset": 4,
            },
            rotary="none",
            norms=NORMS,
            mixers=chosen(_jamba_kinds, full_attention=attention, linear_attention=_jamba_mamba),
            mlps=within("feed_forward", _jamba_blocks),
            finish=feed_forward,
        ),
    ),
)
