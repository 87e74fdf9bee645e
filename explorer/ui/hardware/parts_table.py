"""A small table of text cells for the parts of a device: peaks, memory levels, links, sources."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QAbstractItemModel, QLocale, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.presentation.hardware.device_form import Part, bare_ending, rate_unit
from explorer.presentation.look import Look
from explorer.presentation.quantities.bare import completed, ending_of, figure_in, stored_text
from explorer.presentation.quantities.quantity import Unit
from explorer.presentation.words.visible import one_line, shortened
from explorer.ui.grid.ghost_line import GhostLine
from explorer.ui.look.text import tr
from explorer.ui.widgets.chip import LEAST
from explorer.ui.widgets.plain_text import MOST_OF_A_LINE, guard_copies

Index = QModelIndex | QPersistentModelIndex
_ROW = 1.5  # text heights; widths are in these too
_NARROWEST, _WIDEST, _WHOLE = 4, 9, 20
_ENDING = Qt.ItemDataRole.UserRole  # the unit that a cell showed last


class CellColumn(NamedTuple):
    """One column: the field it fills, its header, a new line's text, and the words to choose from.

    Figures have a `unit`; a cell that never showed one takes that of the field `like`.
    """

    field: str
    header: str
    fresh: str = ""
    choices: Callable[[], Sequence[str]] | None = None
    stretch: bool = False
    unit: Unit | None = None
    like: str = ""


class PartsTable(QWidget):
    """Lines that can be added, removed, ordered and typed into."""

    edited = Signal()

    def __init__(
        self, name: str, columns: Sequence[CellColumn], parts: Sequence[Part], look: Look, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.look = look
        self.columns = tuple(columns)
        self._originals: list[object] = []
        self.table = QTableWidget(0, len(self.columns), self)
        guard_copies(self.table)
        self.table.setAccessibleName(name)
        self.table.setHorizontalHeaderLabels([c.header for c in self.columns])
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        self.table.setItemDelegate(_ChoiceDelegate(self))
        for part in parts:
            self._append(part.cells, part.original)
        self._size_columns()
        self.table.itemChanged.connect(self._changed)
        self.table.currentCellChanged.connect(lambda *_: self._update_buttons())
        box = QVBoxLayout(self)
        box.setContentsMargins(6, 6, 6, 6)
        box.addWidget(self.table, 1)
        box.addLayout(self._buttons())
        self._update_buttons()

    def _size_columns(self) -> None:
        """Figures are whole from the start; words of sources may be longer than their column."""
        header, high = self.table.horizontalHeader(), self.fontMetrics().height()
        self.table.verticalHeader().setDefaultSectionSize(max(LEAST, round(_ROW * high)))
        self.table.resizeColumnsToContents()
        for i, column in enumerate(self.columns):
            if column.stretch:
                header.setSectionResizeMode(i, QHeaderView.ResizeMode.Stretch)
            else:
                most = _WIDEST * high if column.unit is None else _WHOLE * high
                self.table.setColumnWidth(i, min(most, max(self.table.columnWidth(i) + high // 2, _NARROWEST * high)))

    def _buttons(self) -> QHBoxLayout:
        self.add_button = QPushButton(tr("Add"), self)
        self.remove_button = QPushButton(tr("Remove"), self)
        self.up_button = QPushButton(tr("Up"), self)
        self.down_button = QPushButton(tr("Down"), self)
        self.add_button.clicked.connect(self.add)
        self.remove_button.clicked.connect(self.remove)
        self.up_button.clicked.connect(lambda: self.move_line(-1))
        self.down_button.clicked.connect(lambda: self.move_line(1))
        row = QHBoxLayout()
        for button in (self.add_button, self.remove_button, self.up_button, self.down_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        row.addStretch(1)
        return row

    def parts(self) -> list[Part]:
        """The lines as they stand, each with the part it was before."""
        return [Part(self._cells(i), self._originals[i]) for i in range(self.table.rowCount())]

    def add(self) -> None:
        """A new line at the end, ready to be typed into."""
        self._append({c.field: c.fresh for c in self.columns}, None)
        self.table.setCurrentCell(self.table.rowCount() - 1, 0)
        self.edited.emit()

    def remove(self) -> None:
        """Take the current line out."""
        line = self.table.currentRow()
        if line >= 0:
            self.table.removeRow(line)
            del self._originals[line]
            self._update_buttons()
            self.edited.emit()

    def move_line(self, by: int) -> None:
        """Move the current line up (negative) or down."""
        line, column = self.table.currentRow(), self.table.currentColumn()
        target = line + by
        if line < 0 or not 0 <= target < self.table.rowCount():
            return
        lines = self.parts()
        lines[line], lines[target] = lines[target], lines[line]
        endings = {i: self._endings(j) for i, j in ((line, target), (target, line))}
        blocked = self.table.blockSignals(True)  # noqa: FBT003 - Qt's own signature
        for i in (line, target):
            self._originals[i] = lines[i].original
            self._fill(i, lines[i].cells, endings[i])
        self.table.blockSignals(blocked)
        self.table.setCurrentCell(target, column)
        self._update_buttons()
        self.edited.emit()

    def _append(self, cells: dict[str, str], original: object) -> None:
        line = self.table.rowCount()
        self._originals.append(original)
        blocked = self.table.blockSignals(True)  # noqa: FBT003 - Qt's own signature
        self.table.insertRow(line)
        self._fill(line, cells)
        self.table.blockSignals(blocked)

    def _fill(self, line: int, cells: dict[str, str], endings: dict[int, str] | None = None) -> None:
        for j, column in enumerate(self.columns):
            item = QTableWidgetItem(cells[column.field])
            shown = "" if column.unit is None else ending_of(item.text(), column.unit)
            item.setData(_ENDING, shown or (endings or {}).get(j, ""))
            self.table.setItem(line, j, item)

    def _endings(self, line: int) -> dict[int, str]:
        items = ((j, self.table.item(line, j)) for j in range(len(self.columns)))
        return {j: item.data(_ENDING) or "" for j, item in items if item is not None}

    # figures: a bare number keeps the unit that its cell showed

    def unit_at(self, line: int, column: int) -> Unit | None:
        """The unit of a cell's figure, None where it holds none."""
        unit = self.columns[column].unit
        return rate_unit(self._cells(line).get("format", "")) if unit == "FLOP/s" else unit

    def ending_at(self, line: int, column: int) -> str:
        """What a bare number in a cell of figures is in."""
        item, unit, about = self.table.item(line, column), self.unit_at(line, column), self.columns[column]
        if unit is None:
            return ""
        shown = "" if item is None else item.data(_ENDING) or ""
        beside = ending_of(self._cells(line).get(about.like, ""), unit)
        return shown or beside or bare_ending(about.field, "", unit)

    def _changed(self, item: QTableWidgetItem) -> None:
        unit = self.unit_at(item.row(), item.column())
        if unit is not None:
            full = completed(item.text(), self.ending_at(item.row(), item.column()))
            blocked = self.table.blockSignals(True)  # noqa: FBT003 - Qt's own signature
            if full != item.text():
                item.setText(full)
            item.setData(_ENDING, ending_of(full, unit) or item.data(_ENDING))
            self.table.blockSignals(blocked)
        self.edited.emit()

    def _cells(self, line: int) -> dict[str, str]:
        items = [self.table.item(line, j) for j in range(len(self.columns))]
        return {c.field: "" if i is None else i.text() for c, i in zip(self.columns, items, strict=True)}

    def _update_buttons(self) -> None:
        line, count = self.table.currentRow(), self.table.rowCount()
        self.remove_button.setEnabled(line >= 0)
        self.up_button.setEnabled(line > 0)
        self.down_button.setEnabled(0 <= line < count - 1)


