"""DaViT as Florence-2 has it: stages of blocks that look within windows, then across channels."""

from math import isfinite
from typing import Final

from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.towers.parts import Built, Parts, Tower, affine, mlp, whole_numbers

KERNEL: Final = 9  # 3 x 3, one for each channel
RATIO: Final = 4.0
LARGEST_RATIO: Final = 64.0


def davit(vision: Fields) -> Built:
    """Each stage: a convolution that makes patches, with a norm before or behind it, then pairs of blocks."""
    widths = whole_numbers(vision, "embed_dim", (128, 256, 512, 1024))
    depths = whole_numbers(vision, "depths", (1, 1, 9, 1))
    kernels = whole_numbers(vision, "patch_size", (7, 3, 3, 3))
    before = _switches(vision, "patch_prenorm", (False, True, True, True))
    for name, found in (("depths", depths), ("patch_size", kernels), ("patch_prenorm", before)):
        same = len(found) == len(widths) > 0
        vision.check(same, "model.layer_types_count", name, count=len(found), layers=len(widths))
    if vision.problems:
        return Built(1, {})
    ratio, biased = _ratio(vision), vision.flag("qkv_bias")
    parts: Parts = {}
    inputs = vision.size("in_channels")
    for stage, (width, depth, kernel, early) in enumerate(zip(widths, depths, kernels, before, strict=True)):
        parts[f"convs.{stage}"] = affine(kernel * kernel * inputs, width) + 2 * (inputs if early else width)
        half = 2 * affine(KERNEL, width) + 4 * width + affine(width, 3 * width, bias=biased) + affine(width, width)
        parts[f"blocks.{stage}"] = (2 * (half + mlp(width, int(width * ratio))), depth)
        inputs = width
    return Built(inputs, parts)


def _switches(vision: Fields, name: str, otherwise: tuple[bool, ...]) -> tuple[bool, ...]:
    found = vision.items(name, lambda item: isinstance(item, bool))
    if found is None:
        vision.assumed[vision.path + name] = ", ".join(str(item).lower() for item in otherwise)
        return otherwise
    return tuple(found)


def _ratio(vision: Fields) -> float:
    value = vision.config.get("mlp_ratio", RATIO)
    sound = isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)
    if not sound or not 0 < value <= LARGEST_RATIO:
        vision.fault("model.not_a_multiple", "mlp_ratio", value=brief(value))
        return RATIO
    return float(value)


DAVIT_TOWERS: Final = {"florence_vision": Tower(davit, {"in_channels": 3, "qkv_bias": True})}
