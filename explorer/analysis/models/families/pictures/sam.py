"""Segment Anything: a large encoder over one picture, and a small decoder of masks for one point in it."""

from collections.abc import Mapping
from typing import Final

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
    under,
    upsampled,
    valued,
)
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, idle, nested, side_of, sizes_of
from explorer.analysis.models.families.pictures.swin import ratio_of
from explorer.analysis.models.families.pictures.vit import PatchGrid
from explorer.analysis.problem import Value

POINTS = 2  # the point asked for, and the one that pads it
SCORES = 1  # the token that says how good the masks are


def _sam(fields: Fields) -> Pass:
    class_of(fields, ("SamModel",))
    vision = nested(fields, "vision_config", VISION)
    prompt, decoder = nested(fields, "prompt_encoder_config", PROMPT), nested(fields, "mask_decoder_config", DECODER)
    width, heads, features = (vision.size(n) for n in ("hidden_size", "num_attention_heads", "num_pos_feats"))
    vision.check(width % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=width, heads=heads)
    grid = PatchGrid(
        side_of(vision, "image_size"), side_of(vision, "patch_size"), vision.size("num_channels"), width, 0
    )  # fmt: skip
    grid.check(vision)
    if grid.side[0] != grid.side[1]:
        vision.fault("model.variant_unread", "image_size", value=f"{grid.side[0]} x {grid.side[1]}", known="a square")
    out, inner = vision.size("output_channels"), decoder.size("hidden_size")
    prompt.check(prompt.size("hidden_size") == out == inner == 2 * features, "model.vision_width", "hidden_size",
                 stated=prompt.size("hidden_size"), hidden=out)  # fmt: skip
    fields.note("model.one_picture", height=grid.side[0], width=grid.side[1], positions=grid.count)
    fields.note("model.one_point")
    layers = _layers(vision, grid, heads)
    masks = masks_drawn(decoder, inner, grid.grid, features)
    idles = idle("prompt_encoder.mask_embed", mask_embed(prompt.size("mask_input_channels"), out))
    table = (learnt("pos_embed", grid.count * width, grid.count * width),) if vision.flag("use_abs_pos") else ()
    neck = (
        conv2d("neck.conv1", width, out, grid.grid, 1, bias=False), normed("neck.layer_norm1", out, grid.count),
        conv2d("neck.conv2", out, out, grid.grid, 3, pad=1, bias=False), normed("neck.layer_norm2", out, grid.count),
    )  # fmt: skip
    placed = (
        learnt("shared_image_embedding.positional_embedding", 2 * features, 2 * features, per_value=0.0),
        product("shared_image_embedding.grid", 1, grid.count, features, 2),
        product("shared_image_embedding.points", 1, POINTS, features, 2),
        learnt("prompt_encoder.point_embed", prompt.size("num_point_embeddings") * out, POINTS * out),
        learnt("prompt_encoder.not_a_point_embed", out, out),
        learnt("prompt_encoder.no_mask_embed", out, grid.count * out),
    )
    return Pass((Run((*grid.projected("patch_embed.projection"), *table)), *layers, Run(neck), Run(placed), *masks),
                grid.count, (idles,))  # fmt: skip


def mask_embed(channels: int, width: int) -> int:
    """What takes a mask as a prompt, which a point needs not: three convolutions and two norms."""
    first = channels // 4
    convolutions = 4 * first + first + 4 * first * channels + channels + channels * width + width
    return convolutions + 2 * first + 2 * channels


