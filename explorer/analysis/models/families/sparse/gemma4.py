"""Gemma 4: heads of two sizes, keys that serve as values, shared caches, experts beside a dense block, own tables.

Structure: transformers Gemma4ForConditionalGeneration, version 5.24. Halves of a layer bring their norms and add
themselves to the stream, for a layer goes on after its second half.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.gemma4 import Gemma4Attention, Gemma4FeedForward
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.norms import NormScheme, norm
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.config.vision import gemma4_tower
from explorer.analysis.models.config.windows import every
from explorer.analysis.models.families.dense.gemma import GEMMA, gelu
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.parts import Architecture, Op, elementwise, linear
from explorer.analysis.models.transformer import Decoder, assemble, lookup
from explorer.analysis.problem import Value

FULL_ROTARY = 0.25
DEFAULTS: Mapping[str, Value | None] = {
    **{name: value for name, value in GEMMA.items() if name != "sliding_window"},
    "sliding_window": 512,
    "global_head_dim": 512,
    "num_global_key_value_heads": None,
    "attention_k_eq_v": False,
    "num_kv_shared_layers": 0,
    "enable_moe_block": False,
    "use_double_wide_mlp": False,
    "hidden_size_per_layer_input": 256,
    "vocab_size_per_layer_input": 262_144,
    "final_logit_softcapping": None,
}


class Gemma4(msgspec.Struct, frozen=True):
    """Gemma 4 as text alone, or with its towers around a `text_config`."""

    label: str
    nested: bool = False

    @property
    def defaults(self) -> Mapping[str, Value | None]:
        return DEFAULTS

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        text = fields.within("text_config") if self.nested else fields
        if self.nested and fields.has("tie_word_embeddings"):  # the outer model's word counts
            text.config = {**text.config, "tie_word_embeddings": fields.config["tie_word_embeddings"]}
        only("use_bidirectional_attention", be="vision")(text)
        layers = text.size("num_hidden_layers", limit=LAYER_LIMIT)
        decoder = _decoder(text, layers)
        extra = text.natural("hidden_size_per_layer_input")
        table = text.size("vocab_size_per_layer_input") if extra else 0
        tower = gemma4_tower(fields, decoder.hidden) if self.nested else ()
        fields.refuse_faults()
        made = assemble(replace(decoder, extra=tower), storage)
        return replace(made, before=(*made.before, *own_inputs(decoder.hidden, table, layers, extra)))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        text = fields.within("text_config") if self.nested else fields
        name = "max_position_embeddings"
        return text.size(name) if text.has(name) else None


def _decoder(text: Fields, layers: int) -> Decoder:
    hidden = text.size("hidden_size")
    shared = text.natural("num_kv_shared_layers")
    text.check(shared < layers, "model.shared_layers", "num_kv_shared_layers", shared=shared, layers=layers)
    windows = every(6)(text, layers)
    if windows and windows[-1] is not None:  # the library forces the last layer to see everything
        windows = (*windows[:-1], None)
    own = layers - shared
    text.check(set(windows) == set(windows[:own]), "model.shared_kinds", "num_kv_shared_layers", shared=shared)
    attention = _attention(text, hidden)
    mixers = tuple(replace(attention[w is None], window=w, reuses=i >= own) for i, w in enumerate(windows))
    capped = text.config.get("final_logit_softcapping", DEFAULTS["final_logit_softcapping"]) is not None
    return Decoder(
        hidden,
        text.size("vocab_size"),
        tied=text.flag("tie_word_embeddings"),
        mixers=mixers,
        mlps=_feed_forward(text, hidden, layers, own),
        norms=NormScheme("", "", "", ""),
        scaled_embedding=True,
        capped_logits=capped,
        residuals=False,
    )


def _attention(text: Fields, hidden: int) -> tuple[Gemma4Attention, Gemma4Attention]:
    """Attention of windowed and of full layers, which have heads of their own size and may have fewer KV heads."""
    heads, kv_heads = text.size("num_attention_heads"), text.size("num_key_value_heads")
    text.check(heads % kv_heads == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads)
    alike, size = text.flag("attention_k_eq_v"), text.size("head_dim")
    wide, fewer = _of_full_layers(text, size, kv_heads, alike=alike)
    text.check(heads % fewer == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=fewer)
    rope = text.part("rope_parameters").part("full_attention")
    turned = int(wide * rope.fraction("partial_rotary_factor", otherwise=FULL_ROTARY))
    windowed = Gemma4Attention(hidden, heads, kv_heads, size, size, bias=text.flag("attention_bias"))
    full = replace(windowed, kv_heads=fewer, head_dim=wide, rotary=turned, keys_are_values=alike)
    return windowed, full


def _of_full_layers(text: Fields, size: int, kv_heads: int, *, alike: bool) -> tuple[int, int]:
    """Head size and KV heads of full layers; newer configs list what differs layer by layer, alike in all of them."""
    listed = text.config.get("per_layer_config")
    if listed is None:
        stated = text.optional_size("num_global_key_value_heads") if alike else None
        return text.size("global_head_dim"), stated or kv_heads
    parts = text.part("per_layer_config")
    for name in parts.config:
        if parts.config[name] != next(iter(parts.config.values())):
            parts.fault("model.variant_unread", name, value=brief(parts.config[name]), known="alike")
    first = parts.part(next(iter(parts.config), ""))
    return first.size("head_dim", otherwise=size), first.size("num_key_value_heads", otherwise=kv_heads)


def _feed_forward(text: Fields, hidden: int, layers: int, own: int) -> tuple[Gemma4FeedForward, ...]:
    """Blocks of one width, twice as wide in layers without a cache of their own where the config says so."""
    gelu(text)
    inner, extra = text.size("intermediate_size"), text.natural("hidden_size_per_layer_input")
    wide = 2 if text.flag("use_double_wide_mlp") else 1
    block = Gemma4FeedForward(hidden, inner, _experts(text, hidden), extra)
    return tuple(block if i < own else replace(block, inner=wide * inner) for i in range(layers))


def _experts(text: Fields, hidden: int) -> Experts | None:
    if not text.flag("enable_moe_block"):
        return None
    experts, top_k = text.size("num_experts"), text.size("top_k_experts")
    text.check(top_k <= experts, "model.top_k_over_experts", "top_k_experts", top_k=top_k, experts=experts)
    inner = text.size("moe_intermediate_size")
    return Experts(hidden, inner, experts, top_k, activation="gelu", router="router.proj", fused=True)


def own_inputs(hidden: int, table: int, layers: int, extra: int) -> tuple[Op, ...]:
    """The table that gives every layer an input of its own, and what the stream adds to it."""
    if not extra:
        return ()
    width = layers * extra
    return (
        lookup("embed_tokens_per_layer", table, width),
        elementwise("embed_tokens_per_layer.scale", "scale", width, "embedding"),
        linear("per_layer_model_projection", hidden, width, "projection", parent="", group="embedding"),
        norm("per_layer_projection_norm", extra, rows=layers),
        elementwise("per_layer_inputs.add", "residual_add", width, "embedding"),
    )


FAMILIES: Final = (
    Family(("gemma4",), Gemma4("Gemma 4", nested=True)),
    Family(("gemma4_text",), Gemma4("Gemma 4")),
)
