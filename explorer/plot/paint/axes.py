"""Ticks of a log10 axis: decades, 1-2-5, or even steps, so that at least two labels show at any zoom."""

import math
from typing import NamedTuple

_PREFIXES = {-9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P", 18: "E"}
_PLAIN_FROM = -3  # small intensities read better as 0.01 than as 10 m


class Ticks(NamedTuple):
    """Labelled ticks and unlabelled ones, at log10 positions."""

    major: tuple[tuple[float, str], ...]
    minor: tuple[float, ...]


def ticks(low: float, high: float, most: int) -> Ticks:
    """Ticks of a visible range; at most about `most` labels, at least two."""
    first, last = math.ceil(low - 1e-9), math.floor(high + 1e-9)
    if last - first >= 2 or (last > first and high - low > 1.2):
        return _decades(first, last, low, high, most)
    if high - low > 0.45:
        found = _one_two_five(low, high)
        if len(found.major) > 1:
            return found
    return _even(low, high)


def _decades(first: int, last: int, low: float, high: float, most: int) -> Ticks:
    stride = max(1, math.ceil((last - first + 1) / max(2, most)))
    major = tuple((float(e), power_text(e)) for e in range(first, last + 1, stride))
    if stride > 1:
        return Ticks(major, tuple(float(e) for e in range(first, last + 1) if (e - first) % stride))
    minor = [e + math.log10(m) for e in range(first - 1, last + 1) for m in range(2, 10)]
    return Ticks(major, tuple(v for v in minor if low <= v <= high))


def _one_two_five(low: float, high: float) -> Ticks:
    within = [(e, m) for e in range(math.floor(low), math.ceil(high) + 1) for m in range(1, 10)]
    placed = [(e + math.log10(m), e, m) for e, m in within]
    shown = [(v, e, m) for v, e, m in placed if low <= v <= high]
    major = tuple((v, si_text(m * 10.0**e)) for v, e, m in shown if m in {1, 2, 5})
    return Ticks(major, tuple(v for v, _, m in shown if m not in {1, 2, 5}))


def _even(low: float, high: float) -> Ticks:
    start, stop = 10.0**low, 10.0**high
    step = _nice((stop - start) / 5)
    values = _multiples(start, stop, step)
    small = _multiples(start, stop, step / 5)
    major = tuple((math.log10(v), si_text(v, step, stop)) for v in values)
    unlabelled = (v for v in small if abs(v / step - round(v / step)) > 1e-6)
    return Ticks(major, tuple(math.log10(v) for v in unlabelled))


def _nice(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten from `least` on: a fifth of a range gives two to six steps."""
    size = 10.0 ** math.floor(math.log10(least))
    return next(m * size for m in (1.0, 2.0, 5.0, 10.0) if m * size >= least * (1 - 1e-9))


def _multiples(start: float, stop: float, step: float) -> list[float]:
    first, last = math.ceil(start / step - 1e-9), math.floor(stop / step + 1e-9)
    return [i * step for i in range(first, last + 1)]


def power_text(exponent: int) -> str:
    """A power of ten: 0.1, 10, 1 k, 100 T; 1e21 beyond the prefixes."""
    if _PLAIN_FROM <= exponent < 0:
        return f"{10.0**exponent:.{-exponent}f}"
    group = 3 * (exponent // 3)
    if group not in _PREFIXES:
        return f"1e{exponent}"
    return f"{10 ** (exponent - group)} {_PREFIXES[group]}".rstrip()


def si_text(value: float, step: float | None = None, scale_of: float | None = None) -> str:
    """A value with an SI prefix and as many digits as `step` needs: 250 T, 1.25 k."""
    exponent = math.floor(math.log10(scale_of or value) + 1e-9)
    group = 0 if _PLAIN_FROM <= exponent < 0 else 3 * (exponent // 3)
    if group not in _PREFIXES:
        return f"{value:.6g}".replace("e+", "e")
    size = 10.0**group
    finest = (step or value) / size
    decimals = max(0, -math.floor(math.log10(finest) + 1e-9))
    return f"{value / size:.{decimals}f} {_PREFIXES[group]}".rstrip()
