"""CLIP, SigLIP, SigLIP 2, OWL-ViT and OWLv2: a picture and a text, each through layers of its own."""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.analysis.models.blocks.fixed.layer import CLIP_LEAVES, LayerBlock
from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    attended,
    dense,
    labelled,
    learnt,
    looked_up,
    normed,
    product,
    valued,
)
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, nested, side_of
from explorer.analysis.models.families.pictures.vit import PatchGrid, classifier, encoder, layers_of, patches_of
from explorer.analysis.problem import Value

Defaults = Mapping[str, Value | None]
TEXT, PICTURE = "text", "picture"


class Pair(msgspec.Struct, frozen=True):
    """What sets one pair of towers apart from another."""

    prefix: str
    text: Defaults
    picture: Defaults
    sigmoid: bool = False  # SigLIP: a head on each tower in place of projections, and a bias of the scores
    pre_norm: str = "pre_layrnorm"
    numbered: bool = False  # patches come as rows, their number is a field

    def text_tower(self, fields: Fields, label: str = TEXT) -> tuple[list[Run], LayerBlock, int]:
        """Layers over the longest text."""
        fields.defaults = self.text
        block, layers = layers_of(fields, CLIP_LEAVES, causal=not self.sigmoid)
        rows, width = fields.size("max_position_embeddings"), block.width
        stem = (
            looked_up("token_embedding", fields.size("vocab_size"), width, rows),
            learnt("position_embedding", rows * width, rows * width),
        )
        last: Ops = (normed("final_layer_norm", width, rows),)
        if self.sigmoid:
            size = fields.size("projection_size", otherwise=width)
            last = (*last, dense("head", width, size, 1))
        parts = [Run(stem), encoder(block, layers, rows), Run(last)]
        return [part._replace(ops=labelled(part.ops, label)) for part in parts], block, rows

    def picture_tower(self, fields: Fields, label: str = PICTURE) -> tuple[list[Run], PatchGrid]:
        """Layers over one picture."""
        fields.defaults = self.picture
        block, layers = layers_of(fields, CLIP_LEAVES)
        patches, stem = self._stem(fields, block.width)
        last: Ops = (normed("post_layernorm", block.width, patches.rows if self.sigmoid or self._owl else 1),)
        if self.sigmoid and fields.flag("vision_use_head"):
            last = (*last, *_pooled(block, patches.rows))
        parts = [Run(stem), encoder(block, layers, patches.rows), Run(last)]
        return [part._replace(ops=labelled(part.ops, label)) for part in parts], patches

    @property
    def _owl(self) -> bool:
        return self.pre_norm == "pre_layernorm"

    def _stem(self, fields: Fields, width: int) -> tuple[PatchGrid, Ops]:
        if self.numbered:
            return self._rows_in(fields, width)
        patches = patches_of(fields, width, 0 if self.sigmoid else 1)
        table = learnt("position_embedding", patches.rows * width, patches.rows * width)
        made = patches.projected("patch_embedding", bias=self.sigmoid)
        if self.sigmoid:
            return patches, (*made, table)
        token = learnt("class_embedding", width, width)
        return patches, (*made, token, table, normed(self.pre_norm, width, patches.rows))

    @staticmethod
    def _rows_in(fields: Fields, width: int) -> tuple[PatchGrid, Ops]:
        rows, patch = fields.size("num_patches"), side_of(fields, "patch_size")
        patches = PatchGrid((patch[0], patch[1] * rows), patch, fields.size("num_channels"), width, 0)
        patches.check(fields)
        fields.note("model.patches_fixed", patches=rows)
        values = patches.channels * patch[0] * patch[1]
        made = dense("patch_embedding", values, width, rows)
        resized = product("position_embedding.resize", 1, rows, width, rows)  # to the picture's own shape
        return patches, (made, resized, learnt("position_embedding", rows * width, rows * width))


