"""What towers are made of: named counts of values.

Field names, class defaults and module structure: the transformers library, version 5.24.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec

from explorer.analysis.models.config.fields import SIZE_LIMIT, Fields, brief
from explorer.analysis.models.parts import Tensor
from explorer.analysis.problem import Value

Parts = dict[str, int | tuple[int, int]]  # values by name; with how many times they stand
Defaults = Mapping[str, Value | None]


class Built(NamedTuple):
    """A tower: the width of what it hands over, and its parts."""

    width: int
    parts: Parts


class Tower(msgspec.Struct, frozen=True):
    """How one kind of tower reads its config; `defaults` are those of its class."""

    build: Callable[[Fields], Built]
    defaults: Defaults = msgspec.field(default_factory=dict)

    def __call__(self, fields: Fields) -> Built:
        """The tower of a config; faults and defaults are left in `fields`."""
        fields.defaults = self.defaults
        return self.build(fields)


def resident(place: str, parts: Parts) -> tuple[Tensor, ...]:
    """The tensors of parts that stand in one place of a model."""
    each = {name: found if isinstance(found, tuple) else (found, 1) for name, found in parts.items()}
    return tuple(
        Tensor(f"{place}.{name}".strip("."), values, "vision", count=n, active=n)
        for name, (values, n) in each.items()
        if values and n
    )


def affine(inputs: int, outputs: int, *, bias: bool = True) -> int:
    """A linear layer, or a convolution whose kernel counts among the inputs."""
    return inputs * outputs + outputs * bias


def attention(width: int, inner: int = 0, *, bias: bool = True) -> int:
    """Queries, keys, values and output of one width, or of another inside."""
    inner = inner or width
    return 3 * affine(width, inner, bias=bias) + affine(inner, width, bias=bias)


def mlp(width: int, inner: int, *, bias: bool = True) -> int:
    """Two linear layers."""
    return affine(width, inner, bias=bias) + affine(inner, width, bias=bias)


def gated(width: int, inner: int, *, bias: bool = False) -> int:
    """Three linear layers, one of them a gate."""
    return 2 * affine(width, inner, bias=bias) + affine(inner, width, bias=bias)


def pair(fields: Fields, name: str) -> tuple[int, int]:
    """A height and a width, stated as one number or as two."""
    stated: Any = fields.config.get(name)
    if not isinstance(stated, list | tuple):
        size = fields.size(name)
        return size, size
    if len(stated) == 2 and all(isinstance(n, int) and not isinstance(n, bool) and 0 < n < SIZE_LIMIT for n in stated):
        return stated[0], stated[1]
    fields.fault("model.not_a_list", name, value=brief(stated))
    return 1, 1


def whole_numbers(fields: Fields, name: str, otherwise: tuple[int, ...]) -> tuple[int, ...]:
    """A list of whole numbers from 0 on, else the class default, which is recorded."""
    found = fields.items(name, lambda n: isinstance(n, int) and not isinstance(n, bool) and 0 <= n < SIZE_LIMIT)
    if found is None:
        fields.assumed[fields.path + name] = ", ".join(map(str, otherwise))
        return otherwise
    return tuple(found)
