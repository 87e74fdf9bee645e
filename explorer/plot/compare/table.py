"""Painter of a comparison's table: two lines a cell, the baseline's row tinted, the best marked by a dot and bold."""

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from explorer.plot.compare.layout import (
    BAR,
    DOT,
    ColumnPlace,
    ComparedLayout,
    head_height,
    header_text,
    indent,
    lay_out,
)
from explorer.plot.compare.style import TableStyle
from explorer.plot.paint.brushes import colour, pen
from explorer.plot.paint.fonts import Face
from explorer.presentation.compare.table import ComparedEntry, ComparedLine, ComparedTable
from explorer.presentation.palette import Theme, device_colour, device_dash

_PERIOD = 5.0  # pen widths


def paint_compare_table(
    painter: QPainter, rect: QRectF, table: ComparedTable, theme: Theme, style: TableStyle
) -> ComparedLayout:
    """Paint a table; what it returns says where everything stands, and which columns found no room."""
    layout = lay_out(rect, table, style)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _Table(painter, layout, table, theme, style).paint()
    return layout


class _Table:
    """One table being painted."""

    def __init__(
        self, painter: QPainter, layout: ComparedLayout, table: ComparedTable, theme: Theme, style: TableStyle
    ) -> None:
        self.painter, self.layout, self.table, self.theme, self.style = painter, layout, table, theme, style

    def paint(self) -> None:
        """Rows under headers."""
        rows = [row for _, row in self.layout.rows]
        for line, row, name in zip(self.table.lines, rows, self.layout.names, strict=True):
            if line.baseline and len(self.table.lines) > 1:
                self.painter.fillRect(row, colour(self.theme.raised))
            self._name(line, row, name)
            for i, column in enumerate(self.layout.columns):
                self._cell(line, row, column, first=i == 0)
            self._rule(row.bottom())
        self._heads()
        if self.style.grouped:
            self._groups()
        else:
            self._spans(self.layout.rect.top() + head_height(self.table, self.style) - self.style.head)

    def _write(self, face: Face, ink: str, x: float, baseline: float, text: str) -> None:
        self.painter.setFont(face.font)
        self.painter.setPen(colour(ink))
        self.painter.drawText(QPointF(x, baseline), text)

    def _name(self, line: ComparedLine, row: QRectF, name: str) -> None:
        unit, style = self.style.unit, self.style
        left = row.left() + 8 * unit
        note = line.note if style.grouped else line.paper_note
        if self.table.swatches:
            self._swatch(left, row, line.colour)
        x = left + indent(self.table, style)
        baseline = row.center().y() + style.name.cap / 2 if not note else self._upper(row, style.name)
        self._write(style.name, self.theme.text, x, baseline, name)
        if note:
            text = style.relation.elided(note, self.layout.name_width)
            self._write(style.relation, self.theme.muted, x, self._lower(row), text)

    def _swatch(self, left: float, row: QRectF, place: int) -> None:
        """Colour and dash of a machine, one above the other."""
        unit, ink = self.style.unit, device_colour(self.theme, place)
        middle = row.center().y()
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(colour(ink))
        self.painter.drawRoundedRect(QRectF(left, middle - 9 * unit, 12 * unit, 12 * unit), 3 * unit, 3 * unit)
        self.painter.setPen(_short_dash(ink, 2.0 * unit, place))
        self.painter.drawLine(QLineF(left, middle + 8 * unit, left + 16 * unit, middle + 8 * unit))

    def _upper(self, row: QRectF, face: Face) -> float:
        """The baseline of the first line of two."""
        return row.center().y() - 1.5 * self.style.unit - (self.style.row / 2 - face.cap - 4 * self.style.unit) * 0.12

    def _lower(self, row: QRectF) -> float:
        return row.center().y() + 5 * self.style.unit + self.style.relation.cap

    def _cell(self, line: ComparedLine, row: QRectF, column: ColumnPlace, *, first: bool) -> None:
        entry, style, theme = line.entries[column.place], self.style, self.theme
        face = style.best if entry.best else style.value
        right = column.right
        relation = entry.relation
        if line.baseline and first and style.grouped:
            relation = self.table.baseline
        baseline = self._upper(row, face)
        x = right - face.width(entry.text)
        self._write(face, theme.muted if entry.muted else theme.text, x, baseline, entry.text)
        if entry.best:
            self._dot(x, baseline, face)
        if relation:
            self._write(style.relation, theme.muted, right - style.relation.width(relation), self._lower(row), relation)
        if entry.share is not None:
            self._bar(row, right - style.relation.width(relation) - 6 * style.unit, entry)

    def _dot(self, x: float, baseline: float, face: Face) -> None:
        radius = 2.6 * self.style.unit
        self.painter.setPen(Qt.PenStyle.NoPen)
        self.painter.setBrush(colour(self.theme.accent))
        self.painter.drawEllipse(QPointF(x - (DOT - 3.5) * self.style.unit, baseline - face.cap / 2), radius, radius)

    def _bar(self, row: QRectF, right: float, entry: ComparedEntry) -> None:
        """How much of the memory is held; in the colour of warnings where it is too much."""
        unit, width = self.style.unit, BAR * self.style.unit
        middle = self._lower(row) - self.style.relation.cap / 2
        groove = QRectF(right - width, middle - 2.5 * unit, width, 5 * unit)
        filled = QRectF(groove)
        filled.setWidth(max(5 * unit, width * min(1.0, entry.share or 0.0)))
        self.painter.setPen(Qt.PenStyle.NoPen)
        for box, ink in (
            (groove, self.theme.border),
            (filled, self.theme.warning if entry.over else self.theme.accent),
        ):
            self.painter.setBrush(colour(ink))
            self.painter.drawRoundedRect(box, 2.5 * unit, 2.5 * unit)

    def _rule(self, y: float) -> None:
        self.painter.setPen(pen(self.theme.border, max(1.0, 0.8 * self.style.unit)))
        self.painter.drawLine(QLineF(self.layout.rect.left(), y, self.layout.rect.right(), y))

    def _heads(self) -> None:
        style = self.style
        top = self.layout.rect.top()
        head = head_height(self.table, style)
        baseline = top + head - 9 * style.unit
        ink = self.theme.muted
        self._write(style.header, ink, self.layout.rect.left() + 8 * style.unit, baseline, self.table.header)
        for column in self.layout.columns:
            text = header_text(column.column, style)
            marked = column.column.order or column.column.current
            face = style.strong if column.column.current else style.header
            ink = self.theme.text if marked else self.theme.muted
            self._write(face, ink, column.right - face.width(text), baseline, text)
        self._rule(top + head)

    def _groups(self) -> None:
        """Names over columns that belong together, and lines between them down the table."""
        unit, style = self.style.unit, self.style
        top, half = self.layout.rect.top(), self.style.head / 2
        self.painter.setPen(pen(self.theme.border, max(1.0, 0.8 * unit)))
        for places in _grouped(self.layout.columns):
            left, right = places[0].left + 8 * unit, places[-1].right
            name = style.header.elided(places[0].column.group, right - left)
            x = (left + right - style.header.width(name)) / 2
            self._write(style.header, self.theme.muted, x, top + half - 5 * unit, name)
            self.painter.setPen(pen(self.theme.border, max(1.0, 0.8 * unit)))
            self.painter.drawLine(QLineF(left, top + half, right, top + half))
            if places[0] is not self.layout.columns[0]:
                edge = places[0].left + 5 * unit
                self.painter.drawLine(QLineF(edge, top + half, edge, self.layout.bottom))

    def _spans(self, bottom: float) -> None:
        """On paper only: the name over columns that say nothing without it."""
        unit, face = self.style.unit, self.style.header
        for places in _grouped(self.layout.columns):
            if not places[0].column.spanned:
                continue
            left, right, name = places[0].left + 14 * unit, places[-1].right, places[0].column.group
            x = max(places[0].left, min((left + right - face.width(name)) / 2, right - face.width(name)))
            self._write(face, self.theme.muted, x, bottom - 2.5 * unit, name)
            self.painter.setPen(pen(self.theme.border, max(1.0, 0.8 * unit)))
            y = bottom + 2.5 * unit
            self.painter.drawLine(QLineF(min(left, x), y, right, y))


def _short_dash(ink: str, width: float, place: int) -> QPen:
    """A machine's dash, so short that a line of a few units shows it."""
    made = QPen(pen(ink, width))
    pattern = device_dash(place)
    if pattern:
        shrunk = min(1.0, _PERIOD / sum(pattern[:2]))
        made.setDashPattern([part * shrunk for part in pattern])
    return made


def _grouped(columns: tuple[ColumnPlace, ...]) -> list[list[ColumnPlace]]:
    found: list[list[ColumnPlace]] = []
    for column in columns:
        if found and found[-1][0].column.group == column.column.group:
            found[-1].append(column)
        else:
            found.append([column])
    return found
