"""ViT, DINOv2, DINOv3 and VideoMAE: patches, layers that are all alike, and what stands behind them."""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.analysis.models.blocks.fixed.layer import LayerBlock, Leaves
from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    Side,
    conv2d,
    conv_size,
    dense,
    learnt,
    normed,
    valued,
)
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, idle, labels_of, side_of
from explorer.analysis.models.parts import Tensor
from explorer.analysis.problem import Value

VIT = Leaves(
    "layernorm_before", "attention.q_proj", "attention.k_proj", "attention.v_proj", "attention.attention",
    "attention.o_proj", "layernorm_after", "mlp.fc1", "mlp.activation_fn", "mlp.fc2",
    adds=("attention.residual_add", "mlp.residual_add"),
)  # fmt: skip
OLDER = Leaves(
    "layernorm_before", "attention.attention.query", "attention.attention.key", "attention.attention.value",
    "attention.attention.attention", "attention.output.dense", "layernorm_after", "intermediate.dense",
    "intermediate.intermediate_act_fn", "output.dense", adds=("attention.residual_add", "output.residual_add"),
)  # fmt: skip
SCALES = ("layer_scale1.lambda1", "layer_scale2.lambda1")
DINO = msgspec.structs.replace(VIT, first="norm1", second="norm2", scales=SCALES)
DINO_GATED = msgspec.structs.replace(
    DINO, gate="mlp.gate_proj", inward="mlp.up_proj", act="mlp.act_fn", outward="mlp.down_proj"
)
DINO3 = msgspec.structs.replace(DINO, inward="mlp.up_proj", act="mlp.act_fn", outward="mlp.down_proj")


class PatchGrid(msgspec.Struct, frozen=True):
    """How a picture becomes rows: `tokens` learnt ones stand before the patches, `frames` pictures are one input."""

    side: Side
    patch: Side
    channels: int
    width: int
    tokens: int = 1
    pad: int = 0
    frames: int = 1

    @property
    def grid(self) -> Side:
        """PatchGrid down and across."""
        return conv_size(self.side, self.patch[0], self.patch[0], self.pad)

    @property
    def count(self) -> int:
        """PatchGrid of one input."""
        return self.grid[0] * self.grid[1] * self.frames

    @property
    def rows(self) -> int:
        """Rows of one input."""
        return self.count + self.tokens

    def projected(self, path: str = "patch_embeddings.projection", *, bias: bool = True) -> Ops:
        """The projection of patches."""
        made = conv2d(
            path, self.channels, self.width, self.side, self.patch, stride=self.patch[0], pad=self.pad, bias=bias,
            images=self.frames,
        )  # fmt: skip
        return (made,)

    def check(self, fields: Fields, name: str = "patch_size") -> None:
        """PatchGrid are squares, at least one fits in."""
        high, wide = self.patch
        if high != wide:
            fields.fault("model.patch_not_square", name, height=high, width=wide)
        elif not fields.problems and (high > self.side[0] or wide > self.side[1]):
            fields.fault("model.patch_over_picture", name, patch=high, height=self.side[0], width=self.side[1])


def patches_of(fields: Fields, width: int, tokens: int = 1) -> PatchGrid:
    """PatchGrid by the usual fields; a note says what one pass is over."""
    found = PatchGrid(
        side_of(fields, "image_size"), side_of(fields, "patch_size"), fields.size("num_channels"), width, tokens
    )
    found.check(fields)
    noted(fields, found.side, found.rows)
    return found


def noted(fields: Fields, side: Side, rows: int) -> None:
    """What one pass is over."""
    fields.note("model.one_picture", height=side[0], width=side[1], positions=rows)


def layers_of(fields: Fields, leaves: Leaves, inner: int | None = None, **more: object) -> tuple[LayerBlock, int]:
    """One layer by the usual fields, and how many there are."""
    width, heads = fields.size("hidden_size"), fields.size("num_attention_heads")
    fields.check(width % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=width, heads=heads)
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    block = LayerBlock(width, heads, inner or fields.size("intermediate_size"), act, leaves)
    return msgspec.structs.replace(block, **more), fields.size("num_hidden_layers", limit=LAYER_LIMIT)


