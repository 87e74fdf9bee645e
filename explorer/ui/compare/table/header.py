"""The header of the compare table: its part of the picture, frozen like the names; a click sorts."""

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from explorer.ui.compare.table.model import CompareModel
from explorer.ui.compare.table.picture import TablePicture
from explorer.ui.widgets.plain_text import show_tip


class CompareHeader(QHeaderView):
    """`clicked(column)` tells a click on a figure's title."""

    clicked = Signal(int)

    def __init__(self, picture: TablePicture, words: CompareModel, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._picture = picture
        self._words = words
        self._pressed = -1
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(1)
        self.setHighlightSections(False)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self._picture.places.header)

    def column_at(self, at: QPoint) -> int:
        """The column under a position; the names stay where they are."""
        places = self._picture.places
        return 0 if at.x() < places.names else places.column_at(at.x() + self.offset())

    def paintEvent(self, event: QPaintEvent) -> None:
        view = self.parentWidget()
        width = self.viewport().width()
        pixmap = self._picture.pixmap(width, self.devicePixelRatio(), self.font() if view is None else view.font())
        if pixmap is None:
            return
        names, height = self._picture.places.names, self._picture.places.header
        with QPainter(self.viewport()) as painter:
            target = self.viewport().rect()
            target.setHeight(height)
            painter.fillRect(target, QColor(self._picture.theme.panel))
            start, end = self._picture.whole(names + self.offset(), width - names)
            place = QRect(start - self.offset(), 0, end - start, height)
            painter.drawPixmap(place, pixmap, self._picture.part(start, 0, end - start, height))
            target.setWidth(names)
            painter.drawPixmap(target, pixmap, self._picture.part(0, 0, names, height))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = self.column_at(event.position().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Nothing: columns are as wide as their figures, and stay in order."""

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        column = self.column_at(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and column == self._pressed and column > 0:
            self.clicked.emit(column)
        self._pressed = -1

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            show_tip(event.globalPos(), self._tip(self.column_at(event.pos())), self)
            return True
        return super().viewportEvent(event)

    def _tip(self, column: int) -> str:
        columns = self._words.columns
        return columns[column].tip or columns[column].title if 0 <= column < len(columns) else ""
