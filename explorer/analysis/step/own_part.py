"""The user's own rows, evaluated: neither batch nor context touches them, so they are kept from step to step."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.costs import CompiledKind, Costs, checked_costs
from explorer.analysis.step.expand import fused, own_rows
from explorer.analysis.step.placement import BOUNDS, Bound, Point
from explorer.analysis.step.roofs import PeakChoice, Roof, WantedPeak, wanted_peak
from explorer.analysis.step.rows import Row
from explorer.analysis.step.totals import Traffic
from explorer.analysis.study.study import FittedRoof, OwnRow, Study

Made = TypeVar("Made")
Floats = npt.NDArray[np.float64]
Choice = tuple[str | None, ...]  # formats of weights, activations and KV cache
_CHOICES = 4  # the study's own, those of two levers, and the one before
_KEPT = 16  # things made of the rows on one device
_ROOFS = 64  # placings kept; a study compares fewer devices, levers add two of each


class OwnPlaced:
    """Own rows on one device, as arrays; single points are made when first asked for."""

    def __init__(self, part: "OwnPart", roof: Roof, older: "OwnPlaced | None" = None, *, eager: bool) -> None:
        self.part = part
        self._older = older  # until the points are made
        self.bandwidth = roof.bandwidth or 1.0
        self._peaks = [roof.asked(w) for w in part.wanted]
        rates = np.array([np.nan if p.rate is None else p.rate for p in self._peaks], dtype=np.float64)
        self.memory_s: Floats = part.moved / self.bandwidth
        self.compute_s: Floats = part.flops / rates[part.asks] if len(rates) else np.zeros(0)
        self.launch_s: Floats = part.kernels * (roof.launch_s or 0.0) if eager else np.zeros(len(part.rows))
        self.judged = ~np.isnan(self.compute_s)
        longest = np.fmax(self.compute_s, self.memory_s)
        self.time_s: Floats = np.maximum(longest, self.launch_s) if eager else longest
        self.total_s: Floats = part.count * self.time_s
        self.sum_s = summed(self.total_s)
        self._kept: dict[object, Any] = {}
        self.compute_sum_s = summed((part.count * self.compute_s)[self.judged])

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """One point for each row."""
        part, bandwidth, peaks = self.part, self.bandwidth, self._peaks
        figures = zip(
            part.rows, part.costs, part.asks.tolist(), self.compute_s.tolist(), self.judged.tolist(),
            self.memory_s.tolist(), self.launch_s.tolist(), self.time_s.tolist(), strict=True,
        )  # fmt: skip
        older, self._older = self._older, None
        known = {} if older is None else {id(p.row): p for p in older.points}
        return tuple(
            known.get(id(row))
            or Point(row, costs, peaks[ask], bandwidth, compute if judged else None, memory, launch, time)
            for row, costs, ask, compute, judged, memory, launch, time in figures
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
        """Seconds of the rows of each bound."""
        compute = np.where(self.judged, self.compute_s, 0.0)
        overhead = (self.launch_s > compute) & (self.launch_s > self.memory_s)
        by_compute = ~overhead & (compute > self.memory_s)
        masks: dict[Bound, npt.NDArray[np.bool_]] = {
            "compute": by_compute, "memory": ~overhead & ~by_compute, "overhead": overhead
        }  # fmt: skip
        return {bound: summed(self.total_s[masks[bound]]) for bound in BOUNDS}

    @cached_property
    def on_chart(self) -> int:
        """How many rows have FLOPs, bytes and time."""
        return int(((self.part.flops > 0) & (self.part.moved > 0) & (self.time_s > 0)).sum())

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
        at = self.part.heaviest
        return None if at is None else (float(self.part.all_flops[at]), self._peaks[int(self.part.asks[at])])

    @property
    def first_peak(self) -> PeakChoice | None:
        """The peak of the first row."""
        return self._peaks[int(self.part.asks[0])] if self.part.rows else None

    def faster_sum(self, bandwidth: float, compute: float) -> float:
        """Seconds of all rows on a device that is faster by these factors."""
        each = np.fmax(self.compute_s / compute, self.memory_s / bandwidth)
        return summed(self.part.count * np.maximum(each, self.launch_s))

    def fitted_sum(self, slower: float, bandwidth: float, fitted: FittedRoof) -> float:
        """Seconds of all rows as a fit to measurements expects them."""
        part = self.part
        each = np.fmax(self.compute_s * slower, part.moved / bandwidth) + part.kernels * fitted.per_kernel_s
        return summed(part.count * each)


class OwnPart:
    """The user's rows that can be computed under one choice of formats, and the faults of the others.

    Rows that `older` knows under the same kinds and formats are taken from it. `like` is the same study under another
    choice: where a row's formulas read no format that differs, its costs are the same.
    """

    def __init__(
        self,
        study: Study,
        kinds: Mapping[str, CompiledKind],
        formats: Mapping[str, NumberFormat],
        older: "OwnPart | None" = None,
        like: "OwnPart | None" = None,
    ) -> None:
        alike = {} if like is None else like.by_written
        known = {} if older is None else older.by_written
        self.problems: list[Problem] = []
        self.by_written: dict[int, tuple[OwnRow, Row, Costs]] = {}
        rows: list[Row] = []
        found: list[Costs] = []
        for path, written, row in own_rows(study, kinds, formats, self.problems, known):
            kept = known.get(id(written)) or _under_other_formats(row, alike.get(id(written)), kinds[row.kind])
            if kept is None:
                try:
                    costs = checked_costs(row, kinds[row.kind], formats, path)
                except Refused as refused:
                    self.problems += refused.problems
                    continue
                kept = (written, row, fused(costs) if written.fused else costs)
            self.by_written[id(written)] = kept
            rows.append(kept[1])
            found.append(kept[2])
        self.rows, self.costs = tuple(rows), tuple(found)
        self._placed: dict[tuple[Roof, bool], OwnPlaced] = {}
        self._older_placed = {} if older is None else older.placed_with_points()
        self._measure(kinds, formats)

    def _measure(self, kinds: Mapping[str, CompiledKind], formats: Mapping[str, NumberFormat]) -> None:
        """The rows' figures as arrays; `wanted` are the distinct peaks they ask for, `asks` which one each row does."""
        table = np.array(self.costs, dtype=np.float64).reshape(-1, 6).T
        self.flops, read, written, self.kernels, self.weight_bytes, self.kv_bytes = table
        self.moved: Floats = read + written
        self.count: Floats = np.array([r.count for r in self.rows], dtype=np.float64)
        self.all_flops: Floats = self.count * self.flops
        places: dict[WantedPeak, int] = {}
        by_look: dict[tuple[object, ...], int] = {}
        asks = []
        for row in self.rows:
            look = (row.kind, row.activations, row.weights, row.kv, row.accumulate)
            at = by_look.get(look)
            if at is None:
                kind = kinds[row.kind]
                wanted = wanted_peak(row, kind.kind.unit, kind.partner, formats)
                at = by_look[look] = places.setdefault(wanted, len(places))
            asks.append(at)
        self.wanted = tuple(places)
        self.asks = np.array(asks, dtype=np.intp)

    @cached_property
    def heaviest(self) -> int | None:
        """Place of the tensor row that computes most, the first of equals; None where there is none."""
        tensor = np.array([w[0] == "tensor" for w in self.wanted], dtype=bool)
        of_tensor = tensor[self.asks] if len(tensor) else np.zeros(0, dtype=bool)
        return int(np.where(of_tensor, self.all_flops, -1.0).argmax()) if of_tensor.any() else None

    @cached_property
    def traffic(self) -> Traffic:
        """What the rows compute and move; all of it is compulsory."""
        count = self.count
        moved = summed(count * self.moved)
        return Traffic(
            summed(self.all_flops), moved, summed(count * self.weight_bytes), summed(count * self.kv_bytes), moved
        )

    def on(self, roof: Roof, *, eager: bool) -> OwnPlaced:
        """The rows on one device; done once for each."""
        found = self._placed.get((roof, eager))
        if found is None:
            if len(self._placed) >= _ROOFS:
                self._placed.clear()
            older = self._older_placed.pop((roof, eager), None)
            found = self._placed[roof, eager] = OwnPlaced(self, roof, older, eager=eager)
        return found

    def placed_with_points(self) -> dict[tuple[Roof, bool], OwnPlaced]:
        """The devices on which the rows were looked at one by one; what came before these rows is forgotten."""
        self._older_placed = {}
        return {key: placed for key, placed in self._placed.items() if placed.has_points}


