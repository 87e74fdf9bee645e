"""Arithmetic as the inspector writes it, worked out again."""

import re
from collections.abc import Mapping

from explorer.analysis.catalogue.formula import value_of

WORTH = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "m": 1e-3, "µ": 1e-6, "n": 1e-9}
_NUMBER = re.compile(r"(?<![\w.])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?:\s(s\b|[mµn]s\b|[kMGTP]\b))?")
_SPELLED = str.maketrans(
    {"·": "*", "−": "-", "^": "**", "⌊": "floor(", "⌋": ")", "⌈": "ceil(", "⌉": ")", "\u2009": " ", "∞": "1e18"}
)


def worked_out(text: str, names: Mapping[str, float] | None = None) -> float:
    """The value of `(16.1 G + 8·537 M) / 4.00 T`, or of a formula in names."""
    return value_of(_NUMBER.sub(_plain, text).translate(_SPELLED), dict(names or {}))


def _plain(found: re.Match[str]) -> str:
    whole, decimals, unit = found[1].replace(",", ""), found[2] or "", found[3] or ""
    return repr(float(whole + decimals) * WORTH[unit.removesuffix("s")])


def answer_of(text: str) -> float:
    """`940 MFLOP`, `5.79 ms`, `27.9 %` or `268` as a figure."""
    number, _, unit = text.partition(" ")
    value = float(number.replace(",", "").replace("−", "-"))
    if unit == "%":
        return value / 100
    if unit in {"s", "ms", "µs", "ns"}:
        return value * WORTH[unit.removesuffix("s")]
    scaled = re.fullmatch(r"([kMGTP]?)(FLOP|FLOP/s|OP|B|B/s)?", unit)
    return value * WORTH[scaled[1]] if scaled else value
