"""DETR, Table Transformer and RT-DETR: a ResNet, an encoder over its last picture, queries that look at it."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.fixed.deformable import deformable
from explorer.analysis.models.blocks.fixed.layer import LayerBlock, Leaves
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
    learnt,
    normed,
    under,
    valued,
)
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
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
from explorer.analysis.models.families.pictures.convnets import RESNET_DEFAULTS, residual
from explorer.analysis.models.families.rules import only
from explorer.analysis.problem import Value

DETR_SIDE, FAST_SIDE = (800, 800), (640, 640)
TIMM: Mapping[str, Mapping[str, Value | list[int]]] = {
    "resnet18": {"depths": [2, 2, 2, 2], "hidden_sizes": [64, 128, 256, 512], "layer_type": "basic"},
    "resnet34": {"depths": [3, 4, 6, 3], "hidden_sizes": [64, 128, 256, 512], "layer_type": "basic"},
    "resnet50": {},
    "resnet101": {"depths": [3, 4, 23, 3]},
}
DETR = Leaves(
    "self_attn_layer_norm", out="self_attn.o_proj", second="final_layer_norm", act="mlp.activation_fn",
)  # fmt: skip
TABLE = replace(DETR, out="self_attn.out_proj", inward="fc1", act="activation_fn", outward="fc2",
                adds=("self_attn.residual_add", "residual_add"))  # fmt: skip


class Detector(msgspec.Struct, frozen=True):
    """What sets one of the first two apart."""

    prefix: str
    leaves: Leaves
    pre: bool


def _backbone(fields: Fields) -> Fields:
    """The ResNet's config, or the one that a name of timm's stands for."""
    inner = fields.config.get("backbone_config")
    if isinstance(inner, Mapping):
        kind = inner.get("model_type", "resnet")
        if kind not in ("resnet", "rt_detr_resnet"):
            fields.fault("model.variant_unread", "backbone_config.model_type", value=brief(kind), known="resnet")
        return nested(fields, "backbone_config", RESNET_DEFAULTS)
    name = fields.config.get("backbone", "resnet50")
    if name not in TIMM:
        fields.fault("model.variant_unread", "backbone", value=brief(name), known=", ".join(TIMM))
    made = Fields({**TIMM.get(str(name), {})}, f"{fields.path}backbone.", RESNET_DEFAULTS)
    made.problems, made.notes = fields.problems, fields.notes
    return made


def _detr(kind: Detector, fields: Fields) -> Pass:
    named = class_of(fields, (f"{kind.prefix}ForObjectDetection", f"{kind.prefix}Model"))
    only("dilation", be=False)(fields)
    net = residual(_backbone(fields), learns=False)
    side = side_of(fields, "image_size", DETR_SIDE)
    width, queries = fields.size("d_model"), fields.size("num_queries")
    act = activation(fields, "activation_function", known=ACTIVATIONS)
    heads = tuple(fields.size(f"{name}_attention_heads") for name in ("encoder", "decoder"))
    for name, count in zip(("encoder", "decoder"), heads, strict=True):
        fields.check(width % count == 0, "model.hidden_not_divisible", f"{name}_attention_heads", hidden=width,
                     heads=count)  # fmt: skip
    layers = tuple(fields.size(f"{name}_layers", limit=LAYER_LIMIT) for name in ("encoder", "decoder"))
    inner = tuple(fields.size(f"{name}_ffn_dim") for name in ("encoder", "decoder"))
    fields.refuse_faults()
    parts, sides = net.parts(side)
    grid = sides[-1]
    rows = grid[0] * grid[1]
    fields.note("model.one_picture", height=side[0], width=side[1], positions=rows)
    block = LayerBlock(width, heads[0], inner[0], act, kind.leaves, on_sum=not kind.pre)
    other = replace(block, heads=heads[1], inner=inner[1])
    taken = conv2d("input_projection", net.widths[-1], width, grid, 1)
    last = (normed("encoder.layernorm", width, rows),) if kind.pre else ()
    decoder = labelled(_decoder(other, queries, rows, pre=kind.pre), "decoder")
    asked = learnt("query_position_embeddings", queries * width, queries * width)
    boxes = _heads(width, queries, labels_of(fields) + 1) if named.endswith("ForObjectDetection") else ()
    runs = (
        *parts, Run((taken,)), Run(labelled(block.ops(rows), "encoder"), layers[0], "bidirectional", "dense"),
        Run((*last, asked)), Run(decoder, layers[1], "bidirectional + cross", "dense"),
        Run((normed("decoder.layernorm", width, queries), *boxes)),
    )  # fmt: skip
    return Pass(runs, rows)


def _decoder(block: LayerBlock, queries: int, keys: int, *, pre: bool) -> Ops:
    """A layer over the queries, which also looks at the encoder's rows."""
    names, width = block.leaves, block.width
    out = names.out.rpartition(".")[2]
    norm = (normed("encoder_attn_layer_norm", width, queries),)
    crossed = (
        dense("encoder_attn.q_proj", width, width, queries, role="attention"),
        dense("encoder_attn.k_proj", width, width, keys, role="attention"),
        dense("encoder_attn.v_proj", width, width, keys, role="attention"),
        attended("encoder_attn.attention", block.heads, block.size, queries, keys),
        dense(f"encoder_attn.{out}", width, width, queries, role="attention"),
        added("encoder_attn.residual_add", queries * width),
    )
    half = (*norm, *crossed) if pre else (*crossed, *norm)
    return (*block.attention(queries), *half, *block.mlp(queries))


