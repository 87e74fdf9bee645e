"""Grounding DINO (arXiv 2303.05499): a picture and a text see each other, queries look at both for what is named."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.fixed.deformable import deformable
from explorer.analysis.models.blocks.fixed.layer import LayerBlock, Leaves
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
    looked_up,
    normed,
    product,
    under,
    valued,
)
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, nested
from explorer.analysis.models.families.pictures.mask2former import swin_backbone
from explorer.analysis.models.families.pictures.vit import encoder, layers_of
from explorer.analysis.models.families.rules import only
from explorer.analysis.problem import Value

BERT = Leaves(
    "attention.output.LayerNorm", "attention.self.query", "attention.self.key", "attention.self.value",
    "attention.self.attention", "attention.output.dense", "output.LayerNorm", "intermediate.dense",
    "intermediate.intermediate_act_fn", "output.dense", adds=("attention.residual_add", "output.residual_add"),
)  # fmt: skip
DETR = Leaves(
    "self_attn_layer_norm", "self_attn.query", "self_attn.key", "self_attn.value", "self_attn.attention",
    "self_attn.out_proj", "final_layer_norm", "fc1", "activation_fn", "fc2",
    adds=("self_attn.residual_add", "residual_add"),
)  # fmt: skip
ENHANCED = replace(DETR, first="layer_norm_before", second="layer_norm_after", act="activation")
GROUPS, POOLED = 32, "a multiple of 32"


def _grounding(fields: Fields) -> Pass:
    class_of(fields, ("GroundingDinoForObjectDetection",))
    for name, value in RULES.items():
        only(name, be=value)(fields)
    for name, kind in (("position_embedding_type", "sine"), ("query_dim", 4)):
        if fields.config.get(name, kind) != kind:
            fields.fault("model.variant_unread", name, value=brief(fields.config[name]), known=str(kind))
    texts, words, text_width = _text(fields)
    backbone, widths, sides, unread = swin_backbone(fields, 1)
    width, queries = fields.size("d_model"), fields.size("num_queries")
    act = activation(fields, "activation_function", known=ACTIVATIONS)
    taken, sides = _taken(fields, widths, sides, width)
    rows = sum(a * b for a, b in sides)
    sizes = {side: _sizes(fields, side, width) for side in ("encoder", "decoder")}
    fields.check(queries <= rows, "model.out_of_range", "num_queries", value=queries, least=1, most=rows)
    fields.refuse_faults()
    fields.note("model.text_beside", tokens=words)
    first = LayerBlock(width, sizes["encoder"][1], sizes["encoder"][2], act, DETR, on_sum=True)
    second = replace(first, heads=sizes["decoder"][1], inner=sizes["decoder"][2])
    levels, points = len(sides), (fields.size("encoder_n_points"), fields.size("decoder_n_points"))
    layer, shared = _decoder(second, queries, rows, words, levels, points[1]), _shared(width, queries)
    again = _untold(shared)
    deep = sizes["decoder"][0]
    boxed = _boxes("bbox_embed", width, queries)
    heads = (product("class_embed", 1, queries, words, width), *_untold(boxed))  # its class asks them of every layer
    runs = (
        *texts, Run(labelled((dense("text_projection", text_width, width, words),), "text")), *backbone, Run(taken),
        Run((learnt("level_embed", levels * width, rows * width),)),
        Run(_encoder(first, rows, words, levels, points[0]), sizes["encoder"][0], "fused + deformed", "dense"),
        Run(_chosen(width, queries, rows, words)),
        Run(labelled((*layer, *shared), "decoder"), 1, "bidirectional + cross", "dense"),
        Run(labelled((*layer, *again), "decoder"), deep - 1, "bidirectional + cross", "dense"),
        Run(labelled(heads, "heads"), deep),
    )  # fmt: skip
    return Pass(runs, max(rows, words), unread)


def _text(fields: Fields) -> tuple[list[Run], int, int]:
    """BERT's layers, without what it pools, over the longest text that is read."""
    inner, words = nested(fields, "text_config", WORDS), fields.size("max_text_len")
    kind = inner.config.get("model_type", "bert")
    if kind != "bert":
        inner.fault("model.variant_unread", "model_type", value=brief(kind), known="bert")
    block, layers = layers_of(inner, BERT, on_sum=True)
    table, width = inner.size("max_position_embeddings"), block.width
    fields.check(words <= table, "model.out_of_range", "max_text_len", value=words, least=1, most=table)
    stem = (
        looked_up("word_embeddings", inner.size("vocab_size"), width, words),
        looked_up("token_type_embeddings", inner.size("type_vocab_size"), width, words),
        looked_up("position_embeddings", table, width, words),
        valued("embeddings.add", "residual_add", 2 * words * width, "embedding"),
        normed("embeddings.LayerNorm", width, words),
    )
    parts = [Run(stem), encoder(block, layers, words)]
    return [part._replace(ops=labelled(part.ops, "text")) for part in parts], words, width


