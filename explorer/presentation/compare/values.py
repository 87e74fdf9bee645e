"""A compared figure as text: its value, and what it is beside the baseline's."""

from collections.abc import Callable
from typing import Final

import explorer.presentation.compare.texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.comparison.compared import ComparedCell
from explorer.analysis.ask.comparison.figures.figure import FigureUnit
from explorer.analysis.study.choices import CompareAs
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import (
    NOTHING,
    capacity,
    percent,
    scaled,
    seconds,
    signed,
    significant,
    times,
    whole,
)
from explorer.presentation.words.messages import Message, render

_AS_TYPED: Final = (100.0, 1000.0)  # tokens per second that people give with one decimal
_TERA: Final = 1e12
_INPUTS: Final = frozenset({"inputs", "inputs_per_joule", "inputs_per_price"})


def figure_text(value: float | None, unit: FigureUnit, look: Look = ENGLISH) -> str:
    """A value with its unit, but for what the column's header says."""
    if value is None:
        return NOTHING
    known = _TEXTS.get(unit)
    return known(value) if known is not None else _WITH_LOOK[unit](value, look)


def value_text(cell: ComparedCell, look: Look = ENGLISH) -> str:
    """The value of a cell; a bound from below says so."""
    text = figure_text(cell.value, cell.unit, look)
    return render(Message("compare.least", {"value": text}), look) if cell.least else text


def relation_text(cell: ComparedCell, shown: CompareAs, look: Look = ENGLISH) -> str:
    """The ratio to the baseline, or the difference from it, also of what has differences only; empty without one."""
    if shown == "ratio" and cell.ratio is not None:
        return times(cell.ratio)
    return difference_text(cell, look)


def difference_text(cell: ComparedCell, look: Look = ENGLISH) -> str:
    """The difference from the baseline with its sign: +9.50 ms; of shares in points."""
    if cell.difference is None:
        return ""
    if cell.unit == "share":
        points = signed(cell.difference, lambda value: f"{100 * value:.1f}")
        return render(Message("compare.points", {"count": points}), look)
    return signed(cell.difference, lambda value: figure_text(value, cell.unit, look))


def counts_inputs(unit: FigureUnit) -> bool:
    """Whether inputs are counted, not tokens."""
    return unit in _INPUTS


_TEXTS: Final[dict[FigureUnit, Callable[[float], str]]] = {
    "bandwidth": lambda value: scaled(value, "B/s"),
    "count": lambda value: whole(round(value)),
    "factor": lambda value: f"{significant(value)}×",
    "flops": lambda value: significant(value / _TERA),
    "inputs": significant,
    "inputs_per_joule": significant,
    "inputs_per_price": significant,
    "intensity": significant,
    "price": significant,
    "share": lambda value: percent(value, 3),
    "time": seconds,
    "tokens": lambda value: significant(value, 4 if _AS_TYPED[0] <= value < _AS_TYPED[1] else 3),
    "tokens_per_joule": significant,
    "tokens_per_price": significant,
    "year": lambda value: str(round(value)),
}
_WITH_LOOK: Final[dict[FigureUnit, Callable[[float, Look], str]]] = {
    "bytes": lambda value, look: capacity(value, look.unit),
    "capacity": lambda value, look: capacity(value, look.unit),
    "power": lambda value, look: render(Message("compare.watt", {"count": significant(value)}), look),
    "yes_no": lambda value, look: render(Message("compare.yes" if value else "compare.no"), look),
}
