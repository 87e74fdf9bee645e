"""Image encoders with parts of their own: Llama 3.2's tiles, SAM's windows."""

from typing import Final

from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.towers.parts import (
    Built,
    Parts,
    Tower,
    affine,
    attention,
    mlp,
    pair,
    whole_numbers,
)

ASPECT_RATIOS: Final = 8  # of the class: up to four tiles side by side


def mllama(vision: Fields) -> Built:
    """Llama 3.2's tower: tables for every arrangement of tiles, layers of each tile, gated layers of all."""
    width, inner = vision.size("hidden_size"), vision.size("intermediate_size")
    layers = vision.size("num_hidden_layers", limit=LAYER_LIMIT)
    overall = vision.size("num_global_layers", limit=LAYER_LIMIT)
    tiles = vision.size("max_num_tiles")
    high, wide = pair(vision, "patch_size")
    rows, columns = pair(vision, "image_size")
    positions = (rows // high) * (columns // wide) + 1
    listed = vision.items("supported_aspect_ratios", lambda item: isinstance(item, list | tuple))
    ratios = (len(listed) if listed is not None else ASPECT_RATIOS) + 1
    layer = attention(width, bias=False) + mlp(width, inner) + 4 * width
    parts: Parts = {
        "class_embedding": width,
        "patch_embedding": vision.size("num_channels") * high * wide * width,
        "gated_positional_embedding": 1 + positions * width + ratios * tiles * positions * width,
        "pre_tile_positional_embedding": 1 + ratios * tiles * width,
        "post_tile_positional_embedding": 1 + ratios * tiles * width,
        "layernorms": 4 * width,
        "transformer.layers": (layer, layers),
        "global_transformer.layers": (layer + 2, overall),
    }
    return Built(vision.size("vision_output_dim"), parts)


def sam(vision: Fields) -> Built:
    """SAM's encoder as GOT-OCR has it: learnt positions, and relative ones of each window or of the whole image."""
    width, inner, out = vision.size("hidden_size"), vision.size("mlp_dim"), vision.size("output_channels")
    layers, heads = vision.size("num_hidden_layers", limit=LAYER_LIMIT), vision.size("num_attention_heads")
    vision.check(width % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=width, heads=heads)
    high, wide = pair(vision, "patch_size")
    rows, columns = (n // p for n, p in zip(pair(vision, "image_size"), (high, wide), strict=True))
    window = vision.natural("window_size")
    whole = {n for n in whole_numbers(vision, "global_attn_indexes", (2, 5, 8, 11)) if n < layers}
    wholly = layers if not window else len(whole)
    relative = vision.flag("use_rel_pos") * (width // heads)
    layer = affine(width, 3 * width, bias=vision.flag("qkv_bias")) + affine(width, width) + mlp(width, inner)
    layer += 4 * width
    parts: Parts = {
        "patch_embed": affine(vision.size("num_channels") * high * wide, width),
        "pos_embed": vision.flag("use_abs_pos") * rows * columns * width,
        "layers": (layer, layers),
        "layers.attn.rel_pos": (relative * 2 * (2 * window - 1), layers - wholly),
        "layers.attn.rel_pos_whole": (relative * (2 * rows - 1 + 2 * columns - 1), wholly),
        "neck": width * out + 2 * out + 9 * out * out + 2 * out,
    }
    return Built(out, parts)


MOBILENET: Final = "mobilenetv5_300m_enc"
MOBILENET_VALUES: Final = 294_126_912  # of that encoder, counted as timm makes it
MOBILENET_WIDTH: Final = 2048


def mobilenet(vision: Fields) -> Built:
    """MobileNetV5 as Gemma 3n has it: the one of its sizes that is known."""
    named = vision.text("architecture")
    if named != MOBILENET or vision.has("model_args"):
        vision.fault("model.vision_unknown", "architecture", value=brief(named))
    return Built(vision.size("hidden_size"), {"timm_model": MOBILENET_VALUES})


TILED_TOWERS: Final = {
    "gemma3n_vision": Tower(mobilenet, {"architecture": MOBILENET, "hidden_size": MOBILENET_WIDTH}),
    "mllama_vision_model": Tower(
        mllama,
        {
            "hidden_size": 1280, "intermediate_size": 5120, "num_hidden_layers": 32, "num_global_layers": 8,
            "num_channels": 3, "vision_output_dim": 7680, "image_size": 448, "patch_size": 14, "max_num_tiles": 4,
        },
    ),
    "got_ocr2_vision": Tower(
        sam,
        {
            "hidden_size": 768, "mlp_dim": 3072, "output_channels": 256, "num_hidden_layers": 12,
            "num_attention_heads": 12, "num_channels": 3, "image_size": 1024, "patch_size": 16, "qkv_bias": True,
            "use_abs_pos": True, "use_rel_pos": True, "window_size": 14,
        },
    ),
}  # fmt: skip
