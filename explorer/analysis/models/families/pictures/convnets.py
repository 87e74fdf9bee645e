"""ResNet, ConvNeXt and ConvNeXt V2: convolutions alone."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    Side,
    added,
    conv2d,
    conv_size,
    dense,
    labelled,
    learnt,
    normed,
    valued,
)
from explorer.analysis.models.blocks.fixed.residual import Residual
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, side_of, sizes_of
from explorer.analysis.models.families.pictures.vit import classifier
from explorer.analysis.problem import Value

USUAL_SIDE: Side = (224, 224)
GRN = 6.0  # square, sum; division, two products, sum


def picture(fields: Fields, otherwise: Side | None = USUAL_SIDE, name: str = "image_size") -> Side:
    """The picture's size, with the note that says it."""
    side = side_of(fields, name, otherwise)
    fields.note("model.one_picture_plain", height=side[0], width=side[1])
    return side


def residual(fields: Fields, *, learns: bool = True) -> Residual:
    """A ResNet by the fields of its config."""
    widths = sizes_of(fields, "hidden_sizes")
    kind = fields.text("layer_type")
    if kind not in ("bottleneck", "basic"):
        fields.fault("model.variant_unread", "layer_type", value=kind, known="bottleneck, basic")
    return Residual(
        fields.size("num_channels"), fields.size("embedding_size"), widths, sizes_of(fields, "depths", len(widths)),
        kind == "bottleneck", activation(fields, "hidden_act", known=ACTIVATIONS),
        fields.flag("downsample_in_first_stage"), fields.flag("downsample_in_bottleneck"), learns=learns,
    )  # fmt: skip


def _resnet(fields: Fields) -> Pass:
    named = class_of(fields, ("ResNetModel", "ResNetForImageClassification"))
    side = picture(fields)
    net = residual(fields)
    fields.refuse_faults()
    parts, sides = net.parts(side)
    last = net.widths[-1]
    pooled = Run((valued("pooler", "reduction", last * sides[-1][0] * sides[-1][1], "head"),))
    head = classifier(fields, last, "classifier.1") if named == "ResNetForImageClassification" else Run(())
    return Pass((*parts, pooled, head), sides[-1][0] * sides[-1][1])


def _convnext(fields: Fields, prefix: str, *, second: bool) -> Pass:
    named = class_of(fields, (f"{prefix}Model", f"{prefix}ForImageClassification"))
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    widths, side, patch = sizes_of(fields, "hidden_sizes"), picture(fields), fields.size("patch_size")
    depths = sizes_of(fields, "depths", len(widths))
    if fields.has("num_stages") and fields.size("num_stages") != len(widths):
        fields.fault("model.list_length", "hidden_sizes", count=len(widths), expected=fields.size("num_stages"))
    scaled = not second and _scale(fields) > 0
    stem, side = _patched(fields.size("num_channels"), widths[0], side, patch)
    parts, before = [Run(stem)], widths[0]
    for index, (width, depth) in enumerate(zip(widths, depths, strict=True)):
        halved: Ops = ()
        if index:
            halved, side = _halved(before, width, side)
        block = _block(width, side, act, scaled=scaled, normalised=second)
        label = f"stage {index + 1}"
        parts += [Run(labelled(halved, label)), Run(labelled(block, label), depth, "convolution")]
        before = width
    area = side[0] * side[1]
    parts.append(Run((valued("mean", "reduction", before * area, "head"), normed("layernorm", before, 1))))
    if named.endswith("ForImageClassification"):
        parts.append(classifier(fields, before))
    return Pass(parts, area)


def _scale(fields: Fields) -> float:
    value = fields.config.get("layer_scale_init_value", fields.defaults.get("layer_scale_init_value"))
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    fields.fault("model.not_a_number", "layer_scale_init_value")
    return 0.0


def _patched(channels: int, width: int, side: Side, patch: int) -> tuple[Ops, Side]:
    after = conv_size(side, patch, patch)
    made = conv2d("embeddings.patch_embeddings", channels, width, side, patch, stride=patch)
    return (made, normed("embeddings.layernorm", width, after[0] * after[1])), after


def _halved(inputs: int, width: int, side: Side) -> tuple[Ops, Side]:
    made = conv2d("downsampling_layer.1", inputs, width, side, 2, stride=2)
    return (normed("downsampling_layer.0", inputs, side[0] * side[1]), made), conv_size(side, 2, 2)


def _block(width: int, side: Side, act: str, *, scaled: bool, normalised: bool) -> Ops:
    area, inner = side[0] * side[1], 4 * width
    grn = (learnt("grn", 2 * inner, inner * area, per_value=GRN, group="norm"),) if normalised else ()
    scale = (learnt("layer_scale_parameter", width, width * area, group="residual"),) if scaled else ()
    return (
        conv2d("dwconv", width, width, side, 7, pad=3, groups=width),
        normed("layernorm", width, area),
        dense("pwconv1", width, inner, area, role="mlp"),
        valued("act", act, inner * area),
        *grn,
        dense("pwconv2", inner, width, area, role="mlp"),
        *scale,
        added("residual_add", width * area),
    )


RESNET_DEFAULTS: Mapping[str, Value | None] = {
    "num_channels": 3, "embedding_size": 64, "hidden_sizes": "256, 512, 1024, 2048", "depths": "3, 4, 6, 3",
    "layer_type": "bottleneck", "hidden_act": "relu", "downsample_in_first_stage": False,
    "downsample_in_bottleneck": False,
}  # fmt: skip
CONVNEXT_DEFAULTS: Mapping[str, Value | None] = {
    "num_channels": 3, "patch_size": 4, "hidden_sizes": "96, 192, 384, 768", "depths": "3, 3, 9, 3",
    "hidden_act": "gelu",
}  # fmt: skip

FAMILIES: Final = (
    Family(("resnet",), OnePassReader("ResNet", _resnet, RESNET_DEFAULTS)),
    Family(
        ("convnext",),
        OnePassReader(
            "ConvNeXt",
            lambda fields: _convnext(fields, "ConvNext", second=False),
            {**CONVNEXT_DEFAULTS, "layer_scale_init_value": 1e-6},
        ),
    ),
    Family(
        ("convnextv2",),
        OnePassReader("ConvNeXt V2", lambda fields: _convnext(fields, "ConvNextV2", second=True), CONVNEXT_DEFAULTS),
    ),
)