def _heads(width: int, queries: int, labels: int) -> Ops:
    return (
        dense("class_labels_classifier", width, labels, queries, role="head", storage="wide"),
        *_boxes("bbox_predictor", width, queries),
    )


def _boxes(path: str, width: int, rows: int) -> Ops:
    return (
        dense(f"{path}.layers.0", width, width, rows), valued(f"{path}.relu.0", "relu", rows * width),
        dense(f"{path}.layers.1", width, width, rows), valued(f"{path}.relu.1", "relu", rows * width),
        dense(f"{path}.layers.2", width, 4, rows),
    )  # fmt: skip


class Hybrid(msgspec.Struct, frozen=True):
    """RT-DETR's convolutions between three pictures."""

    width: int
    inner: int
    activation: str

    def conv(
        self, path: str, inputs: int, outputs: int, side: Side, kernel: int = 1, stride: int = 1, *, act: bool = True
    ) -> Ops:
        """A convolution, its batch norm and its activation."""
        pad = (kernel - 1) // 2
        after = conv_size(side, kernel, stride, pad)
        area = after[0] * after[1]
        ops = (
            conv2d(f"{path}.conv", inputs, outputs, side, kernel, stride=stride, pad=pad, bias=False),
            batch_norm(f"{path}.norm", outputs, area),
        )
        return (*ops, valued(f"{path}.activation", self.activation, outputs * area)) if act else ops

    def csp(self, path: str, side: Side) -> Ops:
        """Two ways through, one of them three blocks of two convolutions each."""
        inner, values = self.inner, self.inner * side[0] * side[1]
        blocks: list[Ops] = []
        for at in range(3):
            block = f"bottlenecks.{at}"
            blocks.append((
                *self.conv(f"{block}.conv1", inner, inner, side, 3, act=False),
                *self.conv(f"{block}.conv2", inner, inner, side, act=False),
                added(f"{block}.add", values), valued(f"{block}.activation", self.activation, values),
            ))  # fmt: skip
        ops = (
            *self.conv("conv1", 2 * self.width, inner, side), *sum(blocks, ()),
            *self.conv("conv2", 2 * self.width, inner, side), added("add", values),
        )  # fmt: skip
        last = self.conv("conv3", inner, self.width, side) if inner != self.width else ()
        return under(path, (*ops, *last))


