"""One machine against another: ratios of their steps and of operators; where there is none, why."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.placement import Point
from explorer.analysis.step.resources import Bound

NoRatio = Literal["", "unknown", "nothing", "no_room", "no_room_before", "launches"]
_TIED: Final = 1 - 1e-9  # within rounding


class Ratio(NamedTuple):
    """How many times a figure is another; None with its reason.

    `unknown`: one of the two is not known. `nothing`: the other is zero. `no_room`, `no_room_before`: the step does not
    fit here, or where it is compared with. `launches`: the launches of a machine are unknown, so that its time is a
    bound from below, and a ratio to it none.
    """

    value: float | None
    why: NoRatio = ""


class Faster(NamedTuple):
    """A machine and how many times as fast as another it makes the step."""

    result: DeviceResult
    speed: Ratio


def ratio_of(value: float | None, to: float | None) -> Ratio:
    """One figure as a multiple of another.

    Parameters
    ----------
    value, to
        Figures of one unit, None where they are unknown.
    """
    if value is None or to is None:
        return Ratio(None, "unknown")
    return Ratio(None, "nothing") if to <= 0 or value <= 0 else Ratio(float(value) / float(to))


def step_s(evaluation: Evaluation, result: DeviceResult) -> float:
    """Seconds that steps are compared by.

    At least, experts as the workload's routing reads them: what tokens per second follow from. Without a model the
    operators one after the other, of which the answer speaks.
    """
    totals = result.totals
    return float(totals.time_s if evaluation.model is None else totals.routed.seconds)


def speed(evaluation: Evaluation, result: DeviceResult, to: DeviceResult) -> Ratio:
    """How many times as fast as another machine one makes the step: seconds there over seconds here.

    Tokens per second, in all and of one request, have the same ratio.
    """
    if result.fits is False:
        return Ratio(None, "no_room")
    if to.fits is False:
        return Ratio(None, "no_room_before")
    if evaluation.model is None and (result.launches_unknown or to.launches_unknown):
        return Ratio(None, "launches")
    return ratio_of(step_s(evaluation, to), step_s(evaluation, result))


def operators_time(result: DeviceResult, to: DeviceResult) -> Ratio:
    """The step's operators one after the other, as a multiple of their time on another machine."""
    if result.fits is False:
        return Ratio(None, "no_room")
    if to.fits is False:
        return Ratio(None, "no_room_before")
    if result.launches_unknown or to.launches_unknown:
        return Ratio(None, "launches")
    return ratio_of(float(result.totals.time_s), float(to.totals.time_s))


def row_time(point: Point, to: Point) -> Ratio:
    """An operator's time as a multiple of that on another machine; whether the step has room does not matter to it."""
    if point.launches_unknown or to.launches_unknown:
        return Ratio(None, "launches")
    return ratio_of(float(point.time_s), float(to.time_s))


def fastest_other(evaluation: Evaluation, than: DeviceResult) -> Faster | None:
    """The visible machine that makes the step fastest, but for one; the first of equals."""
    found: Faster | None = None
    for result in evaluation.devices:
        if result is than or not result.entry.visible:
            continue
        other = Faster(result, speed(evaluation, result, than))
        if other.speed.value is None:
            continue
        if found is None or (found.speed.value or 0.0) < other.speed.value * _TIED:
            found = other
    return found


def without_room(evaluation: Evaluation) -> tuple[DeviceResult, ...]:
    """The visible machines that the step does not fit on, in the study's order."""
    return tuple(d for d in evaluation.devices if d.entry.visible and d.fits is False)


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
