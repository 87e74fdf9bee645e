"""Image encoders of the plain kind: patches, positions, layers of attention and two linear layers.

CLIP, SigLIP and their kin differ in what stands around the layers.
"""

from functools import partial
from typing import Final

from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.towers.parts import Built, Parts, Tower, affine, attention, gated, mlp, pair


def vit(
    vision: Fields,
    *,
    first: bool = False,
    patch_bias: bool = True,
    before: bool = False,
    head: str = "",
    channels: int = 0,
    qkv_bias: str = "",
    patches: str = "",
) -> Built:
    """An encoder; `first` has a token of its own, `before` a norm before the layers, `head` a pooling head.

    `channels` are those of an image where its class reads none; `qkv_bias` and `patches` name the fields that say
    whether queries, keys and values have biases, and how many patches have a position.
    """
    width, inner, layers = _sizes(vision)
    colours = channels or vision.size("num_channels")
    high, wide = pair(vision, "patch_size")
    biased = vision.flag(qkv_bias) if qkv_bias else True
    layer = 3 * affine(width, width, bias=biased) + affine(width, width) + mlp(width, inner) + 4 * width
    parts: Parts = {
        "encoder.layers": (layer, layers),
        "patch_embedding": affine(colours * high * wide, width, bias=patch_bias),
        "position_embedding": (_positions(vision, patches, high, wide) + first) * width,
        "class_embedding": width * first,
        "pre_layrnorm": 2 * width * before,
        "post_layernorm": 2 * width,
    }
    if head == "always" or (head and vision.flag(head)):
        parts["head"] = width + attention(width) + mlp(width, inner) + 2 * width
    return Built(width, parts)


def _sizes(vision: Fields) -> tuple[int, int, int]:
    layers = vision.size("num_hidden_layers", limit=LAYER_LIMIT)
    return vision.size("hidden_size"), vision.size("intermediate_size"), layers


def _positions(vision: Fields, patches: str, high: int, wide: int) -> int:
    if patches:
        return vision.size(patches)
    rows, columns = pair(vision, "image_size")
    return (rows // high) * (columns // wide)


def pixtral(vision: Fields) -> Built:
    """A Pixtral image encoder, gated and without biases; its positions are rotated."""
    width, inner, layers = _sizes(vision)
    high, wide = pair(vision, "patch_size")
    parts: Parts = {
        "patch_conv": vision.size("num_channels") * high * wide * width,
        "ln_pre": width,
        "transformer.layers": (attention(width, bias=False) + gated(width, inner) + 2 * width, layers),
    }
    return Built(width, parts)


def internvit(vision: Fields) -> Built:
    """InternViT: a scale for what each half adds, norms of queries and keys where the config says so."""
    width, inner, layers = _sizes(vision)
    high, wide = pair(vision, "patch_size")
    rows, columns = pair(vision, "image_size")
    biased, normed = vision.flag("attention_bias"), vision.flag("use_qk_norm")
    per_norm = 2 if vision.text("norm_type") == "layer_norm" else 1
    layer = 3 * affine(width, width, bias=biased) + affine(width, width) + mlp(width, inner)
    layer += 2 * width + 2 * per_norm * width + 2 * width * normed
    positions = (rows // high) * (columns // wide) + 1 if vision.flag("use_absolute_position_embeddings") else 0
    parts: Parts = {
        "encoder.layer": (layer, layers),
        "embeddings.cls_token": width,
        "embeddings.mask_token": width * vision.flag("use_mask_token"),
        "embeddings.patch_embeddings": affine(vision.size("num_channels") * high * wide, width),
        "embeddings.position_embeddings": positions * width,
        "layernorm": 0 if vision.flag("use_mean_pooling") else 2 * width,
    }
    return Built(width, parts)


_BASE: Final = {"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_channels": 3}
_LARGE: Final = {"hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_channels": 3}
_SO400M: Final = {"hidden_size": 1152, "intermediate_size": 4304, "num_hidden_layers": 27, "num_channels": 3}
_GIANT: Final = {
    "hidden_size": 1408, "intermediate_size": 6144, "num_hidden_layers": 39, "image_size": 224, "patch_size": 14,
    "qkv_bias": True,
}  # fmt: skip
_CLIP: Final = partial(vit, first=True, patch_bias=False, before=True)
_IDEFICS3: Final = Tower(vit, {**_BASE, "hidden_size": 1152, "image_size": 224, "patch_size": 32})
_BLIP2: Final = Tower(partial(vit, first=True, channels=3, qkv_bias="qkv_bias"), _GIANT)

VIT_TOWERS: Final = {
    "clip_vision_model": Tower(_CLIP, {**_BASE, "image_size": 224, "patch_size": 32}),
    "siglip_vision_model": Tower(
        partial(vit, head="vision_use_head"), {**_BASE, "image_size": 224, "patch_size": 16, "vision_use_head": True}
    ),
    "siglip2_vision_model": Tower(
        partial(vit, head="vision_use_head", patches="num_patches"),
        {**_BASE, "num_patches": 256, "patch_size": 16, "vision_use_head": True},
    ),
    "idefics2_vision": Tower(vit, {**_BASE, "image_size": 224, "patch_size": 32}),
    "idefics3_vision": _IDEFICS3,
    "smolvlm_vision": _IDEFICS3,
    "blip_vision_model": Tower(
        partial(vit, first=True, channels=3),
        {**_BASE, "image_size": 384, "patch_size": 16},
    ),
    "blip_2_vision_model": _BLIP2,
    "instructblip_vision_model": _BLIP2,
    "git_vision_model": Tower(_CLIP, {**_BASE, "image_size": 224, "patch_size": 16}),
    "kosmos_2_vision_model": Tower(_CLIP, {**_LARGE, "image_size": 224, "patch_size": 14}),
    "phi4_multimodal_vision": Tower(partial(vit, head="always"), {**_SO400M, "image_size": 448, "patch_size": 14}),
    "paddleocr_vl_vision": Tower(vit, {**_SO400M, "image_size": 384, "patch_size": 14}),
    "pixtral": Tower(pixtral, {**_LARGE, "patch_size": 16}),
    "internvl_vision": Tower(
        internvit,
        {
            **_LARGE, "image_size": 448, "patch_size": 14, "attention_bias": False, "use_qk_norm": False,
            "norm_type": "layer_norm", "use_absolute_position_embeddings": True, "use_mask_token": False,
            "use_mean_pooling": True,
        },
    ),
}  # fmt: skip
