"""Vision towers beside a decoder: resident weights that take part in no text step."""

import msgspec

from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.parts import Tensor

SIGLIP_DEFAULTS = {
    "hidden_size": 768,
    "intermediate_size": 3072,
    "num_hidden_layers": 12,
    "num_channels": 3,
    "image_size": 224,
    "patch_size": 16,
    "vision_use_head": True,
}


class Siglip(msgspec.Struct, frozen=True):
    """A SigLIP image encoder (transformers SiglipVisionModel)."""

    hidden: int
    inner: int
    layers: int
    channels: int
    image: int
    patch: int
    head: bool

    def tensors(self) -> tuple[Tensor, ...]:
        """Its tensors, biases and norms included."""
        layer = self._attention() + self._mlp() + 4 * self.hidden
        parts = {
            "patch_embedding": self.channels * self.patch**2 * self.hidden + self.hidden,
            "position_embedding": (self.image // self.patch) ** 2 * self.hidden,
            "post_layernorm": 2 * self.hidden,
        }
        if self.head:
            parts["head"] = self._attention() + self._mlp() + 3 * self.hidden  # with its probe and one norm
        return (_tensor("encoder.layers", layer, self.layers), *(_tensor(n, v) for n, v in parts.items()))

    def _attention(self) -> int:
        return 4 * (self.hidden**2 + self.hidden)

    def _mlp(self) -> int:
        return 2 * self.hidden * self.inner + self.inner + self.hidden


def _tensor(name: str, values: int, count: int = 1) -> Tensor:
    return Tensor(f"vision_tower.{name}", values, "vision", count=count, active=count)


def gemma3_tower(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    """The tower of a Gemma 3 config with its projector into `hidden`, or none, which a note then says."""
    if not fields.has("vision_config"):
        fields.note("model.vision_left_out")
        return ()
    vision = fields.within("vision_config")
    vision.defaults = SIGLIP_DEFAULTS
    tower = siglip(vision)
    projector = tower.hidden * hidden + tower.hidden
    tensors = (*tower.tensors(), Tensor("multi_modal_projector", projector, "vision"))
    fields.note("model.vision_counted", parameters=sum(t.values * t.count for t in tensors))
    return tensors


def siglip(vision: Fields) -> Siglip:
    """The SigLIP encoder a vision config describes."""
    return Siglip(
        hidden=vision.size("hidden_size"),
        inner=vision.size("intermediate_size"),
        layers=vision.size("num_hidden_layers"),
        channels=vision.size("num_channels"),
        image=vision.size("image_size"),
        patch=vision.size("patch_size"),
        head=vision.flag("vision_use_head"),
    )


GEMMA4_VISION = {
    "hidden_size": 768,
    "intermediate_size": 3072,
    "num_hidden_layers": 16,
    "num_attention_heads": 12,
    "num_key_value_heads": 12,
    "head_dim": 64,
    "patch_size": 16,
    "position_embedding_size": 10_240,
}


def gemma4_tower(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    """The tower of a Gemma 4 config with its projector into `hidden`; sound is named as left out."""
    if fields.has("audio_config"):
        fields.note("model.audio_left_out")
    if not fields.has("vision_config"):
        fields.note("model.vision_left_out")
        return ()
    vision = fields.within("vision_config")
    vision.defaults = GEMMA4_VISION
    parts = _gemma4_parts(vision, hidden)
    tensors = tuple(_tensor(name, values, count) for name, (values, count) in parts.items())
    fields.note("model.vision_counted", parameters=sum(t.values * t.count for t in tensors))
    return tensors


def _gemma4_parts(vision: Fields, hidden: int) -> dict[str, tuple[int, int]]:
    """Values and count of each part (transformers Gemma4VisionModel); linear layers there have no biases."""
    width, inner, head = vision.size("hidden_size"), vision.size("intermediate_size"), vision.size("head_dim")
    heads, kv_heads = vision.size("num_attention_heads"), vision.size("num_key_value_heads")
    attention = 2 * width * head * (heads + kv_heads) + 2 * head
    layer = attention + 3 * width * inner + 4 * width
    return {
        "encoder.layers": (layer, vision.size("num_hidden_layers")),
        "patch_embedder.input_proj": (3 * vision.size("patch_size") ** 2 * width, 1),
        "patch_embedder.position_embedding_table": (2 * vision.size("position_embedding_size") * width, 1),
        "embed_vision": (width * hidden, 1),
    }


CLIP_L_336 = "openai/clip-vit-large-patch14-336"
CLIP_VALUES = {  # hidden 1024, inner 4096, 24 layers, patches of 14 x 14, 577 positions
    "encoder.layers": (4 * (1024**2 + 1024) + 2 * 1024 * 4096 + 4096 + 1024 + 4 * 1024, 24),
    "patch_embedding": (3 * 14**2 * 1024, 1),
    "position_embedding": (577 * 1024, 1),
    "class_embedding": (1024, 1),
    "pre_layrnorm": (2 * 1024, 1),
    "post_layernorm": (2 * 1024, 1),
}


def phi3_tower(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    """The CLIP tower that Phi-3-vision names, its two separators and its projector of two layers; else a note."""
    image, layer = fields.part("img_processor"), fields.part("embd_layer")
    named = image.config.get("model_name", CLIP_L_336), image.config.get("image_dim_out", 1024)
    joined = [layer.config.get(name) for name in ("projection_cls", "use_hd_transform", "with_learnable_separator")]
    if not fields.has("img_processor") or named != (CLIP_L_336, 1024) or joined != ["mlp", True, True]:
        fields.note("model.vision_not_counted")
        return ()
    merged = 4 * 1024  # four neighbouring patches
    parts = {
        **CLIP_VALUES,
        "img_projection": (merged * hidden + hidden + hidden * hidden + hidden, 1),
        "separators": (2 * merged, 1),
    }
    tensors = tuple(_tensor(name, values, count) for name, (values, count) in parts.items())
    fields.note("model.vision_counted", parameters=sum(t.values * t.count for t in tensors))
    return tensors
