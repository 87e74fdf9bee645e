"""Rows on a machine: a row takes as long as the slowest of what it uses, and waits for that."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import repeat
from typing import Any, Protocol, TypeVar

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from explorer.analysis.step.costs import Costs
from explorer.analysis.step.machines.peaks import PeakChoice, WantedPeak
from explorer.analysis.step.resources import BOUND_OF, BOUNDS, Bound, Kind
from explorer.analysis.step.rows import Array, Number, Row
from explorer.analysis.step.stack import Lane, RowStack, added_up, stacked
from explorer.analysis.step.work import Use, Work

Made = TypeVar("Made")
_KEPT = 16  # things made of the rows on one machine
_RANK = {kind: rank for rank, kind in enumerate(BOUND_OF)}


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
    def launches_unknown(self) -> bool:
        """Whether kernels are launched one by one and nobody published what a launch takes: times are at least."""
        return "launch" in self.kinds and self.seconds("launch") is None

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
        times = self.times
        return BOUND_OF[self.kinds[times.index(self.time_s) if self.time_s in times else 0]]


class Offers(Protocol):
    """What rows can be placed on."""

    @property
    def bandwidth(self) -> float | None:
        """B/s of the outermost memory."""

    def asked(self, wanted: WantedPeak) -> PeakChoice:
        """The peak for what a row asks."""

    def lanes(self, stack: RowStack, *, eager: bool) -> tuple[Lane, ...]:
        """What each row uses."""


class Placed:
    """Stacked rows on one machine: times as [row, ...] and sums over rows; points are made when first asked for.

    Operator time by the operational roofline (Williams, Waterman, Patterson 2009), for any number of resources.
    `older` is a placing of other rows, some of them the same, whose points are used again.
    """

    def __init__(self, stack: RowStack, machine: Offers, older: "Placed | None" = None, *, eager: bool) -> None:
        self.stack = stack
        self.machine = machine
        self._older = older  # until the points are made
        self.bandwidth = machine.bandwidth or 1.0
        self.lanes, self.details = _by_tier(machine.lanes(stack, eager=eager))
        self.time_s = _slowest(self.lanes)
        self.total_s: Array = stack.count * self.time_s
        self.sum_s = added_up(self.total_s)
        self.details_s: Number = self._launched() - self.sum_s if self.details else 0.0
        self._points: tuple[Point, ...] | None = None
        self._kept: dict[object, Any] = {}
        self._moving_sums: dict[Lane, Number] = {}

    @property
    def ordered(self) -> tuple[Lane, ...]:
        """The uses of tier `step`, in the order that settles ties."""
        return tuple(sorted(self.lanes, key=_rank))

    def lane(self, kind: Kind) -> Lane | None:
        """What the rows use of one kind of resource."""
        return next((found for found in self.lanes if found.kind == kind), None)

    def moving_sum(self, lane: Lane) -> Number:
        """Seconds of all calls by the rate of one use alone, no latency; rows that are not judged count nothing."""
        found = self._moving_sums.get(lane)
        if found is None:
            found = self._moving_sums[lane] = added_up(self.stack.count * lane.moving)
        return found

    def _launched(self) -> Number:
        """Seconds of all calls as launched: with the uses of tier `detail`."""
        return added_up(self.stack.count * _slowest((*self.lanes, *self.details)))

    @property
    def points(self) -> tuple[Point, ...]:
        """One point for each row."""
        if self._points is None:
            self._points = self._made()
        return self._points

    def _made(self) -> tuple[Point, ...]:
        stack, ordered = self.stack, self.ordered
        choices = [self.machine.asked(w) for w in stack.wanted]
        peaks = [choices[ask] for ask in stack.asks.tolist()]
        kinds = tuple([found.kind for found in ordered])
        times = zip(*[_values(found) for found in ordered], strict=True)
        spent = self.time_s.tolist() if self.time_s.ndim == 1 else self.time_s
        figures = (stack.rows, stack.costs, peaks, repeat(self.bandwidth), repeat(kinds), times, spent)
        older, self._older = self._older, None
        if older is None:
            return tuple(map(Point, *figures))
        known = {id(p.row): p for p in older.points}
        return tuple([known.get(id(each[0])) or Point(*each) for each in zip(*figures, strict=False)])

    @property
    def works(self) -> tuple[Work, ...]:
        """Each row with all that it uses."""
        return tuple(Work(row, count=row.count, uses=self.uses(i)) for i, row in enumerate(self.stack.rows))

    def uses(self, i: int) -> tuple[Use, ...]:
        """All that the row at a place uses, in either tier."""
        return tuple(use for use in (found.use(i) for found in (*self.lanes, *self.details)) if _counts(use))

    @property
    def has_points(self) -> bool:
        """Whether anyone asked for the points yet."""
        return self._points is not None

    def kept(self, key: object) -> Any:
        """What someone made of these rows and kept here, None where it is not there (any more)."""
        return self._kept.get(key)

    def keep(self, key: object, made: Made) -> Made:
        """Keep something made of these rows for as long as they stay."""
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        self._kept[key] = made
        return made

    def _waited(self) -> npt.NDArray[np.intp]:
        """Of each row the place in order of what it waits for: the first that is as slow as the slowest."""
        found: npt.NDArray[np.intp] = np.array([each.judged for each in self.ordered]).argmax(axis=0)
        return found

    def bounds(self) -> tuple[Bound, ...]:
        """What each row waits for (scalars only)."""
        names = [BOUND_OF[each.kind] for each in self.ordered]
        return tuple([names[place] for place in self._waited().tolist()])

    def bound_sums(self) -> dict[Bound, float]:
        """Seconds of the rows of each bound (scalars only)."""
        found: dict[Bound, float] = dict.fromkeys(BOUNDS, 0.0)
        sums = np.bincount(self._waited(), self.total_s, len(self.lanes)).tolist()
        for each, seconds in zip(self.ordered, sums, strict=True):
            found[BOUND_OF[each.kind]] += seconds
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

    def faster_sum(self, factors: Mapping[Kind, float]) -> Number:
        """Seconds of all rows on a machine whose resources are faster by these factors."""
        each = [replace(found, seconds=found.seconds / factors.get(found.kind, 1.0)) for found in self.lanes]
        return added_up(self.stack.count * _slowest(each))

    def fitted_sum(self, slower: float, bandwidth: float, per_kernel_s: float) -> Number:
        """Seconds of all rows as a fit to measurements expects them."""
        stack, compute = self.stack, self.lane("compute")
        each: Array = stack.moved / bandwidth
        if compute is not None:
            each = np.fmax(compute.seconds * slower, each)
        return added_up(stack.count * (each + stack.kernels * per_kernel_s))


def place(
    rows: Sequence[Row], costs: Sequence[Costs], wanted: Callable[[Row], WantedPeak], machine: Offers, *, eager: bool
) -> tuple[Point, ...]:
    """Place rows on one machine; `eager` pays the machine's launch overhead for each kernel."""
    stacks = stacked(rows, costs, wanted)
    found = {id(p.row): p for stack in stacks for p in Placed(stack, machine, eager=eager).points}
    return tuple(found[id(row)] for row in rows)


def _by_tier(lanes: tuple[Lane, ...]) -> tuple[tuple[Lane, ...], tuple[Lane, ...]]:
    """Lanes of tier `step`, and all others."""
    for found in lanes:
        if found.tier != "step":
            return tuple(x for x in lanes if x.tier == "step"), tuple(x for x in lanes if x.tier != "step")
    return lanes, ()


def _slowest(lanes: Sequence[Lane]) -> Array:
    longest = lanes[0].seconds
    for found in lanes[1:]:
        larger = np.maximum if found.known and lanes[0].known else np.fmax  # the latter leaves out what is not judged
        longest = larger(longest, found.seconds)
    return longest


def _rank(found: Lane) -> int:
    return _RANK[found.kind]


def _values(found: Lane) -> Sequence[Any]:
    """A number for each row, or an array, None where there is none."""
    if found.seconds.ndim > 1:
        return [None if np.isnan(s).all() else s for s in found.seconds]
    values: list[float] = found.seconds.tolist()
    return values if found.known else [None if s != s else s for s in values]  # noqa: PLR0124 - only NaN differs


def _counts(use: Use) -> bool:
    return bool(np.any(use.amount) or np.any(use.calls)) or use.tier == "step"
