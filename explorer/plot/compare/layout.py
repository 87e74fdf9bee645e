"""Where the parts of a comparison's table stand: names shorten first, then columns give way by rank, never figures."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

import msgspec
from PySide6.QtCore import QRectF

from explorer.plot.compare.style import TableStyle
from explorer.presentation.compare.columns import ComparedColumn
from explorer.presentation.compare.table import ComparedEntry, ComparedLine, ComparedTable

INDENT: Final = 24.0
DOT: Final = 12.0  # before the best value
BAR: Final = 22.0  # that says how full a memory is
ARROWS: Final = {"down": " ▾", "up": " ▴", "": ""}
_GAP: Final = 14.0  # between columns at least
_WIDEST_GAP: Final = 34.0
_LEAST_NAME: Final = 84.0
_EDGE: Final = 8.0
_LEVEL: Final = 16.0  # of a header over several


class ColumnPlace(msgspec.Struct, frozen=True):
    """A column that is shown: which of the table's, its left edge, and where its figures end."""

    column: ComparedColumn
    place: int
    left: float
    right: float


class CompareCellPlace(msgspec.Struct, frozen=True):
    """A cell: whose, of which figure, where, and what its tip says."""

    key: str
    figure: str
    rect: QRectF
    tip: str


class ComparedLayout(msgspec.Struct, frozen=True):
    """Everything placed: header cells by figure, rows by key, cells; `names` as they fit; `dropped` columns."""

    rect: QRectF
    columns: tuple[ColumnPlace, ...]
    heads: tuple[tuple[str, QRectF], ...]
    rows: tuple[tuple[str, QRectF], ...]
    cells: tuple[CompareCellPlace, ...]
    names: tuple[str, ...]
    name_width: float
    dropped: int
    dropped_text: str

    @property
    def bottom(self) -> float:
        """Where the last row ends."""
        return self.rows[-1][1].bottom() if self.rows else self.rect.top()


def table_height(table: ComparedTable, style: TableStyle) -> float:
    """The height that all rows take."""
    return head_height(table, style) + len(table.lines) * style.row


def head_height(table: ComparedTable, style: TableStyle) -> float:
    """The height of the headers, on paper with a line more where one heads several."""
    spanned = not style.grouped and any(column.spanned for column in table.columns)
    return style.head + (_LEVEL * style.unit if spanned else 0.0)


def wanted_width(table: ComparedTable, style: TableStyle) -> float:
    """The width at which no column gives way."""
    columns = sum(width + _GAP * style.unit for width in _widths(table, style))
    return _fixed(table, style) + _widest_name(table, style, 0) + columns


def lay_out(rect: QRectF, table: ComparedTable, style: TableStyle) -> ComparedLayout:
    """Place a table in a width; its rows may reach below the rectangle."""
    widths = _widths(table, style)
    gap = _GAP * style.unit
    room = rect.width() - _fixed(table, style)
    least = min(_widest_name(table, style, -1), _LEAST_NAME * style.unit)
    shown = _shown(table, widths, room - least, gap)
    head = head_height(table, style)
    left = room - sum(widths[i] + gap for i in shown)
    name_width = max(least, min(left, _widest_name(table, style, 0)))
    spare = max(0.0, left - name_width) / max(1, len(shown))
    gap += spare if style.fills else min(spare, (_WIDEST_GAP - _GAP) * style.unit)
    columns = _places(rect.left() + _fixed(table, style) - _EDGE * style.unit + name_width, table, shown, widths, gap)
    right = columns[-1].right + _EDGE * style.unit if columns else rect.right()
    whole = QRectF(rect.left(), rect.top(), right - rect.left(), rect.height())
    rows = tuple(
        (line.key, QRectF(whole.left(), rect.top() + head + i * style.row, whole.width(), style.row))
        for i, line in enumerate(table.lines)
    )
    dropped = len(table.columns) - len(shown)
    return ComparedLayout(
        whole,
        columns,
        tuple((c.column.figure, _head(rect, c, head, style)) for c in columns),
        rows,
        tuple(_cells(table.lines, rows, columns)),
        tuple(_fitting(line.names, name_width, style) for line in table.lines),
        name_width,
        dropped,
        table.dropped_text(dropped),
    )


