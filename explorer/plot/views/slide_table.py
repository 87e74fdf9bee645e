"""The table of a slide: a coloured square and a name per device, figures aligned on the right."""

from functools import lru_cache

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from explorer.plot.paint.brushes import colour, pen
from explorer.plot.paint.fonts import Face, sans
from explorer.presentation.palette import Theme, device_colour
from explorer.presentation.slide.table import DecidingTable

_ROW, _HEAD = 36.0, 34.0
_SQUARE, _INDENT, _PAD = 12.0, 26.0, 8.0
_LEAST_GAP = 16.0
_LONGEST_NAME = 190.0


@lru_cache(maxsize=1)
def _faces() -> tuple[Face, Face, Face]:
    """Faces of the header, the names and the figures."""
    return Face(sans(), 12), Face(sans(), 15, QFont.Weight.DemiBold), Face(sans(), 15)


def table_width(table: DecidingTable) -> float:
    """Width with the least gaps between columns."""
    _, name, _ = _faces()
    names = max((name.width(r.name) for r in table.rows), default=0.0)
    widths = _widths(table)
    return _PAD * 2 + _INDENT + min(names, _LONGEST_NAME) + sum(w + _LEAST_GAP for w in widths)


def paint_table(painter: QPainter, at: QPointF, width: float, table: DecidingTable, theme: Theme) -> float:
    """Paint the table and return its bottom."""
    head, name, figure = _faces()
    widths = _widths(table)
    left, right = at.x() + _PAD, at.x() + width - _PAD
    least = _INDENT + max((name.width(r.name) for r in table.rows), default=0.0) + sum(widths)
    gap = max(_LEAST_GAP, min(34.0, (right - left - least) / max(1, len(widths))))
    edges = _edges(right, widths, gap)
    _header(painter, at, table, edges, head, theme)
    y = at.y() + _HEAD
    _rule(painter, at.x(), y, width, theme)
    room = edges[0] - widths[0] - gap - left - _INDENT if edges else right - left - _INDENT
    for row in table.rows:
        middle = y + _ROW / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(device_colour(theme, row.colour)))
        painter.drawRoundedRect(QRectF(left, middle - _SQUARE / 2, _SQUARE, _SQUARE), 3, 3)
        painter.setPen(colour(theme.text))
        painter.setFont(name.font)
        painter.drawText(QPointF(left + _INDENT - 6, middle + name.cap / 2), name.elided(row.name, room + 6))
        painter.setFont(figure.font)
        for text, edge in zip(row.cells, edges, strict=True):
            painter.drawText(QPointF(edge - figure.width(text), middle + figure.cap / 2), text)
        y += _ROW
        _rule(painter, at.x(), y, width, theme)
    return y


def _header(painter: QPainter, at: QPointF, table: DecidingTable, edges: list[float], face: Face, theme: Theme) -> None:
    base = at.y() + _HEAD / 2 + face.cap / 2
    painter.setFont(face.font)
    painter.setPen(colour(theme.muted))
    painter.drawText(QPointF(at.x() + _PAD, base), table.name_header)
    for text, edge in zip(table.headers, edges, strict=False):
        painter.drawText(QPointF(edge - face.width(text), base), text)
    if table.spanning and edges:
        painter.drawText(QPointF(edges[-1] - face.width(table.spanning), base), table.spanning)


def _widths(table: DecidingTable) -> list[float]:
    """Widths of the columns of figures; a spanning header widens its columns evenly."""
    head, _, figure = _faces()
    count = len(table.headers) + table.span
    widths = [max((figure.width(r.cells[i]) for r in table.rows), default=0.0) for i in range(count)]
    for i, text in enumerate(table.headers):
        widths[i] = max(widths[i], head.width(text))
    if table.span:
        missing = head.width(table.spanning) - sum(widths[-table.span :]) - _LEAST_GAP * (table.span - 1)
        for i in range(count - table.span, count):
            widths[i] += max(0.0, missing) / table.span
    return widths


def _edges(right: float, widths: list[float], gap: float) -> list[float]:
    """Right edges of the columns of figures."""
    edges = []
    for width in reversed(widths):
        edges.append(right)
        right -= width + gap
    return edges[::-1]


def _rule(painter: QPainter, x: float, y: float, width: float, theme: Theme) -> None:
    painter.setPen(pen(theme.border, 1.0))
    painter.drawLine(QLineF(x, y, x + width, y))
