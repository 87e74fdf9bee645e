"""Image encoders of any resolution that take time as well: those of Qwen and of GLM, with what merges their patches."""

from functools import partial
from typing import Final

from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.towers.parts import (
    Built,
    Parts,
    Tower,
    affine,
    attention,
    gated,
    mlp,
    pair,
    whole_numbers,
)


def qwen2(vision: Fields) -> Built:
    """Qwen2-VL's tower: layer norms, two linear layers of `mlp_ratio` times the width."""
    width, out = vision.size("embed_dim"), vision.size("hidden_size")
    layer = attention(width) + mlp(width, width * vision.size("mlp_ratio")) + 4 * width
    return Built(out, _parts(vision, width, layer, _merger(vision, width, out, 2 * width)))


def qwen25(vision: Fields) -> Built:
    """Qwen2.5-VL's tower: RMS norms, gated layers with biases."""
    width, inner, out = vision.size("hidden_size"), vision.size("intermediate_size"), vision.size("out_hidden_size")
    layer = attention(width) + gated(width, inner, bias=True) + 2 * width
    return Built(out, _parts(vision, width, layer, _merger(vision, width, out, width)))


def _patch(vision: Fields, width: int, *, bias: bool = False) -> int:
    high, wide = pair(vision, "patch_size")
    frames = vision.size("temporal_patch_size")
    return affine(vision.size("in_channels") * frames * high * wide, width, bias=bias)


def _merger(vision: Fields, width: int, out: int, norm: int) -> int:
    merged = width * vision.size("spatial_merge_size") ** 2
    return norm + affine(merged, merged) + affine(merged, out)


def _parts(vision: Fields, width: int, layer: int, merger: int) -> Parts:
    return {
        "patch_embed": _patch(vision, width),
        "blocks": (layer, vision.size("depth", limit=LAYER_LIMIT)),
        "merger": merger,
    }


def qwen3(vision: Fields) -> Built:
    """Qwen3-VL's tower: learnt positions, and one more merger for each layer that is handed over early."""
    width, inner, out = vision.size("hidden_size"), vision.size("intermediate_size"), vision.size("out_hidden_size")
    layer = attention(width) + mlp(width, inner) + 4 * width
    merged = width * vision.size("spatial_merge_size") ** 2
    early = len(whole_numbers(vision, "deepstack_visual_indexes", (8, 16, 24)))
    parts: Parts = {
        **_parts(vision, width, layer, _merger(vision, width, out, 2 * width)),
        "patch_embed": _patch(vision, width, bias=True),
        "pos_embed": vision.size("num_position_embeddings") * width,
        "deepstack_merger_list": (_merger(vision, width, out, 2 * merged), early),
    }
    return Built(out, parts)


def glm(vision: Fields, *, ocr: bool = False) -> Built:
    """GLM-4.1V's tower, whose patches are merged by a convolution; GLM-OCR's has norms of heads and no positions."""
    width, inner, out = vision.size("hidden_size"), vision.size("intermediate_size"), vision.size("out_hidden_size")
    high, wide = pair(vision, "patch_size")
    biased = vision.flag("attention_bias")
    inside = inner if ocr else out
    layer = affine(width, 3 * width, bias=biased) + affine(width, width, bias=biased and ocr)
    layer += gated(width, inside, bias=biased and ocr) + 2 * width
    if ocr:
        heads = vision.size("num_heads")
        vision.check(width % heads == 0, "model.hidden_not_divisible", "num_heads", hidden=width, heads=heads)
        layer += 2 * (width // heads)
    rows, columns = pair(vision, "image_size")
    merged = out * vision.size("in_channels") if ocr else inner
    parts: Parts = {
        "patch_embed": _patch(vision, width, bias=True),
        "embeddings.position_embedding": 0 if ocr else (rows // high) * (columns // wide) * width,
        "post_conv_layernorm": 0 if ocr else width,
        "blocks": (layer, vision.size("depth", limit=LAYER_LIMIT)),
        "post_layernorm": width,
        "downsample": affine(width * vision.size("spatial_merge_size") ** 2, out),
        "merger": out * out + 2 * out + gated(out, merged),
    }
    return Built(out, parts)


_SHARED: Final = {"in_channels": 3, "patch_size": 14, "spatial_merge_size": 2, "temporal_patch_size": 2}
_QWEN25: Final = Tower(
    qwen25, {**_SHARED, "depth": 32, "hidden_size": 3584, "intermediate_size": 3420, "out_hidden_size": 3584}
)
_GLM: Final = Tower(
    glm,
    {
        **_SHARED, "depth": 24, "hidden_size": 1536, "intermediate_size": 13_696, "out_hidden_size": 4096,
        "attention_bias": False, "image_size": 336,
    },
)  # fmt: skip

_QWEN3: Final = Tower(
    qwen3,
    {
        **_SHARED, "depth": 27, "hidden_size": 1152, "intermediate_size": 4304, "patch_size": 16,
        "out_hidden_size": 3584, "num_position_embeddings": 2304,
    },
)  # fmt: skip

DYNAMIC_TOWERS: Final = {
    **dict.fromkeys(("qwen3_vl_vision", "qwen3_vl_moe_vision", "qwen3_omni_moe_vision_encoder"), _QWEN3),
    "qwen2_vl_vision": Tower(qwen2, {**_SHARED, "depth": 32, "embed_dim": 1280, "hidden_size": 3584, "mlp_ratio": 4}),
    "qwen2_5_vl_vision": _QWEN25,
    "qwen2_5_omni_vision_encoder": _QWEN25,
    "glm4v_vision": _GLM,
    "glm4v_moe_vision": _GLM,
    "glm_ocr_vision": Tower(
        partial(glm, ocr=True),
        {
            **_SHARED, "depth": 24, "hidden_size": 1024, "intermediate_size": 4096, "out_hidden_size": 1536,
            "attention_bias": True, "image_size": 336, "num_heads": 16,
        },
    ),
}  # fmt: skip
