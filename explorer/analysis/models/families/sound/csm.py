"""CSM: a Llama that speaks in codebooks; a small decoder for all but the first of them and a codec stand beside it.

Structure: the transformers library, version 5.24 (csm, mimi). Text steps run the backbone alone.
"""

from collections.abc import Mapping
from math import ceil, prod
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.dense.llama import LLAMA
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.parts import Architecture, Tensor, count_values
from explorer.analysis.models.transformer import Decoder, assemble, lookup
from explorer.analysis.problem import Value

RATIOS: Final = (8, 6, 5, 4)
CODEC: Mapping[str, int] = {
    "audio_channels": 1, "hidden_size": 512, "num_filters": 64, "num_residual_layers": 1, "kernel_size": 7,
    "last_kernel_size": 3, "residual_kernel_size": 3, "compress": 2, "vector_quantization_hidden_dimension": 256,
    "upsample_groups": 512, "num_hidden_layers": 8, "intermediate_size": 2048, "num_attention_heads": 8,
    "num_key_value_heads": 8, "head_dim": 64, "sampling_rate": 24_000,
}  # fmt: skip


class Csm(msgspec.Struct, frozen=True):
    """The backbone's rows; the depth decoder, the codec and the table of text count among the parameters."""

    label: str = "CSM"
    defaults: Mapping[str, Value | None] = msgspec.field(
        default_factory=lambda: {**LLAMA.defaults, "num_key_value_heads": 8, "tie_codebooks_embeddings": True}
    )

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        backbone = replace(LLAMA, defaults=self.defaults).decoder(fields.restated(tie_word_embeddings=False))
        table = fields.size("num_codebooks") * backbone.vocab
        text = Tensor("embed_text_tokens.weight", fields.size("text_vocab_size") * backbone.hidden, "vision")
        depth = _depth(fields, backbone, table)
        codec = Tensor("codec_model", codec_values(fields.part("codec_config")), "vision")
        fields.note("model.codec_idle")
        fields.refuse_faults()
        made = assemble(replace(backbone, extra=(text, Tensor("depth_decoder", depth, "vision"), codec)), storage)
        return replace(made, before=(lookup("embed_tokens.embed_audio_tokens", table, backbone.hidden),))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return LLAMA.max_context(fields)


def _depth(fields: Fields, backbone: Decoder, table: int) -> int:
    """Values of the decoder that makes the other codebooks; its table is the backbone's unless they are untied."""
    part = fields.part("depth_decoder_config").restated(tie_word_embeddings=False)
    one = LLAMA.decoder(part)
    halves = zip(one.mixers, one.mlps, strict=True)
    layers = sum(
        count_values(t for op in (*a.ops(mixed=False), *b.ops(mixed=False)) for t in op.tensors) for a, b in halves
    )
    norms = (2 * len(one.mixers) + 1) * one.hidden
    heads = (part.size("num_codebooks") - 1) * one.hidden * one.vocab
    own = 0 if fields.flag("tie_codebooks_embeddings") else table * backbone.hidden
    return layers + norms + backbone.hidden * one.hidden + heads + own


def codec_values(part: Fields) -> int:
    """Values of the Mimi codec (arXiv 2410.00037): convolutions and a transformer on either side, and projections."""
    s = {name: part.size(name, otherwise=value) for name, value in CODEC.items()}
    ratios = tuple(part.items("upsampling_ratios", lambda item: isinstance(item, int) and item > 0) or RATIOS)
    shortcut = part.flag("use_conv_shortcut", otherwise=False)
    hidden, wide = s["hidden_size"], s["num_filters"] * 2 ** len(ratios)

    def residual(width: int) -> int:
        inner = max(width // s["compress"], 1)
        one = _conv(width, inner, s["residual_kernel_size"]) + _conv(inner, width, 1)
        return s["num_residual_layers"] * (one + (_conv(width, width, 1) if shortcut else 0))

    widths = [s["num_filters"] * 2**i for i in range(len(ratios))]
    inward = _conv(s["audio_channels"], widths[0], s["kernel_size"]) + _conv(wide, hidden, s["last_kernel_size"])
    outward = _conv(hidden, wide, s["kernel_size"]) + _conv(widths[0], s["audio_channels"], s["last_kernel_size"])
    for width, ratio in zip(widths, reversed(ratios), strict=True):
        inward += residual(width) + _conv(width, 2 * width, 2 * ratio)
        outward += residual(width) + _conv(2 * width, width, 2 * ratio)
    narrow = s["vector_quantization_hidden_dimension"]
    quantisers = 2 * 2 * hidden * narrow if narrow != hidden else 0
    return inward + outward + 2 * _transformer(s) + _resampling(s, ratios, part.config.get("frame_rate")) + quantisers


def _conv(inputs: int, outputs: int, kernel: int) -> int:
    return inputs * outputs * kernel + outputs


def _transformer(s: Mapping[str, int]) -> int:
    """Norms with a shift, a scale behind each half, no biases."""
    hidden, heads, kv_heads = s["hidden_size"], s["num_attention_heads"], s["num_key_value_heads"]
    attention = hidden * s["head_dim"] * (2 * heads + 2 * kv_heads)
    return s["num_hidden_layers"] * (attention + 2 * hidden * s["intermediate_size"] + 6 * hidden)


def _resampling(s: Mapping[str, int], ratios: tuple[int, ...], stated: object) -> int:
    """To the codebooks' frames and back: half as many as of the convolutions, or as many as `frame_rate` says."""
    frames = ceil(s["sampling_rate"] / prod(ratios))
    wanted = s["sampling_rate"] / (2 * prod(ratios))
    if isinstance(stated, int | float) and not isinstance(stated, bool) and 0 < stated <= frames:
        wanted = float(stated)
    kernel, hidden = 2 * int(frames / wanted), s["hidden_size"]
    return 0 if wanted == frames else hidden * hidden * kernel + hidden * (hidden // s["upsample_groups"]) * kernel


FAMILIES: Final = (Family(("csm",), Csm()),)
