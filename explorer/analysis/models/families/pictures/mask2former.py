"""Mask2Former (arXiv 2112.01527): a Swin encoder, a pyramid of its pictures, queries that each draw a mask."""

from collections.abc import Mapping
from math import log2
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.fixed.deformable import deformable
from explorer.analysis.models.blocks.fixed.layer import LayerBlock
from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    Side,
    added,
    attended,
    conv2d,
    dense,
    labelled,
    learnt,
    normed,
    product,
    valued,
)
from explorer.analysis.models.blocks.fixed.swin import Swin
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
from explorer.analysis.models.families.pictures.detr import TABLE
from explorer.analysis.models.families.pictures.swin import SWIN_DEFAULTS, grids_fit, swin_of
from explorer.analysis.models.parts import Tensor
from explorer.analysis.problem import Value

LEVELS, POINTS, GROUPS = 3, 4, 32


def swin_backbone(fields: Fields, first: int) -> tuple[list[Run], list[int], list[Side], tuple[Tensor, ...]]:
    """Swin's parts with a norm on what each stage from the `first` on hands over; widths and sizes of these.

    Last stands the norm of the whole, whose output nobody takes.
    """
    inner = nested(fields, "backbone_config", SWIN_DEFAULTS)
    kind = inner.config.get("model_type")
    if kind != "swin":
        inner.fault("model.variant_unread", "model_type", value=brief(kind), known="swin")
    net, side = swin_of(inner), side_of(inner, "image_size", (224, 224))
    named = [f"stage{at + 1}" for at in range(first, len(net.depths))]
    places = [at + 1 for at in range(first, len(net.depths))]
    if inner.config.get("out_features") != named and (
        inner.has("out_features") or inner.config.get("out_indices") != places
    ):
        inner.fault(
            "model.variant_unread", "out_features", value=_listed(inner.config.get("out_features")),
            known=", ".join(named),
        )  # fmt: skip
    if inner.flag("use_absolute_embeddings"):
        inner.fault("model.variant_unread", "use_absolute_embeddings", value="true", known="false")
    fields.refuse_faults()
    grids_fit(inner, net, side)
    parts, widths, sides = _staged(net, side, first)
    rows = sides[-1][0] * sides[-1][1]
    fields.note("model.one_picture", height=side[0], width=side[1], positions=rows)
    return parts, widths, sides, (idle("swin.layernorm", 2 * net.last),)


def _listed(value: object) -> str:
    return ", ".join(map(str, value))[:60] if isinstance(value, list) else brief(value)


def _staged(net: Swin, side: Side, first: int) -> tuple[list[Run], list[int], list[Side]]:
    stem, grid = net.stem(side)
    parts, grids = net.stages(grid)
    widths = net.widths()
    norms = tuple(
        normed(f"hidden_states_norms.stage{at + 1}", widths[at], grids[at][0] * grids[at][1])
        for at in range(first, len(widths))
    )
    return [stem, *parts, Run(norms)], widths[first:], grids[first:]


