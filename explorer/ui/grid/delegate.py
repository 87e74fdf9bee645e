"""The one delegate of the tables: measures, paints and edits cells straight from the row object."""

from collections.abc import Callable
from itertools import islice
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from explorer.presentation.tables.columns import Column
from explorer.ui.grid.cells import CellPainter, PaintedRow
from explorer.ui.grid.editors import CellEditor, ChoiceCell, TextCell, holds
from explorer.ui.grid.rows_model import Index, RowsModel
from explorer.ui.grid.style import GridStyle

_MEASURED = 400  # rows that tell how wide a column need be

MakeEditor = Callable[[QWidget, Any, Column[Any]], CellEditor]


class RowDelegate(QStyledItemDelegate):
    """Measures cells, makes their editors, and paints single ones; the view paints whole columns by the same painter.

    `quiet` tells rows that do not count, `marked` those with overrides; `fault` gives the sentence that stands in place
    of a row's figures.
    """

    def __init__(
        self, model: RowsModel, style: GridStyle, make_editor: MakeEditor, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.cells = CellPainter(style)
        self.quiet: Callable[[Any], bool] = lambda _row: False
        self.marked: Callable[[Any], bool] = lambda _row: False
        self.fault: Callable[[Any], str] = lambda _row: ""
        self._model = model
        self._make_editor = make_editor

    @property
    def style(self) -> GridStyle:
        """Colours, fonts and measures."""
        return self.cells.style

    def line(self, row: Any, top: int) -> PaintedRow:
        """A row as it is painted."""
        return PaintedRow(row, top, self.quiet(row), self.marked(row), self.fault(row))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        lines = [self.line(self._model.rows[index.row()], rect.y())]
        chosen = {rect.y()} if option.state & QStyle.StateFlag.State_Selected else set()
        self.cells.grounds(painter, rect.x(), rect.width(), lines, chosen)
        column = self._model.columns[index.column()]
        self.cells.column(painter, column, rect.x(), rect.width(), lines, self._model.look)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self.natural_width(self._model.columns[index.column()]), self.style.row_height)

    def natural_width(self, column: Column[Any]) -> int:
        """What a column needs: its header, and its longest text or, for figures, any figure."""
        style = self.style
        bold = column.style == "name"
        title = style.width(column.title(self._model.look)) + style.em
        if column.style == "bar":
            self.cells.edges[column.key] = style.pad + max(title - style.em // 2, style.width("88.8 %"))
            return self.cells.edges[column.key] + 7 * style.em
        some = islice(self._model.every_row, _MEASURED)
        widest = max((style.width(column.text(r, self._model.look), bold=bold) for r in some), default=0)
        if column.right:
            widest = max(widest, style.width(f"888.8 M{column.unit}") if column.unit else style.width("88.88"))
        if column.style in {"pill", "name"}:
            widest += style.em
        if self._model.total is not None:
            name, evaluation = self._model.total
            whole = name if bold else column.total_text(evaluation, self._model.look)
            widest = max(widest, style.width(whole, bold=bold))
        if column.group:
            members = sum(c.group == column.group for c in self._model.columns)
            widest = max(widest, -(-(style.width(column.group, bold=True) + 2 * style.pad) // max(1, members)))
        wide = max(title, widest) + 2 * style.pad
        return wide if column.right else min(wide, (14 if column.edit == "dims" else 24) * style.em)

    # editors

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        column, row = self._model.columns[index.column()], self._model.rows[index.row()]
        if column.edit != "check" or not column.can_edit(row) or not _toggles(event):
            return super().editorEvent(event, model, option, index)
        state = Qt.CheckState.Unchecked if column.value(row) else Qt.CheckState.Checked
        return model.setData(index, state, Qt.ItemDataRole.CheckStateRole)

    def createEditor(self, parent: QWidget, _option: QStyleOptionViewItem, index: Index) -> QWidget:
        column = self._model.columns[index.column()]
        editor = self._make_editor(parent, self._model.rows[index.row()], column)
        editor.setFont(self.style.font)
        editor.setAccessibleName(column.title(self._model.look))
        if isinstance(editor, ChoiceCell):
            editor.activated.connect(lambda _i: self._finish(editor))
        return editor

    def _finish(self, editor: QWidget) -> None:
        self.commitData.emit(editor)
        self.closeEditor.emit(editor, QStyledItemDelegate.EndEditHint.NoHint)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """Nothing: an editor is filled once, when made; a slider step must not overwrite what is being typed."""

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, ChoiceCell) or (isinstance(editor, TextCell) and editor.accepts()):
            model.setData(index, editor.value())

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, _index: Index) -> None:
        rect: QRect = option.rect
        wanted = max(rect.width(), min(editor.sizeHint().width(), 16 * self.style.em))
        editor.setGeometry(QRect(rect.x(), rect.y(), wanted, rect.height() - 1))

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if holds(editor, event):
            return event.type() != QEvent.Type.FocusOut
        return super().eventFilter(editor, event)


def _toggles(event: QEvent) -> bool:
    if isinstance(event, QMouseEvent):
        return event.type() == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton
    return isinstance(event, QKeyEvent) and event.key() in {Qt.Key.Key_Space, Qt.Key.Key_Select}
