"""Painter of a small table of text: names on the left, figures on the right; a name is cut before a figure is."""

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from explorer.plot.paint.fonts import Face, Fonts
from explorer.plot.paint.wrap import in_one_line, wrapped
from explorer.presentation.palette import Theme
from explorer.presentation.views.held.tables import TextTable

_GAP = 18.0  # between columns, in units
_MOST_GAP = 44.0
_LEAST_NAME = 56.0


class TableLayout(NamedTuple):
    """Where a table's texts stand: the name's width, the right edge of each figure, the lines of each header."""

    name_width: float
    edges: tuple[float, ...]
    headers: tuple[tuple[str, ...], ...]
    width: float


def table_layout(table: TextTable, room: float, faces: Fonts) -> TableLayout:
    """Columns as wide as their figures, whose headers wrap; what room is left parts them, up to a limit."""
    unit, tick, name = faces.unit, faces.tick, faces.name
    heads = tuple(_header(h, i, table, faces) for i, h in enumerate(table.headers))
    figures = [max(_cells(table, i, faces), *(tick.width(line) for line in heads[i])) for i in range(1, len(heads))]
    names = max(*(name.width(row.cells[0]) for row in table.rows), *(tick.width(line) for line in heads[0]), 0.0)
    least = sum(figures) + len(figures) * _GAP * unit
    names = min(names, max(room - least, _LEAST_NAME * unit))
    spare = max(0.0, room - least - names) / max(1, len(figures))
    gap = min(_GAP * unit + spare, _MOST_GAP * unit)
    edges, x = [], names
    for width in figures:
        x += gap + width
        edges.append(x)
    return TableLayout(names, tuple(edges), heads, x)


def least_width(table: TextTable, faces: Fonts) -> float:
    """What a table needs for all of its texts."""
    return table_layout(table, 0.0, faces).width - _LEAST_NAME * faces.unit + _names(table, faces)


def table_height(table: TextTable, room: float, faces: Fonts) -> float:
    """Height of title, header, rows and note."""
    lines = max(len(h) for h in table_layout(table, room, faces).headers)
    note = len(wrapped(table.note, faces.tick, room)) if table.note else 0
    row = _row(faces)
    return row * (1.2 + len(table.rows)) + lines * faces.tick.height + 10 * faces.unit + note * faces.tick.height


def paint_text_table(painter: QPainter, at: QPointF, room: float, table: TextTable, faces: Fonts, theme: Theme) -> None:
    """Paint a table with its upper left corner at a point."""
    layout, tick, unit = table_layout(table, room, faces), faces.tick, faces.unit
    y = at.y() + faces.label.cap
    face, title = in_one_line(table.title, faces.label, max(room, layout.width))
    _write(painter, face, theme.text, at.x(), y, title)
    lines = max(len(h) for h in layout.headers)
    y += _row(faces) * 0.7
    for i, header in enumerate(layout.headers):
        for k, line in enumerate(header):
            baseline = y + (lines - len(header) + k) * tick.height + tick.cap
            x = at.x() if i == 0 else at.x() + layout.edges[i - 1] - tick.width(line)
            _write(painter, tick, theme.muted, x, baseline, line)
    y += lines * tick.height + 4 * unit
    for row in table.rows:
        painter.fillRect(QRectF(at.x(), y, layout.width, max(1.0, unit)), QColor(theme.grid))
        baseline = y + (_row(faces) + tick.cap) / 2
        face = faces.name
        ink = theme.text if row.strong or not row.fault else theme.warning
        _write(painter, face, ink, at.x(), baseline, face.elided(row.cells[0], layout.name_width))
        body = faces.name if row.strong else tick
        for text, edge in zip(row.cells[1:], layout.edges, strict=True):
            ink = theme.warning if row.fault else theme.text
            _write(painter, body, ink, at.x() + edge - body.width(text), baseline, text)
        y += _row(faces)
    for line in wrapped(table.note, tick, room) if table.note else ():
        y += tick.height
        _write(painter, tick, theme.muted, at.x(), y, line)


def _row(faces: Fonts) -> float:
    return faces.tick.height + 7 * faces.unit


def _names(table: TextTable, faces: Fonts) -> float:
    return max((faces.name.width(row.cells[0]) for row in table.rows), default=0.0)


def _cells(table: TextTable, column: int, faces: Fonts) -> float:
    """The widest figure of a column."""
    widths = ((faces.name if r.strong else faces.tick).width(r.cells[column]) for r in table.rows)
    return max(widths, default=0.0)


def _header(text: str, column: int, table: TextTable, faces: Fonts) -> tuple[str, ...]:
    """A header on one line where it is no wider than its figures, else on two, as narrow as may be."""
    if column == 0:
        return (text,)
    words = text.split(" ")
    parts = [(" ".join(words[:k]), " ".join(words[k:])) for k in range(1, len(words))] or [(text, "")]
    one, two = min(parts, key=lambda p: max(faces.tick.width(p[0]), faces.tick.width(p[1])))
    if not two or faces.tick.width(text) <= _cells(table, column, faces):
        return (text,)
    return (one, two)


def _write(painter: QPainter, face: Face, ink: str, x: float, baseline: float, text: str) -> None:
    painter.setFont(face.font)
    painter.setPen(QColor(ink))
    painter.drawText(QPointF(x, baseline), text)
