"""Vision towers beside a decoder: resident weights that take part in no text step."""

from dataclasses import dataclass

from explorer.analysis.models.fields import Fields
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


@dataclass(frozen=True, slots=True)
class Siglip:
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
    return Tensor(f"vision_tower.{name}", values, "vision", count=count, active=0)


def gemma3_tower(fields: Fields, hidden: int) -> tuple[Tensor, ...]:
    """The tower of a Gemma 3 config with its projector into `hidden`, or none, which a note then says."""
    if not fields.has("vision_config"):
        fields.note("model.vision_left_out")
        return ()
    vision = fields.within("vision_config")
    vision.defaults = SIGLIP_DEFAULTS
    tower = _siglip(vision)
    projector = tower.hidden * hidden + tower.hidden
    tensors = (*tower.tensors(), Tensor("multi_modal_projector", projector, "vision", active=0))
    fields.note("model.vision_counted", parameters=sum(t.values * t.count for t in tensors))
    return tensors


def _siglip(vision: Fields) -> Siglip:
    return Siglip(
        hidden=vision.size("hidden_size"),
        inner=vision.size("intermediate_size"),
        layers=vision.size("num_hidden_layers"),
        channels=vision.size("num_channels"),
        image=vision.size("image_size"),
        patch=vision.size("patch_size"),
        head=vision.flag("vision_use_head"),
    )
