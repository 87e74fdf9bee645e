"""Which mark parts whole and decimal figures of a table: each column tells, else the others of the table."""

import re
from collections.abc import Iterable
from typing import Final

from explorer.files.importers.figures import tells

SPREAD: Final = re.compile(r"±|\+/?-|\\pm")
_FIGURE: Final = re.compile(r"[\d.,]*\d")
_MOST: Final = 2_000  # figures of a column that are looked at


class Decimals:
    """What the figures of a table tell of their decimal mark."""

    def __init__(self, columns: Iterable[Iterable[str]]) -> None:
        self._marks: set[str] = set()
        for column in columns:
            few = [text for text, _ in zip(column, range(_MOST), strict=False)]
            self._marks |= {mark for text in few for figure in _figures(text) if (mark := tells(figure))}

    def mark_of(self, text: str) -> str | None:
        """The decimal mark of a cell: its own, else the table's; None where `1,234` may be read two ways."""
        figures = _figures(text)
        own = {mark for figure in figures if (mark := tells(figure))}
        if len(own) == 1:
            return own.pop()
        if len(self._marks) == 1:
            return next(iter(self._marks))
        doubtful = any("," in figure for figure in figures) or (self._marks and any("." in f for f in figures))
        return None if doubtful else "."

    def plain(self, text: str) -> str:
        """`4,36 GiB` with a point, where the comma is the decimal mark."""
        return text.replace(".", "").replace(",", ".") if self.mark_of(text) == "," else text.replace(",", "")


def _figures(text: str) -> list[str]:
    return [found[0] for part in SPREAD.split(text, 2) if (found := _FIGURE.search(part[:100]))]
