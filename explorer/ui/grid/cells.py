"""Paints cells straight from row objects, column by column: one pen and font for many cells, no call per cell by Qt."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygon

from explorer.presentation.look import Look
from explorer.presentation.tables.columns import Column
from explorer.ui.grid.style import GridStyle

_AA = QPainter.RenderHint.Antialiasing
_TICK = ((0.22, 0.52), (0.42, 0.72), (0.78, 0.3))


class PaintedRow(NamedTuple):
    """One row as it is painted: its top, whether it is quiet or marked, and the sentence in place of its figures."""

    row: Any
    top: int
    quiet: bool = False
    marked: bool = False
    fault: str = ""


class CellPainter:
    """Knows every look a column can have.

    `scale` is the share that fills a bar; `edges` says for bar columns where the number ends, from the cell's left.
    Names are cut where they have no room; a figure never is: its column is told to be `cramped`, and grows.
    """

    def __init__(self, style: GridStyle) -> None:
        self.style = style
        self.scale = 1.0
        self.edges: dict[str, int] = {}
        self.fault_left = 0
        self.cramped: dict[str, int] = {}  # figures that found no room, by column: what they need
        self._styles: dict[str, Callable[..., None]] = {
            "plain": self._plain,
            "name": self._name,
            "muted": self._muted,
            "pill": self._pills,
            "bar": self._bars,
            "check": self._checks,
            "mark": self._marks,
        }

    def grounds(self, painter: QPainter, left: int, width: int, lines: Sequence[PaintedRow], chosen: set[int]) -> None:
        """Selection and lines between rows, over all columns; `chosen` are tops of selected rows."""
        style, height = self.style, self.style.row_height
        for line in lines:
            if line.top in chosen:
                painter.fillRect(left, line.top, width, height, style.selected)
            painter.fillRect(left, line.top + height - 1, width, 1, style.line)

    def column(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[PaintedRow], look: Look
    ) -> None:
        """All cells of one column."""
        if column.edit is None and any(line.fault for line in lines):
            self._sentences(painter, left, width, lines)
            lines = [line for line in lines if not line.fault]
        self._styles[column.style](painter, column, left, width, lines, look)

    def focus(self, painter: QPainter, cell: QRect) -> None:
        """The outline of the cell that the keyboard would edit."""
        painter.setPen(self.style.focus)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(cell.adjusted(0, 0, -1, -2))

    # looks

    def _plain(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[PaintedRow], look: Look
    ) -> None:
        style = self.style
        painter.setFont(style.font)
        painter.setPen(style.text)
        edge = left + width - style.pad
        room = width - 2 * style.pad
        for line in lines:
            text = column.text(line.row, look)
            wide = style.width(text)
            if wide > room and column.right:
                self.cramped[column.key] = max(wide + 2 * style.pad, self.cramped.get(column.key, 0))
            elif wide > room:
                text, wide = style.metrics.elidedText(text, Qt.TextElideMode.ElideRight, room), room
            x = edge - wide if column.right else left + style.pad
            if line.quiet or column.changed(line.row):
                self._set_apart(painter, line, left)
                painter.drawText(x, line.top + style.baseline, text)
                painter.setPen(style.text)
            else:
                painter.drawText(x, line.top + style.baseline, text)

    def _set_apart(self, painter: QPainter, line: PaintedRow, left: int) -> None:
        """Quiet rows are muted; what the user set is in the accent colour, with a small corner."""
        style = self.style
        if line.quiet:
            painter.setPen(style.muted)
            return
        size = style.em // 3
        corner = QPoint(left, line.top)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.accent)
        painter.drawPolygon(QPolygon([corner, corner + QPoint(size, 0), corner + QPoint(0, size)]))
        painter.setPen(style.accent)

    def _muted(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[PaintedRow], look: Look
    ) -> None:
        style = self.style
        painter.setFont(style.font)
        painter.setPen(style.muted)
        room = width - 2 * style.pad
        for line in lines:
            painter.drawStaticText(
                left + style.pad, line.top + style.text_top, style.static(column.text(line.row, look), room)
            )

    def _name(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[PaintedRow], look: Look
    ) -> None:
        style = self.style
        painter.setFont(style.bold)
        room = width - 2 * style.pad
        for line in lines:
            text = column.text(line.row, look)
            painter.setPen(style.warning if line.fault else style.muted if line.quiet else style.text)
            spot = 2 * style.pad if line.marked else 0
            painter.drawStaticText(
                left + style.pad, line.top + style.text_top, style.static(text, room - spot, bold=True)
            )
            if line.marked:
                wide = min(style.width(text, bold=True), room - spot)
                self._dot(painter, left + style.pad + wide + style.pad, line.top + style.row_height / 2)

    def _dot(self, painter: QPainter, x: float, y: float) -> None:
        size = self.style.em * 0.36
        painter.setRenderHint(_AA, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.style.accent)
        painter.drawEllipse(QRectF(x - size / 2, y - size / 2, size, size))
        painter.setRenderHint(_AA, on=False)

    def _pills(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[PaintedRow], look: Look
    ) -> None:
        style = self.style
        codes = [(line, column.value(line.row)) for line in lines]
        absent = [line for line, code in codes if code is None]
        if absent:
            self._muted(painter, column, left, width, absent, look)
        painter.setRenderHint(_AA, on=True)
        painter.setFont(style.small)
        height, inset = style.pill_height, style.em * 0.45
        down = (style.row_height - 1 - height) / 2
        for line, code in codes:
            if code is None:
                continue
            ground, ink = style.pills[str(code)]
            text, wide = style.pill_text(column.text(line.row, look))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(
                QRectF(left + style.pad, line.top + down, wide + 2 * inset, height), height / 2, height / 2
            )
            painter.setPen(ink)
            painter.drawStaticText(QPointF(left + style.pad + inset, line.top + style.pill_text_top), text)
        painter.setRenderHint(_AA, on=False)

    def _bars(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[PaintedRow], look: Look
    ) -> None:
        style = self.style
        edge = self.edges.get(column.key, width // 2)
        painter.setFont(style.font)
        painter.setPen(style.text)
        for line in lines:
            text = column.text(line.row, look)
            painter.drawText(left + edge - style.width(text), line.top + style.baseline, text)
        start, room = left + edge + style.pad, min(width - edge - 2 * style.pad, 7 * style.em)
        if room >= style.em:
            self._tracks(painter, column, start, room, lines)

    def _tracks(
        self, painter: QPainter, column: Column[Any], start: int, room: int, lines: Sequence[PaintedRow]
    ) -> None:
        style = self.style
        height = style.bar_height
        down, radius = (style.row_height - 1 - height) / 2, height / 2
        painter.setRenderHint(_AA, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(style.track)
        shares = [(line.top + down, column.value(line.row)) for line in lines]
        having = [(top, float(share)) for top, share in shares if share is not None]
        for top, _ in having:
            painter.drawRoundedRect(QRectF(start, top, room, height), radius, radius)
        painter.setBrush(style.bars.get(column.key, style.accent))
        for top, share in having:
            if share > 0:
                filled = max(2.0, min(1.0, share / self.scale) * room)
                painter.drawRoundedRect(QRectF(start, top, filled, height), radius, radius)
        painter.setRenderHint(_AA, on=False)

    def _box(self, left: int, line: PaintedRow) -> QRectF:
        style = self.style
        size = round(style.em * 0.85)
        return QRectF(left + style.pad + 0.5, line.top + (style.row_height - 1 - size) // 2 + 0.5, size, size)

    def _checks(
        self, painter: QPainter, column: Column[Any], left: int, _width: int, lines: Sequence[PaintedRow], _look: Look
    ) -> None:
        style = self.style
        painter.setRenderHint(_AA, on=True)
        for line in lines:
            on = bool(column.value(line.row))
            if not on and not column.can_edit(line.row):
                continue
            box = self._box(left, line)
            painter.setPen(style.accent if on else style.muted)
            painter.setBrush(style.accent if on else style.panel)
            painter.drawRoundedRect(box, 2.5, 2.5)
            if on:
                painter.setPen(style.on_accent)
                painter.drawPolyline([box.topLeft() + QPointF(box.width() * x, box.width() * y) for x, y in _TICK])
        painter.setRenderHint(_AA, on=False)

    def _marks(
        self, painter: QPainter, column: Column[Any], left: int, _width: int, lines: Sequence[PaintedRow], _look: Look
    ) -> None:
        style = self.style
        painter.setRenderHint(_AA, on=True)
        for line in lines:
            on, box = bool(column.value(line.row)), self._box(left, line)
            painter.setPen(style.accent if on else style.muted)
            painter.setBrush(style.panel)
            painter.drawEllipse(box)
            if on:
                inset = box.width() * 0.26
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(style.accent)
                painter.drawEllipse(box.adjusted(inset, inset, -inset, -inset))
        painter.setRenderHint(_AA, on=False)

    def _sentences(self, painter: QPainter, left: int, width: int, lines: Sequence[PaintedRow]) -> None:
        """A sentence runs over all cells without figures; each cell draws its part, so partial updates stay right."""
        style = self.style
        painter.setFont(style.font)
        painter.setPen(style.warning)
        for line in lines:
            if line.fault:
                painter.save()
                painter.setClipRect(QRect(left, line.top, width, style.row_height), Qt.ClipOperation.IntersectClip)
                painter.drawText(self.fault_left + style.pad, line.top + style.baseline, line.fault)
                painter.restore()
