"""What a compared figure is: declared once, with how it comes of a subject and which way is better."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

import msgspec

from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.problem import Note

FigureGroup = Literal[
    "machine",
    "step",
    "rate",
    "at_batch",
    "at_context",
    "prompt",
    "memory",
    "at_most",
    "at_power",
    "share",
    "measured",
    "gain",
]
FigureUnit = Literal[
    "bandwidth",
    "bytes",
    "capacity",
    "count",
    "factor",
    "flops",
    "inputs",
    "inputs_per_joule",
    "inputs_per_price",
    "intensity",
    "power",
    "price",
    "share",
    "time",
    "tokens",
    "tokens_per_joule",
    "tokens_per_price",
    "year",
    "yes_no",
]
Better = Literal["larger", "smaller", ""]
Compared = Literal["both", "difference", ""]


class FoundFigure(NamedTuple):
    """A figure of a subject; `why` says why it is missing, or what is to be known of it.

    `unit` is its own where it is not the declared one: of pictures, inputs are counted and not tokens. `least`: the
    figure is a bound from below, launches are unknown; it has no ratio and is none.
    """

    value: float | None
    why: Note | None = None
    unit: FigureUnit | None = None
    least: bool = False


class ComparedFigure(msgspec.Struct, frozen=True, eq=False):
    """One figure that subjects are compared by.

    Attributes
    ----------
    id
        What a view's order and the files name it by.
    group
        What it is a figure of.
    unit
        What its value counts, SI units without a prefix.
    better
        Which way is better, empty where neither is.
    find
        How it comes of a subject.
    compared
        Whether a ratio to the baseline says something, only a difference, or neither.
    optional
        Whether it is left out where nothing that stands side by side has it.
    gain_of
        The figure of which it is the gain over the baseline: how many times better, 1 for the baseline itself.
    asked
        Of what stands side by side, whether it says anything; else it is left out.
    """

    id: str
    group: FigureGroup
    unit: FigureUnit
    better: Better
    find: Callable[[Subject], FoundFigure] | None
    compared: Compared = "both"
    optional: bool = False
    gain_of: str = ""
    asked: Callable[[Sequence[Subject]], bool] | None = None


def missing(reason: str, **values: str | float) -> FoundFigure:
    """No figure, and the code that says why."""
    return FoundFigure(None, Note(f"compare.why.{reason}", values))


def known(value: float | None, reason: str = "unpublished") -> FoundFigure:
    """A figure, or the reason where there is none."""
    return missing(reason) if value is None else FoundFigure(float(value))
