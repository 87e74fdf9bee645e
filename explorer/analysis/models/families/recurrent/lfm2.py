"""LFM2: gated short convolutions, with attention in a few layers; later ones with experts."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.states.short_conv import ShortConvolution
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.sparse import routed_of
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.recurrent.mixers import FULL, attention, chosen, feed_forward, listed
from explorer.analysis.models.transformer import Decoder, Half, Mixer
from explorer.analysis.problem import Value

PARENT = "feed_forward"
LFM2: Mapping[str, Value | None] = {
    "tie_word_embeddings": True,
    "num_key_value_heads": 8,
    "conv_L_cache": 3,
    "conv_bias": False,
    "block_auto_adjust_ff_dim": True,
    "block_multiple_of": 256,
}
LFM2_MOE: Mapping[str, Value | None] = {
    "tie_word_embeddings": True,
    "num_key_value_heads": 8,
    "conv_L_cache": 3,
    "conv_bias": False,
    "num_dense_layers": 2,
    "num_experts": 32,
    "num_experts_per_tok": 4,
}


def _convolution(_family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    return ShortConvolution(hidden, fields.size("conv_L_cache"), fields.flag("conv_bias"))


def _where_attention_is(fields: Fields, layers: int) -> tuple[str, ...]:
    """Attention in the layers that `full_attn_idxs` names, without it in all."""
    found = fields.items("full_attn_idxs", lambda item: isinstance(item, int) and not isinstance(item, bool))
    chosen_ones = range(layers) if found is None else found
    return tuple(FULL if i in chosen_ones else "conv" for i in range(layers))


def _stated(fields: Fields, layers: int) -> tuple[str, ...]:
    fields.fault("model.missing", "layer_types")
    return (FULL,) * layers


def _gated(hidden: int, inner: int) -> GatedMlp:
    return GatedMlp(hidden, inner, gate="w1", up="w3", down="w2", parent=PARENT)


def _adjusted(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Two thirds of the stated size times a factor, rounded up, unless `block_auto_adjust_ff_dim` is off."""
    inner = fields.size("block_ff_dim" if "block_ff_dim" in fields.config else "intermediate_size")
    if fields.flag("block_auto_adjust_ff_dim"):
        multiple = fields.size("block_multiple_of")
        inner = multiple * -(
            -int(fields.factor("block_ffn_dim_multiplier", otherwise=1.0) * int(2 * inner / 3)) // multiple
        )
    return (_gated(hidden, max(inner, 1)),) * layers


def _experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Experts behind `num_dense_layers` dense blocks; what corrects the router's choice is no parameter."""
    routed, inner = routed_of(fields, "num_experts", "num_local_experts"), fields.size("moe_intermediate_size")
    experts = Experts(hidden, inner, routed.experts, routed.top_k, fused=True, parent=PARENT)
    dense = fields.natural("num_dense_layers")
    plain = _gated(hidden, fields.size("intermediate_size")) if dense else experts
    return tuple(plain if i < dense else experts for i in range(layers))


def _finish(fields: Fields, decoder: Decoder) -> Decoder:
    """`tie_embedding`, where a config has it, outweighs the usual flag."""
    if fields.has("tie_embedding"):
        decoder = replace(decoder, tied=fields.flag("tie_embedding"))
    return feed_forward(fields, decoder)


DENSE = DecoderReader(
    "LFM2",
    LFM2,
    qk_norm="head",
    names=Names(out="out_proj", q_norm="q_layernorm", k_norm="k_layernorm"),
    norms=NormScheme("operator_norm", "", "ffn_norm", "", "embedding_norm"),
    mixers=chosen(
        listed((FULL, "conv"), _where_attention_is, "layer_types"), full_attention=attention, conv=_convolution
    ),
    mlps=_adjusted,
    finish=_finish,
)

FAMILIES: Final = (
    Family(("lfm2",), DENSE),
    Family(
        ("lfm2_moe",),
        replace(
            DENSE,
            label="LFM2 MoE",
            defaults=LFM2_MOE,
            mixers=chosen(listed((FULL, "conv"), _stated, "layer_types"), full_attention=attention, conv=_convolution),
            mlps=_experts,
        ),
    ),
)
