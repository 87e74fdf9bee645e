"""Bark: a GPT that turns text into codes of meaning; two more make codes of sound of them, and EnCodec the sound.

Structure: the transformers library, version 5.24 (bark, encodec). Text steps run the semantic model alone.
"""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.mlp import PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import nested
from explorer.analysis.models.families.sound.encodec import encodec_values
from explorer.analysis.models.parts import Architecture, Tensor
from explorer.analysis.models.transformer import Decoder, Half, assemble, lookup
from explorer.analysis.problem import Value

GPT: Final[Mapping[str, Value | None]] = {
    "block_size": 1024, "input_vocab_size": 10_048, "output_vocab_size": 10_048, "num_layers": 12, "num_heads": 12,
    "hidden_size": 768, "bias": True,
}  # fmt: skip
FINE: Final = {**GPT, "n_codes_total": 8, "n_codes_given": 1, "tie_word_embeddings": True}
TABLE: Final = ("input_vocab_size", "vocab_size")
POSITIONS: Final = ("block_size", "window_size")
DEPTH: Final = ("num_layers", "num_hidden_layers")
HEADS: Final = ("num_heads", "num_attention_heads")
BOOKS: Final = 1_000  # more codebooks than anybody has


def _blocks(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    biased = fields.flag("bias")
    return (PlainMlp(hidden, 4 * hidden, "gelu", biased, "in_proj", "gelu", "out_proj"),) * layers


def _normed(fields: Fields, decoder: Decoder) -> Decoder:
    """Norms have a shift where projections have a bias."""
    scheme = replace(decoder.norms, weights=2 if fields.flag("bias") else 1)
    return replace(decoder, norms=scheme, position_table="position_embeds_layer")


SEMANTIC: Final = DecoderReader(
    "Bark",
    GPT,
    qkv_bias="bias",
    out_bias="bias",
    multi_head=True,
    rotary="none",
    names=Names("attn", "out_proj", "att_proj"),
    norms=NormScheme("layernorm_1", "", "layernorm_2", "", "layernorm_final", "layer_norm"),
    mlps=_blocks,
    embedding="input_embeds_layer",
    learned_positions=True,
    aliases={
        "vocab_size": ("output_vocab_size",),
        "max_position_embeddings": POSITIONS,
        "num_hidden_layers": DEPTH,
        "num_attention_heads": HEADS,
    },
    finish=_normed,
)


class Bark(msgspec.Struct, frozen=True):
    """The semantic model's rows; the coarse and fine models and the codec count among the parameters."""

    label: str = "Bark"
    defaults: Mapping[str, Value | None] = msgspec.field(default_factory=dict)

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        part = nested(fields, "semantic_config", GPT)
        semantic = SEMANTIC.decoder(part.restated(tie_word_embeddings=False))
        read = part.size(*TABLE)
        beside = (
            Tensor("coarse_acoustics", _coarse(nested(fields, "coarse_acoustics_config", GPT)), "vision"),
            Tensor("fine_acoustics", _fine(nested(fields, "fine_acoustics_config", FINE)), "vision"),
            Tensor("codec_model", _codec(nested(fields, "codec_config", {})), "vision"),
        )
        fields.note("model.semantic_alone")
        fields.refuse_faults()
        made = assemble(replace(semantic, extra=beside), storage)
        return replace(made, before=(lookup(semantic.embedding, read, semantic.hidden), *made.before[1:]))

    def max_context(self, fields: Fields) -> int | None:
        """The positions of the semantic model's table."""
        return nested(fields, "semantic_config", GPT).size(*POSITIONS)


def _coarse(part: Fields) -> int:
    """Values of the decoder that makes the first codebooks: the semantic model's structure."""
    biased = part.flag("bias")
    body = _body(part, norm=2 if biased else 1)
    return body + part.size("hidden_size") * (part.size(*TABLE) + part.size("output_vocab_size"))


def _fine(part: Fields) -> int:
    """Values of the encoder that makes the other codebooks: a table of each, and heads that are tables if tied."""
    total, given = part.size("n_codes_total", limit=BOOKS), part.natural("n_codes_given")
    tied = part.flag("tie_word_embeddings")
    least = 1 if tied else 0  # the head of the first codebook would be the table of the one behind it
    part.check(least <= given <= total, "model.out_of_range", "n_codes_given", value=given, least=least, most=total)
    heads = 0 if tied else max(total - given, 0) * part.size("output_vocab_size")
    return _body(part, norm=2) + part.size("hidden_size") * (total * part.size(*TABLE) + heads)


def _body(part: Fields, *, norm: int) -> int:
    """Layers, their norms, the last one and the positions."""
    hidden, layers = part.size("hidden_size"), part.size(*DEPTH, limit=LAYER_LIMIT)
    heads = part.size(*HEADS)
    part.check(hidden % heads == 0, "model.hidden_not_divisible", "hidden_size", hidden=hidden, heads=heads)
    biases = 9 if part.flag("bias") else 0  # of 3 + 1 widths in attention, 4 + 1 behind it
    layer = 12 * hidden * hidden + (biases + 2 * norm) * hidden
    return layers * layer + norm * hidden + part.size(*POSITIONS) * hidden


def _codec(part: Fields) -> int:
    kind = part.config.get("model_type", "encodec")
    if kind != "encodec":
        part.fault("model.variant_unread", "model_type", value=brief(kind), known="encodec")
    return encodec_values(part)


FAMILIES: Final = (Family(("bark",), Bark()),)
