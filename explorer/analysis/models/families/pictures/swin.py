"""Swin and Swin V2."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.blocks.fixed.pieces import Run, Side, normed, valued
from explorer.analysis.models.blocks.fixed.swin import Swin
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, sizes_of
from explorer.analysis.models.families.pictures.convnets import picture
from explorer.analysis.models.families.pictures.vit import classifier
from explorer.analysis.problem import Value


def swin_of(fields: Fields, *, second: bool = False) -> Swin:
    """A Swin encoder by the fields of its config."""
    depths = sizes_of(fields, "depths")
    heads = sizes_of(fields, "num_heads", len(depths))
    width = fields.size("embed_dim")
    for index, count in enumerate(heads):
        hidden = width * 2**index
        fields.check(hidden % count == 0, "model.hidden_not_divisible", "num_heads", hidden=hidden, heads=count)
    return Swin(
        fields.size("patch_size"), fields.size("num_channels"), width, depths, heads, fields.size("window_size"),
        ratio_of(fields, "mlp_ratio"), fields.flag("qkv_bias"), activation(fields, "hidden_act", known=ACTIVATIONS),
        second,
    )  # fmt: skip


def ratio_of(fields: Fields, name: str) -> float:
    """A multiple of the width, above 0 and up to 100."""
    value = fields.config.get(name, fields.defaults.get(name))
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 100:
        return float(value)
    fields.fault("model.not_a_multiple", name, value=str(value)[:60])
    return 1.0


def grids_fit(fields: Fields, net: Swin, side: Side) -> None:
    """Swin's learnt biases are of whole windows: no stage may be smaller than one."""
    grid = net.stem(side)[1]
    smallest = min(min(g) for g in net.stages(grid)[1])
    if not net.second and smallest < net.window:
        fields.fault("model.window_over_picture", "window_size", window=net.window, side=smallest)


def _swin(fields: Fields, prefix: str, *, second: bool) -> Pass:
    named = class_of(fields, (f"{prefix}Model", f"{prefix}ForImageClassification"))
    side, net = picture(fields, None), swin_of(fields, second=second)
    fields.refuse_faults()
    grids_fit(fields, net, side)
    absolute = fields.flag("use_absolute_embeddings")
    if absolute and (side[0] % net.patch or side[1] % net.patch):  # the table then has other rows than there are
        fields.fault("model.variant_unread", "use_absolute_embeddings", value="true", known="false")
    stem, grid = net.stem(side, absolute=absolute)
    parts, grids = net.stages(grid)
    rows, width = grids[-1][0] * grids[-1][1], net.last
    last = Run((normed("layernorm", width, rows), valued("pooler", "reduction", rows * width, "head")))
    head = classifier(fields, width) if named.endswith("ForImageClassification") else Run(())
    return Pass((stem, *parts, last, head), grid[0] * grid[1])


SWIN_DEFAULTS: Mapping[str, Value | None] = {
    "image_size": 224, "patch_size": 4, "num_channels": 3, "embed_dim": 96, "depths": "2, 2, 6, 2",
    "num_heads": "3, 6, 12, 24", "window_size": 7, "mlp_ratio": 4.0, "qkv_bias": True, "hidden_act": "gelu",
    "use_absolute_embeddings": False,
}  # fmt: skip

FAMILIES: Final = (
    Family(("swin",), OnePassReader("Swin", lambda fields: _swin(fields, "Swin", second=False), SWIN_DEFAULTS)),
    Family(("swinv2",), OnePassReader("Swin V2", lambda fields: _swin(fields, "Swinv2", second=True), SWIN_DEFAULTS)),
)
