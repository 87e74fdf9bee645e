"""DPT, Depth Anything and ViTPose: a picture's rows become pictures again."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    Side,
    added,
    batch_norm,
    conv2d,
    conv_size,
    dense,
    normed,
    under,
    upsampled,
    valued,
)
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import (
    OnePassReader,
    Pass,
    class_of,
    idle,
    labels_of,
    nested,
    side_of,
    sizes_of,
)
from explorer.analysis.models.families.pictures.vit import (
    DINO_DEFAULTS,
    OLDER,
    SIZES,
    VIT_DEFAULTS,
    PatchGrid,
    dino,
    encoder,
    layers_of,
    noted,
    patches_of,
    positions,
    tokens,
)
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.parts import Tensor, count_values
from explorer.analysis.problem import Value

DECONV = 256
POSE = msgspec.structs.replace(OLDER, inward="mlp.fc1", act="mlp.activation", outward="mlp.fc2",
                               adds=("attention.residual_add", "mlp.residual_add"))  # fmt: skip


class Neck(msgspec.Struct, frozen=True):
    """What makes one picture of the rows of several layers."""

    inputs: int
    widths: tuple[int, ...]
    factors: tuple[float, ...]
    fused: int
    project: bool = False
    normalised: bool = False
    bias: bool = True
    doubles: bool = True  # each fusion doubles the picture; else it becomes as large as the next one
    activation: str = "gelu"

    def parts(self, grid: Side) -> tuple[list[Run], Side, tuple[Tensor, ...]]:
        """Its parts over a grid of patches, the size of what leaves, and what is held and never runs."""
        made = [self._reassembled(i, grid) for i in range(len(self.widths))]
        sides = [side for _, side in made]
        convs = tuple(
            conv2d(f"convs.{i}", width, self.fused, side, 3, pad=1, bias=False)
            for i, (width, side) in enumerate(zip(self.widths, sides, strict=True))
        )
        parts = [Run(ops) for ops, _ in made]
        parts.append(Run(convs))
        side = sides[-1]
        for at in range(len(sides)):
            following = sides[::-1][at + 1] if at + 1 < len(sides) else None
            after = (2 * side[0], 2 * side[1]) if self.doubles or following is None else following
            parts.append(Run(self._fused(at, side, after)))
            side = after
        unused = count_values(t for op in self._unit("residual_layer1", (1, 1)) for t in op.tensors)
        return parts, side, (idle("fusion_stage.layers.0.residual_layer1", unused),)

    def _reassembled(self, index: int, grid: Side) -> tuple[Ops, Side]:
        path, width, factor = f"reassemble_stage.layers.{index}", self.widths[index], self.factors[index]
        area = grid[0] * grid[1]
        ops: Ops = ()
        if self.project:
            read = f"reassemble_stage.readout_projects.{index}"
            ops = (
                dense(f"{read}.0", 2 * self.inputs, self.inputs, area),
                valued(f"{read}.1", self.activation, area * self.inputs),
            )
        ops = (*ops, conv2d(f"{path}.projection", self.inputs, width, grid, 1))
        if factor > 1:
            times = int(factor)
            return (*ops, upsampled(f"{path}.resize", width, width, area, times**2)), (grid[0] * times, grid[1] * times)
        if factor < 1:
            stride = int(1 / factor)
            made = conv2d(f"{path}.resize", width, width, grid, 3, stride=stride, pad=1)
            return (*ops, made), conv_size(grid, 3, stride, 1)
        return ops, grid

    def _fused(self, at: int, side: Side, after: Side) -> Ops:
        path, values = f"fusion_stage.layers.{at}", self.fused * side[0] * side[1]
        first: Ops = ()
        if at:
            first = (*self._unit("residual_layer1", side), added("residual_add", values))
        grown = valued("interpolate", "copy", self.fused * after[0] * after[1], "conv")
        projected = conv2d("projection", self.fused, self.fused, after, 1)
        return under(path, (*first, *self._unit("residual_layer2", side), grown, projected))

    def _unit(self, path: str, side: Side) -> Ops:
        area = side[0] * side[1]
        found: list[Ops] = []
        for at in (1, 2):
            norm = (batch_norm(f"{path}.batch_norm{at}", self.fused, area),) if self.normalised else ()
            act = valued(f"{path}.activation{at}", "relu", self.fused * area)
            made = conv2d(f"{path}.convolution{at}", self.fused, self.fused, side, 3, pad=1, bias=self.bias)
            found.append((act, made, *norm))
        return (*found[0], *found[1], added(f"{path}.residual_add", self.fused * area))


def factors_of(fields: Fields, name: str, count: int) -> tuple[float, ...]:
    """How much larger each picture is than the grid; a list of numbers."""
    found = fields.items(name, lambda n: isinstance(n, int | float) and not isinstance(n, bool) and 0.01 <= n <= 100)
    if found is None:
        fields.assumed[fields.path + name] = "4, 2, 1, 0.5"
        found = [4, 2, 1, 0.5]
    if len(found) < count:
        fields.fault("model.not_a_list", name, value=brief(found))
        return (1.0,) * count
    return tuple(float(n) for n in found[:count])


def _neck(fields: Fields, inputs: int, **more: object) -> Neck:
    widths = sizes_of(fields, "neck_hidden_sizes")
    factors = factors_of(fields, "reassemble_factors", len(widths))
    return msgspec.structs.replace(Neck(inputs, widths, factors, fields.size("fusion_hidden_size")), **more)


def _dpt(fields: Fields) -> Pass:
    named = class_of(fields, ("DPTForDepthEstimation", "DPTForSemanticSegmentation"))
    only("is_hybrid", be=False)(fields)
    if isinstance(fields.config.get("backbone_config"), Mapping):
        fields.fault("model.variant_unread", "backbone_config", value="an object", known="none")
    qkv = fields.flag("qkv_bias")
    block, layers = layers_of(fields, OLDER, biases=(qkv, qkv, qkv, True))
    patches = patches_of(fields, block.width)
    readout = fields.text("readout_type")
    if readout not in ("project", "add", "ignore"):
        fields.fault("model.variant_unread", "readout_type", value=brief(readout), known="project, add, ignore")
    normalised = fields.flag("use_batch_norm_in_fusion_residual")
    stated = fields.config.get("use_bias_in_fusion_residual")
    bias = (not normalised) if stated is None else fields.flag("use_bias_in_fusion_residual")
    neck = _neck(fields, block.width, project=readout == "project", normalised=normalised, bias=bias,
                 activation=block.activation)  # fmt: skip
    fields.refuse_faults()
    stem = (*patches.projected(), *tokens(patches, "cls_token", 1), *positions(patches))
    parts, side, unused = neck.parts(patches.grid)
    body = (Run(stem), encoder(block, layers, patches.rows), Run((normed("layernorm", block.width, patches.rows),)))
    heads, extra = _dpt_head(fields, named, neck.fused, side)
    return Pass((*body, *parts, Run(heads)), patches.rows, (*unused, *extra))


def _dpt_head(fields: Fields, named: str, width: int, side: Side) -> tuple[Ops, Sequence[Tensor]]:
    area, half = side[0] * side[1], width // 2
    if named == "DPTForDepthEstimation":
        twice = 2 * side[0], 2 * side[1]
        first: Ops = ()
        if fields.flag("add_projection"):
            first = (conv2d("projection", 256, 256, side, 3, pad=1), valued("projection.relu", "relu", 256 * area))
        ops = (
            conv2d("head.0", width, half, side, 3, pad=1), valued("head.1", "copy", half * 4 * area, "conv"),
            conv2d("head.2", half, 32, twice, 3, pad=1), valued("head.3", "relu", 32 * 4 * area),
            conv2d("head.4", 32, 1, twice, 1), valued("head.5", "relu", 4 * area),
        )  # fmt: skip
        return (*first, *ops), ()
    labels = labels_of(fields)
    last: Ops = (
        conv2d("head.0", width, width, side, 3, pad=1, bias=False), batch_norm("head.1", width, area),
        valued("head.2", "relu", width * area), conv2d("head.4", width, labels, side, 1),
        valued("head.5", "copy", labels * 4 * area, "conv"),
    )  # fmt: skip
    if not fields.flag("use_auxiliary_head"):
        return last, ()
    beside = (
        conv2d("auxiliary_head.head.0", width, width, side, 3, pad=1, bias=False),
        batch_norm("auxiliary_head.head.1", width, area), valued("auxiliary_head.head.2", "relu", width * area),
        conv2d("auxiliary_head.head.4", width, labels, side, 1),
    )  # fmt: skip
    return (*last, *beside), ()


def _depth_anything(fields: Fields) -> Pass:
    class_of(fields, ("DepthAnythingForDepthEstimation",))
    inner = nested(fields, "backbone_config", DINO_DEFAULTS)
    if inner.config.get("model_type", "dinov2") != "dinov2":
        inner.fault("model.variant_unread", "model_type", value=brief(inner.config["model_type"]), known="dinov2")
    patches, body, extra = dino(inner)
    size = side_of(fields, "patch_size")[0]
    neck = _neck(fields, fields.size("reassemble_hidden_size"), doubles=False)
    fields.check(neck.inputs == patches.width, "model.vision_width", "reassemble_hidden_size",
                 stated=patches.width, hidden=neck.inputs)  # fmt: skip
    head = fields.size("head_hidden_size")
    fields.refuse_faults()
    parts, side, unused = neck.parts(patches.grid)
    whole = patches.grid[0] * size, patches.grid[1] * size
    half, area = neck.fused // 2, whole[0] * whole[1]
    last = (
        conv2d("head.conv1", neck.fused, half, side, 3, pad=1), valued("head.interpolate", "copy", half * area, "conv"),
        conv2d("head.conv2", half, head, whole, 3, pad=1), valued("head.activation1", "relu", head * area),
        conv2d("head.conv3", head, 1, whole, 1), valued("head.activation2", "relu", area),
    )  # fmt: skip
    rows = max(len(_taken(inner)), 1) * patches.rows  # one norm for the rows of every layer that is taken
    norm = Run((normed("layernorm", patches.width, rows),))
    return Pass((*body[:2], norm, *parts, Run(last)), patches.rows, (*extra, *unused))


def _taken(fields: Fields) -> Sequence[object]:
    """Layers whose rows leave the backbone."""
    for name in ("out_indices", "out_features"):
        value = fields.config.get(name)
        if isinstance(value, list | tuple) and value:
            return value
    return (1,)


def _vitpose(fields: Fields) -> Pass:
    class_of(fields, ("VitPoseForPoseEstimation",))
    inner = nested(fields, "backbone_config", POSE_DEFAULTS)
    if inner.size("num_experts") != 1:
        inner.fault("model.variant_unread", "num_experts", value=inner.size("num_experts"), known="1")
    width, qkv = inner.size("hidden_size"), inner.flag("qkv_bias")
    block, layers = layers_of(inner, POSE, width * inner.size("mlp_ratio"), biases=(qkv, qkv, qkv, True))
    side = side_of(inner, "image_size", (256, 192))
    patch = side_of(inner, "patch_size", (16, 16))
    patches = PatchGrid(side, patch, inner.size("num_channels"), width, 0, pad=2)
    patches.check(inner)
    noted(fields, side, patches.rows)
    labels, scale, simple = labels_of(fields), fields.size("scale_factor", limit=100), fields.flag("use_simple_decoder")
    fields.refuse_faults()
    table = (side[0] // patch[0]) * (side[1] // patch[1]) + 1
    stem = (*patches.projected(), *positions(patches, table))
    norm = Run((normed("layernorm", width, patches.rows),))
    head = _simple(width, labels, patches.grid, scale) if simple else _classic(width, labels, patches.grid)
    return Pass((Run(stem), encoder(block, layers, patches.rows), norm, Run(head)), patches.rows)


def _simple(width: int, labels: int, grid: Side, scale: int) -> Ops:
    side = grid[0] * scale, grid[1] * scale
    return (
        valued("head.activation", "relu", width * grid[0] * grid[1]),
        valued("head.upsampling", "copy", width * side[0] * side[1], "conv"),
        conv2d("head.conv", width, labels, side, 3, pad=1),
    )


def _classic(width: int, labels: int, grid: Side) -> Ops:
    """Two transposed convolutions, kernel 4 over stride 2."""
    ops: list[Ops] = []
    for at, inputs in ((1, width), (2, DECONV)):
        area = 4 * grid[0] * grid[1]
        ops.append((
            upsampled(f"head.deconv{at}", inputs, DECONV, grid[0] * grid[1], 16, after=area, bias=False),
            batch_norm(f"head.batchnorm{at}", DECONV, area), valued(f"head.relu{at}", "relu", DECONV * area),
        ))  # fmt: skip
        grid = 2 * grid[0], 2 * grid[1]
    return (*sum(ops, ()), conv2d("head.conv", DECONV, labels, grid, 1))


DPT_DEFAULTS: Mapping[str, Value | None] = {
    **VIT_DEFAULTS, "image_size": 384, "readout_type": "project", "neck_hidden_sizes": "96, 192, 384, 768",
    "fusion_hidden_size": 256, "use_batch_norm_in_fusion_residual": False, "add_projection": False,
    "use_auxiliary_head": True,
}  # fmt: skip
DEPTH_DEFAULTS: Mapping[str, Value | None] = {
    "patch_size": 14, "reassemble_hidden_size": 384, "neck_hidden_sizes": "48, 96, 192, 384",
    "fusion_hidden_size": 64, "head_hidden_size": 32,
}  # fmt: skip
POSE_DEFAULTS: Mapping[str, Value | None] = {
    **{k: v for k, v in SIZES.items() if k != "image_size"}, "mlp_ratio": 4, "num_experts": 1, "qkv_bias": True
}  # fmt: skip

FAMILIES: Final = (
    Family(("dpt",), OnePassReader("DPT", _dpt, DPT_DEFAULTS)),
    Family(("depth_anything",), OnePassReader("Depth Anything", _depth_anything, DEPTH_DEFAULTS)),
    Family(("vitpose",), OnePassReader("ViTPose", _vitpose, {"scale_factor": 4, "use_simple_decoder": True})),
)
