"""The one delegate of the tables: paints a whole cell straight from the row object."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPolygon
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from explorer.presentation.columns import Column
from explorer.ui.tables.editors import CellEditor, ChoiceCell, TextCell, holds
from explorer.ui.tables.look import Look
from explorer.ui.tables.rows_model import Index, RowsModel

_State = QStyle.StateFlag
MakeEditor = Callable[[QWidget, Any, Column[Any]], CellEditor]
_AA = QPainter.RenderHint.Antialiasing


class RowDelegate(QStyledItemDelegate):
    """Painter and editor maker of every cell.

    `scale` is the share that fills a bar; `quiet` tells rows that do not count, `fault` gives the sentence that stands
    in place of a row's figures.
    """

    def __init__(self, model: RowsModel, look: Look, make_editor: MakeEditor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.look = look
        self.scale = 1.0
        self.edges: dict[str, int] = {}  # of bar columns: from the cell's left to the right of its number
        self.quiet: Callable[[Any], bool] = lambda _row: False
        self.marked: Callable[[Any], bool] = lambda _row: False
        self.fault: Callable[[Any], str] = lambda _row: ""
        self.fault_place: Callable[[Index], int] = lambda _index: 0
        self._model = model
        self._make_editor = make_editor
        self._painters: dict[str, Callable[..., None]] = {
            "plain": self._plain,
            "name": self._name,
            "muted": self._muted,
            "pill": self._pill,
            "bar": self._bar,
            "check": self._check,
            "mark": self._mark,
        }

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model, look = self._model, self.look
        row, column = model.rows[index.row()], model.columns[index.column()]
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        if state & _State.State_Selected:
            painter.fillRect(rect, look.selected)
        painter.fillRect(rect.x(), rect.y() + rect.height() - 1, rect.width(), 1, look.line)
        fault = self.fault(row)
        if fault and column.edit is None:
            self._sentence(painter, rect, fault, index)
        else:
            self._painters[column.look](painter, rect, row, column)
        if column.changed(row) and column.look == "plain":
            self._corner(painter, rect)
        if state & _State.State_HasFocus:
            painter.setPen(look.focus)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -2))

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(self.natural_width(self._model.columns[index.column()]), self.look.row_height)

    def natural_width(self, column: Column[Any]) -> int:
        """What a column needs: its header, and its longest text or, for figures, any figure."""
        look = self.look
        bold = column.look == "name"
        title = look.width(column.title(self._model.translate)) + look.em
        if column.look == "bar":
            self.edges[column.key] = look.pad + max(title - look.em // 2, look.width("88.8 %"))
            return self.edges[column.key] + 7 * look.em
        widest = max(
            (look.width(column.text(r, self._model.translate), bold=bold) for r in self._model.rows), default=0
        )
        if column.right:
            widest = max(widest, look.width(f"888.8 M{column.unit}") if column.unit else look.width("88.88"))
        if column.look in {"pill", "name"}:
            widest += look.em
        return min(max(title, widest) + 2 * look.pad, 24 * look.em)

    # looks

    def _plain(self, painter: QPainter, rect: QRect, row: Any, column: Column[Any]) -> None:
        look = self.look
        painter.setPen(look.muted if self.quiet(row) else look.accent if column.changed(row) else look.text)
        painter.setFont(look.font)
        self._text(painter, rect, column.text(row, self._model.translate), right=column.right)

    def _muted(self, painter: QPainter, rect: QRect, row: Any, column: Column[Any]) -> None:
        painter.setPen(self.look.muted)
        painter.setFont(self.look.font)
        self._text(painter, rect, column.text(row, self._model.translate), right=column.right)

    def _name(self, painter: QPainter, rect: QRect, row: Any, column: Column[Any]) -> None:
        look = self.look
        painter.setPen(look.warning if self.fault(row) else look.muted if self.quiet(row) else look.text)
        painter.setFont(look.bold)
        text = column.text(row, self._model.translate)
        self._text(painter, rect, text, right=False, bold=True)
        if self.marked(row):
            x = min(rect.x() + look.pad + look.width(text, bold=True) + look.em // 2, rect.right() - look.em // 2)
            painter.setRenderHint(_AA, on=True)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.accent)
            size = look.em * 0.36
            painter.drawEllipse(QRectF(x - size / 2, rect.center().y() - size / 2, size, size))
            painter.setRenderHint(_AA, on=False)

    def _text(self, painter: QPainter, rect: QRect, text: str, *, right: bool, bold: bool = False) -> None:
        look = self.look
        width = look.width(text, bold=bold)
        room = rect.width() - 2 * look.pad
        if width > room:
            metrics = look.bold_metrics if bold else look.metrics
            text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            width = room
        x = rect.x() + (rect.width() - look.pad - width if right else look.pad)
        painter.drawText(x, rect.y() + look.baseline, text)

    def _pill(self, painter: QPainter, rect: QRect, row: Any, column: Column[Any]) -> None:
        look = self.look
        code = column.value(row)
        if code is None:
            self._muted(painter, rect, row, column)
            return
        text = column.text(row, self._model.translate)
        ground, ink = look.pills[str(code)]
        metrics = look.small_metrics
        height = round(look.em * 1.12)
        width = metrics.horizontalAdvance(text) + round(look.em * 0.9)
        top = rect.y() + (rect.height() - 1 - height) / 2
        painter.setRenderHint(_AA, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(rect.x() + look.pad, top, width, height), height / 2, height / 2)
        painter.setRenderHint(_AA, on=False)
        painter.setPen(ink)
        painter.setFont(look.small)
        y = rect.y() + (rect.height() - 1 + metrics.ascent() - metrics.descent()) // 2
        painter.drawText(rect.x() + look.pad + round(look.em * 0.45), y, text)

    def _bar(self, painter: QPainter, rect: QRect, row: Any, column: Column[Any]) -> None:
        look = self.look
        edge = self.edges.get(column.key, rect.width() // 2)
        painter.setPen(look.text)
        painter.setFont(look.font)
        text = column.text(row, self._model.translate)
        painter.drawText(rect.x() + edge - look.width(text), rect.y() + look.baseline, text)
        value = column.value(row)
        if value is None:
            return
        left, room = rect.x() + edge + look.pad, min(rect.width() - edge - 2 * look.pad, 7 * look.em)
        if room < look.em:
            return
        height = max(4.0, round(look.em * 0.38))
        top = rect.y() + (rect.height() - 1 - height) / 2
        filled = min(1.0, float(value) / self.scale) * room
        painter.setRenderHint(_AA, on=True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(look.track)
        painter.drawRoundedRect(QRectF(left, top, room, height), height / 2, height / 2)
        if filled > 0:
            painter.setBrush(look.bars.get(column.key, look.accent))
            painter.drawRoundedRect(QRectF(left, top, max(filled, 2.0), height), height / 2, height / 2)
        painter.setRenderHint(_AA, on=False)

    def _box(self, rect: QRect) -> QRectF:
        size = round(self.look.em * 0.85)
        return QRectF(rect.x() + self.look.pad + 0.5, rect.y() + (rect.height() - 1 - size) // 2 + 0.5, size, size)

    def _check(self, painter: QPainter, rect: QRect, row: Any, column: Column[Any]) -> None:
        box, on = self._box(rect), bool(column.value(row))
        look = self.look
        if not on and not column.can_edit(row):
            return
        painter.setRenderHint(_AA, on=True)
        painter.setPen(look.accent if on else look.muted)
        painter.setBrush(look.accent if on else look.panel)
        painter.drawRoundedRect(box, 2.5, 2.5)
        if on:
            painter.setPen(look.on_accent)
            w = box.width()
            tick = [(0.22, 0.52), (0.42, 0.72), (0.78, 0.3)]
            painter.drawPolyline([box.topLeft() + QPointF(w * x, w * y) for x, y in tick])
        painter.setRenderHint(_AA, on=False)

    def _mark(self, painter: QPainter, rect: QRect, row: Any, column: Column[Any]) -> None:
        box, on, look = self._box(rect), bool(column.value(row)), self.look
        painter.setRenderHint(_AA, on=True)
        painter.setPen(look.accent if on else look.muted)
        painter.setBrush(look.panel)
        painter.drawEllipse(box)
        if on:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(look.accent)
            inset = box.width() * 0.26
            painter.drawEllipse(box.adjusted(inset, inset, -inset, -inset))
        painter.setRenderHint(_AA, on=False)

    def _sentence(self, painter: QPainter, rect: QRect, text: str, index: Index) -> None:
        """One sentence over all cells without figures: each cell draws its part, so partial updates stay right."""
        painter.save()
        painter.setClipRect(rect)
        painter.setPen(self.look.warning)
        painter.setFont(self.look.font)
        painter.drawText(self.fault_place(index) + self.look.pad, rect.y() + self.look.baseline, text)
        painter.restore()

    def _corner(self, painter: QPainter, rect: QRect) -> None:
        """A small corner marks what the user set against the model."""
        size = self.look.em // 3
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.look.accent)
        corner = rect.topLeft()
        painter.drawPolygon(QPolygon([corner, corner + QPoint(size, 0), corner + QPoint(0, size)]))

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
        editor.setFont(self.look.font)
        editor.setAccessibleName(column.title(self._model.translate))
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
        wanted = max(rect.width(), min(editor.sizeHint().width(), 16 * self.look.em))
        editor.setGeometry(QRect(rect.x(), rect.y(), wanted, rect.height() - 1))

    def eventFilter(self, editor: QObject, event: QEvent) -> bool:
        if holds(editor, event):
            return event.type() != QEvent.Type.FocusOut
        return super().eventFilter(editor, event)


def _toggles(event: QEvent) -> bool:
    if isinstance(event, QMouseEvent):
        return event.type() == QEvent.Type.MouseButtonRelease and event.button() == Qt.MouseButton.LeftButton
    return isinstance(event, QKeyEvent) and event.key() in {Qt.Key.Key_Space, Qt.Key.Key_Select}
