"""Texts as cells of a spreadsheet: a name that begins like a formula is marked as text by an apostrophe.

The numbers that the program writes are no texts and stay numbers. Pasted back, exactly the mark that was added goes.
"""

import re
from typing import Final

from explorer.presentation.words.visible import one_line

# quotes and blanks before the sign are taken away by some spreadsheets; the wide forms count as signs in others
_FORMULA: Final = re.compile(r"[\s'\"]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_INSIDE: Final = re.compile(r"([;\t][\s\"]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
MARK: Final = "'"


def cell(text: str) -> str:
    """A text as a cell: on one line, and never a formula."""
    text = one_line(text)
    return MARK + text if _FORMULA.match(text) else text


def cell_of_file(text: str) -> str:
    """A text as a cell of a CSV file, which some spreadsheets part at semicolons or tabs whatever its quotes say."""
    return _INSIDE.sub(rf"\1{MARK}", cell(text))


def from_cell(text: str) -> str:
    """The text of a cell that `cell` made."""
    return text[1:] if text.startswith(MARK) and _FORMULA.match(text, 1) else text
