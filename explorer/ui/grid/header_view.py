"""The header of a table: groups, quiet words aligned with their figures, a sign of the sorting, and what it comes to.

The name's column stays where it is while the others scroll sideways under it.
"""

from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRect, Qt, QTimer
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QHeaderView, QWidget

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.look import Look
from explorer.presentation.tables.columns import Column, Value
from explorer.ui.grid.cells import PaintedRow
from explorer.ui.grid.delegate import RowDelegate
from explorer.ui.grid.rows_model import RowsModel

_MOST_FROZEN = 0.6  # of the width in sight: the others need room too
_AA = QPainter.RenderHint.Antialiasing


class TableHeader(QHeaderView):
    """Click sorts, the third click goes back to the order of execution."""

    def __init__(self, model: RowsModel, delegate: RowDelegate, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._rows = model
        self._delegate = delegate
        self._told: dict[str, str] = {}  # what the columns come to, as it is painted or about to be
        self._only_totals = False  # while a paint reaches no other line
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setSortIndicatorShown(True)
        self.setSortIndicatorClearable(True)
        self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setMinimumSectionSize(24)

    # how high it is

    @property
    def grouped(self) -> bool:
        """Whether names of groups stand over columns."""
        return any(c.group for c in self._rows.columns)

    def fit(self) -> None:
        """As high as its lines: groups, titles, the row of what all comes to."""
        lines = 1 + self.grouped + (self._rows.total is not None)
        if self.minimumHeight() != lines * self._delegate.style.row_height:
            self.setFixedHeight(lines * self._delegate.style.row_height)
            self.geometriesChanged.emit()
        self._told = self._totals()
        self.viewport().update()

    def show_totals(self) -> None:
        """Paint anew what the columns come to, where it differs: on a step of a slider nothing else does."""
        told, style = self._told, self._delegate.style
        self._told = self._totals()
        if not told or not self._told:
            self.fit()
            return
        top = self.height() - style.row_height
        for i, column in enumerate(self._rows.columns):
            text = self._told[column.key]
            if told.get(column.key) != text or (column.bar and text):
                self.viewport().update(self.sectionViewportPosition(i), top, self.sectionSize(i), style.row_height)

    def _totals(self) -> dict[str, str]:
        total, look = self._rows.total, self._rows.look
        return {} if total is None else {c.key: _whole(c, *total, look) for c in self._rows.columns}

    def frozen_width(self) -> int:
        """The width of the name's column where it stays while others scroll under it, else 0."""
        if self.offset() <= 0 or not self._rows.frozen or not self.count():
            return 0
        wide = self.sectionSize(0)
        return wide if wide < _MOST_FROZEN * self.viewport().width() else 0

    def covers(self, index: int) -> bool:
        """Whether the name's column stands over what a column says: half a figure would be another one."""
        frozen = self.frozen_width()
        return index > 0 and self.sectionViewportPosition(index) + self._delegate.style.pad < frozen

    def group_of(self, index: int) -> QRect:
        """Where the name of a column's group stands, over all columns of the group that are in sight."""
        columns, group = self._rows.columns, self._rows.columns[index].group
        members = [i for i, c in enumerate(columns) if c.group == group]
        left = self.sectionViewportPosition(members[0])
        right = self.sectionViewportPosition(members[-1]) + self.sectionSize(members[-1])
        wide = self._delegate.style.width(group, bold=True) + 2 * self._delegate.style.pad
        seen = min(max(left, self.frozen_width()), right - wide)
        return QRect(max(seen, left), 0, right - max(seen, left), self._delegate.style.row_height)

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        above_totals = self.height() - self._delegate.style.row_height
        self._only_totals = self._rows.total is not None and event.rect().top() >= above_totals
        super().paintEvent(event)
        self._beyond()
        frozen = self.frozen_width()
        if frozen:
            with QPainter(self.viewport()) as painter:
                self.paintSection(painter, QRect(0, 0, frozen, self.height()), 0)
                painter.fillRect(frozen - 1, 0, 1, self.height(), self._delegate.style.border)
        self._only_totals = False

    def _beyond(self) -> None:
        """The row of totals goes on behind the last column, as the rows below it do."""
        end, style = self.length() - self.offset(), self._delegate.style
        if self._rows.total is not None and end < self.viewport().width():
            with QPainter(self.viewport()) as painter:
                band = QRect(end, self.height() - style.row_height, self.viewport().width() - end, style.row_height)
                painter.fillRect(band, style.raised)
                painter.fillRect(band.x(), band.bottom(), band.width(), 1, style.border)

    def paintSection(self, painter: QPainter, rect: QRect, index: int) -> None:
        style, column = self._delegate.style, self._rows.columns[index]
        painter.save()
        painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
        covered = self.covers(index)
        if not self._only_totals:
            painter.fillRect(rect, style.panel)
            line = QRect(rect.x(), rect.y(), rect.width(), style.row_height)
            if self.grouped:
                self._group(painter, line, index)
                line.translate(0, style.row_height)
            if not covered:
                self._title(painter, line, index)
        if self._rows.total is not None:
            line = QRect(rect.x(), rect.bottom() + 1 - style.row_height, rect.width(), style.row_height)
            painter.fillRect(line, style.raised)
            if not covered:
                self._total(painter, line, column)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, style.border)
        painter.restore()

    def _group(self, painter: QPainter, line: QRect, index: int) -> None:
        """The group's name over its columns; each section paints its own part of it."""
        style, columns = self._delegate.style, self._rows.columns
        group = columns[index].group
        if not group:
            return
        place = self.group_of(index)
        painter.setPen(style.text)
        painter.setFont(style.bold)
        painter.drawText(place.x() + style.pad, line.y() + style.baseline, group)
        first = index == 0 or columns[index - 1].group != group
        last = index + 1 == len(columns) or columns[index + 1].group != group
        left = line.x() + (style.pad if first else 0)
        right = line.right() + 1 - (style.pad if last else 0)
        painter.fillRect(left, line.bottom(), right - left, 1, style.border)

    def _title(self, painter: QPainter, line: QRect, index: int) -> None:
        style, column = self._delegate.style, self._rows.columns[index]
        sorts = self.sortIndicatorSection() == index
        painter.setPen(style.text if sorts else style.muted)
        painter.setFont(style.font)
        room = line.width() - 2 * style.pad
        text = style.metrics.elidedText(column.title(self._rows.look), Qt.TextElideMode.ElideRight, max(room, 0))
        width = style.width(text)
        edge = (
            self._delegate.cells.edges.get(column.key, line.width() - style.pad) if column.right else style.pad + width
        )
        x = line.x() + edge - width
        y = line.y() + (line.height() + style.metrics.ascent() - style.metrics.descent()) // 2
        painter.drawText(x, y, text)
        if sorts:
            self._arrow(painter, x - style.em * 0.45 if column.right else x + width + style.em * 0.4, line)

    def _total(self, painter: QPainter, line: QRect, column: Column[Any]) -> None:
        """What a column comes to over all rows, painted as its cells are."""
        if self._rows.total is None:
            return
        name, evaluation = self._rows.total
        cells = self._delegate.cells
        value = name if column.style == "name" else column.total(evaluation)
        if value is None:
            return
        whole = PaintedRow(evaluation, line.y())
        text = self._told.get(column.key) or _whole(column, name, evaluation, self._rows.look)
        cells.column(painter, _plainly(column, value, text), line.x(), line.width(), [whole], self._rows.look)
        if cells.cramped:
            QTimer.singleShot(0, self._rows.cramped.emit)

    def _arrow(self, painter: QPainter, x: float, rect: QRect) -> None:
        size = self._delegate.style.em * 0.2
        down = self.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
        tip, base = (size * 0.6, -size * 0.6) if down else (-size * 0.6, size * 0.6)
        middle = rect.center().y() + 1.0
        painter.setRenderHint(_AA, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._delegate.style.accent)
        painter.drawPolygon(
            QPolygonF([QPointF(x - size, middle + base), QPointF(x + size, middle + base), QPointF(x, middle + tip)])
        )

    # the mouse on the column that stays

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(self._meant(event))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(self._meant(event))

    def _meant(self, event: QMouseEvent) -> QMouseEvent:
        """The event at the place that the name's column has without staying."""
        at = event.position()
        if at.x() >= self.frozen_width():
            return event
        moved = QPointF(at.x() + self.sectionViewportPosition(0), at.y())
        return QMouseEvent(
            event.type(), moved, event.globalPosition(), event.button(), event.buttons(), event.modifiers()
        )


def _whole(column: Column[Any], name: str, evaluation: Evaluation, look: Look) -> str:
    """What the row of totals says in a column."""
    return name if column.style == "name" else column.total_text(evaluation, look)


def _plainly(column: Column[Any], value: Value, text: str) -> Column[Any]:
    """A column that says one thing, without what belongs to single rows."""
    return replace(
        column, value=lambda _all: value, format=lambda _all: text, words=False, changed=lambda _all: False, edit=None
    )