def _pooled(block: LayerBlock, rows: int) -> Ops:
    """SigLIP's pooling: one learnt query looks at every row, then one more feed-forward."""
    width = block.width
    inner = msgspec.structs.replace(block, leaves=msgspec.structs.replace(CLIP_LEAVES, second="head.layernorm"))
    return (
        learnt("head.probe", width, width, group="attention"),
        dense("head.attention.in_proj_q", width, width, 1, role="attention"),
        dense("head.attention.in_proj_kv", width, 2 * width, rows, role="attention"),
        attended("head.attention.attention", block.heads, block.size, 1, rows),
        dense("head.attention.out_proj", width, width, 1, role="attention"),
        *(msgspec.structs.replace(op, parent=_inside(op.parent), tensors=tuple(
            msgspec.structs.replace(t, name=_inside(t.name)) for t in op.tensors)) for op in inner.mlp(1)),
    )  # fmt: skip


def _inside(path: str) -> str:
    return path if path.startswith("head") else f"head.{path}"


def _both(pair: Pair, fields: Fields) -> Pass:
    """Both towers and what compares them."""
    prefix = pair.prefix
    known = (f"{prefix}Model", f"{prefix}ForImageClassification")
    if class_of(fields, known) == known[1]:
        parts, patches = pair.picture_tower(nested(fields, "vision_config", {}), "")
        if not pair.sigmoid:
            parts = parts[:2]
        last = patches.width
        return Pass((*parts, *_unread(pair, last), classifier(fields, last)), patches.rows)
    texts, block, words = pair.text_tower(nested(fields, "text_config", {}))
    pictures, patches = pair.picture_tower(nested(fields, "vision_config", {}))
    fields.note("model.text_beside", tokens=words)
    return Pass((*texts, *pictures, *_compared(pair, fields, block.width, patches.width)), max(words, patches.rows))


def _unread(pair: Pair, width: int) -> tuple[Run, ...]:
    return () if pair.sigmoid else (Run((normed("post_layernorm", width, 1),)),)


def _compared(pair: Pair, fields: Fields, words: int, picture: int) -> tuple[Run, ...]:
    if pair.sigmoid:
        shared = product("logits_per_image", 1, 1, 1, picture)
        return (Run((shared, learnt("logit_scale", 1, 1, group="head"), learnt("logit_bias", 1, 1, group="head"))),)
    size = fields.size("projection_dim")
    ops = (
        dense("visual_projection", picture, size, 1, bias=False, role="head", storage="wide"),
        dense("text_projection", words, size, 1, bias=False, role="head", storage="wide"),
        product("logits_per_image", 1, 1, 1, size),
        learnt("logit_scale", 1, 1, group="head"),
    )
    return (Run(ops),)


def _one(pair: Pair, fields: Fields, side: str) -> Pass:
    """One tower by itself, with its projection where the class has it."""
    tower = "Vision" if side == PICTURE else "Text"
    plain, projected = f"{pair.prefix}{tower}Model", f"{pair.prefix}{tower}ModelWithProjection"
    named = class_of(fields, (plain,) if pair.sigmoid else (plain, projected))
    if side == PICTURE:
        parts, patches = pair.picture_tower(fields, "")
        width, rows, path = patches.width, patches.rows, "visual_projection"
    else:
        parts, block, rows = pair.text_tower(fields, "")
        width, path = block.width, "text_projection"
        fields.note("model.one_text", tokens=rows)
    if named == projected:
        size = fields.size("projection_dim")
        parts = [*parts, Run((dense(path, width, size, 1, bias=False, role="head", storage="wide"),))]
    return Pass(parts, rows)


def _owl(pair: Pair, fields: Fields) -> Pass:
    """OWL-ViT: boxes and classes of every patch; one query in words beside the picture."""
    named = class_of(fields, (f"{pair.prefix}ForObjectDetection", f"{pair.prefix}Model"))
    texts, block, words = pair.text_tower(nested(fields, "text_config", {}))
    pictures, patches = pair.picture_tower(nested(fields, "vision_config", {}))
    fields.note("model.text_beside", tokens=words)
    compared = _compared(pair, fields, block.width, patches.width)
    parts = (*texts, *pictures, *compared)
    if named.endswith("ForObjectDetection"):
        parts = (*parts, Run(_boxes(patches, block.width, objectness=pair.prefix == "Owlv2")))
    return Pass(parts, patches.rows)


