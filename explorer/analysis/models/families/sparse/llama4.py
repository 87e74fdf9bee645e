"""The text models of Llama 4: chunks, layers without positions, a shared expert."""

from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.blocks.chunked import Chunked
from explorer.analysis.models.blocks.mixture import WithSharedExpert, within
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.config.feedforward import silu
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.layer_lists import kinds_of, switches_of
from explorer.analysis.models.config.sparse import routed_of
from explorer.analysis.models.families.decoder import BIASED, DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.parts import Op
from explorer.analysis.models.transformer import Decoder, Half, Mixer


def _llama4_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Layers with positions see their chunk; every fourth, without positions, sees everything."""
    made = grouped_query(family, fields, hidden, layers)
    chunk = fields.optional_size("attention_chunk_size")
    normed = fields.flag("use_qk_norm")
    every = fields.size("no_rope_layer_interval")
    rotated = switches_of(fields, "no_rope_layers", layers) if fields.config.get("no_rope_layers") else None
    rotated = rotated or tuple((i + 1) % every != 0 for i in range(layers))
    kinds = kinds_of(fields, "layer_types", layers, ("chunked_attention", "full_attention"))
    chunks = tuple(k == "chunked_attention" for k in kinds) if kinds else rotated
    fields.check(kinds is None or chunk is not None or not any(chunks), "model.window_missing", "attention_chunk_size")
    return tuple(
        Chunked(replace(one, rotary=one.rotary if turns else 0), chunk if cut else None, normed=normed and turns)
        if isinstance(one, GroupedQuery)
        else one
        for one, turns, cut in zip(made, rotated, chunks, strict=True)
    )


def _llama4_mlps(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Mixtures with a shared expert in `moe_layers` or every `interleave_moe_layer_step`-th layer; dense ones wider."""
    routed = routed_of(fields, "num_local_experts")
    inner, step = fields.size("intermediate_size"), fields.size("interleave_moe_layer_step")
    stated = fields.items("moe_layers", lambda item: isinstance(item, int))
    sparse = set(range(step - 1, layers, step)) if stated is None else set(stated)
    experts = Experts(hidden, inner, routed.experts, routed.top_k, activation=silu(fields), router="router", fused=True)
    mixture = WithSharedExpert(experts, inner, parent="feed_forward")
    if all(i in sparse for i in range(layers)):
        return (mixture,) * layers
    plain = Named(GatedMlp(hidden, fields.size("intermediate_size_mlp"), silu(fields)), "feed_forward")
    return tuple(mixture if i in sparse else plain for i in range(layers))


class Named(msgspec.Struct, frozen=True):
    """A half in a module of another name."""

    inner: Half
    parent: str

    @property
    def code(self) -> str:
        return self.inner.code

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        return within(self.inner.ops(mixed=mixed), self.parent)


def _llama4(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, parents=("self_attn", "feed_forward"))


LLAMA4_TEXT = DecoderReader(
    "Llama 4",
    {
        **BIASED,
        "head_dim": 128,
        "num_key_value_heads": 8,
        "attention_chunk_size": 8192,
        "use_qk_norm": True,
        "no_rope_layer_interval": 4,
        "interleave_moe_layer_step": 1,
        "intermediate_size_mlp": 16_384,
        "num_experts_per_tok": 1,
        "num_local_experts": 16,
    },
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    mixers=_llama4_mixers,
    mlps=_llama4_mlps,
    finish=_llama4,
)

FAMILIES: Final = (Family(("llama4_text",), LLAMA4_TEXT),)
