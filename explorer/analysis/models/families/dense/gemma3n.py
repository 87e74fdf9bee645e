"""Gemma 3n as text: several streams, a low-rank residual, tables that give every layer an input, shared caches."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.gemma4 import Gemma4Attention
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.single.alternating import AlternatingAttention, AlternatingMlp, AltUp, widened
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.config.windows import every
from explorer.analysis.models.families.dense.gemma import GEMMA, gelu
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.sparse.gemma4 import own_inputs
from explorer.analysis.models.parts import Architecture, Op, Per, elementwise
from explorer.analysis.models.transformer import Decoder, assemble
from explorer.analysis.problem import Value

SPARSE_AT_FIRST = 10  # layers, where the config does not say it
DEFAULTS: Mapping[str, Value | None] = {
    **GEMMA,
    "num_key_value_heads": 2,
    "sliding_window": 512,
    "final_logit_softcapping": 30.0,
    "num_kv_shared_layers": 15,
    "hidden_size_per_layer_input": 256,
    "vocab_size_per_layer_input": 262_144,
    "altup_num_inputs": 4,
    "altup_correct_scale": True,
    "laurel_rank": 64,
}


class Gemma3n(msgspec.Struct, frozen=True):
    """The text model of Gemma 3n (transformers Gemma3nTextModel)."""

    label: str = "Gemma 3n"
    defaults: Mapping[str, Value | None] = msgspec.field(default_factory=lambda: DEFAULTS)

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        layers = fields.size("num_hidden_layers", limit=LAYER_LIMIT)
        decoder, altup = text_decoder(fields, layers)
        extra, table = fields.size("hidden_size_per_layer_input"), fields.size("vocab_size_per_layer_input")
        fields.refuse_faults()
        return around(assemble(decoder, storage), altup, (table, layers, extra))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return fields.size("max_position_embeddings") if fields.has("max_position_embeddings") else None


def around(made: Architecture, altup: AltUp, inputs: tuple[int, int, int]) -> Architecture:
    """An architecture with the layers' own inputs (rows of the table, layers, values each) and the streams' ends."""
    before = (*own_inputs(altup.hidden, *inputs), *widened(altup.hidden, altup.count, "altup_projections"))
    after = (*widened(altup.hidden, altup.count, "altup_unembed_projections"), _mean(altup))
    return replace(made, before=(*made.before, *before), after=(*after, *made.after))


def _mean(altup: AltUp) -> Op:
    wide = Per("tokens", float(altup.count * altup.hidden))
    return replace(elementwise("altup_mean", "reduction", 1, "residual"), dims=(("values", wide),))


def text_decoder(fields: Fields, layers: int) -> tuple[Decoder, AltUp]:
    """The decoder of a text config, without what stands around its layers, and its streams."""
    hidden = fields.size("hidden_size")
    altup = AltUp(hidden, fields.size("altup_num_inputs", limit=64), fields.flag("altup_correct_scale"))
    capped = fields.config.get("final_logit_softcapping", DEFAULTS["final_logit_softcapping"]) is not None
    decoder = Decoder(
        hidden,
        fields.size("vocab_size"),
        tied=fields.flag("tie_word_embeddings"),
        mixers=_mixers(fields, altup, layers),
        mlps=_mlps(fields, altup, layers),
        norms=NormScheme("", "", "", ""),
        scaled_embedding=True,
        capped_logits=capped,
        residuals=False,
    )
    return decoder, altup


def _mixers(fields: Fields, altup: AltUp, layers: int) -> tuple[AlternatingAttention, ...]:
    heads, kv_heads, size = (fields.size(n) for n in ("num_attention_heads", "num_key_value_heads", "head_dim"))
    fields.check(heads % kv_heads == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads)
    shared = fields.natural("num_kv_shared_layers")
    fields.check(shared < layers, "model.shared_layers", "num_kv_shared_layers", shared=shared, layers=layers)
    windows, own = every(5)(fields, layers), layers - shared
    fields.check(set(windows) == set(windows[:own]), "model.shared_kinds", "num_kv_shared_layers", shared=shared)
    one = Gemma4Attention(altup.hidden, heads, kv_heads, size, size, bias=fields.flag("attention_bias"))
    rank = fields.size("laurel_rank")
    return tuple(
        AlternatingAttention(replace(one, window=window, reuses=i >= own), altup, rank)
        for i, window in enumerate(windows)
    )


def _mlps(fields: Fields, altup: AltUp, layers: int) -> tuple[AlternatingMlp, ...]:
    gelu(fields)
    extra = fields.size("hidden_size_per_layer_input")
    sizes = _each(fields, "intermediate_size", layers)
    sparse = fields.items("activation_sparsity_pattern", lambda item: isinstance(item, int | float))
    if sparse is None:
        sparse = [1.0 if i < SPARSE_AT_FIRST < layers else 0.0 for i in range(layers)]
    fields.check(
        len(sparse) == layers, "model.layer_types_count", "activation_sparsity_pattern", count=len(sparse),
        layers=layers,
    )  # fmt: skip
    return tuple(
        AlternatingMlp(inner, altup, extra, sparse=share > 0) for inner, share in zip(sizes, sparse, strict=False)
    )


def _each(fields: Fields, name: str, layers: int) -> tuple[int, ...]:
    """A size that the config states once or for every layer."""
    stated: Any = fields.config.get(name)
    if not isinstance(stated, list):
        return (fields.size(name),) * layers
    fields.check(len(stated) == layers, "model.layer_types_count", name, count=len(stated), layers=layers)
    return tuple(fields.restated(**{name: item}).size(name) for item in stated)


FAMILIES: Final = (Family(("gemma3n_text",), Gemma3n()),)
