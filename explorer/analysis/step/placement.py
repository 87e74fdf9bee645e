"""Rows on a machine: a row takes as long as the slowest of what it uses, and waits for that."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, Protocol, TypeVar

import msgspec
import numpy as np

from explorer.analysis.step.costs import Costs
from explorer.analysis.step.machines.peaks import PeakChoice, WantedPeak
from explorer.analysis.step.resources import BOUND_OF, BOUNDS, Bound, Kind
from explorer.analysis.step.rows import Array, Number, Row
from explorer.analysis.step.stack import Lane, Stack, added_up, stacked
from explorer.analysis.step.work import Work, bound_of
from explorer.analysis.study.study import FittedRoof

Made = TypeVar("Made")
_KEPT = 16  # things made of the rows on one machine
_RANK = {kind: rank for rank, kind in enumerate(BOUND_OF)}
_TIER = attrgetter("tier")


class Point(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One row on one machine, per call; `times` are the seconds of each of `kinds`, None where it is not judged."""

    row: Row
    costs: Costs
    peak: PeakChoice
    bandwidth: float
    kinds: tuple[Kind, ...]
    times: tuple[Number | None, ...]
    time_s: Number

    def seconds(self, kind: Kind) -> Number | None:
        """Seconds that a call takes of one kind of resource; None where it uses none, or is not judged."""
        return self.times[self.kinds.index(kind)] if kind in self.kinds else None

    @property
    def bytes(self) -> Number:
        """Bytes read and written."""
        return self.costs.bytes_read + self.costs.bytes_written

    @property
    def total_s(self) -> Number:
        """Seconds of all calls of a step."""
        return self.row.count * self.time_s

    @property
    def intensity(self) -> Number | None:
        """FLOP per byte; None where no byte moves."""
        moved = self.bytes
        if isinstance(moved, np.ndarray):
            return self.costs.flops / moved
        return self.costs.flops / moved if moved > 0 else None

    @property
    def performance(self) -> float:
        """FLOP/s at the operator time (scalars only)."""
        return float(self.costs.flops / self.time_s) if self.time_s else 0.0

    @property
    def attainable(self) -> float | None:
        """FLOP/s under both roofs, min(peak, bandwidth x intensity) (scalars only)."""
        intensity = self.intensity
        if intensity is None:
            return self.peak.rate
        slope = self.bandwidth * float(intensity)
        return slope if self.peak.rate is None else min(self.peak.rate, slope)

    @property
    def bound(self) -> Bound:
        """What the operator waits for (scalars only)."""
        return bound_of([(BOUND_OF[kind], s) for kind, s in zip(self.kinds, self.times, strict=True)])


class Offers(Protocol):
    """What rows can be placed on."""

    @property
    def bandwidth(self) -> float | None:
        """B/s of the outermost memory."""

    def asked(self, wanted: WantedPeak) -> PeakChoice:
        """The peak for what a row asks."""

    def lanes(self, stack: Stack, *, eager: bool) -> tuple[Lane, ...]:
        """What each row uses."""


