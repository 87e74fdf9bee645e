"""Segment Anything 2 (arXiv 2408.00714) over one picture: Hiera's stages, a pyramid, and masks for one point.

The class multiplies queries and keys of each single row too, and drops the product; that is no row here.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    Side,
    added,
    attended,
    conv2d,
    conv_size,
    dense,
    labelled,
    learnt,
    normed,
    product,
    valued,
)
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, idle, nested, side_of, sizes_of
from explorer.analysis.models.families.pictures.sam import DECODER, POINTS, PROMPT, mask_embed, masks_drawn
from explorer.analysis.models.families.pictures.swin import ratio_of
from explorer.analysis.problem import Value

KEPT = 3  # pictures that masks are drawn by


class HieraLayer(msgspec.Struct, frozen=True):
    """A layer of Hiera: the first of a stage widens the stream and halves its picture, by its queries."""

    side: Side
    width: int
    out: int
    heads: int
    window: int  # 0: the whole picture
    pooled: bool
    inner: int
    activation: str

    @property
    def after(self) -> Side:
        return (self.side[0] // 2, self.side[1] // 2) if self.pooled else self.side

    def ops(self) -> Ops:
        """Its operators."""
        rows, wide, seen = self.side[0] * self.side[1], self.out, self.after[0] * self.after[1]
        size = (self.window, self.window) if self.window else self.side
        windows = -(-self.side[0] // size[0]) * -(-self.side[1] // size[1])
        keys, queries = size[0] * size[1], size[0] * size[1]
        skip: Ops = ()
        if self.pooled:
            queries = (size[0] // 2) * (size[1] // 2)
        if self.width != wide:
            skip = (dense("proj", self.width, wide, rows),)
        if self.pooled:
            skip = (*skip, valued("pool", "reduction", rows * wide, "residual"),
                    valued("attn.pool", "reduction", windows * keys * wide, "attention"))  # fmt: skip
        return (
            normed("layer_norm1", self.width, rows), *skip,
            dense("attn.qkv", self.width, 3 * wide, windows * keys, role="attention"),
            attended("attn.attention", self.heads, wide // self.heads, queries, keys, windows=windows),
            dense("attn.proj", wide, wide, windows * queries, role="attention"),
            added("attn.residual_add", seen * wide), normed("layer_norm2", wide, seen),
            dense("mlp.proj_in", wide, self.inner, seen, role="mlp"),
            valued("mlp.activation", self.activation, seen * self.inner),
            dense("mlp.proj_out", self.inner, wide, seen, role="mlp"), added("mlp.residual_add", seen * wide),
        )  # fmt: skip


def _sam2(fields: Fields) -> Pass:
    class_of(fields, ("Sam2Model",))
    vision = nested(fields, "vision_config", NECK)
    prompt, decoder = nested(fields, "prompt_encoder_config", ASKED), nested(fields, "mask_decoder_config", MASKS)
    parts, widths, sides, side = _hiera(nested(vision, "backbone_config", HIERA))
    out, inner = vision.size("fpn_hidden_size"), decoder.size("hidden_size")
    prompt.check(prompt.size("hidden_size") == out == inner, "model.vision_width", "hidden_size",
                 stated=prompt.size("hidden_size"), hidden=out)  # fmt: skip
    fields.refuse_faults()
    neck = _neck(vision, widths, sides, out)
    grid = _grid(vision, prompt, sides, side)
    count, features = grid[0] * grid[1], out // 2
    fields.refuse_faults()
    fields.note("model.one_picture", height=side[0], width=side[1], positions=count)
    fields.note("model.one_point")
    placed: Ops = (
        learnt("no_memory_embedding", out, count * out),
        product("shared_image_embedding.grid", 1, count, features, 2),
        product("shared_image_embedding.points", 1, POINTS, features, 2),
        learnt("prompt_encoder.point_embed", prompt.size("num_point_embeddings") * out, POINTS * out),
        learnt("prompt_encoder.not_a_point_embed", out, out),
        learnt("prompt_encoder.no_mask_embed", out, count * out),
    )
    masks = masks_drawn(decoder, inner, grid, features, second=True)
    idles = idle("prompt_encoder.mask_embed", mask_embed(prompt.size("mask_input_channels"), out))
    return Pass((*parts, Run(neck), Run(placed), *masks), count, (idles,))


def _hiera(fields: Fields) -> tuple[list[Run], tuple[int, ...], list[Side], Side]:
    """The stages: their parts, the width and the picture of each, and the picture given."""
    side, first = side_of(fields, "image_size", (1024, 1024)), fields.size("hidden_size")
    kernel, stride, pad = (side_of(fields, f"patch_{name}", (n, n)) for name, n in (("kernel_size", 7), ("stride", 4),
                                                                                    ("padding", 3)))  # fmt: skip
    for name, pair in (("patch_stride", stride), ("patch_padding", pad)):
        if pair[0] != pair[1]:
            fields.fault("model.variant_unread", name, value=f"{pair[0]}, {pair[1]}", known=f"{pair[0]}, {pair[0]}")
    if side_of(fields, "query_stride", (2, 2)) != (2, 2):
        fields.fault("model.variant_unread", "query_stride", value=brief(str(fields.config["query_stride"])),
                     known="2, 2")  # fmt: skip
    background = side_of(fields, "window_positional_embedding_background_size", (7, 7))
    depths = sizes_of(fields, "blocks_per_stage")
    widths, heads, windows = (
        sizes_of(fields, name, len(depths))
        for name in ("embed_dim_per_stage", "num_attention_heads_per_stage", "window_size_per_stage")
    )
    for width, count in zip(widths, heads, strict=True):
        fields.check(width % count == 0, "model.hidden_not_divisible", "num_attention_heads_per_stage", hidden=width,
                     heads=count)  # fmt: skip
    fields.check(widths[0] == first, "model.vision_width", "hidden_size", stated=first, hidden=widths[0])
    fields.check(sum(depths) <= LAYER_LIMIT, "model.out_of_range", "blocks_per_stage", value=sum(depths), least=1,
                 most=LAYER_LIMIT)  # fmt: skip
    everywhere, pools = _global(fields), fields.natural("num_query_pool_stages")
    ratio, act = ratio_of(fields, "mlp_ratio"), activation(fields, "hidden_act", known=ACTIVATIONS)
    fields.refuse_faults()
    at = conv_size(side, kernel[0], stride[0], pad[0])
    area = at[0] * at[1] * first
    stem = (
        conv2d("patch_embed.projection", fields.size("num_channels"), first, side, kernel, stride=stride[0],
               pad=pad[0]),
        learnt("pos_embed", first * background[0] * background[1], area),
        learnt("pos_embed_window", first * windows[0] ** 2, area),
    )  # fmt: skip
    parts, sides, made = [Run(stem)], list[Side](), 0
    for stage, depth in enumerate(depths):
        found: dict[tuple[HieraLayer, str], int] = {}
        for index in range(depth):
            before = stage - (stage > 0 and index == 0)
            pooled = 0 < stage <= pools and index == 0
            window = 0 if made in everywhere else windows[before]
            inner = int(widths[stage] * ratio)
            block = HieraLayer(at, widths[before], widths[stage], heads[stage], window, pooled, inner, act)
            name = f"stage {stage + 1}" + (", first" if before != stage else "") + ("" if window else ", global")
            found[block, name] = found.get((block, name), 0) + 1
            at, made = block.after, made + 1
            if pooled and not window:  # its class divides by the window
                fields.fault("model.variant_unread", "global_attention_blocks", value=str(made - 1),
                             known="none that is the first of its stage")  # fmt: skip
            if pooled and widths[before] == widths[stage]:  # its class adds pictures of two sizes
                fields.fault("model.variant_unread", "embed_dim_per_stage", value=brief(str(widths)), known="growing")
        for (block, name), times in found.items():
            looks = f"windows {block.window} x {block.window}" if block.window else "bidirectional"
            parts.append(Run(labelled(block.ops(), name), times, looks, "dense"))
        sides.append(at)
    return parts, widths, sides, side


def _global(fields: Fields) -> set[int]:
    found = fields.items("global_attention_blocks", lambda n: isinstance(n, int) and not isinstance(n, bool) and n >= 0)
    return set(sizes_of(fields, "global_attention_blocks") if found is None else found)


def _neck(fields: Fields, widths: tuple[int, ...], sides: list[Side], out: int) -> Ops:
    """Each picture as wide as the others, the smaller ones laid over the larger."""
    for name, value in (("fpn_kernel_size", 1), ("fpn_stride", 1), ("fpn_padding", 0)):
        stated = fields.natural(name)
        if stated != value:
            fields.fault("model.variant_unread", name, value=str(stated), known=str(value))
    stated_widths = sizes_of(fields, "backbone_channel_list", len(widths))
    if stated_widths != widths[::-1]:
        known = ", ".join(map(str, widths[::-1]))
        fields.fault("model.variant_unread", "backbone_channel_list", value=brief(str(stated_widths)), known=known)
    levels = fields.items("fpn_top_down_levels", lambda n: isinstance(n, int) and not isinstance(n, bool) and n >= 0)
    laid = set(sizes_of(fields, "fpn_top_down_levels") if levels is None else levels)
    ops: list[Ops] = []
    last = len(widths) - 1
    for at in range(last, -1, -1):
        values = out * sides[at][0] * sides[at][1]
        more = (valued(f"neck.interpolate.{at}", "copy", values, "conv"), added(f"neck.add.{at}", values))
        ops.append((conv2d(f"neck.convs.{last - at}", widths[at], out, sides[at], 1),
                    *(more if at in laid and at != last else ())))  # fmt: skip
    return sum(ops, ())


def _grid(vision: Fields, prompt: Fields, sides: list[Side], side: Side) -> Side:
    """The picture that masks are drawn by: the third one, a sixteenth as high and wide as the one given."""
    stated, patch = side_of(prompt, "image_size"), side_of(prompt, "patch_size")
    grid = stated[0] // patch[0], stated[1] // patch[1]
    if vision.natural("num_feature_levels") != KEPT or len(sides) < KEPT:
        vision.fault("model.variant_unread", "num_feature_levels",
                     value=str(vision.natural("num_feature_levels")), known=str(KEPT))  # fmt: skip
        return grid
    if stated != side or grid != sides[KEPT - 1] or grid[0] != grid[1]:
        prompt.fault("model.variant_unread", "image_size", value=f"{stated[0]} x {stated[1]}",
                     known=f"{side[0]} x {side[1]}")  # fmt: skip
    expected = [list(pair) for pair in sides[:KEPT]]
    if "backbone_feature_sizes" in vision.config and vision.config["backbone_feature_sizes"] != expected:
        vision.fault("model.variant_unread", "backbone_feature_sizes",
                     value=brief(str(vision.config["backbone_feature_sizes"])), known=brief(str(expected)))  # fmt: skip
    high, wide = sides[KEPT - 1]
    if expected != [[4 * high, 4 * wide], [2 * high, 2 * wide], [high, wide]]:
        vision.fault("model.variant_unread", "backbone_config.patch_stride", value=brief(str(expected)), known="4, 4")
    return grid


HIERA: Mapping[str, Value | None] = {
    "hidden_size": 96, "num_channels": 3, "num_query_pool_stages": 3, "blocks_per_stage": "1, 2, 7, 2",
    "embed_dim_per_stage": "96, 192, 384, 768", "num_attention_heads_per_stage": "1, 2, 4, 8",
    "window_size_per_stage": "8, 4, 14, 7", "global_attention_blocks": "5, 7, 9", "mlp_ratio": 4.0,
    "hidden_act": "gelu",
}  # fmt: skip
NECK: Mapping[str, Value | None] = {
    "fpn_hidden_size": 256, "fpn_kernel_size": 1, "fpn_stride": 1, "fpn_padding": 0, "num_feature_levels": 3,
    "backbone_channel_list": "768, 384, 192, 96", "fpn_top_down_levels": "2, 3",
}  # fmt: skip
ASKED: Mapping[str, Value | None] = {**PROMPT, "image_size": 1024, "patch_size": 16}
MASKS: Mapping[str, Value | None] = {**DECODER, "hidden_act": "gelu"}

FAMILIES: Final = (Family(("sam2",), OnePassReader("SAM 2", _sam2, {})),)
