"""Numbers as text: SI prefixes for rates and counts, GB or GiB for capacity, three significant digits."""

import math
from collections.abc import Callable
from typing import Literal

PREFIXES = (("P", 1e15), ("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3))
SMALL = (("", 1.0), ("m", 1e-3), ("µ", 1e-6), ("n", 1e-9))
NOTHING = "–"
_PLAIN = (1e-6, 1e12)  # within, figures are written out
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
CapacityUnit = Literal["GB", "GiB"]


def significant(value: float, digits: int = 3) -> str:
    """Plain digits with thousands separators, at least `digits` significant ones; far out a power of ten."""
    if not math.isfinite(value):
        return NOTHING
    if value == 0:
        return "0"
    if not _PLAIN[0] <= abs(value) < _PLAIN[1]:
        return _power(value, digits)
    magnitude = math.floor(math.log10(abs(value)))
    decimals = max(0, digits - 1 - magnitude)
    rounded = round(value, decimals)
    if abs(rounded) >= 10 ** (magnitude + 1):
        decimals = max(0, decimals - 1)
    return f"{rounded:,.{decimals}f}"


def whole(value: float) -> str:
    """A count with thousands separators; far out a power of ten."""
    return f"{value:,.0f}" if abs(value) < _PLAIN[1] else significant(value)


def _power(value: float, digits: int) -> str:
    """`1.23×10²¹`."""
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa}×10{str(int(exponent)).translate(_RAISED)}"


def scaled(value: float | None, unit: str, digits: int = 3) -> str:
    """A value with an SI prefix: 3.35 TB/s, 989 TFLOP/s, 268 MFLOP."""
    if value is None or not math.isfinite(value):
        return NOTHING
    for prefix, size in PREFIXES:
        if abs(value) >= size * 0.9995:
            return f"{significant(value / size, digits)} {prefix}{unit}"
    return f"{significant(value, digits)} {unit}".rstrip()


def seconds(value: float | None, digits: int = 3) -> str:
    """A time: 5.79 ms, 10.1 µs."""
    if value is None or not math.isfinite(value):
        return NOTHING
    for prefix, size in SMALL:
        if abs(value) >= size * 0.9995:
            return f"{significant(value / size, digits)} {prefix}s"
    return "0 s" if value == 0 else f"{significant(value / 1e-9, digits)} ns"


def percent(share: float | None, digits: int = 2) -> str:
    """A share in percent: 22 %, 0.3 %."""
    if share is None or not math.isfinite(share):
        return NOTHING
    value = share * 100
    if value and abs(value) < 0.05:
        return "< 0.1 %"
    if abs(value) >= _PLAIN[1]:
        return f"{significant(value)} %"
    decimals = 0 if abs(value) >= 99.95 else 1 if digits > 2 or abs(value) < 10 else 0
    return f"{value:.{decimals}f} %"


def factor(value: float | None) -> str:
    """A gain: 1.56×."""
    if value is None or not math.isfinite(value):
        return NOTHING
    return f"{value:,.2f}×" if abs(value) < _PLAIN[1] else f"{significant(value)}×"


def times(value: float | None) -> str:
    """A ratio of two figures: 1.64×, 0.61×, 12.3×, 0.042×; never 0.00×."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if 0.0995 <= abs(value) < 9.995:
        return f"{value:.2f}×"
    return f"{significant(value, 3 if abs(value) > 1 else 2)}×"


def signed(value: float, text: Callable[[float], str]) -> str:
    """A difference with its sign before its size: +9.50 ms, −4.2 GB, 0."""
    if not math.isfinite(value):
        return NOTHING
    size = text(abs(value))
    return "0" if size == text(0.0) else f"{'−' if value < 0 else '+'}{size}"


def capacity(value: float | None, unit: CapacityUnit = "GB", digits: int = 3) -> str:
    """Bytes held, in the unit the user chose: decimal GB or binary GiB."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if unit == "GB":
        return scaled(value, "B", digits)
    for name, size in (("TiB", 2.0**40), ("GiB", 2.0**30), ("MiB", 2.0**20), ("KiB", 2.0**10)):
        if abs(value) >= size:
            return f"{significant(value / size, digits)} {name}"
    return f"{significant(value, digits)} B"
