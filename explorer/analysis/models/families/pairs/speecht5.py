"""SpeechT5 as it speaks (arXiv 2110.07205): an encoder of text, and a decoder that writes frames of a spectrum.

Structure: the transformers library, version 5.24 (SpeechT5ForTextToSpeech).
"""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.mlp import PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme, norms
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.encoders.two_stacks import Crossed, EncoderDecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import class_of
from explorer.analysis.models.families.pairs.bart import SELF
from explorer.analysis.models.families.pairs.codebooks import Codebooks
from explorer.analysis.models.parts import Cache, Dim, Op, Per, Tensor, elementwise, linear
from explorer.analysis.models.transformer import LOGIT_ROWS, Decoder, lookup
from explorer.analysis.problem import Value

READS = NormScheme("", "layer_norm", "", "final_layer_norm", "", "layer_norm", on_sum=True)
SPEAKS = NormScheme("", "encoder_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", on_sum=True)
ATTENTION = Names(parent="attention", out="out_proj")
TABLE = "embed_positions.pe_k"


class Relative(msgspec.Struct, frozen=True):
    """Attention whose scores take in products of queries and distances, one vector for each pair of positions."""

    content: Bidirectional

    @property
    def code(self) -> str:
        return self.content.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order: the products stand before the attention that adds them."""
        own, content = self.content.ops(mixed=mixed), self.content
        at = next(i for i, op in enumerate(own) if op.kind == "attention")
        dims: tuple[tuple[str, Dim], ...] = (
            ("b", Per("positions")), ("m", Per("batch", float(content.heads))), ("n", Per("keys")),
            ("k", float(content.head_dim)),
        )  # fmt: skip
        distances = Op("rel_pos_bias", "batched_matmul", dims, "attention", parent=content.names.parent)
        return (*own[:at], distances, *own[at:])


def _speecht5(fields: Fields) -> Codebooks:
    class_of(fields, ("SpeechT5ForTextToSpeech",))
    hidden, vocab, layers = fields.size("hidden_size"), fields.size("vocab_size"), _layers(fields)
    heads = tuple(fields.size(f"{side}_attention_heads") for side in SIDES)
    for side, count in zip(SIDES, heads, strict=True):
        name = f"{side}_attention_heads"
        fields.check(hidden % count == 0, "model.hidden_not_divisible", name, hidden=hidden, heads=count)
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    mlps = tuple(
        PlainMlp(hidden, fields.size(f"{side}_ffn_dim"), act, inward="intermediate_dense", act="intermediate_act_fn",
                 outward="output_dense", parent="feed_forward") for side in SIDES
    )  # fmt: skip
    sizes = tuple(max(hidden // count, 1) for count in heads)
    seen = Relative(Bidirectional(hidden, heads[0], sizes[0], names=ATTENTION))
    encoder = Decoder(
        hidden, vocab, tied=False, mixers=(seen,) * layers[0], mlps=(mlps[0],) * layers[0], norms=READS,
        parents=("attention", "feed_forward"),
    )  # fmt: skip
    own = GroupedQuery(hidden, heads[1], heads[1], sizes[1], qkv_bias=True, out_bias=True, names=SELF)
    crossed = Crossed(own, SPEAKS, "self_attn_layer_norm", replace(SELF, parent="encoder_attn"))
    decoder = replace(
        encoder, mixers=(crossed,) * layers[1], mlps=(mlps[1],) * layers[1], norms=SPEAKS,
        parents=("encoder_attn", "feed_forward"),
    )  # fmt: skip
    bins, frames = fields.size("num_mel_bins"), fields.size("reduction_factor", limit=1000)
    fields.note("model.frames_a_step", frames=frames)
    front = (lookup("embed_tokens", vocab, hidden), *_placed(hidden), *norms(READS, "layer_norm", hidden),
             _distances(fields, sizes[0]))  # fmt: skip
    return Codebooks(
        encoder, decoder, front, extra=(Tensor("speech_decoder_postnet.layers", _smoothing(fields, bins), "vision"),),
        tables=_frame(fields, bins, hidden),
        logits=tuple(
            linear(name, hidden, size, "head", parent="speech_decoder_postnet", bias=True, rows=LOGIT_ROWS,
                   storage="wide") for name, size in (("feat_out", bins * frames), ("prob_out", frames))
        ),
    )  # fmt: skip


def _layers(fields: Fields) -> tuple[int, ...]:
    return tuple(fields.size(f"{side}_layers", limit=LAYER_LIMIT) for side in SIDES)


def _placed(width: int) -> tuple[Op, ...]:
    """Positions by sine, times one learnt number, added."""
    made = elementwise("alpha", "scale", width, "embedding", parent="encode_positions")
    learnt = replace(made, tensors=(Tensor("encode_positions.alpha", 1, "bias"),))
    return learnt, elementwise("add", "residual_add", width, "embedding", parent="encode_positions")


def _distances(fields: Fields, size: int) -> Op:
    """The vectors of all distances up to the longest that is told apart, shared by all layers."""
    span = fields.size("encoder_max_relative_position")
    rows = Per("near", 2.0, limit=float(span))
    dims: tuple[tuple[str, Dim], ...] = (("tokens", rows), ("hidden", float(size)), ("vocab", 2.0 * span))
    table = Tensor(f"{TABLE}.weight", 2 * span * size, "embedding")
    return Op("pe_k", "embedding", dims, "embedding", parent="embed_positions", tensors=(table,))


def _frame(fields: Fields, bins: int, hidden: int) -> tuple[Op, ...]:
    """How the last frame becomes the decoder's input, with the speaker's voice beside it."""
    units, deep = fields.size("speech_decoder_prenet_units"), fields.natural("speech_decoder_prenet_layers")
    voice, ops, width = fields.size("speaker_embedding_dim"), list[Op](), bins
    fields.check(deep <= LAYER_LIMIT, "model.out_of_range", "speech_decoder_prenet_layers", value=deep, least=0,
                 most=LAYER_LIMIT)  # fmt: skip
    for at in range(min(deep, LAYER_LIMIT)):
        ops.append(linear(str(at), width, units, "projection", parent="prenet.layers", bias=True))
        ops.append(elementwise(f"{at}.relu", "relu", units, "activation", parent="prenet.layers"))
        width = units
    if width != units:  # its class wants a layer before the last one
        fields.fault("model.variant_unread", "speech_decoder_prenet_layers", value=str(deep), known="1 or more")
    return (
        *ops, linear("final_layer", units, hidden, "projection", parent="prenet", bias=True),
        *(replace(op, parent=f"prenet.{op.parent}", tensors=tuple(
            replace(t, name=f"prenet.{t.name}") for t in op.tensors)) for op in _placed(hidden)),
        linear("speaker_embeds_layer", voice + hidden, hidden, "projection", parent="prenet", bias=True),
        elementwise("relu", "relu", hidden, "activation", parent="prenet"),
    )  # fmt: skip


def _smoothing(fields: Fields, bins: int) -> int:
    """Values of the convolutions over a whole spectrum, each with a batch norm behind."""
    deep, units, kernel = (
        fields.natural("speech_decoder_postnet_layers"), fields.size("speech_decoder_postnet_units"),
        fields.size("speech_decoder_postnet_kernel"),
    )  # fmt: skip
    widths = [bins, *[units] * (deep - 1), bins] if 0 < deep <= LAYER_LIMIT else []
    return sum(a * b * kernel + 2 * b for a, b in pairwise(widths))


SIDES = ("encoder", "decoder")
DEFAULTS: Mapping[str, Value | None] = {
    "vocab_size": 81, "hidden_size": 768, "encoder_layers": 12, "encoder_attention_heads": 12, "encoder_ffn_dim": 3072,
    "decoder_layers": 6, "decoder_ffn_dim": 3072, "decoder_attention_heads": 12, "hidden_act": "gelu",
    "num_mel_bins": 80, "speech_decoder_prenet_layers": 2, "speech_decoder_prenet_units": 256,
    "speaker_embedding_dim": 512, "speech_decoder_postnet_layers": 5, "speech_decoder_postnet_units": 256,
    "speech_decoder_postnet_kernel": 5, "reduction_factor": 2, "encoder_max_relative_position": 160,
}  # fmt: skip

FAMILIES: Final = (Family(("speecht5",), EncoderDecoderReader("SpeechT5", _speecht5, DEFAULTS)),)
