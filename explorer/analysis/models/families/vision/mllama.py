"""Llama 3.2 Vision: layers that look at an image alone between those of the text."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.feedforward import silu
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.vision.wrapper import Side, Wrapper
from explorer.analysis.models.parts import Architecture, Cache, Op, Tensor
from explorer.analysis.models.towers.joins import mllama
from explorer.analysis.models.towers.parts import resident, whole_numbers
from explorer.analysis.models.transformer import Decoder, assemble, lookup
from explorer.analysis.problem import Value

CROSS_LAYERS: Final = (3, 8, 13, 18, 23, 28, 33, 38)
SPARE_ROWS: Final = 8  # of the embedding: the token that stands for an image, and room beside it


class SkippedHalf(msgspec.Struct, frozen=True):
    """A half that runs with an image alone."""

    code: str

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - there are none
        """Nothing: a text step passes it by."""
        return ()


class CrossedText(msgspec.Struct, frozen=True):
    """Llama's text whose `cross_attention_layers` are passed by where there is no image; the head is never tied."""

    plain: DecoderReader
    label: str = "Llama 3.2 Vision"

    @property
    def defaults(self) -> Mapping[str, Value | None]:
        return self.plain.defaults

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        decoder = self.plain.decoder(fields)
        stated = whole_numbers(fields, "cross_attention_layers", CROSS_LAYERS)
        crossed = sorted({n for n in stated if n < len(decoder.mixers)})
        extra = _cross_layer(fields, decoder.hidden, len(crossed))
        fields.refuse_faults()
        made = assemble(replace(_without(decoder, crossed), extra=extra), storage)
        table = lookup(decoder.embedding, decoder.vocab + SPARE_ROWS, decoder.hidden)
        return replace(made, before=(table, *made.before[1:]))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return self.plain.max_context(fields)


def _without(decoder: Decoder, layers: list[int]) -> Decoder:
    half = SkippedHalf("image only")
    mixers, mlps = list(decoder.mixers), list(decoder.mlps)
    for n in layers:
        mixers[n], mlps[n] = half, half
    return replace(decoder, mixers=tuple(mixers), mlps=tuple(mlps))


def _cross_layer(fields: Fields, hidden: int, count: int) -> tuple[Tensor, ...]:
    """The tensors of the layers that look at an image: norms, attention with normed heads, a gated block, two gates."""
    if fields.problems:  # said already
        return ()
    heads, kv_heads, inner = (
        fields.size(n) for n in ("num_attention_heads", "num_key_value_heads", "intermediate_size")
    )
    silu(fields)
    size = max(hidden // heads, 1)
    parts = {
        "input_layernorm": (hidden, count),
        "cross_attn": (2 * hidden * size * (heads + kv_heads) + 2 * size, count),
        "post_attention_layernorm": (hidden, count),
        "mlp": (3 * hidden * inner, count),
        "cross_attn_gates": (2, count),
    }
    if count:
        fields.note("model.image_layers", layers=count, values=2 * kv_heads * size * count)
    return resident("cross_attention_layers", dict(parts))


MLLAMA_TEXT: Final = CrossedText(
    DecoderReader("Llama 3.2 Vision", {**BASE, "num_key_value_heads": 8}, ignored=("head_dim", "tie_word_embeddings"))
)

FAMILIES: Final = (
    Family(("mllama_text_model",), MLLAMA_TEXT),
    Family(
        ("mllama",),
        Wrapper(
            "Llama 3.2 Vision",
            "mllama_text_model",
            (Side("mllama_vision_model", mllama, place="vision_model", fixed=True),),
            ties="never",
        ),
    ),
)
