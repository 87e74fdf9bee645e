"""Measured figures as diamonds under (or above) their prediction, joined to it by an arrow."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import explorer.presentation.measured.gap_texts  # noqa: F401 - registers the sentences used here
from explorer.analysis.measured.conditions import same_work, share_of, shares_of_counted
from explorer.analysis.measured.gap import Gap, verdict_of
from explorer.analysis.measured.gap_memory import remembered_gap
from explorer.analysis.measured.predict import Predictor
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.study.study import Measurement
from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import factor, percent
from explorer.presentation.roofline.figure import Crowd, Mark
from explorer.presentation.roofline.marks import (
    LABELS,
    MANY,
    DeviceMarks,
    Placing,
    colour_index,
    crowd_of,
    short_row_name,
)

_NEAR: Final = 0.97  # of a bound: too near for an arrow to be seen


class _Counted(NamedTuple):
    """What the marks of counted measurements were made from; they move with nothing else."""

    measurements: tuple[Measurement, ...]
    devices: tuple[object, ...]
    shift: float
    look: Look


class _Memory:
    """Marks that a step of a slider leaves alone; goes on from one evaluation of a study to the next."""

    def __init__(self) -> None:
        self.counted: tuple[_Counted, tuple[Mark, ...], tuple[Crowd, ...]] | None = None
        self._split: tuple[tuple[Measurement, ...], list[Measurement], list[Measurement]] | None = None

    def split(self, measurements: tuple[Measurement, ...]) -> tuple[list[Measurement], list[Measurement]]:
        """Those that bring their own counts, and the others."""
        if self._split is None or self._split[0] is not measurements:
            counted = [m for m in measurements if m.flops is not None or m.bytes is not None]
            others = [m for m in measurements if m.flops is None and m.bytes is None]
            self._split = (measurements, counted, others)
        return self._split[1], self._split[2]


def measured_marks(evaluation: Evaluation, visible: Sequence[DeviceResult], placing: Placing) -> DeviceMarks:
    """Measurements of this very work on the visible devices; those of another batch, context or phase wait.

    What another tool counted is shown whatever the workload is.
    """
    if not evaluation.study.measurements:
        return DeviceMarks([])
    counted, others = evaluation.carried(_Memory).split(evaluation.study.measurements)
    by_device = _by_device(visible)
    marks, crowds = _counted_marks(evaluation, counted, visible, placing) if counted else DeviceMarks([])
    predictor = Predictor(evaluation)
    now = [m for m in others if m.device in by_device and same_work(evaluation, m)]
    alone = sum(m.row is None for m in now) == 1
    for measurement in now:
        found = remembered_gap(predictor, measurement)
        mark = _mark(evaluation, found, by_device[measurement.device], placing, alone=alone)
        if mark is not None:
            marks.append(mark)
    return DeviceMarks(marks, crowds)


def gap_of(evaluation: Evaluation, ident: str) -> Gap | None:
    """The gap of one measurement by its id."""
    found = next((m for m in evaluation.study.measurements if m.id == ident), None)
    return None if found is None else remembered_gap(Predictor(evaluation), found)


def _by_device(visible: Sequence[DeviceResult]) -> dict[str, DeviceResult]:
    found = {r.entry.device.id: r for r in reversed(visible)}
    return found | {r.entry.id: r for r in visible}


def _counted_marks(
    evaluation: Evaluation, counted: list[Measurement], visible: Sequence[DeviceResult], placing: Placing
) -> DeviceMarks:
    """Marks of what other tools counted, the largest labelled; made anew only where they may differ."""
    devices = tuple(
        part
        for r in visible
        for part in (r.entry.device, r.machine.count, colour_index(evaluation, r), r is evaluation.active, r.main_peak)
    )
    key = _Counted(evaluation.study.measurements, devices, placing.shift, placing.look)
    memory = evaluation.carried(_Memory)
    kept = memory.counted
    if kept is not None and _same_counted(kept[0], key):
        return DeviceMarks([*kept[1]], kept[2])
    predictor, by_device = Predictor(evaluation), _by_device(visible)
    shares = shares_of_counted(counted)
    biggest = {i for i, _ in sorted(shares.items(), key=lambda item: -item[1])[:LABELS]}
    marks = []
    for measurement in counted:
        result = by_device.get(measurement.device)
        if result is None or not measurement.flops or not measurement.bytes or not measurement.time_s:
            continue
        found = remembered_gap(predictor, measurement)
        named = measurement.id in biggest
        mark = _mark(evaluation, found, result, placing, share=shares[measurement.id], named=named)
        if mark is not None:
            marks.append(mark)
    unnamed = tuple(m for m in marks if not m.label)
    crowds: tuple[Crowd, ...] = ()
    if len(unnamed) > MANY:
        marks, crowds = [m for m in marks if m.label], (crowd_of(unnamed),)
    memory.counted = (key, tuple(marks), crowds)
    return DeviceMarks(marks, crowds)


def _same_counted(one: _Counted, other: _Counted) -> bool:
    return (
        one.measurements is other.measurements
        and one.shift == other.shift
        and one.look is other.look
        and len(one.devices) == len(other.devices)
        and all(a is b or a == b for a, b in zip(one.devices, other.devices, strict=True))
    )


def _mark(
    evaluation: Evaluation,
    found: Gap,
    result: DeviceResult,
    placing: Placing,
    *,
    share: float | None = None,
    named: bool = True,
    alone: bool = False,
) -> Mark | None:
    work, seconds, efficiency = found.prediction, found.measured_s, found.efficiency
    if work is None or not seconds or efficiency is None or work.flops <= 0 or work.bytes <= 0:
        return None
    measurement, over = found.measurement, verdict_of(efficiency) == "over"
    flops = math.log10(work.flops)
    spread = measurement.quartiles_s
    return Mark(
        x=flops - math.log10(work.bytes) + placing.shift,
        y=flops - math.log10(seconds),
        rows=(measurement.row or measurement.name,),
        device=result.entry.id,
        colour=colour_index(evaluation, result),
        label=_label(measurement, efficiency, placing, alone=alone) if named else "",
        shorter=(_label(measurement, efficiency, placing, alone=True, unnamed=True),) if named else (),
        area=share_of(measurement, result) if share is None else share,
        shape="diamond",
        bound=work.bound,
        ceiling=flops - math.log10(work.bound_s),
        measured=True,
        over=over,
        active=result is evaluation.active,
        gain_text=placing.say("chart.gain", gain=factor(found.gain)) if named and efficiency < _NEAR else "",
        spread=None if spread is None else (flops - math.log10(spread[1]), flops - math.log10(spread[0])),
        measurement=measurement.id,
    )


def _label(measurement: Measurement, efficiency: float, placing: Placing, *, alone: bool, unnamed: bool = False) -> str:
    """The share of the bound; steps and counted points by their name, but for a step that is the only one."""
    over, share = verdict_of(efficiency) == "over", percent(efficiency)
    if measurement.row and not unnamed:
        return placing.say(
            "chart.over" if over else "chart.measured", name=short_row_name(measurement.row), share=share
        )
    if alone:
        return placing.say("chart.over_step" if over else "chart.measured_step", share=share)
    return placing.say("chart.over_named" if over else "chart.measured_named", name=measurement.name[:40], share=share)
