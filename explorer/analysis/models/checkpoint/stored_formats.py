"""Formats that only a file has: mixes of formats with their bits per value."""

from collections.abc import Iterable, Mapping

import msgspec

from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.models.parts import Op


class StoredFormat(msgspec.Struct, frozen=True):
    """A format of a file's tensors: bits per value, scales and biases included; computes `like` a known one."""

    id: str
    bits: float
    like: str


class Stored(msgspec.Struct, frozen=True, eq=False):
    """A file's truth: bytes of all tensors, bytes one token reads, the format of each operator's weights."""

    label: str
    resident: float
    active: float
    formats: tuple[StoredFormat, ...]
    by_op: Mapping[Op, str]


def merged_formats(known: Mapping[str, NumberFormat], stored: Iterable[StoredFormat]) -> dict[str, NumberFormat]:
    """Number formats with those of a file beside them; a known id keeps its meaning."""
    found = dict(known)
    for own in stored:
        if own.id not in found:
            like = known.get(own.like)
            family, compute = (like.family, like.compute) if like is not None else ("int", "int8")
            found[own.id] = NumberFormat(id=own.id, bits=own.bits, family=family, compute=compute)
    return found
