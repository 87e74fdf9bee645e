"""Which reader builds which `model_type`."""

from collections.abc import Mapping
from functools import cache
from typing import Protocol

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoders import FAMILIES
from explorer.analysis.models.parts import Architecture
from explorer.analysis.problem import Value


class Reader(Protocol):
    """Builds the architecture of one model type from its config; raises `Refused` with the faults found."""

    @property
    def label(self) -> str: ...
    @property
    def defaults(self) -> Mapping[str, Value | None]: ...
    def __call__(self, fields: Fields, storage: Storage) -> Architecture: ...
    def max_context(self, fields: Fields) -> int | None: ...


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