def _layers(fields: Fields, grid: PatchGrid, heads: int) -> list[Run]:
    count, window = fields.size("num_hidden_layers", limit=LAYER_LIMIT), fields.natural("window_size")
    everywhere = _global(fields)
    whole = sum(index in everywhere or not window for index in range(count))
    inner = fields.optional_size("mlp_dim") or int(grid.width * ratio_of(fields, "mlp_ratio"))
    act, bias, relative = activation(fields, "hidden_act", known=ACTIVATIONS), fields.flag("qkv_bias"), fields.flag(
        "use_rel_pos"
    )  # fmt: skip

    def block(size: Side, windows: int, label: str) -> Ops:
        rows, width = size[0] * size[1], grid.width
        each = width // heads
        positions: Ops = ()
        if relative:
            positions = (
                learnt("attn.rel_pos_h", (2 * size[0] - 1) * each, each, per_value=0.0, group="attention"),
                learnt("attn.rel_pos_w", (2 * size[1] - 1) * each, each, per_value=0.0, group="attention"),
                product("attn.rel_h", windows * size[0], heads * size[1], size[0], each),
                product("attn.rel_w", windows * size[1], heads * size[0], size[1], each),
            )
        return labelled((
            normed("layer_norm1", width, grid.count),
            dense("attn.qkv", width, 3 * width, windows * rows, bias=bias, role="attention"),
            *positions,
            attended("attn.attention", heads, each, rows, rows, windows=windows),
            dense("attn.proj", width, width, windows * rows, role="attention"),
            added("attn.residual_add", grid.count * width),
            normed("layer_norm2", width, grid.count),
            dense("mlp.lin1", width, inner, grid.count, role="mlp"),
            valued("mlp.act", act, grid.count * inner),
            dense("mlp.lin2", inner, width, grid.count, role="mlp"),
            added("mlp.residual_add", grid.count * width),
        ), label)  # fmt: skip

    windows = -(-grid.grid[0] // window) * -(-grid.grid[1] // window) if window else 1
    windowed = Run(block((window, window), windows, "window"), count - whole, f"windows {window} x {window}", "dense")
    return [windowed, Run(block(grid.grid, 1, "global"), whole, "bidirectional", "dense")]


def _global(fields: Fields) -> set[int]:
    """Layers that look at the whole picture."""
    found = fields.items("global_attn_indexes", lambda n: isinstance(n, int) and not isinstance(n, bool) and n >= 0)
    if found is None:
        return set(sizes_of(fields, "global_attn_indexes"))
    return set(found)


def masks_drawn(fields: Fields, width: int, grid: Side, features: int, *, second: bool = False) -> list[Run]:
    """Tokens and picture look at each other; then the picture grows and each token draws a mask on it.

    `second`: SAM 2's, with a token that says whether there is anything, and two larger pictures laid over.
    """
    masks, rows = fields.size("num_multimask_outputs") + 1, grid[0] * grid[1]
    heads, rate, inner = (fields.size(n) for n in ("num_attention_heads", "attention_downsample_rate", "mlp_dim"))
    tokens, small = SCORES + second + masks + POINTS, width // rate
    fields.check(small % heads == 0 and features > 0, "model.hidden_not_divisible", "num_attention_heads", hidden=small,
                 heads=heads)  # fmt: skip
    depth, head = fields.size("iou_head_depth", limit=LAYER_LIMIT), fields.size("iou_head_hidden_dim")
    count, out = fields.size("num_hidden_layers", limit=LAYER_LIMIT), "o_proj" if second else "out_proj"

    def look(path: str, queries: int, keys: int, wide: int) -> Ops:
        return (
            dense(f"{path}.q_proj", width, wide, queries, role="attention"),
            dense(f"{path}.k_proj", width, wide, keys, role="attention"),
            dense(f"{path}.v_proj", width, wide, keys, role="attention"),
            attended(f"{path}.attention", heads, wide // heads, queries, keys),
            dense(f"{path}.{out}", wide, width, queries, role="attention"),
        )

    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    fed: Ops = (
        dense("mlp.lin1", width, inner, tokens, role="mlp"), valued("mlp.act", act, tokens * inner),
        dense("mlp.lin2", inner, width, tokens, role="mlp"),
    )  # fmt: skip
    if second:  # as deep as there are layers, in the class
        fed = feed("mlp", width, inner, width, count, tokens)
    layer = (
        *look("self_attn", tokens, tokens, width), normed("layer_norm1", width, tokens),
        *look("cross_attn_token_to_image", tokens, rows, small), normed("layer_norm2", width, tokens),
        *fed, normed("layer_norm3", width, tokens),
        *look("cross_attn_image_to_token", rows, tokens, small), normed("layer_norm4", width, rows),
    )  # fmt: skip
    last = (
        *look("final_attn_token_to_image", tokens, rows, small), normed("layer_norm_final_attn", width, tokens),
        upsampled("upscale_conv1", width, width // 4, rows, 4), normed("upscale_layer_norm", width // 4, 4 * rows),
        valued("activation", "gelu", width * rows), upsampled("upscale_conv2", width // 4, width // 8, 4 * rows, 4),
        valued("activation", "gelu", 2 * width * rows),
    )  # fmt: skip
    drawn: Ops = ()
    for at in range(masks):
        drawn = (*drawn, *feed(f"output_hypernetworks_mlps.{at}", width, width, width // 8, 3))
    drawn = (*drawn, product("masks", 1, masks, 16 * rows, width // 8))
    scored = feed("iou_prediction_head", width, head, masks, depth)
    asked: Ops = (learnt("iou_token", width, width), learnt("mask_tokens", masks * width, masks * width))
    if second:
        asked = (*asked, learnt("obj_score_token", width, width))
        scored = (*scored, *feed("pred_obj_score_head", width, width, 1, 3))
        last = (*last, *_laid(width, grid))
    return [Run(labelled(asked, "masks")), Run(labelled(layer, "masks"), count, "two ways", "dense"),
            Run((*labelled(last, "masks"), *drawn, *scored))]  # fmt: skip


def _laid(width: int, grid: Side) -> Ops:
    """Two larger pictures of the encoder, made as narrow as the growing one, and added to it."""
    rows, larger, largest = grid[0] * grid[1], (2 * grid[0], 2 * grid[1]), (4 * grid[0], 4 * grid[1])
    return (
        conv2d("conv_s0", width, width // 8, largest, 1), added("conv_s0.add", 2 * width * rows),
        conv2d("conv_s1", width, width // 4, larger, 1), added("conv_s1.add", width * rows),
    )  # fmt: skip


def feed(path: str, inputs: int, inner: int, outputs: int, depth: int, rows: int = 1) -> Ops:
    """Linear layers, two or more."""
    between: Ops = ()
    for at in range(depth - 2):
        between = (
            *between, dense(f"layers.{at}", inner, inner, rows), valued(f"activation.{at + 1}", "relu", rows * inner)
        )  # fmt: skip
    ops = (dense("proj_in", inputs, inner, rows), valued("activation.0", "relu", rows * inner), *between,
           dense("proj_out", inner, outputs, rows))  # fmt: skip
    return under(path, ops)


VISION: Mapping[str, Value | None] = {
    "hidden_size": 768, "output_channels": 256, "num_hidden_layers": 12, "num_attention_heads": 12, "num_channels": 3,
    "image_size": 1024, "patch_size": 16, "hidden_act": "gelu", "qkv_bias": True, "mlp_ratio": 4.0,
    "use_abs_pos": True, "use_rel_pos": True, "window_size": 14, "global_attn_indexes": "2, 5, 8, 11",
    "num_pos_feats": 128, "mlp_dim": None,
}  # fmt: skip
PROMPT: Mapping[str, Value | None] = {"hidden_size": 256, "mask_input_channels": 16, "num_point_embeddings": 4}
DECODER: Mapping[str, Value | None] = {
    "hidden_size": 256, "hidden_act": "relu", "mlp_dim": 2048, "num_hidden_layers": 2, "num_attention_heads": 8,
    "attention_downsample_rate": 2, "num_multimask_outputs": 3, "iou_head_depth": 3, "iou_head_hidden_dim": 256,
}  # fmt: skip

FAMILIES: Final = (Family(("sam",), OnePassReader("SAM", _sam, {})),)
