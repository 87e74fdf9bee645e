"""Which reader builds which `model_type`."""

from collections.abc import Mapping
from functools import cache

from explorer.analysis.models.families.decoders import FAMILIES
from explorer.analysis.models.reader import Reader


@cache
def readers() -> Mapping[str, Reader]:
    """Every reader by model type."""
    from explorer.analysis.models.families.later import MORE

    return {**FAMILIES, **MORE}


def reader_of(model_type: str) -> Reader | None:
    """The reader of a model type; the rarer families are loaded when one of them is asked for."""
    return FAMILIES.get(model_type) or readers().get(model_type)


def supported() -> tuple[str, ...]:
    """Every model type that can be built."""
    return tuple(sorted(readers()))
