"""Lists of a config with one entry per layer."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.config.fields import Fields, brief

FORMER: Final[Mapping[str, str]] = {"mamba": "linear_attention", "attention": "full_attention"}  # names of old configs


def kinds_of(fields: Fields, name: str, layers: int | None, known: tuple[str, ...]) -> tuple[str, ...] | None:
    """One name per layer from a list of `known` ones, or None where the field is absent or wrong."""
    found = fields.items(name, lambda item: isinstance(item, str))
    if found is None:
        return None
    for index, kind in enumerate(found):
        if kind not in known:
            fields.fault("model.layer_type_unknown", f"{name}[{index}]", value=brief(kind), known=", ".join(known))
            return None
    return tuple(found) if layers is None or _as_many(fields, name, len(found), layers) else None


def switches_of(fields: Fields, name: str, layers: int) -> tuple[bool, ...] | None:
    """One yes or no per layer from a list of 1 and 0, or None where the field is absent or wrong."""
    found = fields.items(name, lambda item: item in (0, 1))
    if found is None:
        return None
    return tuple(bool(item) for item in found) if _as_many(fields, name, len(found), layers) else None


def _as_many(fields: Fields, name: str, count: int, layers: int) -> bool:
    fields.check(count == layers, "model.layer_types_count", name, count=count, layers=layers)
    return count == layers