def _rt_detr(fields: Fields) -> Pass:
    class_of(fields, ("RTDetrForObjectDetection",))
    for name, value in (("normalize_before", False), ("learn_initial_query", False), ("with_box_refine", True)):
        only(name, be=value)(fields)
    frozen = fields.flag("freeze_backbone_batch_norms")
    net = replace(residual(_backbone(fields), learns=not frozen), deep=True)
    size = fields.config.get("anchor_image_size")
    side = FAST_SIDE if size is None else side_of(fields, "anchor_image_size")
    width, inputs = fields.size("encoder_hidden_dim"), sizes_of(fields, "encoder_in_channels")
    levels = len(inputs)
    places = sizes_of(fields, "encode_proj_layers")
    hidden, queries = fields.size("d_model"), fields.size("num_queries")
    if fields.size("num_feature_levels") != levels or len(net.widths) < levels or max(places) >= levels:
        fields.fault(
            "model.list_length", "encoder_in_channels", count=levels, expected=fields.size("num_feature_levels")
        )
    heads = fields.size("encoder_attention_heads"), fields.size("decoder_attention_heads")
    acts = [activation(fields, name, known=ACTIVATIONS) for name in
            ("encoder_activation_function", "activation_function", "decoder_activation_function")]  # fmt: skip
    expansion = fields.config.get("hidden_expansion", 1.0)
    if not isinstance(expansion, int | float) or isinstance(expansion, bool) or not 0 < expansion <= 100:
        fields.fault("model.not_a_multiple", "hidden_expansion", value=brief(expansion))
        expansion = 1.0
    inner = fields.size("encoder_ffn_dim"), fields.size("decoder_ffn_dim")
    layers = fields.size("encoder_layers", limit=LAYER_LIMIT), fields.size("decoder_layers", limit=LAYER_LIMIT)
    points, labels = fields.size("decoder_n_points"), labels_of(fields)
    taken = sizes_of(fields, "decoder_in_channels", levels)
    fields.refuse_faults()
    parts, all_sides = net.parts(side)
    sides = all_sides[-levels:]
    total = sum(a * b for a, b in sides)
    fields.note("model.one_picture", height=side[0], width=side[1], positions=total)
    mix = Hybrid(width, int(width * expansion), acts[1])
    aifi = LayerBlock(width, heads[0], inner[0], acts[0], DETR, on_sum=True)
    encoders = [
        Run(labelled(aifi.ops(sides[place][0] * sides[place][1]), "aifi"), layers[0], "bidirectional", "dense")
        for place in places
    ]
    decoder = _deformed(LayerBlock(hidden, heads[1], inner[1], acts[2], DETR, on_sum=True), queries, total, levels,
                        points)  # fmt: skip
    asked = layers[1] * queries  # one small network for the boxes of every layer
    placed = (
        dense("query_pos_head.layers.0", 4, 2 * hidden, asked),
        valued("query_pos_head.relu", "relu", asked * 2 * hidden),
        dense("query_pos_head.layers.1", 2 * hidden, hidden, asked),
    )  # fmt: skip
    refined = (*_boxes("bbox_embed", hidden, queries), dense("class_embed", hidden, labels, queries, role="head",
                                                             storage="wide"))  # fmt: skip
    runs = (
        *parts, Run(_taken(mix, net.widths[-levels:], sides)), *encoders, Run(_pyramid(mix, sides)),
        Run(_chosen(taken, hidden, labels, sides)),
        Run(placed), Run(labelled((*decoder, *refined), "decoder"), layers[1], "deformed", "dense"),
    )  # fmt: skip
    denoising = (idle("denoising_class_embed", (labels + 1) * hidden),) if fields.natural("num_denoising") else ()
    return Pass(runs, total, denoising)


