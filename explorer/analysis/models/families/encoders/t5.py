"""T5, its gated successors and mT5: no biases, positions as a learnt bias of the scores."""

from collections.abc import Mapping
from typing import Final

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
from explorer.analysis.models.parts import Op
from explorer.analysis.models.transformer import Decoder, Half, lookup
from explorer.analysis.problem import Value

T5_NORMS = NormScheme("layer.0.layer_norm", "", "layer.1.layer_norm", "", "final_layer_norm")
T5_SELF = Names("SelfAttention", "o", "", "q", "k", "v")


def _t5(fields: Fields) -> TwoStacks:
    """T5, its gated successors and mT5 (transformers T5ForConditionalGeneration)."""
    hidden, heads, size = fields.size("d_model"), fields.size("num_heads"), fields.size("d_kv")
    layers = fields.size("num_layers", limit=LAYER_LIMIT)
    behind = fields.size("num_decoder_layers", otherwise=layers, limit=LAYER_LIMIT)
    vocab, mlp = fields.size("vocab_size"), _t5_mlp(fields, hidden)
    tied = fields.flag("tie_word_embeddings")
    bias = _relative_bias(fields, heads)
    seen = Bidirectional(hidden, heads, size, bias=False, names=T5_SELF)
    encoder = Decoder(
        hidden, vocab, tied=tied, mixers=(seen,) * layers, mlps=(mlp,) * layers, norms=T5_NORMS,
        parents=("SelfAttention", "DenseReluDense"),
    )  # fmt: skip
    own = GroupedQuery(hidden, heads, heads, size, names=T5_SELF)
    crossed = Crossed(own, T5_NORMS, "layer.1.layer_norm", replace(T5_SELF, parent="EncDecAttention"))
    decoder = replace(
        encoder,
        mixers=(crossed,) * behind,
        mlps=(mlp,) * behind,
        norms=replace(T5_NORMS, before_mlp="layer.2.layer_norm"),
        embedding="shared",
        parents=("EncDecAttention", "DenseReluDense"),
        scaled_output=tied,
    )
    return TwoStacks(encoder, decoder, (lookup("shared", vocab, hidden), bias), (bias,), shared_table=True)


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
    Family(("t5",), EncoderDecoderReader("T5", _t5, T5_DEFAULTS)),
    Family(
        ("mt5",),
        EncoderDecoderReader(
            "mT5", _t5, {**T5_DEFAULTS, "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False}
        ),
    ),
)