def header_text(column: ComparedColumn, style: TableStyle) -> str:
    """A column's header: under a group's name or by itself, with the arrow of the order."""
    return (column.header if style.grouped or column.spanned else column.alone) + ARROWS[column.order]


def indent(table: ComparedTable, style: TableStyle) -> float:
    """What stands before a name: square and dash of a machine."""
    return INDENT * style.unit if table.swatches else 0.0


def _fixed(table: ComparedTable, style: TableStyle) -> float:
    return indent(table, style) + 2 * _EDGE * style.unit


def _widest_name(table: ComparedTable, style: TableStyle, form: int) -> float:
    notes = [line.note if style.grouped else line.paper_note for line in table.lines]
    names = [style.name.width(line.names[form]) for line in table.lines]
    return max([*names, *map(style.relation.width, notes), style.header.width(table.header)], default=0.0)


def _widths(table: ComparedTable, style: TableStyle) -> list[float]:
    """What each column takes; the last of a group more where the group's name would be cut."""
    widths = [_width(table, i, style) for i in range(len(table.columns))]
    for group, run in groupby(range(len(widths)), lambda i: table.columns[i].group):
        places = list(run)
        if not style.grouped and not table.columns[places[0]].spanned:
            continue
        has = sum(widths[i] + _GAP * style.unit for i in places) - _EDGE * style.unit
        widths[places[-1]] += max(0.0, style.header.width(group) - has)
    return widths


def _width(table: ComparedTable, place: int, style: TableStyle) -> float:
    """What the widest cell of a column takes, and its header."""
    cells = [_cell_width(line.entries[place], style) for line in table.lines]
    column = table.columns[place]
    face = style.strong if column.current else style.header
    return max([face.width(header_text(column, style)), *cells])


def _cell_width(entry: ComparedEntry, style: TableStyle) -> float:
    value = style.best.width(entry.text) + DOT * style.unit if entry.best else style.value.width(entry.text)
    bar = BAR * style.unit + 6 * style.unit if entry.share is not None else 0.0
    return max(value, style.relation.width(entry.relation) + bar)


def _shown(table: ComparedTable, widths: Sequence[float], room: float, gap: float) -> list[int]:
    """The columns that there is room for, by rank, in their own order; at least one."""
    shown: list[int] = []
    for place in sorted(range(len(widths)), key=lambda i: table.columns[i].rank):
        room -= widths[place] + gap
        if room < 0 and shown:
            break
        shown.append(place)
    return sorted(shown)


def _places(
    x: float, table: ComparedTable, shown: Sequence[int], widths: Sequence[float], gap: float
) -> tuple[ColumnPlace, ...]:
    places = []
    for i in shown:
        places.append(ColumnPlace(table.columns[i], i, x, x + gap + widths[i]))
        x += gap + widths[i]
    return tuple(places)


def _head(rect: QRectF, column: ColumnPlace, head: float, style: TableStyle) -> QRectF:
    top = style.head / 2 if style.grouped else head - style.head if column.column.spanned else 0.0
    return QRectF(column.left, rect.top() + top, column.right - column.left, head - top)


def _cells(
    lines: Sequence[ComparedLine], rows: Sequence[tuple[str, QRectF]], columns: Sequence[ColumnPlace]
) -> list[CompareCellPlace]:
    return [
        CompareCellPlace(
            line.key,
            column.column.figure,
            QRectF(column.left, row.top(), column.right - column.left, row.height()),
            line.entries[column.place].tip,
        )
        for line, (_, row) in zip(lines, rows, strict=True)
        for column in columns
    ]


def _fitting(names: Sequence[str], width: float, style: TableStyle) -> str:
    """The longest form of a name that fits, else the shortest, cut."""
    return next((n for n in names if style.name.width(n) <= width + 0.5), style.name.elided(names[-1], width))
