"""A table to read: rows and columns as they are, for lists of any length."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from explorer.presentation.look import Look
from explorer.presentation.tables.columns import Column
from explorer.ui.widgets.plain_text import guard_copies, tip

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_GAP = "\u2002\u2002"  # between a figure and the words right of it
_WIDEST = 26  # heights of the font


class PlainRows(QAbstractTableModel):
    """Rows that only grow."""

    def __init__(self, columns: Sequence[Column[Any]], look: Look, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns = tuple(columns)
        self.rows: list[Any] = []
        self._look = look

    def add(self, rows: Sequence[Any]) -> None:
        """Put rows at the end."""
        if rows:
            self.beginInsertRows(QModelIndex(), len(self.rows), len(self.rows) + len(rows) - 1)
            self.rows += rows
            self.endInsertRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - an invalid index is immutable
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - an invalid index is immutable
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            text = column.text(self.rows[index.row()], self._look)
            if role == Qt.ItemDataRole.ToolTipRole:
                return tip(text)
            return text + _GAP if column.right else text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if column.right else _LEFT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title(self._look) + (_GAP if self.columns[section].right else "")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if self.columns[section].right else _LEFT
        return None


class PlainTable(QTableView):
    """Shows plain rows; columns are as wide as their first rows need."""

    def __init__(self, model: PlainRows, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setModel(model)
        guard_copies(self)
        self.setAccessibleName(name)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(round(1.6 * self.fontMetrics().height()))
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setResizeContentsPrecision(60)
        header.setStretchLastSection(not (model.columns and model.columns[-1].right))
        self.fit_columns()

    def fit_columns(self) -> None:
        """Widths for what the first rows say."""
        em = self.fontMetrics().height()
        header: QHeaderView = self.horizontalHeader()
        for i in range(self.model().columnCount()):
            self.resizeColumnToContents(i)
            header.resizeSection(i, min(header.sectionSize(i) + em, _WIDEST * em))
