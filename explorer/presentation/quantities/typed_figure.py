"""The one reader of a figure as people type it: a number and what may stand behind it. Each field says how strict.

Figures that tools print are another language, read in `files/importers`: there the locale is told by the whole file,
and `B` is billions in one column and bytes in the next.
"""

import math
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Final, Literal

import msgspec

_NUMBER: Final = re.compile(
    r"([+-]?)((?:\d++(?:\.\d*+)?|\.\d++)([eE][+-]?0*+\d{1,3})?)[ \u00a0\u2009\u202f]*+(.*)", re.ASCII | re.DOTALL
)
_MARK: Final = re.compile(r"(?<=\d)[, _\u2009\u202f](?=\d{3})", re.ASCII)
# 1.234 is 1234 where the comma is the decimal sign
_TWO_WAYS: Final = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})++", re.ASCII)

_BARE: Final = 60  # characters of a number that a person typed

Fault = Literal["comma", "two_ways", "number", "ending"]


class Spelling(msgspec.Struct, frozen=True):
    """How a field's figures may be typed; `endings` are prefixes and units with what they are worth.

    With `grouped` marks of thousands are passed over, else a comma is refused; with `careful` also a number is that
    reads differently where the comma is the decimal sign.
    """

    endings: Mapping[str, Decimal]
    grouped: bool = False
    careful: bool = False
    signed: bool = True
    powers: bool = True
    longest: int = 60


class Unread(Exception):  # noqa: N818 - each field makes its own sentence of it
    """No figure of that spelling; `ending` is what stands behind the number, where it is that."""

    def __init__(self, fault: Fault, ending: str = "") -> None:
        super().__init__(fault)
        self.fault: Fault = fault
        self.ending = ending


def read_figure(text: str, spelling: Spelling) -> float:
    """Return the figure, exact to the last digit; raise Unread."""
    typed = text.strip()
    if spelling.grouped:
        typed = _MARK.sub("", typed)
    elif "," in typed:
        raise Unread("comma")
    if spelling.careful and _TWO_WAYS.fullmatch(typed):
        raise Unread("two_ways")
    match = _NUMBER.fullmatch(typed) if len(text) <= spelling.longest else None
    if match is None or (match[1] and not spelling.signed) or (match[3] and not spelling.powers):
        raise Unread("number")
    size = spelling.endings.get(match[4])
    if size is None:
        raise Unread("ending", match[4])
    value = float(Decimal(match[1] + match[2]) * size)
    if not math.isfinite(value):
        raise Unread("number")
    return value


def is_bare(text: str) -> bool:
    """Whether a text is a number with nothing behind it."""
    match = _NUMBER.fullmatch(text.strip()) if len(text) <= _BARE else None
    return match is not None and not match[4]