def _under_other_formats(
    row: Row, known: tuple[OwnRow, Row, Costs] | None, kind: CompiledKind
) -> tuple[OwnRow, Row, Costs] | None:
    if known is None or any(getattr(known[1], field) != getattr(row, field) for field in kind.reads):
        return None
    return known[0], row, known[2]


class OwnParts:
    """The user's rows under each choice of formats that was asked for: the study's own, and those of levers."""

    def __init__(
        self,
        study: Study,
        kinds: Mapping[str, CompiledKind],
        formats: Mapping[str, NumberFormat],
        older: Mapping[Choice, OwnPart],
    ) -> None:
        self.operators, self.kinds, self.formats = study.operators, kinds, formats
        self._older = older
        self._parts: dict[Choice, OwnPart] = {}

    def of(self, study: Study) -> OwnPart:
        """The rows under the formats of a study with the same operators."""
        work = study.workload
        choice = (work.weights, work.activations, work.kv)
        found = self._parts.get(choice)
        if found is None:
            if len(self._parts) >= _CHOICES:
                self._parts.clear()
            like = next(iter(self._parts.values()), None)
            found = OwnPart(study, self.kinds, self.formats, self._older.get(choice), like)
            self._parts[choice] = found
        return found

    def followed_by(self, study: Study) -> "OwnParts":
        """The parts of a study with other operators: rows that stay are taken over."""
        return OwnParts(study, self.kinds, self.formats, self._parts or self._older)


def own_parts(
    study: Study, kinds: Mapping[str, CompiledKind], formats: Mapping[str, NumberFormat], older: OwnParts | None
) -> OwnParts:
    """Parts of a study; those of an older one are used where they hold."""
    if older is None or older.kinds is not kinds or older.formats is not formats:
        return OwnParts(study, kinds, formats, {})
    return older if older.operators is study.operators else older.followed_by(study)


def summed(values: Floats) -> float:
    """The sum, one after the other as a loop adds them."""
    return float(values.cumsum()[-1]) if len(values) else 0.0
