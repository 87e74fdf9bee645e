"""A figure against batch as pure data: curves, current points, marks, ticks, in log2 batch and plain values."""

import math
from collections.abc import Callable, Iterable

import msgspec
import numpy as np

from explorer.analysis.step.rows import Array
from explorer.presentation.quantities.numbers import seconds


class Curve(msgspec.Struct, frozen=True, eq=False):
    """One device: log2 batches, values, and the log2 batch where its memory is full.

    At the curve's end its name stands, a shorter one without room, and whole behind it `figure`, where there is one.
    """

    key: str
    name: str
    colour: int
    xs: Array
    ys: Array
    active: bool = False
    full_at: float | None = None
    figure: str = ""
    shorter: tuple[str, ...] = ()


class Spot(msgspec.Struct, frozen=True):
    """Where a device stands now, and what that is beside the baseline, where several are compared."""

    x: float
    y: float
    colour: int
    active: bool = False
    ratio: str = ""


class BatchMark(msgspec.Struct, frozen=True):
    """A batch of note of the active device; `wall` is drawn strongest."""

    x: float
    text: str
    colour: int
    wall: bool = False
    shorter: tuple[str, ...] = ()


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
    y_min: float = 0.0  # above 0 the axis is logarithmic

    @property
    def log(self) -> bool:
        """Whether the values stand on a log axis."""
        return self.y_min > 0

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


_DECADES = ((1.0, 2.0, 5.0), (1.0, 3.0), (1.0,))
_FAR = 10.0  # times apart, curves are not read off one linear axis


def far_apart(curves: Iterable[Curve], x_max: float) -> bool:
    """Whether at some batch shown the highest curve is ten times the lowest."""
    shown = [curve.ys[curve.xs <= x_max + 1e-9] for curve in curves]
    if len(shown) < 2:
        return False
    values = np.array(shown)
    low, high = values.min(axis=0), values.max(axis=0)
    return bool(np.any((low > 0) & (high >= _FAR * low)))


def log_ticks(
    low: float, high: float, text: Callable[[float, float], str], most: int = 4
) -> tuple[float, float, tuple[tuple[float, str], ...]]:
    """Both ends of a log axis and its ticks at 1, 2 and 5 of each decade, at fewer where those are too many.

    Where hardly any of these lies between the ends, ticks stand at even steps.
    """
    low, high = low / 1.1, high * 1.1
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for steps in _DECADES:
        ticks = [m * 10.0**d for d in decades for m in steps if low <= m * 10.0**d <= high]
        if len(ticks) <= most + 1:
            break
    if len(ticks) < 2:
        ticks = _even(low, high, most)
    ticks = ticks[:: max(1, math.ceil(len(ticks) / (most + 1)))]
    return low, high, tuple((t, text(t, t)) for t in ticks)


def _even(low: float, high: float, most: int) -> list[float]:
    """Round figures between two that are near each other, at a step of 1, 2 or 5."""
    size = 10.0 ** math.floor(math.log10((high - low) / most))
    found: list[float] = []
    for step in (m * size for m in (10.0, 5.0, 2.0, 1.0)):
        found = [float(f"{i * step:.12g}") for i in range(math.ceil(low / step), math.floor(high / step) + 1)]
        if len(found) > 1:
            break
    return found


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
