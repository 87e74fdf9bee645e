"""Vision towers of several families as lists of tensors: resident weights that take part in no text step.

Module structure: the transformers library, version 5.24.
"""

from collections.abc import Callable, Mapping

from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.parts import Tensor, count_values
from explorer.analysis.models.towers.registry import TOWERS
from explorer.analysis.problem import Value

Parts = dict[str, int | tuple[int, int]]  # values by name; with how many times they stand
Tower = Callable[[Fields, int], tuple[Tensor, ...]]
CLIP_DEFAULTS: Mapping[str, Value | None] = {
    "hidden_size": 768,
    "intermediate_size": 3072,
    "num_hidden_layers": 12,
    "num_channels": 3,
    "image_size": 224,
    "patch_size": 32,
}
PIXTRAL_DEFAULTS: Mapping[str, Value | None] = {
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "num_hidden_layers": 24,
    "num_channels": 3,
    "patch_size": 16,
}
QWEN_DEFAULTS: Mapping[str, Value | None] = {
    "depth": 27,
    "hidden_size": 1152,
    "intermediate_size": 4304,
    "in_channels": 3,
    "patch_size": 16,
    "spatial_merge_size": 2,
    "temporal_patch_size": 2,
    "out_hidden_size": 3584,
    "num_position_embeddings": 2304,
}
KIMI_DEFAULTS: Mapping[str, Value | None] = {"patch_size": 14}
LLAMA4_DEFAULTS: Mapping[str, Value | None] = {
    "hidden_size": 768,
    "intermediate_size": 5632,
    "num_hidden_layers": 34,
    "num_channels": 3,
    "vision_output_dim": 7680,
    "image_size": 448,
    "patch_size": 14,
    "projector_input_dim": 4096,
    "projector_output_dim": 4096,
    "multi_modal_projector_bias": False,
}
DEEP: tuple[int, ...] = (8, 16, 24)


def tensors(parts: Parts) -> tuple[Tensor, ...]:
    """The tensors of a tower."""
    each = {name: found if isinstance(found, tuple) else (found, 1) for name, found in parts.items()}
    return tuple(
        Tensor(name, values, "vision", count=n, active=n) for name, (values, n) in each.items() if values and n
    )


def block(hidden: int, inner: int) -> int:
    """An encoder layer with biases: attention, two linear layers, two layer norms."""
    return 4 * (hidden**2 + hidden) + 2 * hidden * inner + inner + hidden + 4 * hidden


def projection(inputs: int, outputs: int, *, bias: bool = True) -> int:
    """A linear layer."""
    return inputs * outputs + outputs * bias


def counted(fields: Fields, tower: Tower, hidden: int) -> tuple[Tensor, ...]:
    """The tower a config describes, or none; a note says which."""
    if not fields.has("vision_config"):
        fields.note("model.vision_left_out")
        return ()
    found = tower(fields, hidden)
    fields.note("model.vision_counted", parameters=count_values(found))
    return found


def _vision(fields: Fields, defaults: Mapping[str, Value | None]) -> Fields:
    vision = fields.within("vision_config")
    vision.defaults = defaults
    return vision


