"""When work runs: a step's time as a small tree, flattened to a ledger of seconds.

Entries of a ledger add up to the tree's time: what another part hides is in none, and of a pipeline the bubble is one.
"""

from collections.abc import Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.step.ledger import Spent, TimeLedger
from explorer.analysis.step.numbers import larger, smaller
from explorer.analysis.step.rows import Number
from explorer.analysis.step.work import Work

BUBBLE: Final = "bubble"


class Busy(msgspec.Struct, frozen=True, eq=False):
    """All calls of a piece of work, one after the other: calls x time of a call."""

    work: Work

    @property
    def seconds(self) -> Number:
        """Seconds of all calls."""
        return self.work.count * self.work.time_s

    def entries(self) -> tuple[Spent, ...]:
        """Whose time it is, and what is waited for (scalars only)."""
        work = self.work
        return (Spent(work.row.name, work.part, work.place, work.stage, work.bound, self.seconds),)


class Serial(msgspec.Struct, frozen=True, eq=False):
    """One part after the other: the sum of their times."""

    parts: tuple["Schedule", ...]

    @property
    def seconds(self) -> Number:
        """Seconds of all parts."""
        total: Number = 0.0
        for part in self.parts:
            total = total + part.seconds
        return total

    def entries(self) -> tuple[Spent, ...]:
        """The entries of all parts."""
        return tuple(entry for part in self.parts for entry in part.entries())


class Max(msgspec.Struct, frozen=True, eq=False):
    """Parts side by side: the time of the slowest, the first of equals."""

    parts: tuple["Schedule", ...]

    @property
    def seconds(self) -> Number:
        """Seconds of the slowest part."""
        total: Number = 0.0
        for part in self.parts:
            total = larger(total, part.seconds)
        return total

    def entries(self) -> tuple[Spent, ...]:
        """The entries of the slowest part (scalars only)."""
        return max(self.parts, key=lambda part: float(part.seconds)).entries() if self.parts else ()


class Overlap(msgspec.Struct, frozen=True, eq=False):
    """Two parts of which a share of the shorter one is hidden: one + other - share x shorter.

    Share 0 is one after the other, share 1 is side by side.
    """

    one: "Schedule"
    other: "Schedule"
    share: float

    @property
    def seconds(self) -> Number:
        """Seconds of both parts."""
        one, other = self.one.seconds, self.other.seconds
        return one + other - self.share * smaller(one, other)

    def entries(self) -> tuple[Spent, ...]:
        """The longer part's entries, and what is left of the shorter one's (scalars only)."""
        first = float(self.one.seconds) >= float(self.other.seconds)
        longer, shorter = (self.one, self.other) if first else (self.other, self.one)
        return (*longer.entries(), *_scaled(shorter.entries(), 1.0 - self.share))


class Repeat(msgspec.Struct, frozen=True, eq=False):
    """The same part several times, one after the other."""

    part: "Schedule"
    times: Number

    @property
    def seconds(self) -> Number:
        """Seconds of all times."""
        return self.times * self.part.seconds

    def entries(self) -> tuple[Spent, ...]:
        """The part's entries, of all times."""
        return _scaled(self.part.entries(), self.times)


class Pipeline(msgspec.Struct, frozen=True, eq=False):
    """Stages that microbatches pass one after the other, all stages at work on different ones.

    With p equal stages of t seconds a microbatch, m microbatches and v interleaved chunks of each stage (1: one
    forward, one backward) a step takes m t + (p - 1) t / v, of which the bubble is the share (p - 1)/(v m + p - 1)
    (Narayanan et al. 2021). Of unequal stages the slowest sets the pace, and the bubble is the others' sum over v.
    """

    stages: tuple["Schedule", ...]
    microbatches: int
    chunks: int = 1

    @property
    def seconds(self) -> Number:
        """Seconds of a step, with the bubble."""
        return self.microbatches * Max(self.stages).seconds + self.bubble_s

    @property
    def bubble_s(self) -> Number:
        """Seconds in which the slowest stage has nothing to do."""
        return (Serial(self.stages).seconds - Max(self.stages).seconds) / self.chunks

    def entries(self) -> tuple[Spent, ...]:
        """The slowest stage's entries for all microbatches, and the bubble (scalars only)."""
        busy = _scaled(Max(self.stages).entries(), self.microbatches)
        place, stage = (busy[0].place, busy[0].stage) if busy else ("", 0)
        return (*busy, Spent(BUBBLE, "forward", place, stage, BUBBLE, self.bubble_s))


Schedule = Busy | Serial | Max | Overlap | Repeat | Pipeline


def one_after_the_other(works: Sequence[Work]) -> Serial:
    """The schedule of a step as it is today: every row on its own."""
    return Serial(tuple(Busy(work) for work in works))


def time_ledger(schedule: Schedule) -> TimeLedger:
    """A schedule's seconds as entries that add up to its time (scalars only)."""
    return TimeLedger(schedule.entries())


def _scaled(entries: Sequence[Spent], factor: Number) -> tuple[Spent, ...]:
    return tuple(replace(entry, seconds=entry.seconds * factor) for entry in entries)
