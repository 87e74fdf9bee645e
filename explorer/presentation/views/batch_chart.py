"""A figure against batch as pure data: curves, current points, marks, ticks, in log2 batch and plain values."""

import math
from collections.abc import Callable

import msgspec
import numpy as np

from explorer.analysis.step.rows import Array
from explorer.presentation.quantities.numbers import seconds


class Curve(msgspec.Struct, frozen=True, eq=False):
    """One device: log2 batches, values, and the log2 batch where its memory is full."""

    key: str
    name: str
    colour: int
    xs: Array
    ys: Array
    active: bool = False
    full_at: float | None = None


class Spot(msgspec.Struct, frozen=True):
    """Where a device stands now."""

    x: float
    y: float
    colour: int
    active: bool = False


class BatchMark(msgspec.Struct, frozen=True):
    """A batch of note of the active device; `wall` is drawn strongest."""

    x: float
    text: str
    colour: int
    wall: bool = False


class BatchChart(msgspec.Struct, frozen=True, eq=False):
    """What a chart against batch shows, the current points apart; texts are final."""

    title: str
    x_title: str
    x_max: float
    y_max: float
    x_ticks: tuple[tuple[float, str], ...]
    y_ticks: tuple[tuple[float, str], ...]
    curves: tuple[Curve, ...]
    marks: tuple[BatchMark, ...] = ()
    inputs: bool = False  # rates are of inputs, not of tokens

    def value_at(self, curve: Curve, x: float) -> float:
        """A curve's value at a log2 batch."""
        return float(np.interp(x, curve.xs, curve.ys))


def batch_ticks(x_max: float, most: int) -> tuple[tuple[float, str], ...]:
    """Powers of two with an even stride."""
    top = math.floor(x_max + 1e-9)
    stride = max(1, math.ceil(top / max(1, most)))
    return tuple((float(i), f"{2**i:,}") for i in range(0, top + 1, stride))


def value_ticks(
    top: float, text: Callable[[float, float], str], most: int = 4
) -> tuple[float, tuple[tuple[float, str], ...]]:
    """The top of a linear axis from 0 and its ticks at a step of 1, 2, 2.5 or 5."""
    if not math.isfinite(top) or top <= 0:
        return 1.0, ((0.0, "0"),)
    size = 10.0 ** math.floor(math.log10(top / most))
    step = next(m * size for m in (1.0, 2.0, 2.5, 5.0, 10.0) if m * size * most >= top * (1 - 1e-9))
    count = math.floor(top / step + 1e-9)
    return top * 1.05, tuple((i * step, text(i * step, step)) for i in range(count + 1))


_TICK_PREFIXES = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def rate_tick(value: float, _step: float) -> str:
    """Tokens per second on an axis: 0, 250, 2.5k."""
    for size, prefix in _TICK_PREFIXES:
        if value >= size:
            return f"{value / size:.4g}{prefix}".replace("e+", "e")
    return f"{value:.4g}"


def time_tick(value: float, _step: float) -> str:
    """A time on an axis: 5 ms, 0.5 s."""
    if value == 0:
        return "0"
    number, unit = seconds(value, 4).split(" ")
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number} {unit}"
