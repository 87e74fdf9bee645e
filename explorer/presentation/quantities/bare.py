"""A bare number typed over a figure keeps the figure's unit: 256 over `288 GB/s` is 256 GB/s."""

import math
import re
from decimal import Decimal
from typing import Final

from explorer.analysis.problem import Refused
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.quantity import Unit, ending_size, quantity_text, read_quantity
from explorer.presentation.quantities.typed_figure import is_bare
from explorer.presentation.words.messages import Message, render

_SHOWN: Final = re.compile(r"[+-]?[\d.,]+(?:[eE][+-]?\d+)?\s*([^\d\s].*)", re.DOTALL)
_LONGEST: Final = 32  # characters of a figure that is still read at a glance
_FAR: Final = 10.0  # times larger or smaller is another magnitude

# What an empty cell is taken to be in: the unit in which datasheets give such a figure.
USUAL: Final[dict[Unit, str]] = {
    "FLOP/s": "TFLOP/s", "OP/s": "TOP/s", "B/s": "GB/s", "B": "GB", "s": "µs", "W": "W", "": "",
}  # fmt: skip


def ending_of(shown: str, unit: Unit) -> str:
    """What stands behind the number of a shown figure, `GB/s` of `288 GB/s`; "" where it is no figure of a unit."""
    match = _SHOWN.fullmatch(shown.strip())
    ending = "" if match is None else match[1].strip()
    return ending if ending and ending_size(ending, unit) is not None else ""


def completed(typed: str, ending: str) -> str:
    """What was typed, a bare number with the unit that it takes."""
    return f"{typed.strip()} {ending}" if ending and is_bare(typed) else typed


def in_ending(value: float | None, unit: Unit, ending: str) -> str:
    """A figure in full in the unit in which its cell shows it; it reads back as the very same figure."""
    size = ending_size(ending, unit) if ending else None
    if value is None or size is None or not math.isfinite(value):
        return quantity_text(value, unit)
    number = Decimal(repr(float(value))) / size
    text = f"{number.normalize():f} {ending}"
    return text if len(text) <= _LONGEST and read_quantity(text, unit) == value else quantity_text(value, unit)


def figure_in(text: str, unit: Unit) -> float | None:
    """The figure that a text says, None where it says none."""
    try:
        return read_quantity(text, unit)
    except Refused:
        return None


def stored_text(typed: str, unit: Unit, ending: str, before: float | None = None, look: Look = ENGLISH) -> str:
    """What will be stored, where that is not what stands there: of a bare number, or one of another magnitude."""
    whole = completed(typed, ending)
    value = figure_in(whole, unit)
    if value is None:
        return ""
    far = bool(before) and bool(value) and not 1 / _FAR < abs(value / (before or 1.0)) < _FAR
    if whole == typed and not far:
        return ""
    shown = ending_of(whole, unit) or ending
    return render(Message("quantity.stored", {"value": in_ending(value, unit, shown)}), look)