class Placed:
    """Stacked rows on one machine: times as [row, ...] and sums over rows; points are made when first asked for.

    Operator time by the operational roofline (Williams, Waterman, Patterson 2009), for any number of resources.
    `older` is a placing of other rows, some of them the same, whose points are used again.
    """

    def __init__(self, stack: Stack, machine: Offers, older: "Placed | None" = None, *, eager: bool) -> None:
        self.stack = stack
        self.machine = machine
        self._older = older  # until the points are made
        self.bandwidth = machine.bandwidth or 1.0
        lanes = machine.lanes(stack, eager=eager)
        self.lanes = tuple([found for found in lanes if found.tier == "step"])
        self.details = tuple([found for found in lanes if found.tier != "step"]) if len(lanes) > len(self.lanes) else ()
        self.time_s = _slowest(self.lanes)
        self.total_s: Array = stack.count * self.time_s
        self.sum_s = added_up(self.total_s)
        self._kept: dict[object, Any] = {}

    def lane(self, kind: Kind) -> Lane | None:
        """What the rows use of one kind of resource."""
        return next((found for found in self.lanes if found.kind == kind), None)

    def sum_of(self, kind: Kind) -> Number:
        """Seconds of all calls on one kind of resource alone; rows that are not judged count nothing."""
        total: Number = 0.0
        for found in self.lanes:
            if found.kind == kind:
                total = total + added_up(self.stack.count * found.judged)
        return total

    @cached_property
    def launched_sum_s(self) -> Number:
        """Seconds of all calls as launched: with the uses of tier `detail`."""
        if not self.details:
            return self.sum_s
        return added_up(self.stack.count * _slowest((*self.lanes, *self.details)))

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """One point for each row."""
        stack, bandwidth = self.stack, self.bandwidth
        choices = [self.machine.asked(w) for w in stack.wanted]
        ordered = sorted(self.lanes, key=_rank)
        kinds = tuple([found.kind for found in ordered])
        times = zip(*[_values(found.seconds, known=found.known) for found in ordered], strict=True)
        figures = zip(
            stack.rows, stack.costs, stack.asks.tolist(), times, _values(self.time_s, known=True), strict=True
        )
        older, self._older = self._older, None
        if older is None:
            return tuple([Point(r, c, choices[ask], bandwidth, kinds, t, time) for r, c, ask, t, time in figures])
        known = {id(p.row): p for p in older.points}
        return tuple(
            known.get(id(r)) or Point(r, c, choices[ask], bandwidth, kinds, t, time) for r, c, ask, t, time in figures
        )

    @property
    def works(self) -> tuple[Work, ...]:
        """Each row with all that it uses."""
        every = (*self.lanes, *self.details)
        return tuple(
            Work(row, count=row.count, uses=tuple(u for u in (found.use(i) for found in every) if _counts(u)))
            for i, row in enumerate(self.stack.rows)
        )

    @property
    def has_points(self) -> bool:
        """Whether anyone asked for the points yet."""
        return "points" in self.__dict__

    def kept(self, key: object) -> Any:
        """What someone made of these rows and kept here, None where it is not there (any more)."""
        return self._kept.get(key)

    def keep(self, key: object, made: Made) -> Made:
        """Keep something made of these rows for as long as they stay."""
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        self._kept[key] = made
        return made

    @cached_property
    def bound_sums(self) -> dict[Bound, float]:
        """Seconds of the rows of each bound (scalars only)."""
        found: dict[Bound, float] = dict.fromkeys(BOUNDS, 0.0)
        left = np.ones(len(self.stack.rows), dtype=np.bool_)
        for each in sorted(self.lanes, key=_rank):
            # the first in order that is as slow as the slowest; of those, each row counts once
            mine = left & (each.judged >= self.time_s)
            left &= ~mine
            found[BOUND_OF[each.kind]] += float(added_up(self.total_s[mine]))
        return found

    @cached_property
    def on_chart(self) -> int:
        """How many rows have FLOPs, bytes and time."""
        return int(((self.stack.flops > 0) & (self.stack.moved > 0) & (self.time_s > 0)).sum())

    def beyond(self, rate: float) -> tuple[Point, ...]:
        """Rows bound by a compute peak or above `rate`: the first of each peak."""
        key = ("beyond", rate)
        found: tuple[Point, ...] | None = self.kept(key)
        if found is None:
            first: dict[float | None, Point] = {}
            for point in self.points:
                if point.costs.flops and (point.bound == "compute" or point.performance > rate * 1.001):
                    first.setdefault(point.peak.rate, point)
            found = self.keep(key, tuple(first.values()))
        return found

    @property
    def peak(self) -> tuple[float, PeakChoice] | None:
        """FLOPs and peak of the row that decides which peak is the main one."""
        at = self.stack.heaviest
        return None if at is None else (float(self.stack.all_flops[at]), self._asked_by(at))

    @property
    def first_peak(self) -> PeakChoice | None:
        """The peak of the first row."""
        return self._asked_by(0) if self.stack.rows else None

    def _asked_by(self, at: int) -> PeakChoice:
        return self.machine.asked(self.stack.wanted[int(self.stack.asks[at])])

    def faster_sum(self, factors: Mapping[Kind, float]) -> Number:
        """Seconds of all rows on a machine whose resources are faster by these factors."""
        each = [found.seconds / factors.get(found.kind, 1.0) for found in self.lanes]
        return added_up(self.stack.count * _largest(each))

    def fitted_sum(self, slower: float, bandwidth: float, fitted: FittedRoof) -> Number:
        """Seconds of all rows as a fit to measurements expects them."""
        stack, compute = self.stack, self.lane("compute")
        each: Array = stack.moved / bandwidth
        if compute is not None:
            each = np.fmax(compute.seconds * slower, each)
        return added_up(stack.count * (each + stack.kernels * fitted.per_kernel_s))


def place(
    rows: Sequence[Row], costs: Sequence[Costs], wanted: Callable[[Row], WantedPeak], machine: Offers, *, eager: bool
) -> tuple[Point, ...]:
    """Place rows on one machine; `eager` pays the machine's launch overhead for each kernel."""
    found = (Placed(stack, machine, eager=eager) for stack in stacked(rows, costs, wanted))
    return tuple(point for placed in found for point in placed.points)


def _slowest(lanes: Sequence[Lane]) -> Array:
    return _largest([found.seconds for found in lanes])


def _largest(times: Sequence[Array]) -> Array:
    longest = times[0]
    for seconds in times[1:]:
        longest = np.fmax(longest, seconds)
    return longest


def _rank(found: Lane) -> int:
    return _RANK[found.kind]


def _values(seconds: Array, *, known: bool) -> Sequence[Any]:
    """A number for each row, or an array, None where there is none."""
    if seconds.ndim > 1:
        return list(seconds) if known else [None if np.isnan(s).all() else s for s in seconds]
    values: list[float] = seconds.tolist()
    return values if known else [None if s != s else s for s in values]  # noqa: PLR0124 - NaN alone differs from itself


def _counts(use: Any) -> bool:
    return bool(np.any(use.amount) or np.any(use.calls)) or use.tier == "step"
