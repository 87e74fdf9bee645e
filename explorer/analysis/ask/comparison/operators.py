"""Operators on every visible device: what they wait for there, their time, and its ratio to the baseline's."""

from collections.abc import Sequence
from typing import NamedTuple

from explorer.analysis.ask.comparison.ratios import Ratio, ratio_of, row_time
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.placement import Point
from explorer.analysis.step.resources import Bound


class Elsewhere(NamedTuple):
    """Operators on one device.

    Attributes
    ----------
    result
        The device.
    points
        The operators there.
    seconds
        Time of one call of a single operator; all calls of several.
    bound
        What they wait for, None where that differs.
    ratio
        The time as a multiple of the baseline's.
    memory_ratio
        The same of the time that the bytes alone take.
    """

    result: DeviceResult
    points: tuple[Point, ...]
    seconds: float
    bound: Bound | None
    ratio: Ratio
    memory_ratio: Ratio

    @property
    def launches_unknown(self) -> bool:
        """Whether the time is a bound from below."""
        return any(p.launches_unknown for p in self.points)


def on_each(evaluation: Evaluation, names: Sequence[str]) -> tuple[Elsewhere, ...]:
    """Operators by their names on each visible device, in the study's order; nothing without any of them."""
    wanted = set(names)
    places = [i for i, row in enumerate(evaluation.rows) if row.name in wanted]
    baseline = evaluation.baseline
    if not places or baseline is None:
        return ()
    base = tuple(baseline.points[i] for i in places)
    visible = [d for d in evaluation.devices if d.entry.visible]
    return tuple(_on(d, tuple(d.points[i] for i in places), base) for d in visible)


def _on(result: DeviceResult, points: tuple[Point, ...], base: tuple[Point, ...]) -> Elsewhere:
    bounds = {p.bound for p in points}
    bound = next(iter(bounds)) if len(bounds) == 1 else None
    memory = ratio_of(_memory_s(points), _memory_s(base))
    return Elsewhere(result, points, _seconds(points), bound, _ratio(points, base), memory)


def _seconds(points: tuple[Point, ...]) -> float:
    return float(points[0].time_s) if len(points) == 1 else sum(float(p.total_s) for p in points)


def _memory_s(points: tuple[Point, ...]) -> float:
    return sum(float((p.seconds("memory") or 0.0) * p.row.count) for p in points)


def _ratio(points: tuple[Point, ...], base: tuple[Point, ...]) -> Ratio:
    if len(points) == 1:
        return row_time(points[0], base[0])
    if any(p.launches_unknown for p in (*points, *base)):
        return Ratio(None, "launches")
    return ratio_of(_seconds(points), _seconds(base))