def qwen_tower(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    """The tower of Qwen3-VL and Qwen3.5: blocks, a merger, and one more merger per deepstack layer."""
    vision = _vision(fields, QWEN_DEFAULTS)
    width, inner, depth = vision.size("hidden_size"), vision.size("intermediate_size"), vision.size("depth")
    patch, frames = vision.size("patch_size"), vision.size("temporal_patch_size")
    merged = width * vision.size("spatial_merge_size") ** 2
    out = vision.size("out_hidden_size")
    vision.check(out == hidden, "model.vision_width", "out_hidden_size", stated=out, hidden=hidden)
    merger = projection(merged, merged) + projection(merged, out)
    stated = vision.items("deepstack_visual_indexes", lambda item: isinstance(item, int))
    deep = len(stated) if stated is not None else 0
    parts: Parts = {
        "visual.patch_embed": projection(vision.size("in_channels") * frames * patch**2, width),
        "visual.pos_embed": vision.size("num_position_embeddings") * width,
        "visual.blocks": (block(width, inner), depth),
        "visual.merger": 2 * width + merger,
        "visual.deepstack_merger_list": (2 * merged + merger, deep),
    }
    return tensors(parts)


def qwen_deep_tower(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    """Qwen3-VL's tower, whose deepstack layers are 8, 16 and 24 where the config leaves them out."""
    inner = fields.config.get("vision_config")
    if isinstance(inner, Mapping) and inner.get("deepstack_visual_indexes") is None:
        fields.assumed[f"{fields.path}vision_config.deepstack_visual_indexes"] = ", ".join(map(str, DEEP))
        filled = {**fields.config, "vision_config": {**inner, "deepstack_visual_indexes": DEEP}}
        other = Fields(filled, fields.path, fields.defaults)
        other.problems, other.notes, other.assumed = fields.problems, fields.notes, fields.assumed
        return qwen_tower(other, hidden)
    return qwen_tower(fields, hidden)


def kimi_tower(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    """MoonViT of Kimi K2.5 with its projector, in either spelling of its fields."""
    vision = _vision(fields, KIMI_DEFAULTS)
    width = vision.size("vt_hidden_size", "hidden_size")
    inner = vision.size("vt_intermediate_size", "intermediate_size", otherwise=4304)
    depth = vision.size("vt_num_hidden_layers", "num_hidden_layers", otherwise=27)
    patch = vision.size("patch_size")
    rows = vision.size("init_pos_emb_height", "pos_emb_height", otherwise=64)
    columns = vision.size("init_pos_emb_width", "pos_emb_width", otherwise=64)
    kernel = vision.items("merge_kernel_size", lambda n: isinstance(n, int) and not isinstance(n, bool) and 0 < n < 100)
    merged = width * (kernel[0] * kernel[1] if kernel is not None and len(kernel) == 2 else 4)
    parts: Parts = {
        "vision_tower.patch_embed": projection(3 * patch**2, width),
        "vision_tower.patch_embed.pos_emb": rows * columns * width,
        "vision_tower.layers": (block(width, inner), depth),
        "vision_tower.final_layernorm": 2 * width,
        "mm_projector": 2 * width + projection(merged, merged) + projection(merged, hidden),
    }
    return tensors(parts)


def llama4_tower(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    """Llama 4's tower: patches folded out, an adapter over four merged patches, a projector."""
    vision = _vision(fields, LLAMA4_DEFAULTS)
    width, inner = vision.size("hidden_size"), vision.size("intermediate_size")
    patch, out = vision.size("patch_size"), vision.size("projector_output_dim")
    biased = vision.flag("multi_modal_projector_bias")
    adapter = inner * vision.size("projector_input_dim") + out * out
    parts: Parts = {
        "vision_model.patch_embedding": vision.size("num_channels") * patch**2 * width,
        "vision_model.class_embedding": width,
        "vision_model.positional_embedding_vlm": ((vision.size("image_size") // patch) ** 2 + 1) * width,
        "vision_model.layernorms": 4 * width,
        "vision_model.layers": (block(width, inner), vision.size("num_hidden_layers")),
        "vision_model.vision_adapter": adapter,
        "multi_modal_projector": projection(vision.size("vision_output_dim"), hidden, bias=biased),
    }
    return tensors(parts)


def llava_tower(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    """The tower of a LLaVA config (CLIP, SigLIP or Pixtral) and the two linear layers of its projector."""
    vision = fields.within("vision_config")
    kind = vision.text("model_type") if vision.has("model_type") else "clip_vision_model"
    if kind not in TOWERS:
        vision.fault("model.vision_unknown", "model_type", value=brief(kind))
        return ()
    width, parts = TOWERS[kind](vision)
    found = tensors({f"vision_tower.{name}": values for name, values in parts.items()})
    return (*found, *_llava_projector(fields, width, hidden))


def _llava_projector(fields: Fields, width: int, hidden: int) -> tuple[Tensor, ...]:
    layers = fields.config.get("vision_feature_layer")
    taken = len(layers) if isinstance(layers, list | tuple) and layers else 1
    bias = fields.flag("multimodal_projector_bias", otherwise=True)
    linear = projection(width * taken, hidden, bias=bias) + projection(hidden, hidden, bias=bias)
    return tensors({"multi_modal_projector": linear})


def clip(vision: Fields) -> tuple[int, tuple[Tensor, ...]]:
    """A CLIP image encoder: its width and tensors."""
    vision.defaults = CLIP_DEFAULTS
    width, inner, patch = vision.size("hidden_size"), vision.size("intermediate_size"), vision.size("patch_size")
    parts: Parts = {
        "vision_tower.class_embedding": width,
        "vision_tower.patch_embedding": vision.size("num_channels") * patch**2 * width,
        "vision_tower.position_embedding": ((vision.size("image_size") // patch) ** 2 + 1) * width,
        "vision_tower.layernorms": 4 * width,
        "vision_tower.encoder.layers": (block(width, inner), vision.size("num_hidden_layers")),
    }
    return width, tensors(parts)


def pixtral(vision: Fields) -> tuple[int, tuple[Tensor, ...]]:
    """A Pixtral image encoder, gated and without biases: its width and tensors."""
    vision.defaults = PIXTRAL_DEFAULTS
    width, inner, patch = vision.size("hidden_size"), vision.size("intermediate_size"), vision.size("patch_size")
    layer = 4 * width**2 + 3 * width * inner + 2 * width
    parts: Parts = {
        "vision_tower.patch_conv": vision.size("num_channels") * patch**2 * width,
        "vision_tower.ln_pre": width,
        "vision_tower.layers": (layer, vision.size("num_hidden_layers")),
    }
    return width, tensors(parts)
