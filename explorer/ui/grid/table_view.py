"""The view of a table: whole rows are selected, single cells edited, rows dragged to another place."""

from collections.abc import Callable, Iterable
from typing import Any, cast

from PySide6.QtCore import QItemSelection, QItemSelectionRange, QModelIndex, QPoint, QRect, Qt, QTimer, Signal
from PySide6.QtGui import QDragMoveEvent, QDropEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView, QWidget

from explorer.ui.grid.delegate import RowDelegate
from explorer.ui.grid.header_view import TableHeader
from explorer.ui.grid.rows_model import MIME, Index, RowsModel
from explorer.ui.grid.style import GridStyle
from explorer.ui.grid.widths import Widths

_Trigger = QAbstractItemView.EditTrigger
_VISIBLE = QAbstractItemView.ScrollHint.EnsureVisible


class TableView(QTableView):
    """Draws through the delegate; `dropped(keys, before)` tells a drag's end, "" for the end of the table."""

    dropped = Signal(list, str)
    opened = Signal(QModelIndex)

    def __init__(self, model: RowsModel, delegate: RowDelegate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows_model = model
        self.delegate = delegate
        self.empty_text: Callable[[], str] = lambda: ""
        self._line = -1
        self.setModel(model)
        self.setItemDelegate(delegate)
        self.header = TableHeader(model, delegate, self)
        self.setHorizontalHeader(self.header)
        for changed in (model.columnsInserted, model.columnsRemoved, model.headerDataChanged):
            changed.connect(self.header.fit)
        model.total_changed.connect(self.header.show_totals)
        model.cramped.connect(self._make_room)
        self.setSortingEnabled(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setMouseTracking(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(_Trigger.DoubleClicked | _Trigger.EditKeyPressed)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().hide()
        self.widths = Widths(self, model, delegate)
        self.doubleClicked.connect(self._open)
        self.dress(delegate.style)

    def dress(self, style: GridStyle) -> None:
        """Take on a theme and font."""
        self.delegate.cells.style = style
        self.verticalHeader().setMinimumSectionSize(style.row_height)
        self.verticalHeader().setDefaultSectionSize(style.row_height)
        self.header.fit()
        self.widths.renew()
        self.horizontalHeader().viewport().update()
        self.viewport().update()

    def scale_bars(self, scale: float) -> None:
        """Let a share fill the bars; all of them are painted again, also those whose own share stays as it was."""
        if scale != self.delegate.cells.scale:
            self.delegate.cells.scale = scale
            for i, column in enumerate(self.rows_model.columns):
                if column.bar:
                    left, width = self.columnViewportPosition(i), self.columnWidth(i)
                    self.viewport().update(left, 0, width, self.viewport().height())

    def selected_places(self) -> list[int]:
        """Selected rows from top to bottom; by ranges, for asking Qt row by row takes long on long tables."""
        ranges = cast("Iterable[QItemSelectionRange]", self.selectionModel().selection())
        return sorted({i for r in ranges for i in range(r.top(), r.bottom() + 1)})

    def selected_keys(self) -> list[str]:
        """Keys of the selected rows from top to bottom."""
        return [self.rows_model.rows[i].key for i in self.selected_places()]

    def show_sorting(self) -> None:
        """Put the header's sign where the sorting is, after columns came or went."""
        header, key = self.horizontalHeader(), self.rows_model.sorted_by
        column = -1 if key is None else self.rows_model.column_position(key)
        if column != header.sortIndicatorSection():
            header.setSortIndicator(column, header.sortIndicatorOrder())

    def _open(self, index: QModelIndex) -> None:
        if not index.flags() & (Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsUserCheckable):
            self.opened.emit(index)

    def begin_edit(self, index: QModelIndex) -> None:
        """Open the editor of a cell that has one, unless an editor is open already."""
        editing = self.state() == QAbstractItemView.State.EditingState
        if index.isValid() and index.flags() & Qt.ItemFlag.ItemIsEditable and not editing:
            self.edit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        enter = event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if enter and index.isValid() and self.state() != QAbstractItemView.State.EditingState:
            if index.flags() & Qt.ItemFlag.ItemIsEditable:
                self.edit(index)
            else:
                self.opened.emit(index)
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.widths.share_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self.viewport()) as painter:
            if self.rows_model.rows:
                self._paint_cells(painter, event.rect())
        if self.delegate.cells.cramped:
            QTimer.singleShot(0, self, self._make_room)
        if not self.rows_model.rows and (text := self.empty_text()):
            self._paint_empty(text)
        if self._line >= 0:
            with QPainter(self.viewport()) as painter:
                painter.fillRect(0, self._line - 1, self.viewport().width(), 2, self.delegate.style.accent)

    def _paint_cells(self, painter: QPainter, dirty: QRect) -> None:
        """What Qt does by a call per cell, done column by column over the rows in sight."""
        model, cells = self.rows_model, self.delegate.cells
        height = cells.style.row_height
        origin = self.rowViewportPosition(0)
        first = max(0, (dirty.top() - origin) // height)
        last = min(len(model.rows), (dirty.bottom() - origin) // height + 1)
        lines = [self.delegate.line(model.rows[i], origin + i * height) for i in range(first, last)]
        selection = self.selectionModel()
        chosen = {line.top for i, line in enumerate(lines, first) if selection.isSelected(model.index(i, 0))}
        cells.grounds(painter, dirty.left(), dirty.width(), lines, chosen)
        # where the sentence in place of figures begins: at the first column that is not typed
        figures = next((i for i, c in enumerate(model.columns) if c.edit is None), 0)
        cells.fault_left = self.columnViewportPosition(figures)
        for i, column in enumerate(model.columns):
            left, width = self.columnViewportPosition(i), self.columnWidth(i)
            if left <= dirty.right() and left + width > dirty.left() and not self.header.covers(i):
                cells.column(painter, column, left, width, lines, model.look)
        current = self.currentIndex()
        focused = self.hasFocus() and current.isValid()
        if focused and current.column() > 0:
            cells.focus(painter, self.visualRect(current))
        frozen = self.header.frozen_width()
        if frozen > dirty.left():
            painter.fillRect(0, dirty.top(), frozen, dirty.height(), cells.style.panel)
            cells.grounds(painter, 0, frozen, lines, chosen)
            cells.column(painter, model.columns[0], 0, frozen, lines, model.look)
            painter.fillRect(frozen - 1, dirty.top(), 1, dirty.height(), cells.style.border)
        if focused and current.column() == 0:
            cells.focus(painter, self.visualRect(current))

    # the name's column, which stays while the others scroll under it

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        if dx and self.rows_model.frozen:
            self.viewport().update()
            self.header.viewport().update()

    def visualRect(self, index: Index) -> QRect:
        found = super().visualRect(index)
        if index.isValid() and index.column() == 0 and self.header.frozen_width():
            found.moveLeft(0)
        return found

    def indexAt(self, point: QPoint) -> QModelIndex:
        found = super().indexAt(point)
        return found.siblingAtColumn(0) if 0 <= point.x() < self.header.frozen_width() and found.isValid() else found

    def scrollTo(self, index: Index, hint: QAbstractItemView.ScrollHint = _VISIBLE) -> None:
        bar = self.horizontalScrollBar()
        before = bar.value()
        super().scrollTo(index, hint)
        if index.column() == 0 and self.rows_model.frozen:
            bar.setValue(before)  # it is in sight wherever the others are
            return
        covered = self.header.frozen_width() - self.columnViewportPosition(index.column())
        if covered > 0:
            bar.setValue(bar.value() - covered)

    def _make_room(self) -> None:
        """Let columns grow in which a figure found no room."""
        needed, self.delegate.cells.cramped = self.delegate.cells.cramped, {}
        if needed:
            self.widths.grow(needed)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        """Rows are selected over the whole width, also behind the last column, which Qt leaves as it was."""
        super().selectionChanged(selected, deselected)
        one, other = (cast("Iterable[QItemSelectionRange]", part) for part in (selected, deselected))
        for part in (*one, *other):
            top = self.rowViewportPosition(part.top())
            bottom = self.rowViewportPosition(part.bottom()) + self.rowHeight(part.bottom())
            self.viewport().update(0, top, self.viewport().width(), bottom - top)

    def _paint_empty(self, text: str) -> None:
        style = self.delegate.style
        with QPainter(self.viewport()) as painter:
            painter.setPen(style.muted)
            painter.setFont(style.font)
            margin = 2 * style.em
            room: QRect = self.viewport().rect().adjusted(margin, 0, -margin, 0)
            painter.drawText(room, int(Qt.AlignmentFlag.AlignCenter) | int(Qt.TextFlag.TextWordWrap), text)

    # dragging rows to another place

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        inside = event.source() is self and event.mimeData().hasFormat(MIME) and self.rows_model.sorted_by is None
        self._show_line(self._gap(event.position().toPoint())[1] if inside else -1)
        if inside:
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragLeaveEvent(self, event: Any) -> None:
        self._show_line(-1)
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self._show_line(-1)
        if event.source() is not self or not event.mimeData().hasFormat(MIME):
            event.ignore()
            return
        row, _ = self._gap(event.position().toPoint())
        keys = bytes(event.mimeData().data(MIME).data()).decode().split("\n")
        # a copy, in Qt's words: after a move the view would delete the dragged rows itself
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.dropped.emit(keys, self.rows_model.rows[row].key if row < len(self.rows_model.rows) else "")

    def _gap(self, point: QPoint) -> tuple[int, int]:
        """The gap between rows nearest to a point: the row behind it, and its height in the viewport."""
        row = self.rowAt(point.y())
        if row < 0:
            last = len(self.rows_model.rows)
            return last, self.rowViewportPosition(last - 1) + self.rowHeight(last - 1) if last else 0
        top, height = self.rowViewportPosition(row), self.rowHeight(row)
        return (row, top) if point.y() < top + height / 2 else (row + 1, top + height)

    def _show_line(self, y: int) -> None:
        if y != self._line:
            self._line = y
            self.viewport().update()
