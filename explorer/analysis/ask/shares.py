"""What part of a step rows have: of its time, its FLOPs, its peak."""

from collections.abc import Sequence
from typing import NamedTuple

from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.placement import Point
from explorer.analysis.step.resources import BOUNDS, Bound


class Sum(NamedTuple):
    """All calls of some rows of a step; `intensity` is None where no byte moves."""

    flops: float
    bytes: float
    time_s: float
    intensity: float | None
    time_share: float
    flop_share: float


def sum_of(result: DeviceResult, points: Sequence[Point]) -> Sum:
    """Some rows of a device's step taken together."""
    flops = sum(float(p.row.count * p.costs.flops) for p in points)
    moved = sum(float(p.row.count * p.bytes) for p in points)
    time_s = sum(float(p.total_s) for p in points)
    whole_s, whole_flops = float(result.totals.time_s), float(result.totals.traffic.flops)
    return Sum(
        flops, moved, time_s, flops / moved if moved else None, time_s / (whole_s or 1.0), flops / (whole_flops or 1.0)
    )


def dominant_bound(result: DeviceResult) -> Bound:
    """What most of the step's time goes to; memory where nothing takes any time."""
    shares = result.bound_shares
    return max(BOUNDS, key=lambda bound: shares[bound])


def vector_share(evaluation: Evaluation, result: DeviceResult) -> tuple[float, float] | None:
    """Time and FLOP share of the rows on the vector units; None where all rows are there, or none."""
    kinds = evaluation.evaluator.kinds
    vector = [i for i, p in enumerate(result.points) if kinds[p.row.kind].kind.unit == "vector"]
    if not vector or len(vector) == len(result.points):
        return None
    return sum(result.shares[i] for i in vector), sum(result.flop_shares[i] for i in vector)


def over_proportion(result: DeviceResult, place: int) -> float | None:
    """How many times its share of the FLOPs a row's share of the time is; None for a row without FLOPs."""
    flops = result.flop_shares[place]
    return result.shares[place] / flops if flops > 0 else None


def own_share(result: DeviceResult) -> float:
    """The part of the step's time that the user's own rows take."""
    return float(result.own.sum_s) / (float(result.totals.time_s) or 1.0)


def reached(point: Point) -> float:
    """The part of what its roof allows that a row reaches."""
    return point.performance / point.attainable if point.attainable else 0.0


def peak_share(result: DeviceResult) -> float | None:
    """The part of the main peak that the whole step reaches."""
    time_s, rate = float(result.totals.time_s), result.main_peak.rate
    return float(result.totals.traffic.flops) / time_s / rate if rate and time_s else None


def share_of_row(result: DeviceResult, name: str) -> float:
    """The part of the step's time that the row of a name takes."""
    return next((s for p, s in zip(result.points, result.shares, strict=True) if p.row.name == name), 0.0)
