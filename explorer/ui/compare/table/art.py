"""A comparison's table for the window: how its picture is painted, and what each of its cells says."""

from collections.abc import Callable
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFont, QPainter

from explorer.analysis.ask.comparison.figures.swept_figures import SWEPT_FIGURES
from explorer.plot.compare.layout import ComparedLayout, table_height, wanted_width
from explorer.plot.compare.style import window_style
from explorer.plot.compare.table import paint_compare_table
from explorer.presentation.compare.table import ComparedEntry, ComparedTable
from explorer.presentation.palette import Theme
from explorer.ui.compare.table.model import CellWords, ColumnWords, RowWords
from explorer.ui.compare.table.picture import TablePlaces

# what a table shows of itself: as many as stand beside each other in a window of 1600 pixels
USUAL: Final = frozenset(
    {
        "bandwidth",
        "peak",
        "at_least",
        "per_request",
        "first_token",
        "largest_batch",
        *(figure.id for figure in SWEPT_FIGURES),
    }
)
_WIDEST_NAME: Final = 220.0  # units


def shown_columns(table: ComparedTable, chosen: tuple[str, ...], room: int, font: QFont) -> ComparedTable:
    """The table with the chosen columns alone; where none is, with the usual ones and as many more as find room.

    What was measured is all shown.
    """
    if table.vary == "measurements":
        return table
    wanted = [i for i, column in enumerate(table.columns) if column.figure in (frozenset(chosen) or USUAL)]
    if chosen:
        return _only(table, wanted) if wanted else table
    style = window_style(font)
    bare = wanted_width(_only(table, []), style)
    widths = [wanted_width(_only(table, [i]), style) - bare for i in range(len(table.columns))]
    room -= round(bare + sum(widths[i] for i in wanted)) + 1
    for i in sorted(set(range(len(widths))) - set(wanted), key=lambda i: table.columns[i].rank):
        room -= round(widths[i])
        if room < 0:
            break
        wanted.append(i)
    return _only(table, sorted(wanted))


def _only(table: ComparedTable, kept: list[int]) -> ComparedTable:
    return replace(
        table,
        columns=tuple(table.columns[i] for i in kept),
        lines=tuple(replace(line, entries=tuple(line.entries[i] for i in kept)) for line in table.lines),
    )


def painter_of(table: ComparedTable) -> Callable[[QPainter, QRectF, Theme, QFont], TablePlaces]:
    """What paints the table."""

    def paint(painter: QPainter, rect: QRectF, theme: Theme, font: QFont) -> TablePlaces:
        return _places(paint_compare_table(painter, rect, table, theme, window_style(font)))

    return paint


def sizer_of(table: ComparedTable) -> Callable[[QFont], QSize]:
    """What says how large the table is with every figure whole."""

    def size(font: QFont) -> QSize:
        style = window_style(font)
        names = max((style.name.width(line.names[0]) for line in table.lines), default=0.0)
        beyond = max(0.0, names - _WIDEST_NAME * style.unit)  # names shorten; the column of them never scrolls
        return QSize(round(wanted_width(table, style) - beyond + 1), round(table_height(table, style) + 1))

    return size


def _places(layout: ComparedLayout) -> TablePlaces:
    columns = (layout.rect.left(), *(c.left for c in layout.columns[:1]), *(c.right for c in layout.columns))
    rows = tuple(row.top() for _, row in layout.rows)
    edges = (*rows, layout.bottom) if rows else (layout.rect.top(),)
    return TablePlaces((*columns[:-1], layout.rect.right()) if layout.columns else columns, edges)


def column_words(table: ComparedTable) -> tuple[ColumnWords, ...]:
    """The columns in words, the names first."""
    figures = (ColumnWords(_sorted_by(c.figure), c.alone, f"{c.alone}\n{c.tip}".strip()) for c in table.columns)
    return (ColumnWords("", table.header), *figures)


def _sorted_by(figure: str) -> str:
    return "expected_low" if figure == "expected" else figure


def row_words(table: ComparedTable) -> tuple[RowWords, ...]:
    """The rows in words."""
    found = []
    for line in table.lines:
        name = CellWords(line.names[0], line.note, "\n".join(filter(None, (line.names[0], line.note))))
        found.append(RowWords(line.key, line.baseline, (name, *map(_cell, line.entries))))
    return tuple(found)


def _cell(entry: ComparedEntry) -> CellWords:
    return CellWords(entry.text, entry.relation, entry.tip)
