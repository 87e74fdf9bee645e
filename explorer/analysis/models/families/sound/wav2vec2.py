"""wav2vec 2.0, HuBERT and WavLM: convolutions over the samples, then layers that are all alike."""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.fixed.layer import LayerBlock, Leaves
from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    batch_norm,
    conv1d,
    conv_length,
    dense,
    learnt,
    normed,
    valued,
)
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, idle, labels_of, sizes_of
from explorer.analysis.models.families.pictures.vit import layers_of
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.parts import Tensor
from explorer.analysis.problem import Value

SECONDS, RATE = 10, 16_000
SOUND = Leaves(
    "layer_norm", "attention.q_proj", "attention.k_proj", "attention.v_proj", "attention.attention",
    "attention.out_proj", "final_layer_norm", "feed_forward.intermediate_dense",
    "feed_forward.intermediate_act_fn", "feed_forward.output_dense",
    adds=("attention.residual_add", "feed_forward.residual_add"),
)  # fmt: skip


def _built(fields: Fields, prefix: str, *, gated: bool = False) -> Pass:
    """The convolutions, the positions that another one makes, the layers, and the head of the class."""
    classes = [f"{prefix}Model", f"{prefix}ForCTC", f"{prefix}ForSequenceClassification"]
    if prefix == "Wav2Vec2":
        classes.append("Wav2Vec2ForPreTraining")
    named = class_of(fields, classes)
    for name in ("add_adapter", "use_weighted_layer_sum"):
        only(name, be=False)(fields)
    if fields.config.get("adapter_attn_dim") is not None:
        fields.fault("model.variant_unread", "adapter_attn_dim", value="a number", known="null")
    block, layers = layers_of(fields, SOUND)
    stem, frames, channels = _features(fields)
    pre = fields.flag("do_stable_layer_norm")
    block = replace(block, on_sum=not pre)
    width = block.width
    projection = _projection(fields, channels, width, frames)
    norm = normed("encoder.layer_norm", width, frames)
    positions = _positions(fields, width, frames)
    first = Run((*stem, *projection, *positions, *(() if pre else (norm,))))
    body = _layers(fields, block, layers, frames, gated=gated)
    parts = (first, *body, Run((norm,) if pre else ()), Run(_head(fields, named, width, channels, frames)))
    return Pass(parts, frames, masked(fields, width))


def masked(fields: Fields, width: int) -> tuple[Tensor, ...]:
    """The learnt vector that training puts in place of what it masks, where it masks anything."""
    for name, usual in (("mask_time_prob", 0.05), ("mask_feature_prob", 0.0)):
        value = fields.config.get(name, usual)
        if isinstance(value, int | float) and value > 0:
            return (idle("masked_spec_embed", width),)
    return ()


def noted(fields: Fields, positions: int, seconds: int = SECONDS) -> None:
    """What one pass is over."""
    fields.note("model.one_sound", seconds=seconds, positions=positions)


def _features(fields: Fields) -> tuple[Ops, int, int]:
    widths = sizes_of(fields, "conv_dim")
    kernels, strides = (sizes_of(fields, name, len(widths)) for name in ("conv_kernel", "conv_stride"))
    bias, kind = fields.flag("conv_bias"), fields.text("feat_extract_norm")
    act = activation(fields, "feat_extract_activation", known=ACTIVATIONS)
    if kind not in ("group", "layer"):
        fields.fault("model.variant_unread", "feat_extract_norm", value=brief(kind), known="group, layer")
    ops: list[Ops] = []
    length, inputs = SECONDS * RATE, 1
    for at, (width, kernel, stride) in enumerate(zip(widths, kernels, strides, strict=True)):
        path = f"conv_layers.{at}"
        made = conv1d(f"{path}.conv", inputs, width, length, kernel, stride=stride, bias=bias)
        length = conv_length(length, kernel, stride)
        norm = (normed(f"{path}.layer_norm", width, length),) if kind == "layer" or not at else ()
        ops.append((made, *norm, valued(f"{path}.activation", act, width * length)))
        inputs = width
    noted(fields, length)
    return sum(ops, ()), length, inputs


def _projection(fields: Fields, channels: int, width: int, frames: int) -> Ops:
    has_norm = fields.flag("feat_proj_layer_norm") if "feat_proj_layer_norm" in fields.defaults else True
    norm = (normed("feature_projection.layer_norm", channels, frames),) if has_norm else ()
    return (*norm, dense("feature_projection.projection", channels, width, frames))


