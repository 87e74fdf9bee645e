"""The view of the compare table: a kept picture scrolls under a frozen column of names, gestures become words."""

from itertools import pairwise

from PySide6.QtCore import QEvent, QModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView, QWidget

from explorer.presentation.actions import action_of
from explorer.ui.compare.table.header import CompareHeader
from explorer.ui.compare.table.model import CompareModel, Index
from explorer.ui.compare.table.picture import TablePicture
from explorer.ui.look.text import tr

_Modifier = Qt.KeyboardModifier
_HOVERED, _CHOSEN = 14, 26  # alpha of the accent over a row
STALE_OPACITY = 0.45


class CompareGrid(QTableView):
    """Tells what is wanted of a row by its key, and of a column by its figure; holds no figures itself."""

    row_wanted = Signal(str)
    baseline_wanted = Signal(str)
    sort_wanted = Signal(str)
    count_wanted = Signal(str, str)  # the row's key, and "+", "-", a digit or ""
    copy_wanted = Signal()
    menu_wanted = Signal(QPoint, int, int)  # where, row and column, -1 beside them

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = CompareModel(self)
        self.picture = TablePicture()
        self._hovered = -1
        self._stale = False
        self._current = ""
        self.setModel(self.words)
        header = CompareHeader(self.picture, self.words, self)
        self.setHorizontalHeader(header)
        header.clicked.connect(self._sort)
        self.verticalHeader().hide()
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setCornerButtonEnabled(False)
        self.setTabKeyNavigation(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName(tr("Figures side by side"))

    @property
    def stale(self) -> bool:
        """Whether the picture belongs to an earlier state."""
        return self._stale

    def set_stale(self, *, stale: bool) -> None:
        """Shade what is drawn until it is made anew."""
        if stale != self._stale:
            self._stale = stale
            self.viewport().update()

    def fit(self) -> None:
        """Take the picture's measures: after other figures, another size or another font."""
        self._pixmap()
        columns, rows = self.picture.places.columns, self.picture.places.rows
        for i, (left, right) in enumerate(pairwise(columns)):
            if i < self.words.columnCount():
                self.setColumnWidth(i, round(right) - round(left))
        for i, (top, bottom) in enumerate(pairwise(rows)):
            if i < self.words.rowCount():
                self.setRowHeight(i, round(bottom) - round(top))
        self.horizontalHeader().setFixedHeight(max(1, self.picture.places.header))
        self.horizontalHeader().viewport().update()
        self.viewport().update()

    def wanted_height(self) -> int:
        """Height at which every row is seen."""
        scroll = self.horizontalScrollBar()
        beyond = scroll.sizeHint().height() if self.picture.natural(self.font()).width() > self.width() else 0
        return self.picture.natural(self.font()).height() + beyond

    def sizeHint(self) -> QSize:
        return QSize(900, max(120, self.wanted_height()))

    def _pixmap(self) -> QPixmap | None:
        return self.picture.pixmap(self.viewport().width(), self.devicePixelRatio(), self.font())

    # painting

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if not self.currentIndex().isValid() and self.words.rows:
            self.setCurrentIndex(self.words.index(max(0, self.words.position(self._current)), 0))
        super().focusInEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        pixmap = self._pixmap()
        if pixmap is None:
            return
        places, size = self.picture.places, self.viewport().size()
        x, y = self.horizontalScrollBar().value(), self.verticalScrollBar().value() + places.header
        with QPainter(self.viewport()) as painter:
            painter.fillRect(self.viewport().rect(), QColor(self.picture.theme.panel))
            painter.setOpacity(STALE_OPACITY if self._stale else 1.0)
            tall = min(size.height(), round(places.rows[-1]) - y)
            first, end = self.picture.whole(places.names + x, size.width() - places.names)
            for left, wide, start in ((first - x, end - first, first), (0, places.names, 0)):
                painter.drawPixmap(QRect(left, 0, wide, tall), pixmap, self.picture.part(start, y, wide, tall))
            painter.setOpacity(1.0)
            self._paint_marks(painter)
            if x > 0:
                painter.fillRect(places.names - 1, 0, 1, tall, QColor(self.picture.theme.border))

    def _paint_marks(self, painter: QPainter) -> None:
        """The row under the pointer, the active row, the cell that keys act on."""
        accent = QColor(self.picture.theme.accent)
        for row, alpha in ((self._hovered, _HOVERED), (self.words.position(self._current), _CHOSEN)):
            if row >= 0:
                accent.setAlpha(alpha)
                painter.fillRect(self.row_rect(row), accent)
        index = self.currentIndex()
        if self.hasFocus() and index.isValid():
            painter.setPen(QPen(QColor(self.picture.theme.accent), 1.0))
            box = QRectF(self.visualRect(index)).adjusted(1.5, 1.5, -1.5, -1.5)
            painter.setClipRect(self._unfrozen(), Qt.ClipOperation.ReplaceClip)
            if index.column() == 0:
                painter.setClipping(False)
            painter.drawRect(box)

    def _unfrozen(self) -> QRect:
        return self.viewport().rect().adjusted(self.picture.places.names, 0, 0, 0)

    def row_rect(self, row: int) -> QRect:
        """Where a row lies in the viewport."""
        end = round(self.picture.places.columns[-1]) - self.horizontalScrollBar().value()
        wide = min(self.viewport().width(), end)
        return QRect(0, self.rowViewportPosition(row), wide, self.rowHeight(row))

    def mark_row(self, key: str) -> None:
        """Set apart the row of the active device."""
        if key != self._current:
            self._current = key
            self.viewport().update()

    # the frozen column

    def visualRect(self, index: Index) -> QRect:
        rect: QRect = super().visualRect(index)
        if index.isValid() and index.column() == 0:
            rect.moveLeft(0)
        return rect

    def indexAt(self, at: QPoint) -> QModelIndex:
        if at.x() < self.picture.places.names:
            row = self.rowAt(at.y())
            return self.words.index(row, 0) if row >= 0 else QModelIndex()
        return super().indexAt(at)

    def scrollTo(
        self, index: Index, hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible
    ) -> None:
        """A cell comes into sight beside the frozen column, not under it."""
        bar = self.horizontalScrollBar()
        before = bar.value()
        super().scrollTo(index, hint)
        if index.column() == 0:
            bar.setValue(before)
            return
        bar.setValue(before)
        left = self.columnViewportPosition(index.column())
        right = left + self.columnWidth(index.column())
        if left < self.picture.places.names:
            bar.setValue(before - (self.picture.places.names - left))
        elif right > self.viewport().width():
            bar.setValue(before + right - self.viewport().width())

    # gestures

    def key_at(self, row: int) -> str:
        """The key of a row."""
        return self.words.rows[row].key if 0 <= row < len(self.words.rows) else ""

    def _sort(self, column: int) -> None:
        if 0 < column < len(self.words.columns):
            self.sort_wanted.emit(self.words.columns[column].key)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        row = self.rowAt(event.position().toPoint().y())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self.row_wanted.emit(self.key_at(row))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        row = self.rowAt(event.position().toPoint().y())
        if event.button() == Qt.MouseButton.LeftButton and row >= 0:
            self.baseline_wanted.emit(self.key_at(row))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self.rowAt(event.position().toPoint().y()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._hover(-1)
        super().leaveEvent(event)

    def _hover(self, row: int) -> None:
        if row != self._hovered:
            self._hovered = row
            self.viewport().update()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        keyed = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if keyed else self.indexAt(event.pos())
        at = self.viewport().mapToGlobal(self.visualRect(index).center()) if keyed else event.globalPos()
        self.menu_wanted.emit(at, index.row(), index.column())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
        elif not index.isValid() or not self._key(index, event):
            super().keyPressEvent(event)

    def _key(self, index: QModelIndex, event: QKeyEvent) -> bool:
        """Do what a key asks of the current cell; False for keys that mean nothing here."""
        key, pressed = self.key_at(index.row()), QKeySequence(event.keyCombination())
        plain = not event.modifiers() & ~(_Modifier.ShiftModifier | _Modifier.KeypadModifier)
        if pressed == QKeySequence(action_of("compare_baseline").on_table):
            self.baseline_wanted.emit(key)
        elif pressed == QKeySequence(action_of("compare_sort").on_table):
            self._sort(index.column())
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.row_wanted.emit(key)
        elif event.key() == Qt.Key.Key_F2 or (plain and event.text() and event.text() in "+-123456789"):
            self.count_wanted.emit(key, event.text() if event.key() != Qt.Key.Key_F2 else "")
        else:
            return False
        return True

    def keyboardSearch(self, search: str) -> None:
        """Nothing: letters are keys of the table."""
