"""The header of a table: quiet words, aligned with their figures, and a small sign of the sorting."""

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPolygonF
from PySide6.QtWidgets import QHeaderView, QWidget

from explorer.ui.grid.delegate import RowDelegate
from explorer.ui.grid.rows_model import RowsModel

_AA = QPainter.RenderHint.Antialiasing


class TableHeader(QHeaderView):
    """Click sorts, the third click goes back to the order of execution."""

    def __init__(self, model: RowsModel, delegate: RowDelegate, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._rows = model
        self._delegate = delegate
        self.setSectionsClickable(True)
        self.setHighlightSections(False)
        self.setSortIndicatorShown(True)
        self.setSortIndicatorClearable(True)
        self.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.setMinimumSectionSize(24)

    def paintSection(self, painter: QPainter, rect: QRect, index: int) -> None:
        style, column = self._delegate.style, self._rows.columns[index]
        painter.save()
        painter.fillRect(rect, style.panel)
        painter.fillRect(rect.x(), rect.bottom(), rect.width(), 1, style.border)
        sorts = self.sortIndicatorSection() == index
        painter.setPen(style.text if sorts else style.muted)
        painter.setFont(style.font)
        room = rect.width() - 2 * style.pad
        text = style.metrics.elidedText(column.title(self._rows.look), Qt.TextElideMode.ElideRight, max(room, 0))
        width = style.width(text)
        edge = (
            self._delegate.cells.edges.get(column.key, rect.width() - style.pad) if column.right else style.pad + width
        )
        x = rect.x() + edge - width
        y = rect.y() + (rect.height() + style.metrics.ascent() - style.metrics.descent()) // 2
        painter.drawText(x, y, text)
        if sorts:
            self._arrow(painter, x - style.em * 0.45 if column.right else x + width + style.em * 0.4, rect)
        painter.restore()

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
