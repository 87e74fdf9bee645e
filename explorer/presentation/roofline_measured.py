"""Measured figures as diamonds under (or above) their prediction."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from explorer.analysis.evaluate import DeviceResult, Evaluation
from explorer.analysis.study import Measurement
from explorer.presentation.figure import Mark
from explorer.presentation.numbers import factor, percent
from explorer.presentation.roofline_marks import Placing, colour_index, plain

_OVER = 1.0005  # an efficiency above this is flagged


class _Work(NamedTuple):
    """FLOPs and bytes of what was timed, and the seconds of its bound."""

    flops: float
    bytes: float
    bound_s: float
    share: float
    bound: str


def measured_marks(evaluation: Evaluation, visible: Sequence[DeviceResult], placing: Placing) -> list[Mark]:
    """Measurements of this very work on the visible devices; those of another batch, context or phase wait."""
    marks = []
    for measurement in evaluation.study.measurements:
        alone = measurement.row is None and not measurement.of_step  # an operator of no row has no prediction here
        if alone or not _same_work(evaluation, measurement):
            continue
        for result in visible:
            if measurement.device in {result.entry.id, result.entry.device.id}:
                mark = _mark(evaluation, measurement, result, placing)
                if mark is not None:
                    marks.append(mark)
    return marks


def measured_seconds(evaluation: Evaluation, measurement: Measurement) -> float | None:
    """Seconds of one call of the row, or of the step; from tokens per second where no time was taken."""
    if measurement.time_s:
        return measurement.time_s
    tokens = evaluation.evaluator.tokens(evaluation.step)
    if measurement.tokens_per_s and tokens is not None and measurement.row is None:
        return float(tokens[0]) / measurement.tokens_per_s
    return None


def _same_work(evaluation: Evaluation, measurement: Measurement) -> bool:
    work = evaluation.study.workload
    pairs = (
        (measurement.batch, work.batch),
        (measurement.context, work.context),
        (measurement.phase, work.phase),
    )
    return all(stated is None or stated == now for stated, now in pairs)


def _work(row: str | None, result: DeviceResult) -> _Work | None:
    if row is None:
        totals = result.totals
        bound = "compute" if totals.floor_compute_s > totals.floor_memory_s else "memory"
        moved = float(totals.traffic.compulsory)
        return _Work(float(totals.traffic.flops), moved, float(totals.floor_s), 1.0, bound)
    for point, share in zip(result.points, result.shares, strict=True):
        if point.row.name == row:
            seconds = max(float(point.compute_s or 0.0), float(point.memory_s))
            return _Work(float(point.costs.flops), float(point.bytes), seconds, share, point.bound)
    return None


def _mark(evaluation: Evaluation, measurement: Measurement, result: DeviceResult, placing: Placing) -> Mark | None:
    seconds = measured_seconds(evaluation, measurement)
    work = _work(measurement.row, result)
    if not seconds or work is None or work.flops <= 0 or work.bytes <= 0 or work.bound_s <= 0:
        return None
    efficiency = work.bound_s / seconds
    key = "chart.over" if efficiency > _OVER else "chart.measured"
    share = percent(efficiency)
    row = measurement.row
    label = placing.say(key, name=plain(row), share=share) if row else placing.say(f"{key}_step", share=share)
    return Mark(
        x=math.log10(work.flops / work.bytes) + placing.shift,
        y=math.log10(work.flops / seconds),
        rows=(row or measurement.name,),
        device=result.entry.id,
        colour=colour_index(evaluation, result),
        label=label,
        area=work.share,
        shape="diamond",
        bound=work.bound,
        ceiling=math.log10(work.flops / work.bound_s),
        measured=True,
        over=efficiency > _OVER,
        active=result is evaluation.active,
        gain_text=placing.say("chart.gain", gain=factor(1 / efficiency)) if efficiency < 0.97 else "",
    )
