"""Ledgers: a step's bytes and seconds as named entries. Totals are sums over them; nobody else adds up."""

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from explorer.analysis.step.resources import DEVICE, Bound
from explorer.analysis.step.routing import Beyond
from explorer.analysis.step.rows import Number
from explorer.analysis.step.work import Part

WEIGHTS: Final = "weights"
KV: Final = "kv"
STATE: Final = "state"
RESERVE: Final = "reserve"
KV_READ: Final = "kv_read"
KV_WRITTEN: Final = "kv_written"
OUTPUTS: Final = "outputs"
OWN: Final = "own"
INTERMEDIATES: Final = "intermediates"

GROWING: Final = (KV,)  # what is held grows with the context
PER_SEQUENCE: Final = (KV, STATE)  # and with the number of sequences


class Entry(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Bytes of one part, at a place and in a stage of a pipeline."""

    part: str
    bytes: Number
    place: str = DEVICE
    stage: int = 0


class Ledger(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Bytes by part: what is held, or what moves."""

    entries: tuple[Entry, ...] = ()

    def of(self, *parts: str) -> Number:
        """Bytes of some parts, at all places; 0 where there is none of them."""
        total: Number = 0.0
        for entry in self.entries:
            if entry.part in parts:
                total = total + entry.bytes
        return total

    def without(self, *parts: str) -> Number:
        """Bytes of all other parts, at all places."""
        return added_bytes([e for e in self.entries if e.part not in parts])

    def at(self, place: str) -> Number:
        """Bytes at one place."""
        return added_bytes(e for e in self.entries if e.place == place)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts, in the ledger's order."""
        return tuple(dict.fromkeys(e.part for e in self.entries))

    @property
    def places(self) -> tuple[str, ...]:
        """The places, in the ledger's order."""
        return tuple(dict.fromkeys(e.place for e in self.entries))

    @property
    def total(self) -> Number:
        """All bytes."""
        return added_bytes(self.entries)

    def with_others(self, other: "Ledger") -> "Ledger":
        """The entries of two ledgers, those of one part, place and stage added up."""
        found = {(e.part, e.place, e.stage): e.bytes for e in self.entries}
        for e in other.entries:
            key = (e.part, e.place, e.stage)
            found[key] = found[key] + e.bytes if key in found else e.bytes
        return Ledger(tuple(Entry(part, size, place, stage) for (part, place, stage), size in found.items()))


def added_bytes(entries: Iterable[Entry]) -> Number:
    """The bytes of some entries, one after the other."""
    total: Number = 0.0
    for entry in entries:
        total = total + entry.bytes
    return total


def fits(held: Ledger, rooms: Mapping[str, float | None]) -> bool | None:
    """Whether every place has room for what is held there (scalars only).

    None where a place has no known room, and none is known to be too small.
    """
    needed: dict[str, Number] = {}
    for entry in held.entries:
        needed[entry.place] = needed.get(entry.place, 0.0) + entry.bytes
    found: list[bool | None] = []
    for place, size in needed.items():
        room = rooms.get(place)
        found.append(None if room is None else bool(size <= room))
    return False if False in found else None if None in found else True


class Spent(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Seconds of a step: whose they are, where and in which stage, and what is waited for ("" in a bubble)."""

    name: str
    part: Part
    place: str
    stage: int
    bound: Bound | str
    seconds: Number


class TimeLedger(msgspec.Struct, frozen=True, eq=False, gc=False):
    """The seconds of a step by entry."""

    entries: tuple[Spent, ...] = ()

    @property
    def total(self) -> Number:
        """All seconds."""
        return added_seconds(self.entries)

    def by_bound(self) -> dict[str, Number]:
        """Seconds by what is waited for."""
        found: dict[str, Number] = {}
        for entry in self.entries:
            found[entry.bound] = found.get(entry.bound, 0.0) + entry.seconds
        return found


def added_seconds(entries: Iterable[Spent]) -> Number:
    """The seconds of some entries, one after the other."""
    total: Number = 0.0
    for entry in entries:
        total = total + entry.seconds
    return total


class Traffic(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What a step computes and moves, on any machine.

    `moved` are the bytes of all rows. `compulsory` is a ledger of its own, not a part of it: weights streamed, KV read
    and written, the step's outputs, and of the user's own rows everything; of experts the fewest that the step can do
    with, `beyond` them those that it reads.
    """

    flops: Number
    moved: Ledger
    compulsory: Ledger
    beyond: Beyond = Beyond()

    @property
    def bytes(self) -> Number:
        """Bytes of all rows."""
        return self.moved.total

    @property
    def compulsory_bytes(self) -> Number:
        """Bytes that no implementation can spare."""
        return self.compulsory.total

    @property
    def weights_streamed(self) -> Number:
        """Bytes of weights that are read."""
        return self.moved.of(WEIGHTS)
