"""Which mark parts whole and decimal figures of a table: each column tells of its own."""

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final

from explorer.files.importers.figures import tells

SPREAD: Final = re.compile(r"±|\+/?-|\\pm")
_FIGURE: Final = re.compile(r"\d[\d.,'’ \u00a0\u202f]*+")
_MOST: Final = 2_000  # figures of a column that are looked at


class Decimals:
    """What the figures of a table, its columns by name, tell of their decimal mark."""

    def __init__(self, columns: Mapping[str, Iterable[str]]) -> None:
        self._of = {name: _marks(islice(column, _MOST)) for name, column in columns.items()}

    def mark_of(self, text: str, column: str) -> str | None:
        """The decimal mark of a cell: its own, else its column's; None where `1,234` may be read two ways."""
        of_column = self._of.get(column, set())
        for marks in (_marks([text]), of_column):
            if len(marks) == 1:
                return next(iter(marks))
        figures = _figures(text)
        doubtful = any("," in figure for figure in figures) or (of_column and any("." in f for f in figures))
        return None if doubtful else "."

    def plain(self, text: str, column: str) -> str:
        """`4,36 GiB` with a point, where the comma is the decimal mark."""
        is_comma = self.mark_of(text, column) == ","
        return text.replace(".", "").replace(",", ".") if is_comma else text.replace(",", "")


def _marks(texts: Iterable[str]) -> set[str]:
    return {mark for text in texts for figure in _figures(text) if (mark := tells(figure))}


def _figures(text: str) -> list[str]:
    return [found[0].strip() for part in SPREAD.split(text, 2) if (found := _FIGURE.search(part[:100]))]