def _mask2former(fields: Fields) -> Pass:
    named = class_of(fields, ("Mask2FormerForUniversalSegmentation", "Mask2FormerModel"))
    backbone, widths, sides, unread = swin_backbone(fields, 0)
    hidden, feature, mask = (fields.size(n) for n in ("hidden_dim", "feature_size", "mask_feature_size"))
    heads, queries, act = fields.size("num_attention_heads"), fields.size("num_queries"), activation(
        fields, "activation_function", known=ACTIVATIONS
    )  # fmt: skip
    for name, width in (("hidden_dim", hidden), ("feature_size", feature)):
        fields.check(width % heads == 0, "model.hidden_not_divisible", name, hidden=width, heads=heads)
    if feature % GROUPS:
        fields.fault("model.variant_unread", "feature_size", value=str(feature), known=f"a multiple of {GROUPS}")
    layers = fields.size("decoder_layers", limit=LAYER_LIMIT) - 1
    finer = _finer(fields, len(widths))
    fields.refuse_faults()
    small = sides[::-1][:LEVELS]
    areas = [a * b for a, b in small]
    block = LayerBlock(hidden, heads, fields.size("dim_feedforward"), act, TABLE, on_sum=not fields.flag("pre_norm"))
    drawn = _drawn(hidden, queries, mask, sides[0] if finer else small[-1])
    again = tuple(replace(op, tensors=()) for op in drawn)
    shared = normed("layernorm", hidden, queries), replace(normed("layernorm", hidden, queries), tensors=())
    runs = [*backbone, *_pyramid(fields, widths, sides, finer, feature, mask), Run(_asked(fields, areas, feature))]
    runs.append(Run(labelled((shared[0], *drawn), "first masks")))
    for level, area in enumerate(areas):
        ops = (*_looks(block, queries, area), shared[1], *again)
        times = max(-(-(layers - level) // LEVELS), 0)
        runs.append(Run(labelled(ops, f"decoder, picture {level + 1}"), times, "cross + bidirectional", "dense"))
    if named.endswith("ForUniversalSegmentation"):
        labels, seen = labels_of(fields) + 1, queries * (layers + 1)  # its class asks for those of every layer
        runs.append(Run((dense("class_predictor", hidden, labels, seen, role="head", storage="wide"),)))
    return Pass(runs, sum(areas), unread)


def _finer(fields: Fields, stages: int) -> int:
    """How many larger pictures join the three smallest."""
    strides, common = sizes_of(fields, "feature_strides", stages), fields.size("common_stride")
    if stages < LEVELS:
        fields.fault("model.list_length", "backbone_config.depths", count=stages, expected=LEVELS)
        return 0
    found = int(log2(min(strides[-LEVELS:])) - log2(common))
    if found not in (0, 1) or found > stages - LEVELS:
        fields.fault("model.variant_unread", "common_stride", value=str(common), known=str(strides[-LEVELS] // 2))
    return max(found, 0)


def _pyramid(
    fields: Fields, widths: list[int], sides: list[Side], finer: int, width: int, mask: int
) -> tuple[Run, ...]:
    """The three smallest pictures see each other, point by point; one larger is laid over them."""
    small = list(zip(widths[::-1], sides[::-1], strict=True))[:LEVELS]
    taken: list[Ops] = []
    for at, (inputs, side) in enumerate(small):
        made = conv2d(f"input_projections.{at}.0", inputs, width, side, 1)
        taken.append((made, normed(f"input_projections.{at}.1", width, side[0] * side[1])))
    rows = sum(a * b for _, (a, b) in small)
    level = learnt("level_embed", LEVELS * width, rows * width)
    inner = fields.size("encoder_feedforward_dim")
    layer = (
        *deformable("self_attn", width, fields.size("num_attention_heads"), rows, rows, LEVELS, POINTS),
        added("self_attn.residual_add", rows * width), normed("self_attn_layer_norm", width, rows),
        dense("fc1", width, inner, rows, role="mlp"), valued("activation_fn", "relu", rows * inner),
        dense("fc2", inner, width, rows, role="mlp"), added("residual_add", rows * width),
        normed("final_layer_norm", width, rows),
    )  # fmt: skip
    last = sides[0] if finer else small[-1][1]
    area = last[0] * last[1]
    laid: Ops = () if not finer else (
        conv2d("adapter_1.0", widths[0], width, last, 1, bias=False), normed("adapter_1.1", width, area),
        valued("interpolate", "copy", width * area, "conv"), added("add", width * area),
        conv2d("layer_1.0", width, width, last, 3, pad=1, bias=False), normed("layer_1.1", width, area),
        valued("layer_1.2", "relu", width * area),
    )  # fmt: skip
    count = fields.size("encoder_layers", limit=LAYER_LIMIT)
    return (
        Run((*sum(taken, ()), level)), Run(labelled(layer, "pyramid"), count, "deformed", "dense"),
        Run((*laid, conv2d("mask_projection", width, mask, last, 1))),
    )  # fmt: skip


def _asked(fields: Fields, areas: list[int], feature: int) -> Ops:
    """What the decoder looks at, and the rows that its queries start from."""
    hidden, queries = fields.size("hidden_dim"), fields.size("num_queries")
    ops: list[Ops] = []
    if feature != hidden or fields.flag("enforce_input_projection"):
        ops = [
            (conv2d(f"transformer_module.input_projections.{at}", feature, hidden, (1, area), 1),)
            for at, area in enumerate(areas)
        ]
    return (
        *sum(ops, ()), learnt("transformer_module.level_embed", LEVELS * hidden, sum(areas) * hidden),
        learnt("queries_embedder", queries * hidden, queries * hidden),
        learnt("queries_features", queries * hidden, queries * hidden),
    )  # fmt: skip


def _drawn(width: int, queries: int, mask: int, side: Side) -> Ops:
    """A mask of each query over the largest picture, and where the next layer may look by it."""
    path, area = "mask_predictor.mask_embedder", side[0] * side[1]
    return (
        dense(f"{path}.0.0", width, width, queries), valued(f"{path}.0.1", "relu", queries * width),
        dense(f"{path}.1.0", width, width, queries), valued(f"{path}.1.1", "relu", queries * width),
        dense(f"{path}.2.0", width, mask, queries),
        product("mask_predictor.masks", 1, queries, area, mask),
        valued("mask_predictor.interpolate", "copy", queries * area, "attention"),
    )  # fmt: skip


def _looks(block: LayerBlock, queries: int, keys: int) -> Ops:
    """A layer: queries look at one picture, then at each other."""
    width = block.width
    crossed = (
        dense("cross_attn.in_proj_q", width, width, queries, role="attention"),
        dense("cross_attn.in_proj_k", width, width, keys, role="attention"),
        dense("cross_attn.in_proj_v", width, width, keys, role="attention"),
        attended("cross_attn.attention", block.heads, block.size, queries, keys),
        dense("cross_attn.out_proj", width, width, queries, role="attention"),
        added("cross_attn.residual_add", queries * width),
    )
    norm = (normed("cross_attn_layer_norm", width, queries),)
    return (*((*crossed, *norm) if block.on_sum else (*norm, *crossed)), *block.ops(queries))


DEFAULTS: Mapping[str, Value | None] = {
    "feature_size": 256, "mask_feature_size": 256, "hidden_dim": 256, "encoder_feedforward_dim": 1024,
    "activation_function": "relu", "encoder_layers": 6, "decoder_layers": 10, "num_attention_heads": 8,
    "dim_feedforward": 2048, "pre_norm": False, "enforce_input_projection": False, "common_stride": 4,
    "num_queries": 100, "feature_strides": "4, 8, 16, 32",
}  # fmt: skip

FAMILIES: Final = (Family(("mask2former",), OnePassReader("Mask2Former", _mask2former, DEFAULTS)),)
