"""Tensors as a file lists them, and their summary: equal ones of different layers and experts in one entry."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.study import TensorEntry, TensorSummary
from explorer.analysis.study.tensor_check import LARGEST_NAME, MOST_ENTRIES, layer_ranges
from explorer.files.disk.text import printable

_LAYER = re.compile(r"(?<=\.)\d+(?=\.)")
_EXPERT = re.compile(r"(?<=\.experts\.)\d+(?=\.)|(?<=\.expert\.)\d+(?=\.)")


class FileTensor(NamedTuple):
    """One tensor of a file: its name there, number format, values and bytes."""

    name: str
    format: str
    values: int
    bytes: int


class _Key(NamedTuple):
    name: str
    format: str


class _Sum:
    """Tensors of one name and format over all layers."""

    def __init__(self) -> None:
        self.count = self.values = self.bytes = 0
        self.layers: set[int] = set()


def summarise(tensors: Iterable[FileTensor], label: str, read_as: str = "") -> TensorSummary:
    """One entry for each name and format; numbers of layers and experts become `*`.

    Raises
    ------
    Refused
        There are no tensors, or more kinds of them than a model has.
    """
    sums: dict[_Key, _Sum] = {}
    for tensor in tensors:
        name, layer = _starred(tensor.name)
        found = sums.setdefault(_Key(name, tensor.format), _Sum())
        found.count += 1
        found.values += tensor.values
        found.bytes += tensor.bytes
        if layer is not None:
            found.layers.add(layer)
    if not sums:
        raise Refused(Problem("tensors.none"))
    if len(sums) > MOST_ENTRIES:
        raise Refused(Problem("tensors.many", values={"count": len(sums), "limit": MOST_ENTRIES}))
    return TensorSummary(label=label, read_as=read_as, entries=tuple(_entry(k, s) for k, s in sums.items()))


def _entry(key: _Key, found: _Sum) -> TensorEntry:
    return TensorEntry(
        name=key.name,
        format=key.format,
        count=found.count,
        values=found.values,
        bytes=found.bytes,
        layers=layer_ranges(found.layers),
    )


def _starred(name: str) -> tuple[str, int | None]:
    """A tensor's name with `*` for the numbers of its layer and expert, and the layer's number."""
    if len(name) > LARGEST_NAME or not name.isprintable():
        raise Refused(Problem("tensors.name", values={"name": printable(name)}))
    expert = _EXPERT.sub("*", name) if "expert" in name else name
    layer = _LAYER.search(expert)
    if layer is None or len(layer[0]) > 6:
        return expert, None
    return f"{expert[: layer.start()]}*{expert[layer.end() :]}", int(layer[0])
