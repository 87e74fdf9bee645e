"""Axes of curves of a comparison: from 0, or log scales where one curve would shrink to a dot beside another."""

import math
from collections.abc import Iterable
from typing import Final

import msgspec

from explorer.presentation.views.batch_chart import rate_tick, value_ticks

_APART: Final = 10.0  # times, as for curves against batch
_MOST: Final = 5
_STEPS: Final = ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,))


class CurveAxis(msgspec.Struct, frozen=True):
    """An axis: its ends and ticks in the figure's own measure, logarithmic (base 10) or not."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    log: bool = False

    def place(self, value: float) -> float:
        """A value in the figure's own measure."""
        return math.log10(value) if self.log else value


def is_apart(tops: Iterable[float]) -> bool:
    """Whether curves whose largest values are `tops` want a log scale."""
    largest = [t for t in tops if t > 0]
    return bool(largest) and max(largest) >= _APART * min(largest)


def even_axis(top: float, most: int = _MOST) -> CurveAxis:
    """An axis from 0."""
    high, ticks = value_ticks(top, rate_tick, most)
    return CurveAxis(0.0, high, ticks)


def log_axis(least: float, most: float) -> CurveAxis:
    """A log axis with a little room at both ends; ticks at 1, 2, 5, fewer over many decades."""
    low, high = math.log10(least), math.log10(most)
    room = max(0.04, 0.04 * (high - low))
    low, high = low - room, high + room
    found: list[float] = []
    for steps in _STEPS:
        decades = range(math.floor(low), math.ceil(high) + 1)
        found = [s * 10.0**d for d in decades for s in steps if low <= math.log10(s * 10.0**d) <= high]
        if len(found) <= _MOST + 2:
            break
    return CurveAxis(low, high, tuple((math.log10(v), rate_tick(v, 0.0)) for v in found), log=True)
