"""Families of models as declared values: which model types a family reads, and how."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields
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


class Family(NamedTuple):
    """The model types that one reader builds; every module of families declares its own as `FAMILIES`."""

    model_types: tuple[str, ...]
    reader: Reader
