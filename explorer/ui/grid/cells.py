"""Paints cells straight from row objects, column by column: one pen and font for many cells, no call per cell by Qt."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygon

from explorer.presentation.tables.columns import Column
from explorer.presentation.words.messages import Translate
from explorer.ui.grid.look import Look

_AA = QPainter.RenderHint.Antialiasing
_TICK = ((0.22, 0.52), (0.42, 0.72), (0.78, 0.3))


class Line(NamedTuple):
    """One row as it is painted: its top, whether it is quiet or marked, and the sentence in place of its figures."""

    row: Any
    top: int
    quiet: bool = False
    marked: bool = False
    fault: str = ""


class CellPainter:
    """Knows every look a column can have.

    `scale` is the share that fills a bar; `edges` says for bar columns where the number ends, from the cell's left.
    """

    def __init__(self, look: Look) -> None:
        self.look = look
        self.scale = 1.0
        self.edges: dict[str, int] = {}
        self.fault_left = 0
        self._looks: dict[str, Callable[..., None]] = {
            "plain": self._plain,
            "name": self._name,
            "muted": self._muted,
            "pill": self._pills,
            "bar": self._bars,
            "check": self._checks,
            "mark": self._marks,
        }

    def grounds(self, painter: QPainter, left: int, width: int, lines: Sequence[Line], chosen: set[int]) -> None:
        """Selection and lines between rows, over all columns; `chosen` are tops of selected rows."""
        look, height = self.look, self.look.row_height
        for line in lines:
            if line.top in chosen:
                painter.fillRect(left, line.top, width, height, look.selected)
            painter.fillRect(left, line.top + height - 1, width, 1, look.line)

    def column(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[Line], words: Translate
    ) -> None:
        """All cells of one column."""
        if column.edit is None and any(line.fault for line in lines):
            self._sentences(painter, left, width, lines)
            lines = [line for line in lines if not line.fault]
        self._looks[column.look](painter, column, left, width, lines, words)

    def focus(self, painter: QPainter, cell: QRect) -> None:
        """The outline of the cell that the keyboard would edit."""
        painter.setPen(self.look.focus)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(cell.adjusted(0, 0, -1, -2))

    # looks

    def _plain(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[Line], words: Translate
    ) -> None:
        look = self.look
        painter.setFont(look.font)
        painter.setPen(look.text)
        edge = left + width - look.pad
        room = width - 2 * look.pad
        for line in lines:
            text = column.text(line.row, words)
            wide = look.width(text)
            if wide > room:
                text, wide = look.metrics.elidedText(text, Qt.TextElideMode.ElideRight, room), room
            x = edge - wide if column.right else left + look.pad
            if line.quiet or column.changed(line.row):
                self._set_apart(painter, line, left)
                painter.drawText(x, line.top + look.baseline, text)
                painter.setPen(look.text)
            else:
                painter.drawText(x, line.top + look.baseline, text)

    def _set_apart(self, painter: QPainter, line: Line, left: int) -> None:
        """Quiet rows are muted; what the user set is in the accent colour, with a small corner."""
        look = self.look
        if line.quiet:
            painter.setPen(look.muted)
            return
        size = look.em // 3
        corner = QPoint(left, line.top)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.accent)
        painter.drawPolygon(QPolygon([corner, corner + QPoint(size, 0), corner + QPoint(0, size)]))
        painter.setPen(look.accent)

    def _muted(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[Line], words: Translate
    ) -> None:
        look = self.look
        painter.setFont(look.font)
        painter.setPen(look.muted)
        room = width - 2 * look.pad
        for line in lines:
            painter.drawStaticText(
                left + look.pad, line.top + look.text_top, look.static(column.text(line.row, words), room)
            )

    def _name(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[Line], words: Translate
    ) -> None:
        look = self.look
        painter.setFont(look.bold)
        room = width - 2 * look.pad
        for line in lines:
            text = column.text(line.row, words)
            painter.setPen(look.warning if line.fault else look.muted if line.quiet else look.text)
            spot = 2 * look.pad if line.marked else 0
            painter.drawStaticText(left + look.pad, line.top + look.text_top, look.static(text, room - spot, bold=True))
            if line.marked:
                wide = min(look.width(text, bold=True), room - spot)
                self._dot(painter, left + look.pad + wide + look.pad, line.top + look.row_height / 2)

    def _dot(self, painter: QPainter, x: float, y: float) -> None:
        size = self.look.em * 0.36
        painter.setRenderHint(_AA, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.accent)
        painter.drawEllipse(QRectF(x - size / 2, y - size / 2, size, size))
        painter.setRenderHint(_AA, on=False)

    def _pills(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[Line], words: Translate
    ) -> None:
        look = self.look
        codes = [(line, column.value(line.row)) for line in lines]
        absent = [line for line, code in codes if code is None]
        if absent:
            self._muted(painter, column, left, width, absent, words)
        painter.setRenderHint(_AA, on=True)
        painter.setFont(look.small)
        height, inset = look.pill_height, look.em * 0.45
        down = (look.row_height - 1 - height) / 2
        for line, code in codes:
            if code is None:
                continue
            ground, ink = look.pills[str(code)]
            text, wide = look.pill_text(column.text(line.row, words))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(ground)
            painter.drawRoundedRect(
                QRectF(left + look.pad, line.top + down, wide + 2 * inset, height), height / 2, height / 2
            )
            painter.setPen(ink)
            painter.drawStaticText(QPointF(left + look.pad + inset, line.top + look.pill_text_top), text)
        painter.setRenderHint(_AA, on=False)

    def _bars(
        self, painter: QPainter, column: Column[Any], left: int, width: int, lines: Sequence[Line], words: Translate
    ) -> None:
        look = self.look
        edge = self.edges.get(column.key, width // 2)
        painter.setFont(look.font)
        painter.setPen(look.text)
        for line in lines:
            text = column.text(line.row, words)
            painter.drawText(left + edge - look.width(text), line.top + look.baseline, text)
        start, room = left + edge + look.pad, min(width - edge - 2 * look.pad, 7 * look.em)
        if room >= look.em:
            self._tracks(painter, column, start, room, lines)

    def _tracks(self, painter: QPainter, column: Column[Any], start: int, room: int, lines: Sequence[Line]) -> None:
        look = self.look
        height = look.bar_height
        down, radius = (look.row_height - 1 - height) / 2, height / 2
        painter.setRenderHint(_AA, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.track)
        shares = [(line.top + down, column.value(line.row)) for line in lines]
        having = [(top, float(share)) for top, share in shares if share is not None]
        for top, _ in having:
            painter.drawRoundedRect(QRectF(start, top, room, height), radius, radius)
        painter.setBrush(look.bars.get(column.key, look.accent))
        for top, share in having:
            if share > 0:
                filled = max(2.0, min(1.0, share / self.scale) * room)
                painter.drawRoundedRect(QRectF(start, top, filled, height), radius, radius)
        painter.setRenderHint(_AA, on=False)

    def _box(self, left: int, line: Line) -> QRectF:
        look = self.look
        size = round(look.em * 0.85)
        return QRectF(left + look.pad + 0.5, line.top + (look.row_height - 1 - size) // 2 + 0.5, size, size)

    def _checks(
        self, painter: QPainter, column: Column[Any], left: int, _width: int, lines: Sequence[Line], _words: Translate
    ) -> None:
        look = self.look
        painter.setRenderHint(_AA, on=True)
        for line in lines:
            on = bool(column.value(line.row))
            if not on and not column.can_edit(line.row):
                continue
            box = self._box(left, line)
            painter.setPen(look.accent if on else look.muted)
            painter.setBrush(look.accent if on else look.panel)
            painter.drawRoundedRect(box, 2.5, 2.5)
            if on:
                painter.setPen(look.on_accent)
                painter.drawPolyline([box.topLeft() + QPointF(box.width() * x, box.width() * y) for x, y in _TICK])
        painter.setRenderHint(_AA, on=False)

    def _marks(
        self, painter: QPainter, column: Column[Any], left: int, _width: int, lines: Sequence[Line], _words: Translate
    ) -> None:
        look = self.look
        painter.setRenderHint(_AA, on=True)
        for line in lines:
            on, box = bool(column.value(line.row)), self._box(left, line)
            painter.setPen(look.accent if on else look.muted)
            painter.setBrush(look.panel)
            painter.drawEllipse(box)
            if on:
                inset = box.width() * 0.26
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(look.accent)
                painter.drawEllipse(box.adjusted(inset, inset, -inset, -inset))
        painter.setRenderHint(_AA, on=False)

    def _sentences(self, painter: QPainter, left: int, width: int, lines: Sequence[Line]) -> None:
        """A sentence runs over all cells without figures; each cell draws its part, so partial updates stay right."""
        look = self.look
        painter.setFont(look.font)
        painter.setPen(look.warning)
        for line in lines:
            if line.fault:
                painter.save()
                painter.setClipRect(QRect(left, line.top, width, look.row_height), Qt.ClipOperation.IntersectClip)
                painter.drawText(self.fault_left + look.pad, line.top + look.baseline, line.fault)
                painter.restore()
