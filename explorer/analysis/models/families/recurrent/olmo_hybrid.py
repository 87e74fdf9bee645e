"""OLMo Hybrid: gated DeltaNet under norms before it, attention under norms behind it."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.states.linear_attention import GatedDeltaNet
from explorer.analysis.models.blocks.states.normed import NormedHalf
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.recurrent.mixers import FULL, LINEAR, attention, chosen, listed
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.transformer import Decoder, Mixer
from explorer.analysis.problem import Value

OLMO: Mapping[str, Value | None] = {**BIASED, "linear_conv_kernel_dim": 4}
BEFORE, BEHIND = ("input_layernorm", "post_attention_layernorm"), (
    "post_attention_layernorm", "post_feedforward_layernorm",
)  # fmt: skip


def _kinds(_fields: Fields, layers: int) -> tuple[str, ...]:
    """Every fourth layer is full, the last one where there are fewer."""
    few = layers < 4
    return tuple(FULL if i % 4 == 3 or (few and i == layers - 1) else LINEAR for i in range(layers))


def _both(fields: Fields, layers: int) -> tuple[str, ...]:
    found = listed((FULL, LINEAR), _kinds, "layer_types")(fields, layers)
    alone, both = ", ".join(sorted(set(found))), f"{LINEAR}, {FULL}"
    fields.check(set(found) == {FULL, LINEAR}, "model.variant_unread", "layer_types", value=alone, known=both)
    return found


def _attention(family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    """Attention that knows no positions where `rope_theta` is null."""
    rope = fields.part("rope_parameters").config
    unturned = "rope_theta" in rope and rope["rope_theta"] is None
    return attention(replace(family, rotary="none") if unturned else family, fields, hidden)


def _delta(family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    only("hidden_act", be="silu")(fields)
    heads = family.size(fields, "num_attention_heads")
    keys, values = (fields.size(f"linear_num_{side}_heads", otherwise=heads) for side in ("key", "value"))
    fields.check(values % keys == 0, "model.heads_not_divisible", "linear_num_value_heads", heads=values, kv=keys)
    size = fields.size("linear_key_head_dim", otherwise=max(int(0.75 * hidden / keys), 1))
    wide = fields.size("linear_value_head_dim", otherwise=2 * size)
    return GatedDeltaNet(hidden, keys, values, size, wide, fields.size("linear_conv_kernel_dim"), apart=True)


def _with_norms(_fields: Fields, decoder: Decoder) -> Decoder:
    """Norms before both halves of linear layers, behind both of full ones."""
    width, mixers, mlps = decoder.hidden, [], []
    for mixer, mlp in zip(decoder.mixers, decoder.mlps, strict=True):
        full = isinstance(mixer, GroupedQuery)
        first, second = (("", name) if full else (name, "") for name in (BEHIND if full else BEFORE))
        mixers.append(NormedHalf(mixer, width, *first))
        mlps.append(NormedHalf(mlp, width, *second))
    return replace(decoder, mixers=tuple(mixers), mlps=tuple(mlps))


FAMILIES: Final = (
    Family(
        ("olmo_hybrid",),
        DecoderReader(
            "OLMo Hybrid",
            OLMO,
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            qk_norm="width",
            norms=NormScheme("", "", "", ""),
            mixers=chosen(_both, full_attention=_attention, linear_attention=_delta),
            finish=_with_norms,
        ),
    ),
)
