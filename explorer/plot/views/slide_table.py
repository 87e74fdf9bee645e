"""The table of a slide: a coloured square and a name per device, figures aligned on the right under their headings."""

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from explorer.plot.paint.brushes import colour, pen
from explorer.plot.paint.fonts import Face, sans
from explorer.plot.paint.thread_cache import per_thread
from explorer.plot.paint.wrap import wrapped
from explorer.presentation.palette import Theme, device_colour
from explorer.presentation.slide.table import DecidingTable, TableRow

_ROW, _HEAD, _LEVEL = 36.0, 34.0, 16.0
_RATIO_ROW, _APART = 46.0, 6.0  # of rows with ratios, and between a figure and its ratio
_SQUARE, _INDENT, _PAD = 12.0, 26.0, 8.0
_LEAST_GAP, _MOST_GAP = 16.0, 34.0
_LONGEST_NAME = 190.0
_NAME_LINES = 2


@per_thread(1)
def _faces() -> tuple[Face, Face, Face, Face]:
    """Faces of the header, the names, the figures and those that the study itself asks for."""
    semi = QFont.Weight.DemiBold
    return Face(sans(), 12), Face(sans(), 15, semi), Face(sans(), 15), Face(sans(), 15, semi)


def table_width(table: DecidingTable) -> float:
    """Width with the least gaps between columns; longer names are broken or cut, figures never."""
    _, name, *_ = _faces()
    names = max((name.width(r.name) for r in table.rows), default=0.0)
    widths = _widths(table)
    return _PAD * 2 + _INDENT + min(names, _LONGEST_NAME) + sum(w + _LEAST_GAP for w in widths)


def table_height(table: DecidingTable) -> float:
    """Height of header and rows."""
    return _head_height(table) + _row_height(table) * len(table.rows)


def paint_table(painter: QPainter, at: QPointF, width: float, table: DecidingTable, theme: Theme) -> float:
    """Paint the table and return its bottom."""
    head, name, figure, current = _faces()
    widths = _widths(table)
    left, right = at.x() + _PAD, at.x() + width - _PAD
    least = _INDENT + max((name.width(r.name) for r in table.rows), default=0.0) + sum(widths)
    gap = max(_LEAST_GAP, min(_MOST_GAP, (right - left - least) / max(1, len(widths))))
    edges = _edges(right, widths, gap)
    y = at.y() + _head_height(table)
    _header(painter, at, table, edges, widths, head, theme)
    _rule(painter, at.x(), y, width, theme)
    step, small = _row_height(table), Face(sans(), 12)
    room = edges[0] - widths[0] - gap - left - _INDENT if edges else right - left - _INDENT
    for row in table.rows:
        middle = y + step / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(device_colour(theme, row.colour)))
        painter.drawRoundedRect(QRectF(left, middle - _SQUARE / 2, _SQUARE, _SQUARE), 3, 3)
        painter.setPen(colour(theme.text))
        _name(painter, QPointF(left + _INDENT - 6, middle), row, room + 6)
        for i, (text, edge) in enumerate(zip(row.cells, edges, strict=True)):
            face = current if i == table.current else figure
            under = _under(row, i)
            base = middle + (face.cap - (small.cap + _APART if under else 0.0)) / 2
            painter.setFont(face.font)
            painter.setPen(colour(theme.text))
            painter.drawText(QPointF(edge - face.width(text), base), text)
            if under:
                painter.setFont(small.font)
                painter.setPen(colour(theme.muted))
                painter.drawText(QPointF(edge - small.width(under), base + _APART + small.cap), under)
        y += step
        _rule(painter, at.x(), y, width, theme)
    return y


def _row_height(table: DecidingTable) -> float:
    return _RATIO_ROW if any(row.ratios for row in table.rows) else _ROW


def _under(row: TableRow, place: int) -> str:
    """The ratio under a cell."""
    place -= len(row.cells) - len(row.ratios)
    return row.ratios[place] if place >= 0 and row.ratios else ""


def _name(painter: QPainter, at: QPointF, row: TableRow, room: float) -> None:
    """A device's name on one line, else smaller on two, cut only where those do not hold it."""
    _, face, *_ = _faces()
    lines = [row.name]
    if face.width(row.name) > room:
        face = Face(sans(), 13, QFont.Weight.DemiBold)
        lines = [face.elided(line, room) for line in wrapped(row.name, face, room, most=_NAME_LINES)]
    painter.setFont(face.font)
    step = face.height * 0.95
    base = at.y() + face.cap / 2 - step * (len(lines) - 1) / 2
    for i, line in enumerate(lines):
        painter.drawText(QPointF(at.x(), base + step * i), line)


def _head_height(table: DecidingTable) -> float:
    return _HEAD + (_LEVEL if table.spanning else 0.0)


def _header(
    painter: QPainter,
    at: QPointF,
    table: DecidingTable,
    edges: list[float],
    widths: list[float],
    face: Face,
    theme: Theme,
) -> None:
    """Headings at the right edge of their columns; what heads several stands above them, over their middle."""
    base = at.y() + _head_height(table) - _HEAD / 2 + face.cap / 2
    strong = Face(sans(), 12, QFont.Weight.DemiBold)
    painter.setFont(face.font)
    painter.setPen(colour(theme.muted))
    painter.drawText(QPointF(at.x() + _PAD, base), table.name_header)
    for i, (text, edge) in enumerate(zip(table.headers, edges, strict=True)):
        own = strong if i == table.current else face
        painter.setFont(own.font)
        painter.setPen(colour(theme.text if i == table.current else theme.muted))
        painter.drawText(QPointF(edge - own.width(text), base), text)
    if table.spanning and table.span and edges:
        painter.setFont(face.font)
        painter.setPen(colour(theme.muted))
        left, right = edges[-table.span] - widths[-table.span], edges[-1]
        x = min((left + right - face.width(table.spanning)) / 2, right - face.width(table.spanning))
        above = base - _LEVEL - 2
        painter.drawText(QPointF(x, above), table.spanning)
        painter.setPen(pen(theme.border, 1.0))
        painter.drawLine(QLineF(left, above + 5, right, above + 5))


def _widths(table: DecidingTable) -> list[float]:
    """Widths of the columns of figures; a spanning header widens its columns evenly."""
    head, _, figure, current = _faces()
    strong, small = Face(sans(), 12, QFont.Weight.DemiBold), Face(sans(), 12)
    widths = []
    for i, text in enumerate(table.headers):
        face, top = (current, strong) if i == table.current else (figure, head)
        ratios = [small.width(_under(r, i)) for r in table.rows]
        widths.append(max([top.width(text), *ratios, *(face.width(r.cells[i]) for r in table.rows)]))
    if table.span:
        missing = head.width(table.spanning) - sum(widths[-table.span :]) - _LEAST_GAP * (table.span - 1)
        for i in range(len(widths) - table.span, len(widths)):
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
