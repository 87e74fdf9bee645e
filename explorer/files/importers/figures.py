"""Figures as tools print them: thousands marks of any locale, units with their prefix."""

import math
import re
from collections.abc import Iterable
from typing import Final

_BLANKS: Final = str.maketrans("", "", "'’ \u00a0\u202f\u2009_")
_PLAIN: Final = re.compile(r"[+-]?\d++(?:[.,]\d++)*+(?:[eE][+-]?\d++)?|[+-]?[.,]\d++")
_MOST: Final = 1e18  # counts of anything real are lower
_LONGEST: Final = 400  # the longest figure that a tool can mean, 1e308 written out, is shorter
_SIZES: Final = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "KB": 1e3, "MB": 1e6, "GB": 1e9}
_SIZE: Final = re.compile(r"([\d.]++)\s*+([KMGT]?i?B)")
_COUNT: Final = re.compile(r"([\d.]++)\s*+([KMBT])?")
_COUNTS: Final = {None: 1.0, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}
_PREFIX: Final = {
    "": 1.0,
    "n": 1e-9,
    "u": 1e-6,
    "µ": 1e-6,
    "m": 1e-3,
    "K": 1e3,
    "k": 1e3,
    "M": 1e6,
    "G": 1e9,
    "T": 1e12,
}


def finite(text: object) -> float | None:
    """A plain figure, or None."""
    if isinstance(text, str) and len(text) > _LONGEST:
        return None
    try:
        value = float(text)  # type: ignore[arg-type]  # whatever a file holds
    except (TypeError, ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def positive(value: object) -> float | None:
    """A plain figure over zero, or None."""
    number = finite(value)
    return number if number is not None and number > 0 else None


def whole(value: object) -> int | None:
    """A whole figure from zero up, or None."""
    number = finite(value)
    return int(number) if number is not None and 0 <= number <= _MOST and number == int(number) else None


def decimal_mark(texts: Iterable[str]) -> str:
    """The decimal mark of a file's figures: `,` only where a figure can be read no other way, else `.`.

    27.595.520 and 1.234,5 and 65,77 tell; 117.344 alone does not.
    """
    for text in texts:
        if (mark := tells(text)) is not None:
            return mark
    return "."


def tells(text: str) -> str | None:
    """The decimal mark that a figure shows by itself; None where it may be read two ways, or has none."""
    text = text.translate(_BLANKS)
    points, commas = text.count("."), text.count(",")
    if not points and not commas:
        return None
    if points and commas:
        return "," if text.rfind(",") > text.rfind(".") else "."
    mark, other = (".", ",") if points else (",", ".")
    if points + commas > 1:
        return other
    before, after = text.lstrip("+-").split(mark)
    grouped = len(after) == 3 and 1 <= len(before) <= 3 and before[0] != "0"
    return None if grouped else mark


def localised(text: str, mark: str) -> float | None:
    """A figure under a decimal mark; the other mark parts thousands."""
    clean = text.strip().translate(_BLANKS)
    if len(clean) > _LONGEST or not _PLAIN.fullmatch(clean):
        return None
    clean = clean.replace("." if mark == "," else ",", "")
    return finite(clean.replace(",", "."))


def scaled(unit: str, base: tuple[str, ...]) -> float | None:
    """What one `Gbyte/s` is in the base unit, where the unit is one of `base` with an SI prefix; else None."""
    for name in base:
        if unit.endswith(name) and unit[: -len(name)] in _PREFIX:
            return _PREFIX[unit[: -len(name)]]
    return None


def size(text: str) -> float | None:
    """Bytes of `4.36 GiB`."""
    found = _SIZE.fullmatch(text.strip())
    number = None if found is None else finite(found[1])
    return None if found is None or number is None else float(round(number * _SIZES.get(found[2], 0)))


def count(text: str) -> float | None:
    """A number of `7.62 B`, B for 1e9."""
    found = _COUNT.fullmatch(text.strip())
    number = None if found is None else finite(found[1])
    return None if found is None or number is None else float(round(number * _COUNTS[found[2]]))