class _ChoiceDelegate(QStyledItemDelegate):
    """A list to choose from where a column has one; free text elsewhere."""

    def __init__(self, owner: PartsTable) -> None:
        super().__init__(owner)
        self._owner = owner

    def displayText(self, value: object, _locale: QLocale | QLocale.Language) -> str:
        return one_line(shortened(str(value), MOST_OF_A_LINE))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        column = self._owner.columns[index.column()]
        if column.choices is None:
            return self._line(parent, index)
        box = QComboBox(parent)
        box.setAccessibleName(column.header)
        box.addItems(list(column.choices()))
        return box

    def _line(self, parent: QWidget, index: Index) -> QWidget:
        line = GhostLine("", parent)
        line.setFrame(False)
        line.setAccessibleName(self._owner.columns[index.column()].header)
        unit = self._owner.unit_at(index.row(), index.column())
        if unit is not None:
            ending = self._owner.ending_at(index.row(), index.column())
            before = figure_in(str(index.data() or ""), unit)
            line.setPlaceholderText(ending)
            line.textEdited.connect(
                lambda text: line.set_ghost(stored_text(text, unit, ending, before, self._owner.look))
            )
        return line

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        super().updateEditorGeometry(editor, option, index)
        if isinstance(editor, GhostLine) and self._owner.unit_at(index.row(), index.column()):
            room = 16 * editor.fontMetrics().horizontalAdvance("M")  # for what will be stored
            editor.resize(max(editor.width(), room), editor.height())

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, GhostLine):
            editor.setText(str(index.data(Qt.ItemDataRole.EditRole) or ""))
        elif isinstance(editor, QComboBox):
            editor.setCurrentText(str(index.data(Qt.ItemDataRole.EditRole)))
        else:
            super().setEditorData(editor, index)

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentText(), Qt.ItemDataRole.EditRole)
        elif isinstance(editor, GhostLine):
            model.setData(index, editor.text(), Qt.ItemDataRole.EditRole)
        else:
            super().setModelData(editor, model, index)