def _boxes(patches: PatchGrid, words: int, *, objectness: bool) -> Ops:
    width, rows = patches.width, patches.count
    sides = [("box_head", 4), *([("objectness_head", 1)] if objectness else [])]
    ops = [
        valued("class_token.mul", "scale", rows * width, "head"),
        normed("layer_norm", width, rows),
        dense("class_head.dense0", width, words, rows),
        product("class_head.einsum", 1, rows, 1, words),
        dense("class_head.logit_shift", width, 1, rows),
        dense("class_head.logit_scale", width, 1, rows),
    ]
    for name, out in sides:
        ops += [
            dense(f"{name}.dense0", width, width, rows), valued(f"{name}.gelu", "gelu", rows * width),
            dense(f"{name}.dense1", width, width, rows), valued(f"{name}.gelu", "gelu", rows * width),
            dense(f"{name}.dense2", width, out, rows),
        ]  # fmt: skip
    return tuple(ops)


LAYERED: Defaults = {"num_hidden_layers": 12, "hidden_act": "quick_gelu"}
CLIP_TEXT: Defaults = {
    **LAYERED, "vocab_size": 49408, "hidden_size": 512, "intermediate_size": 2048, "num_attention_heads": 8,
    "max_position_embeddings": 77, "projection_dim": 512,
}  # fmt: skip
CLIP_PICTURE: Defaults = {
    **LAYERED, "hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12, "num_channels": 3,
    "image_size": 224, "patch_size": 32, "projection_dim": 512,
}  # fmt: skip
SIGLIP_TEXT: Defaults = {
    **CLIP_TEXT, "hidden_act": "gelu_pytorch_tanh", "vocab_size": 32000, "hidden_size": 768,
    "intermediate_size": 3072, "num_attention_heads": 12, "max_position_embeddings": 64,
}  # fmt: skip
SIGLIP_PICTURE: Defaults = {
    **CLIP_PICTURE, "hidden_act": "gelu_pytorch_tanh", "patch_size": 16, "vision_use_head": True
}  # fmt: skip
CLIP = Pair("CLIP", CLIP_TEXT, CLIP_PICTURE)
SIGLIP = Pair("Siglip", SIGLIP_TEXT, SIGLIP_PICTURE, sigmoid=True)
SIGLIP2 = Pair("Siglip2", SIGLIP_TEXT, {**SIGLIP_PICTURE, "num_patches": 256}, sigmoid=True, numbered=True)
OWL_TEXT: Defaults = {**CLIP_TEXT, "max_position_embeddings": 16}
OWL = Pair("OwlViT", OWL_TEXT, {**CLIP_PICTURE, "image_size": 768}, pre_norm="pre_layernorm")
OWL2 = Pair("Owlv2", OWL_TEXT, {**CLIP_PICTURE, "image_size": 768, "patch_size": 16}, pre_norm="pre_layernorm")

FAMILIES: Final = (
    Family(("clip",), OnePassReader("CLIP", lambda f: _both(CLIP, f), {"projection_dim": 512})),
    Family(("clip_vision_model",), OnePassReader("CLIP vision", lambda f: _one(CLIP, f, PICTURE), CLIP_PICTURE)),
    Family(("clip_text_model",), OnePassReader("CLIP text", lambda f: _one(CLIP, f, TEXT), CLIP_TEXT)),
    Family(("siglip",), OnePassReader("SigLIP", lambda f: _both(SIGLIP, f), {})),
    Family(
        ("siglip_vision_model",), OnePassReader("SigLIP vision", lambda f: _one(SIGLIP, f, PICTURE), SIGLIP_PICTURE)
    ),
    Family(("siglip2",), OnePassReader("SigLIP 2", lambda f: _both(SIGLIP2, f), {})),
    Family(("owlvit",), OnePassReader("OWL-ViT", lambda f: _owl(OWL, f), {"projection_dim": 512})),
    Family(("owlv2",), OnePassReader("OWLv2", lambda f: _owl(OWL2, f), {"projection_dim": 512})),
)
