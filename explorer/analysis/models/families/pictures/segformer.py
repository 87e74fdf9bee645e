"""SegFormer: stages of layers whose keys and values come from a smaller picture."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    Side,
    added,
    attended,
    batch_norm,
    conv2d,
    conv_size,
    dense,
    labelled,
    normed,
    valued,
)
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, labels_of, sizes_of
from explorer.analysis.models.families.pictures.convnets import picture
from explorer.analysis.models.families.pictures.vit import classifier
from explorer.analysis.problem import Value

PER_STAGE = ("depths", "sr_ratios", "hidden_sizes", "patch_sizes", "strides", "num_attention_heads", "mlp_ratios")


def _segformer(fields: Fields) -> Pass:
    known = ("SegformerModel", "SegformerForSemanticSegmentation", "SegformerForImageClassification")
    named = class_of(fields, known)
    side, count = picture(fields), fields.size("num_encoder_blocks", limit=100)
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    lists = [sizes_of(fields, name, count) for name in PER_STAGE]
    inputs = fields.size("num_channels")
    parts: list[Run] = []
    sides: list[Side] = []
    for index, (depth, ratio, width, patch, stride, heads, inner) in enumerate(zip(*lists, strict=True)):
        fields.check(width % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=width, heads=heads)
        label = f"stage {index + 1}"
        stem, side = _patched(inputs, width, side, patch, stride)
        block = _block(width, heads, ratio, inner * width, side, act)
        last = normed("layer_norm", width, side[0] * side[1])
        parts += [
            Run(labelled(stem, label)), Run(labelled(block, label), depth, "reduced keys", "dense"),
            Run(labelled((last,), label)),
        ]  # fmt: skip
        sides.append(side)
        inputs = width
    if named == "SegformerForSemanticSegmentation":
        parts.append(Run(_decoded(fields, lists[2], sides)))
    elif named == "SegformerForImageClassification":
        parts.append(Run((valued("mean", "reduction", inputs * side[0] * side[1], "head"),)))
        parts.append(classifier(fields, inputs))
    return Pass(parts, sides[0][0] * sides[0][1])


def _patched(inputs: int, width: int, side: Side, patch: int, stride: int) -> tuple[Ops, Side]:
    after = conv_size(side, patch, stride, patch // 2)
    made = conv2d("patch_embeddings.proj", inputs, width, side, patch, stride=stride, pad=patch // 2)
    return (made, normed("patch_embeddings.layer_norm", width, after[0] * after[1])), after


def _block(width: int, heads: int, ratio: int, inner: int, side: Side, act: str) -> Ops:
    rows, fewer = side[0] * side[1], conv_size(side, ratio, ratio)
    keys = fewer[0] * fewer[1]
    path = "attention.sequence_reduction"
    reduced: Ops = ()
    if ratio > 1:
        made = conv2d(f"{path}.sequence_reduction", width, width, side, ratio, stride=ratio)
        reduced = (made, normed(f"{path}.layer_norm", width, keys))
    return (
        normed("layernorm_before", width, rows),
        dense("attention.q_proj", width, width, rows, role="attention"),
        *reduced,
        dense("attention.k_proj", width, width, keys, role="attention"),
        dense("attention.v_proj", width, width, keys, role="attention"),
        attended("attention.attention", heads, width // heads, rows, keys),
        dense("attention.o_proj", width, width, rows, role="attention"),
        added("attention.residual_add", rows * width),
        normed("layernorm_after", width, rows),
        dense("mlp.fc1", width, inner, rows, role="mlp"),
        conv2d("mlp.dwconv.dwconv", inner, inner, side, 3, pad=1, groups=inner),
        valued("mlp.activation_fn", act, rows * inner),
        dense("mlp.fc2", inner, width, rows, role="mlp"),
        added("mlp.residual_add", rows * width),
    )


def _decoded(fields: Fields, widths: tuple[int, ...], sides: list[Side]) -> Ops:
    size, labels = fields.size("decoder_hidden_size"), labels_of(fields)
    area = sides[0][0] * sides[0][1]
    ops: list[Ops] = []
    for index, (width, side) in enumerate(zip(widths, sides, strict=True)):
        rows = side[0] * side[1]
        ops.append((dense(f"linear_projections.{index}.proj", width, size, rows),))
        ops.append((valued(f"linear_projections.{index}.interpolate", "copy", size * area, "head"),))
    last: Ops = (
        conv2d("linear_fuse", size * len(widths), size, sides[0], 1, bias=False),
        batch_norm("decode_head.batch_norm", size, area),
        valued("decode_head.activation", "relu", size * area),
        conv2d("decode_head.classifier", size, labels, sides[0], 1),
    )
    return (*sum(ops, ()), *last)


SEGFORMER_DEFAULTS: Mapping[str, Value | None] = {
    "num_channels": 3, "num_encoder_blocks": 4, "depths": "2, 2, 2, 2", "sr_ratios": "8, 4, 2, 1",
    "hidden_sizes": "32, 64, 160, 256", "patch_sizes": "7, 3, 3, 3", "strides": "4, 2, 2, 2",
    "num_attention_heads": "1, 2, 5, 8", "mlp_ratios": "4, 4, 4, 4", "hidden_act": "gelu", "decoder_hidden_size": 256,
}  # fmt: skip

FAMILIES: Final = (Family(("segformer",), OnePassReader("SegFormer", _segformer, SEGFORMER_DEFAULTS)),)