def _sizes(fields: Fields, side: str, width: int) -> tuple[int, int, int]:
    """Layers, heads and the inner width of one side; the text has half of the encoder's heads and inner width."""
    heads, inner = fields.size(f"{side}_attention_heads"), fields.size(f"{side}_ffn_dim")
    fields.check(width % heads == 0, "model.hidden_not_divisible", f"{side}_attention_heads", hidden=width, heads=heads)
    if side == "encoder":
        if heads % 2:
            fields.fault("model.variant_unread", "encoder_attention_heads", value=str(heads), known=str(heads + 1))
        half = max(heads // 2, 1)
        fields.check((inner // 2) % half == 0, "model.hidden_not_divisible", "encoder_ffn_dim", hidden=inner // 2,
                     heads=half)  # fmt: skip
    return fields.size(f"{side}_layers", limit=LAYER_LIMIT), heads, inner


def _taken(fields: Fields, widths: list[int], sides: list[Side], width: int) -> tuple[Ops, list[Side]]:
    """The backbone's pictures and smaller ones behind them, all of one width; the sizes of all."""
    levels, grids, ops = fields.size("num_feature_levels", limit=32), list(sides), list[Ops]()
    fields.check(levels >= len(widths), "model.out_of_range", "num_feature_levels", value=levels, least=len(widths),
                 most=32)  # fmt: skip
    if width % GROUPS:
        fields.fault("model.variant_unread", "d_model", value=str(width), known=POOLED)
    for at in range(min(levels, 32)):
        path, known = f"input_proj_vision.{at}", at < len(widths)
        inputs = widths[at] if known else widths[-1] if at == len(widths) else width
        made = conv2d(f"{path}.0", inputs, width, grids[min(at, len(grids) - 1)], 1) if known else conv2d(
            f"{path}.0", inputs, width, grids[-1], 3, stride=2, pad=1
        )  # fmt: skip
        if not known:
            grids.append(conv_size(grids[-1], 3, 2, 1))
        ops.append((made, normed(f"{path}.1", width, grids[at][0] * grids[at][1])))
    return sum(ops, ()), grids


def _encoder(block: LayerBlock, rows: int, words: int, levels: int, points: int) -> Ops:
    """A layer: picture and text see each other, then the text itself, then the picture itself, point by point."""
    width = block.width
    half = replace(block, heads=max(block.heads // 2, 1), inner=block.inner // 2, leaves=ENHANCED)
    seen = (
        *deformable("self_attn", width, block.heads, rows, rows, levels, points),
        added("self_attn.residual_add", rows * width), normed("self_attn_layer_norm", width, rows), *block.mlp(rows),
    )  # fmt: skip
    return (
        *labelled(under("fusion_layer", _fused(width, half.heads, half.inner, rows, words)), "fusion"),
        *labelled(under("text_enhancer_layer", half.ops(words)), "text"),
        *labelled(under("deformable_layer", seen), "picture"),
    )


def _fused(width: int, heads: int, inner: int, rows: int, words: int) -> Ops:
    """One product of scores, read along either side."""
    ops: list[Ops] = [tuple(normed(f"layer_norm_{side}", width, n) for side, n in (("vision", rows), ("text", words)))]
    for name, n in (("vision", rows), ("text", words), ("values_vision", rows), ("values_text", words)):
        ops.append((dense(f"attn.{name}_proj", width, inner, n, role="attention"),))
    size, scores = inner // heads, heads * rows * words
    looked = (
        product("attn.scores", heads, rows, words, size), valued("attn.text_softmax", "softmax", scores, "attention"),
        valued("attn.vision_softmax", "softmax", scores, "attention"),
        product("attn.vision_output", heads, rows, size, words), product("attn.text_output", heads, words, size, rows),
    )  # fmt: skip
    for name, n in (("vision", rows), ("text", words)):
        ops.append((
            dense(f"attn.out_{name}_proj", inner, width, n, role="attention"),
            learnt(f"{name}_param", width, n * width, group="residual"), added(f"{name}_add", n * width),
        ))  # fmt: skip
    return (*sum(ops[:5], ()), *looked, *sum(ops[5:], ()))


def _chosen(width: int, queries: int, rows: int, words: int) -> Ops:
    """Which rows of the picture resemble the text most: boxes of these are where queries start."""
    return (
        dense("enc_output", width, width, rows), normed("enc_output_norm", width, rows),
        product("encoder_output_class_embed", 1, rows, words, width),
        *_boxes("encoder_output_bbox_embed", width, rows),
        learnt("query_position_embeddings", queries * width, queries * width),
        product("encoder_logits", 1, queries, words, width),
    )  # fmt: skip


def _decoder(block: LayerBlock, queries: int, rows: int, words: int, levels: int, points: int) -> Ops:
    """A layer: queries look at each other, at the text, and at a few points of each picture."""
    width, path = block.width, "encoder_attn_text"
    crossed = (
        dense(f"{path}.query", width, width, queries, role="attention"),
        dense(f"{path}.key", width, width, words, role="attention"),
        dense(f"{path}.value", width, width, words, role="attention"),
        attended(f"{path}.attention", block.heads, block.size, queries, words),
        dense(f"{path}.out_proj", width, width, queries, role="attention"),
        added(f"{path}.residual_add", queries * width), normed(f"{path}_layer_norm", width, queries),
        *deformable("encoder_attn", width, block.heads, queries, rows, levels, points),
        added("encoder_attn.residual_add", queries * width), normed("encoder_attn_layer_norm", width, queries),
    )  # fmt: skip
    return (*block.attention(queries), *crossed, *block.mlp(queries))


def _shared(width: int, queries: int) -> Ops:
    """What all layers of the decoder have in common: where its queries are, where their boxes go, the last norm."""
    path = "reference_points_head"
    return (
        dense(f"{path}.layers.0", 2 * width, width, queries), valued(f"{path}.relu", "relu", queries * width),
        dense(f"{path}.layers.1", width, width, queries), *_boxes("bbox_embed", width, queries),
        normed("layer_norm", width, queries),
    )  # fmt: skip


def _untold(ops: Ops) -> Ops:
    """The same operators once more, with weights that are told already."""
    return tuple(replace(op, tensors=()) for op in ops)


def _boxes(path: str, width: int, rows: int) -> Ops:
    return (
        dense(f"{path}.layers.0", width, width, rows), valued(f"{path}.relu.0", "relu", rows * width),
        dense(f"{path}.layers.1", width, width, rows), valued(f"{path}.relu.1", "relu", rows * width),
        dense(f"{path}.layers.2", width, 4, rows),
    )  # fmt: skip


RULES: Mapping[str, bool] = {
    "two_stage": True, "two_stage_bbox_embed_share": False, "embedding_init_target": True,
    "decoder_bbox_embed_share": True,
}  # fmt: skip
WORDS: Mapping[str, Value | None] = {
    "vocab_size": 30522, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072, "hidden_act": "gelu", "max_position_embeddings": 512, "type_vocab_size": 2,
}  # fmt: skip
DEFAULTS: Mapping[str, Value | None] = {
    "num_queries": 900, "encoder_layers": 6, "encoder_ffn_dim": 2048, "encoder_attention_heads": 8,
    "decoder_layers": 6, "decoder_ffn_dim": 2048, "decoder_attention_heads": 8, "activation_function": "relu",
    "d_model": 256, "num_feature_levels": 4, "encoder_n_points": 4, "decoder_n_points": 4, "max_text_len": 256,
    **RULES,
}  # fmt: skip

FAMILIES: Final = (Family(("grounding-dino",), OnePassReader("Grounding DINO", _grounding, DEFAULTS)),)
