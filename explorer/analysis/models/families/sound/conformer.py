"""Wav2Vec2-BERT and Parakeet: layers of attention and a convolution between two halves of a feed-forward."""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    added,
    attended,
    batch_norm,
    conv1d,
    conv2d,
    conv_size,
    dense,
    learnt,
    normed,
    product,
    valued,
)
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, nested
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.families.sound.wav2vec2 import masked, noted
from explorer.analysis.problem import Value

BERT_FRAMES, MEL_FRAMES = 500, 1000  # of ten seconds: 20 ms each, 10 ms each


class ConformerNames(msgspec.Struct, frozen=True):
    """Module paths of a layer."""

    norms: tuple[str, str, str, str, str]
    forward: tuple[str, str]
    inward: str
    outward: str
    attention: tuple[str, str, str, str]
    conv: str
    conv_norm: str


class ConformerLayer(msgspec.Struct, frozen=True):
    """One layer over `rows` rows; `batched`: the convolution's norm is a batch norm."""

    width: int
    heads: int
    inner: int
    kernel: int
    rows: int
    activation: str
    names: ConformerNames
    bias: bool = True
    conv_bias: bool = True
    batched: bool = False
    leaves_early: bool = False  # the depthwise convolution sees the past alone

    def ops(self, positions: Ops, looks: Ops) -> Ops:
        """Its operators: `positions` and `looks` are what it knows of distances, before and beside the scores."""
        names, values = self.names, self.rows * self.width
        q, k, v, out = (
            dense(name, self.width, self.width, self.rows, bias=self.bias, role="attention") for name in names.attention
        )
        parent = names.attention[0].rpartition(".")[0]
        scores = attended(f"{parent}.attention", self.heads, self.width // self.heads, self.rows, self.rows)
        half = (normed(names.norms[1], self.width, self.rows), q, k, v, *positions, *looks, scores, out)
        return (
            *self._forward(0),
            *half,
            added("self_attn.residual_add", values),
            *self._convolved(),
            *self._forward(1),
            normed(names.norms[4], self.width, self.rows),
        )

    def _forward(self, which: int) -> Ops:
        names, path = self.names, self.names.forward[which]
        return (
            normed(names.norms[0 if not which else 3], self.width, self.rows),
            dense(f"{path}.{names.inward}", self.width, self.inner, self.rows, bias=self.bias, role="mlp"),
            valued(f"{path}.activation", self.activation, self.rows * self.inner),
            dense(f"{path}.{names.outward}", self.inner, self.width, self.rows, bias=self.bias, role="mlp"),
            valued(f"{path}.half", "scale", self.rows * self.width, "residual"),
            added(f"{path}.residual_add", self.rows * self.width),
        )

    def _convolved(self) -> Ops:
        path, width, rows = self.names.conv, self.width, self.rows
        pad = (self.kernel - 1) / 2
        norm = batch_norm(f"{path}.norm", width, rows) if self.batched else normed(
            f"{path}.depthwise_layer_norm", width, rows
        )  # fmt: skip
        return (
            normed(self.names.norms[2], width, rows),
            conv1d(f"{path}.pointwise_conv1", width, 2 * width, rows, 1, bias=self.conv_bias),
            valued(f"{path}.glu", "gated_sigmoid", rows * width),
            conv1d(f"{path}.depthwise_conv", width, width, rows, self.kernel, pad=pad, groups=width,
                   bias=self.conv_bias),
            norm,
            valued(f"{path}.activation", self.activation, rows * width),
            conv1d(f"{path}.pointwise_conv2", width, width, rows, 1, bias=self.conv_bias),
            added(f"{path}.residual_add", rows * width),
        )  # fmt: skip


W2V_NAMES = ConformerNames(
    ("ffn1_layer_norm", "self_attn_layer_norm", "conv_module.layer_norm", "ffn2_layer_norm", "final_layer_norm"),
    ("ffn1", "ffn2"), "intermediate_dense", "output_dense",
    ("self_attn.linear_q", "self_attn.linear_k", "self_attn.linear_v", "self_attn.linear_out"),
    "conv_module", "depthwise_layer_norm",
)  # fmt: skip
PARAKEET_NAMES = ConformerNames(
    ("norm_feed_forward1", "norm_self_att", "norm_conv", "norm_feed_forward2", "norm_out"),
    ("feed_forward1", "feed_forward2"), "linear1", "linear2",
    ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.o_proj"), "conv", "norm",
)  # fmt: skip


def _sizes(fields: Fields) -> tuple[int, int, int]:
    width, heads = fields.size("hidden_size"), fields.size("num_attention_heads")
    fields.check(width % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=width, heads=heads)
    return width, heads, fields.size("num_hidden_layers", limit=LAYER_LIMIT)


def _w2v_bert(fields: Fields) -> Pass:
    named = class_of(fields, ("Wav2Vec2BertModel", "Wav2Vec2BertForCTC"))
    for name in ("add_adapter", "use_intermediate_ffn_before_adapter"):
        only(name, be=False)(fields)
    kind = fields.text("position_embeddings_type")
    if kind != "relative_key":
        fields.fault("model.variant_unread", "position_embeddings_type", value=brief(kind), known="relative_key")
    width, heads, layers = _sizes(fields)
    inputs, rows = fields.size("feature_projection_input_dim"), BERT_FRAMES
    layer = ConformerLayer(
        width, heads, fields.size("intermediate_size"), fields.size("conv_depthwise_kernel_size"), rows,
        activation(fields, "hidden_act", known=ACTIVATIONS), W2V_NAMES, conv_bias=False,
    )  # fmt: skip
    size = width // heads
    reach = fields.size("left_max_position_embeddings") + fields.size("right_max_position_embeddings") + 1
    table = learnt("self_attn.distance_embedding", reach * size, rows * rows * size, per_value=0.0, group="attention")
    looks = product("self_attn.distances", rows, heads, rows, size)
    noted(fields, rows)
    stem = (normed("feature_projection.layer_norm", inputs, rows),
            dense("feature_projection.projection", inputs, width, rows))  # fmt: skip
    head: Ops = ()
    if named == "Wav2Vec2BertForCTC":
        head = (dense("lm_head", width, fields.size("vocab_size"), rows, role="head", storage="wide"),)
    body = Run(layer.ops((table,), (looks,)), layers, "bidirectional", "dense")
    return Pass((Run(stem), body, Run(head)), rows, masked(fields, width))


def _parakeet(fields: Fields) -> Pass:
    class_of(fields, ("ParakeetForCTC",))
    inner = nested(fields, "encoder_config", PARAKEET)
    parts, width, rows = _fast_conformer(inner)
    labels = fields.size("vocab_size")
    return Pass((*parts, Run((conv1d("ctc_head", width, labels, rows, 1),))), rows)


def _parakeet_encoder(fields: Fields) -> Pass:
    class_of(fields, ("ParakeetEncoder",))
    parts, _, rows = _fast_conformer(fields)
    return Pass(parts, rows)


def _fast_conformer(fields: Fields) -> tuple[list[Run], int, int]:
    width, heads, layers = _sizes(fields)
    bias, conv_bias = fields.flag("attention_bias"), fields.flag("convolution_bias")
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    stem, rows = _subsampled(fields, width)
    size, distances = width // heads, 2 * rows - 1
    layer = ConformerLayer(
        width, heads, fields.size("intermediate_size"), fields.size("conv_kernel_size"), rows, act, PARAKEET_NAMES,
        bias, conv_bias, batched=True,
    )  # fmt: skip
    positions = (
        learnt("self_attn.bias_u", width, rows * width, group="attention"),
        learnt("self_attn.bias_v", width, rows * width, group="attention"),
        dense("self_attn.relative_k_proj", width, width, distances, bias=False, role="attention"),
    )
    looks = (product("self_attn.distances", heads, rows, distances, size),)
    noted(fields, rows)
    scaled = (valued("input_scale", "scale", rows * width, "embedding"),) if fields.flag("scale_input") else ()
    return [Run((*stem, *scaled)), Run(layer.ops(positions, looks), layers, "bidirectional", "dense")], width, rows


def _subsampled(fields: Fields, width: int) -> tuple[Ops, int]:
    channels, kernel = fields.size("subsampling_conv_channels"), fields.size("subsampling_conv_kernel_size")
    stride, factor = fields.size("subsampling_conv_stride", limit=16), fields.size("subsampling_factor", limit=1024)
    bins = fields.size("num_mel_bins")
    steps = factor.bit_length() - 1
    if factor < 2 or factor != 2**steps:
        fields.fault("model.variant_unread", "subsampling_factor", value=factor, known="2, 4, 8, 16")
    side, pad = (MEL_FRAMES, bins), (kernel - 1) // 2
    ops: Ops = (conv2d("subsampling.layers.0", 1, channels, side, kernel, stride=stride, pad=pad),)
    side = conv_size(side, kernel, stride, pad)
    ops = (*ops, valued("subsampling.layers.1", "relu", channels * side[0] * side[1]))
    for step in range(1, steps):
        at = 3 * step - 1
        after = conv_size(side, kernel, stride, pad)
        ops = (
            *ops,
            conv2d(f"subsampling.layers.{at}", channels, channels, side, kernel, stride=stride, pad=pad,
                   groups=channels),
            conv2d(f"subsampling.layers.{at + 1}", channels, channels, after, 1),
            valued(f"subsampling.layers.{at + 2}", "relu", channels * after[0] * after[1]),
        )  # fmt: skip
        side = after
    wide = bins // stride**steps
    fields.check(wide == side[1], "model.inner_size_differs", "num_mel_bins", stated=wide, derived=side[1])
    return (*ops, dense("subsampling.linear", channels * max(wide, 1), width, side[0])), side[0]


W2V: Mapping[str, Value | None] = {
    "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096,
    "feature_projection_input_dim": 160, "hidden_act": "swish", "position_embeddings_type": "relative_key",
    "left_max_position_embeddings": 64, "right_max_position_embeddings": 8, "conv_depthwise_kernel_size": 31,
}  # fmt: skip
PARAKEET: Mapping[str, Value | None] = {
    "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 8, "intermediate_size": 4096,
    "hidden_act": "silu", "attention_bias": True, "convolution_bias": True, "conv_kernel_size": 9,
    "subsampling_factor": 8, "subsampling_conv_channels": 256, "num_mel_bins": 80, "subsampling_conv_kernel_size": 3,
    "subsampling_conv_stride": 2, "scale_input": True,
}  # fmt: skip

FAMILIES: Final = (
    Family(("wav2vec2-bert",), OnePassReader("Wav2Vec2-BERT", _w2v_bert, W2V)),
    Family(("parakeet_ctc",), OnePassReader("Parakeet", _parakeet, {"vocab_size": 1025})),
    Family(("parakeet_encoder",), OnePassReader("Parakeet encoder", _parakeet_encoder, PARAKEET)),
)
