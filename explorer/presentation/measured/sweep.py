"""A sweep's times against bytes and against FLOPs, each with its line, in log10 units."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import explorer.presentation.measured.gap_texts  # noqa: F401 - registers the sentences used here
from explorer.analysis.measured.sweep_fit import SweepLine, fit_sweep
from explorer.analysis.problem import Refused
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.roofline.figure import Range
from explorer.presentation.words.messages import Message, render

Measured = tuple[float | None, float | None, float | None]  # seconds, FLOPs, bytes
_CURVE = 25  # places of a line; it bends on log axes


@dataclass(frozen=True, slots=True)
class SweepPanel:
    """Points and a fitted curve as log10 (x, seconds); `followed` is what the times follow."""

    title: str
    points: tuple[tuple[float, float], ...]
    curve: tuple[tuple[float, float], ...]
    followed: bool
    x_range: Range
    y_range: Range


def sweep_panels(measured: Sequence[Measured], look: Look = ENGLISH) -> tuple[SweepPanel, ...]:
    """One panel against bytes and one against FLOPs; none of what no point tells."""
    whole = [(t, f or 0.0, b or 0.0) for t, f, b in measured if t]
    try:
        fit = fit_sweep(*zip(*whole, strict=True)) if whole else None
    except Refused:
        fit = None
    by_flops = fit is not None and fit.finding == "flops"
    followed = fit.line if fit is not None and math.isfinite(fit.line.rate) else None
    other = fit.other if fit is not None else None
    lines = {"bytes": other if by_flops else followed, "flops": followed if by_flops else other}
    panels = []
    for key, place in (("bytes", 2), ("flops", 1)):
        points = [(p[place], p[0]) for p in whole if p[place] > 0]
        if points:
            title = render(Message(f"sweep.against_{key}"), look)
            panels.append(_panel(title, points, lines[key], followed=fit is not None and fit.finding == key))
    return tuple(panels)


def _panel(title: str, points: list[tuple[float, float]], line: SweepLine | None, *, followed: bool) -> SweepPanel:
    x = [math.log10(p[0]) for p in points]
    y = [math.log10(p[1]) for p in points]
    x_range, y_range = _widened(x), _widened(y)
    curve: tuple[tuple[float, float], ...] = ()
    if line is not None:
        steps = (x_range[0] + (x_range[1] - x_range[0]) * i / (_CURVE - 1) for i in range(_CURVE))
        curve = tuple((s, math.log10(line.seconds(10**s))) for s in steps)
    return SweepPanel(title, tuple(zip(x, y, strict=True)), curve, followed, x_range, y_range)


def _widened(values: Sequence[float]) -> Range:
    low, high = min(values), max(values)
    room = max(0.15, 0.08 * (high - low))
    return low - room, high + room