def _positions(fields: Fields, width: int, frames: int) -> Ops:
    kernel, groups = fields.size("num_conv_pos_embeddings"), fields.size("num_conv_pos_embedding_groups")
    fields.check(width % groups == 0, "model.hidden_not_divisible", "num_conv_pos_embedding_groups", hidden=width,
                 heads=groups)  # fmt: skip
    made = conv1d("pos_conv_embed.conv", width, width, frames, kernel, pad=kernel // 2, groups=groups)
    norm: Ops = ()
    if "conv_pos_batch_norm" in fields.defaults and fields.flag("conv_pos_batch_norm"):
        norm = (batch_norm("pos_conv_embed.batch_norm", width, frames),)
    else:  # a norm of the weights: one learnt length for each position of the kernel
        made = replace(made, tensors=(*made.tensors, Tensor("pos_conv_embed.conv.original0", kernel, "bias")))
    act = valued("pos_conv_embed.activation", "gelu", width * frames)
    return (*norm, made, act, valued("pos_conv_embed.add", "residual_add", width * frames, "embedding"))


def _layers(fields: Fields, block: LayerBlock, layers: int, frames: int, *, gated: bool) -> Sequence[Run]:
    if not gated:
        return (Run(block.ops(frames), layers, "bidirectional", "dense"),)
    buckets, heads = fields.size("num_buckets"), block.heads
    score = frames * frames * heads
    gate = (
        dense("attention.gru_rel_pos_linear", block.size, 8, frames * heads, role="attention"),
        learnt("attention.gru_rel_pos_const", heads, frames * heads, per_value=12.0, group="attention"),
        valued("attention.gated_position_bias", "scale", score, "attention"),
    )
    ops = (*gate, *block.ops(frames))
    table = learnt("attention.rel_attn_embed", buckets * heads, score, per_value=0.0, group="attention")
    code = ("bidirectional", "dense")
    return (Run((table, *ops), min(layers, 1), *code), Run(ops, layers - 1, *code))


def _head(fields: Fields, named: str, width: int, channels: int, frames: int) -> Ops:
    if named.endswith("ForCTC"):
        return (dense("lm_head", width, fields.size("vocab_size"), frames, role="head", storage="wide"),)
    if named.endswith("ForSequenceClassification"):
        size = fields.size("classifier_proj_size")
        pooled = valued("mean", "reduction", size * frames, "head")
        return (dense("projector", width, size, frames), pooled, dense("classifier", size, labels_of(fields), 1))
    if not named.endswith("ForPreTraining"):
        return ()
    groups, each = fields.size("num_codevector_groups"), fields.size("num_codevectors_per_group")
    code, shared = fields.size("codevector_dim"), fields.size("proj_codevector_dim")
    return (
        dense("project_hid", width, shared, frames),
        dense("quantizer.weight_proj", channels, groups * each, frames),
        learnt("quantizer.codevectors", groups * each * (code // groups), frames * groups * each * (code // groups),
               per_value=2.0, group="head"),
        dense("project_q", code, shared, frames),
    )  # fmt: skip


DEFAULTS: Mapping[str, Value | None] = {
    "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072,
    "hidden_act": "gelu", "feat_extract_norm": "group", "feat_extract_activation": "gelu",
    "conv_dim": "512, 512, 512, 512, 512, 512, 512", "conv_stride": "5, 2, 2, 2, 2, 2, 2",
    "conv_kernel": "10, 3, 3, 3, 3, 2, 2", "conv_bias": False, "num_conv_pos_embeddings": 128,
    "num_conv_pos_embedding_groups": 16, "do_stable_layer_norm": False, "vocab_size": 32, "classifier_proj_size": 256,
}  # fmt: skip
PRETRAINED: Mapping[str, Value | None] = {
    "num_codevectors_per_group": 320, "num_codevector_groups": 2, "codevector_dim": 256, "proj_codevector_dim": 256
}  # fmt: skip
HUBERT: Mapping[str, Value | None] = {**DEFAULTS, "feat_proj_layer_norm": True, "conv_pos_batch_norm": False}

FAMILIES: Final = (
    Family(
        ("wav2vec2",),
        OnePassReader("wav2vec 2.0", lambda fields: _built(fields, "Wav2Vec2"), {**DEFAULTS, **PRETRAINED}),
    ),
    Family(("hubert",), OnePassReader("HuBERT", lambda fields: _built(fields, "Hubert"), HUBERT)),
    Family(
        ("wavlm",),
        OnePassReader("WavLM", lambda fields: _built(fields, "WavLM", gated=True), {**DEFAULTS, "num_buckets": 320}),
    ),
)