def classifier(fields: Fields, inputs: int, path: str = "classifier") -> Run:
    """A linear layer on one row of each input; none without classes."""
    labels = labels_of(fields)
    return Run((dense(path, inputs, labels, 1, role="head", storage="wide"),) if labels else ())


def encoder(block: LayerBlock, layers: int, rows: int) -> Run:
    """Alike layers."""
    return Run(block.ops(rows), layers, "bidirectional", "dense")


def _vit(fields: Fields) -> Pass:
    known = ("ViTModel", "ViTForImageClassification")
    named = class_of(fields, known)
    qkv = fields.flag("qkv_bias")
    block, layers = layers_of(fields, VIT, biases=(qkv, qkv, qkv, True))
    patches = patches_of(fields, block.width)
    stem = (*patches.projected(), *tokens(patches, "cls_token", 1), *positions(patches))
    after: Ops = (normed("layernorm", block.width, patches.rows),)
    if named == "ViTModel":
        size = fields.size("pooler_output_size", otherwise=block.width)
        after = (*after, dense("pooler.dense", block.width, size, 1), valued("pooler.activation", "scale", size))
        return Pass((Run(stem), encoder(block, layers, patches.rows), Run(after)), patches.rows)
    parts = (Run(stem), encoder(block, layers, patches.rows), Run(after), classifier(fields, block.width))
    return Pass(parts, patches.rows)


def tokens(patches: PatchGrid, name: str, count: int) -> Ops:
    return (learnt(name, count * patches.width, count * patches.width),) if count else ()


def positions(patches: PatchGrid, rows: int | None = None, name: str = "position_embeddings") -> Ops:
    rows = patches.rows if rows is None else rows
    return (learnt(name, rows * patches.width, rows * patches.width),)


def dino(fields: Fields, registers: int = 0) -> tuple[PatchGrid, tuple[Run, Run, Run], tuple[Tensor, ...]]:
    """DINOv2's stem, layers and last norm."""
    width = fields.size("hidden_size")
    inner, gated = width * fields.size("mlp_ratio"), fields.flag("use_swiglu_ffn")
    if gated:
        inner = (int(inner * 2 / 3) + 7) // 8 * 8
    qkv = fields.flag("qkv_bias")
    block, layers = layers_of(fields, DINO_GATED if gated else DINO, inner, biases=(qkv, qkv, qkv, True))
    if gated:
        block = msgspec.structs.replace(block, activation="silu")
    patches = patches_of(fields, width, 1 + registers)
    stem = (
        *patches.projected(), *tokens(patches, "cls_token", 1), *positions(patches, patches.count + 1),
        *tokens(patches, "register_tokens", registers),
    )  # fmt: skip
    masked = "use_mask_token" not in fields.defaults or fields.flag("use_mask_token")  # with registers it has no choice
    extra = (idle("embeddings.mask_token", width),) if masked else ()
    norm = Run((normed("layernorm", width, patches.rows),))
    return patches, (Run(stem), encoder(block, layers, patches.rows), norm), extra


def _dino2(fields: Fields) -> Pass:
    return _dino_pass(fields, 0, "Dinov2")


def _dino2_registers(fields: Fields) -> Pass:
    return _dino_pass(fields, fields.natural("num_register_tokens"), "Dinov2WithRegisters")


def _dino_pass(fields: Fields, registers: int, prefix: str) -> Pass:
    named = class_of(fields, (f"{prefix}Model", f"{prefix}ForImageClassification"))
    patches, parts, extra = dino(fields, registers)
    last = classifier(fields, 2 * patches.width) if named.endswith("ForImageClassification") else Run(())
    return Pass((*parts, last), patches.rows, extra)


