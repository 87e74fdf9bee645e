"""T5, its gated successors and mT5: no biases, positions as a learnt bias of the scores."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.mlp import GatedMlp, PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import ACTIVATIONS
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.encoders.relative import relative_bias
from explorer.analysis.models.families.encoders.two_stacks import Crossed, EncoderDecoderReader, TwoStacks
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.heads.pairs import T5
from explorer.analysis.models.parts import Cache, Op
from explorer.analysis.models.transformer import Decoder, Half, Mixer, lookup
from explorer.analysis.problem import Value
from explorer.analysis.step.phases.ids import DECODE

T5_NORMS = NormScheme("layer.0.layer_norm", "", "layer.1.layer_norm", "", "final_layer_norm")
T5_SELF = Names("SelfAttention", "o", "", "q", "k", "v")


def _t5(fields: Fields) -> TwoStacks:
    """T5 and its gated successors (transformers T5ForConditionalGeneration)."""
    tied = fields.flag("tie_word_embeddings")
    return t5_stacks(fields, partial(_alike, fields), tied=tied, scaled=tied)


def t5_encoder(fields: Fields) -> tuple[Decoder, tuple[Op, ...]]:
    """The encoder alone and what stands before it (transformers T5EncoderModel)."""
    both = _t5(fields)
    return both.encoder, both.front


def _mt5(fields: Fields) -> TwoStacks:
    """mT5 (transformers MT5ForConditionalGeneration), whose output is not scaled before a tied head."""
    return t5_stacks(fields, partial(_alike, fields), tied=fields.flag("tie_word_embeddings"), scaled=False)


def t5_always_tied(fields: Fields, *, bias_each: bool = True) -> TwoStacks:
    """umT5 (transformers UMT5ForConditionalGeneration): tied whatever is said, every layer with a bias of its own."""
    scaled = fields.flag("tie_word_embeddings")
    return t5_stacks(fields, partial(_alike, fields), tied=True, scaled=scaled, bias_each=bias_each)


def _alike(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    return (_t5_mlp(fields, hidden),) * layers


class Biased(msgspec.Struct, frozen=True):
    """Attention whose scores have a learnt bias of its own."""

    own: Mixer
    bias: Op

    @property
    def code(self) -> str:
        return self.own.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.own.caches

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """The bias, then the operators of the attention."""
        return (self.bias, *self.own.ops(mixed=mixed))


def t5_stacks(
    fields: Fields, mlps: Callable[[int, int], tuple[Half, ...]], *, tied: bool, scaled: bool, bias_each: bool = False
) -> TwoStacks:
    """Both stacks; `mlps` makes the blocks of a stack of so many channels and layers, first the encoder's."""
    hidden, heads, size = fields.size("d_model"), fields.size("num_heads"), fields.size("d_kv")
    layers = fields.size("num_layers", limit=LAYER_LIMIT)
    behind = fields.size("num_decoder_layers", otherwise=layers, limit=LAYER_LIMIT)
    vocab, first, second = fields.size("vocab_size"), mlps(hidden, layers), mlps(hidden, behind)
    bias = _relative_bias(fields, heads)
    seen: Mixer = Bidirectional(hidden, heads, size, bias=False, names=T5_SELF)
    own = GroupedQuery(hidden, heads, heads, size, names=T5_SELF)
    crossed: Mixer = Crossed(own, T5_NORMS, "layer.1.layer_norm", replace(T5_SELF, parent="EncDecAttention"))
    if bias_each:
        inner = replace(bias, parent="SelfAttention")
        seen, crossed = Biased(seen, inner), Biased(crossed, replace(inner, phase=DECODE))
    encoder = Decoder(
        hidden, vocab, tied=tied, mixers=(seen,) * layers, mlps=first, norms=T5_NORMS,
        parents=("SelfAttention", "DenseReluDense"),
    )  # fmt: skip
    decoder = replace(
        encoder,
        mixers=(crossed,) * behind,
        mlps=second,
        norms=replace(T5_NORMS, before_mlp="layer.2.layer_norm"),
        embedding="shared",
        parents=("EncDecAttention", "DenseReluDense"),
        scaled_output=scaled,
    )
    once = () if bias_each else (bias,)
    return TwoStacks(encoder, decoder, (lookup("shared", vocab, hidden), *once), once, shared_table=True)


def _t5_mlp(fields: Fields, hidden: int) -> Half:
    """Two projections, or three where the name of the activation starts with `gated-`."""
    inner, name = fields.size("d_ff"), fields.text("feed_forward_proj")
    act = ACTIVATIONS.get(name.removeprefix("gated-"))
    parent = "DenseReluDense"
    if name.startswith("gated-") and act in ("gelu", "silu"):
        return GatedMlp(
            hidden, inner, "gelu" if act == "gelu" else "silu", gate="wi_0", up="wi_1", down="wo", parent=parent
        )
    if act is None or name.startswith("gated-"):
        known = "relu, gelu, silu, gated-gelu, gated-silu"
        fields.fault("model.activation_unknown", "feed_forward_proj", value=brief(name), known=known)
    return PlainMlp(hidden, inner, act or "relu", bias=False, inward="wi", outward="wo", parent=parent)


def _relative_bias(fields: Fields, heads: int) -> Op:
    """One for each stack, shared by its layers."""
    return relative_bias(heads, fields.size("relative_attention_num_buckets"))


T5_DEFAULTS: Mapping[str, Value | None] = {
    "feed_forward_proj": "relu",
    "relative_attention_num_buckets": 32,
    "tie_word_embeddings": True,
    "d_kv": 64,
}

FAMILIES: Final = (
    Family(("t5",), EncoderDecoderReader("T5", _t5, T5_DEFAULTS, heads=T5)),
    Family(
        ("mt5",),
        EncoderDecoderReader("mT5", _mt5, {**T5_DEFAULTS, "feed_forward_proj": "gated-gelu"}, heads=T5),
    ),
    Family(
        ("umt5",),
        EncoderDecoderReader("umT5", t5_always_tied, {**T5_DEFAULTS, "feed_forward_proj": "gated-gelu"}, heads=T5),
    ),
)