def _taken(mix: Hybrid, widths: tuple[int, ...], sides: list[Side]) -> Ops:
    ops: list[Ops] = []
    for at, (inputs, side) in enumerate(zip(widths, sides, strict=True)):
        made = conv2d(f"encoder_input_proj.{at}.0", inputs, mix.width, side, 1, bias=False)
        ops.append((made, batch_norm(f"encoder_input_proj.{at}.1", mix.width, side[0] * side[1])))
    return sum(ops, ())


def _pyramid(mix: Hybrid, sides: list[Side]) -> Ops:
    """Up from the smallest picture to the largest, and down again."""
    width, ops = mix.width, list[Ops]()
    for at, (small, large) in enumerate(pairwise(sides[::-1])):
        grown = valued(f"fpn.{at}.interpolate", "copy", width * large[0] * large[1], "conv")
        ops.append((*mix.conv(f"lateral_convs.{at}", width, width, small), grown, *mix.csp(f"fpn_blocks.{at}", large)))
    for at, (large, small) in enumerate(pairwise(sides)):
        ops.append(
            (*mix.conv(f"downsample_convs.{at}", width, width, large, 3, 2), *mix.csp(f"pan_blocks.{at}", small))
        )
    return sum(ops, ())


def _chosen(inputs: tuple[int, ...], width: int, labels: int, sides: list[Side]) -> Ops:
    """What the decoder looks at, and the rows that its queries start from."""
    ops: list[Ops] = []
    for at, (taken, side) in enumerate(zip(inputs, sides, strict=True)):
        made = conv2d(f"decoder_input_proj.{at}.0", taken, width, side, 1, bias=False)
        ops.append((made, batch_norm(f"decoder_input_proj.{at}.1", width, side[0] * side[1])))
    total = sum(a * b for a, b in sides)
    scored = (
        dense("enc_output.0", width, width, total), normed("enc_output.1", width, total),
        dense("enc_score_head", width, labels, total), *_boxes("enc_bbox_head", width, total),
    )  # fmt: skip
    return (*sum(ops, ()), *scored)


def _deformed(block: LayerBlock, queries: int, keys: int, levels: int, points: int) -> Ops:
    """A layer whose queries look at a few points of each picture, between four pixels each."""
    width = block.width
    crossed = (
        *deformable("encoder_attn", width, block.heads, queries, keys, levels, points),
        added("encoder_attn.residual_add", queries * width),
        normed("encoder_attn_layer_norm", width, queries),
    )
    return (*block.attention(queries), *crossed, *block.mlp(queries))


DETR_DEFAULTS: Mapping[str, Value | None] = {
    "d_model": 256, "num_queries": 100, "activation_function": "relu", "encoder_layers": 6, "decoder_layers": 6,
    "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "encoder_attention_heads": 8, "decoder_attention_heads": 8,
}  # fmt: skip
FAST_DEFAULTS: Mapping[str, Value | None] = {
    **DETR_DEFAULTS, "num_queries": 300, "activation_function": "silu", "encoder_activation_function": "gelu",
    "decoder_activation_function": "relu", "encoder_layers": 1, "encoder_ffn_dim": 1024, "decoder_ffn_dim": 1024,
    "encoder_hidden_dim": 256, "encoder_in_channels": "512, 1024, 2048", "encode_proj_layers": "2",
    "decoder_in_channels": "256, 256, 256", "num_feature_levels": 3, "decoder_n_points": 4, "num_denoising": 100,
    "freeze_backbone_batch_norms": True,
}  # fmt: skip
FIRST, SECOND = Detector("Detr", DETR, pre=False), Detector("TableTransformer", TABLE, pre=True)

FAMILIES: Final = (
    Family(("detr",), OnePassReader("DETR", lambda fields: _detr(FIRST, fields), DETR_DEFAULTS)),
    Family(
        ("table-transformer",), OnePassReader("Table Transformer", lambda fields: _detr(SECOND, fields), DETR_DEFAULTS)
    ),
    Family(("rt_detr",), OnePassReader("RT-DETR", _rt_detr, FAST_DEFAULTS)),
)