def _dino3(fields: Fields) -> Pass:
    class_of(fields, ("DINOv3ViTModel",))
    gated, registers = fields.flag("use_gated_mlp"), fields.natural("num_register_tokens")
    biases = tuple(fields.flag(f"{name}_bias") for name in ("query", "key", "value", "proj"))
    leaves = DINO_GATED if gated else DINO3
    block, layers = layers_of(fields, leaves, biases=biases, mlp_bias=fields.flag("mlp_bias"))
    patches = patches_of(fields, block.width, 1 + registers)
    block = msgspec.structs.replace(block, rotated=patches.count)
    stem = (
        *patches.projected("patch_embeddings"), *tokens(patches, "cls_token", 1),
        *tokens(patches, "register_tokens", registers),
    )  # fmt: skip
    extra = (idle("embeddings.mask_token", block.width),)
    parts = (Run(stem), encoder(block, layers, patches.rows), Run((normed("norm", block.width, patches.rows),)))
    return Pass(parts, patches.rows, extra)


def _videomae(fields: Fields) -> Pass:
    named = class_of(fields, ("VideoMAEModel", "VideoMAEForVideoClassification"))
    qv = fields.flag("qv_bias")
    block, layers = layers_of(fields, OLDER, biases=(qv, False, qv, True))
    frames, tube = fields.size("num_frames"), fields.size("tubelet_size")
    pooled = fields.flag("use_mean_pooling")
    width = block.width
    patches = PatchGrid(
        side_of(fields, "image_size"), side_of(fields, "patch_size"), fields.size("num_channels") * tube, width, 0,
        frames=max(frames // tube, 1),
    )  # fmt: skip
    patches.check(fields)
    rows = patches.rows
    fields.note("model.one_video", frames=frames, height=patches.side[0], width=patches.side[1], positions=rows)
    stem = (*patches.projected(), valued("position_embeddings.add", "residual_add", rows * width, "embedding"))
    last = () if pooled else (normed("layernorm", width, rows),)
    parts = [Run(stem), encoder(block, layers, rows), Run(last)]
    if named == "VideoMAEForVideoClassification":
        mean = (valued("mean", "reduction", rows * width, "head"), normed("fc_norm", width, 1)) if pooled else ()
        parts += [Run(mean), classifier(fields, width)]
    return Pass(parts, rows)


SIZES: Mapping[str, Value | None] = {
    "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "hidden_act": "gelu", "num_channels": 3,
    "image_size": 224,
}  # fmt: skip
VIT_DEFAULTS: Mapping[str, Value | None] = {
    **SIZES, "patch_size": 16, "qkv_bias": True, "intermediate_size": 3072, "pooler_output_size": None
}  # fmt: skip
DINO_DEFAULTS: Mapping[str, Value | None] = {
    **SIZES, "patch_size": 14, "qkv_bias": True, "mlp_ratio": 4, "use_swiglu_ffn": False, "use_mask_token": True,
}  # fmt: skip
REGISTER_DEFAULTS: Mapping[str, Value | None] = {
    **{name: value for name, value in DINO_DEFAULTS.items() if name != "use_mask_token"},
    "patch_size": 16,
    "num_register_tokens": 4,
}
DINO3_DEFAULTS: Mapping[str, Value | None] = {
    **SIZES, "hidden_size": 384, "num_attention_heads": 6, "intermediate_size": 1536, "patch_size": 16,
    "query_bias": True, "key_bias": False, "value_bias": True, "proj_bias": True, "mlp_bias": True,
    "use_gated_mlp": False, "num_register_tokens": 0,
}  # fmt: skip
VIDEO_DEFAULTS: Mapping[str, Value | None] = {
    **SIZES, "intermediate_size": 3072, "patch_size": 16, "num_frames": 16, "tubelet_size": 2, "qv_bias": True,
    "use_mean_pooling": True,
}  # fmt: skip

FAMILIES: Final = (
    Family(("vit",), OnePassReader("ViT", _vit, VIT_DEFAULTS)),
    Family(("dinov2",), OnePassReader("DINOv2", _dino2, DINO_DEFAULTS)),
    Family(
        ("dinov2_with_registers",),
        OnePassReader("DINOv2 with registers", _dino2_registers, REGISTER_DEFAULTS),
    ),
    Family(("dinov3_vit",), OnePassReader("DINOv3", _dino3, DINO3_DEFAULTS)),
    Family(("videomae",), OnePassReader("VideoMAE", _videomae, VIDEO_DEFAULTS)),
)
