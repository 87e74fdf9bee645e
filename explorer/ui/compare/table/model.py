"""The compare table as a model: texts for screen readers, tooltips and copies; the picture draws them."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from explorer.ui.widgets.plain_text import tip

Index: TypeAlias = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class CellWords(NamedTuple):
    """What a cell says: its figure, the small one below, and why, or how it was reckoned."""

    text: str
    small: str = ""
    tip: str = ""

    @property
    def whole(self) -> str:
        """Both figures in one line."""
        return f"{self.text}, {self.small}" if self.small else self.text


class RowWords(NamedTuple):
    """One row: its key, whether it is the baseline, its cells with the name first."""

    key: str
    baseline: bool
    cells: tuple[CellWords, ...]


class ColumnWords(NamedTuple):
    """One column: the figure that orders by it, "" for the names; its whole title; what its header says."""

    key: str
    title: str
    tip: str = ""


class CompareModel(QAbstractTableModel):
    """Rows and columns as they are shown; what only says something else is announced, not built anew."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[ColumnWords, ...] = ()
        self.rows: tuple[RowWords, ...] = ()

    def show_words(self, columns: Sequence[ColumnWords], rows: Sequence[RowWords]) -> None:
        """Show a table in place of the old one."""
        same = [c.key for c in columns] == [c.key for c in self.columns]
        if not same or [r.key for r in rows] != [r.key for r in self.rows]:
            self.beginResetModel()
            self.columns, self.rows = tuple(columns), tuple(rows)
            self.endResetModel()
            return
        retitled, old = tuple(columns) != self.columns, self.rows
        self.columns, self.rows = tuple(columns), tuple(rows)
        if self.columns and retitled:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)
        if self.rows and self.columns and old != self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(self.columns) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - an invalid index is immutable
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - an invalid index is immutable
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Role.TextAlignmentRole:
            return _RIGHT if index.column() else _LEFT
        cell = self.rows[index.row()].cells[index.column()]
        if role == Role.ToolTipRole:
            return tip(cell.tip) or None
        return cell.whole if role in {Role.DisplayRole, Role.AccessibleTextRole} else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        names = self.columns if orientation == Qt.Orientation.Horizontal else ()
        if not 0 <= section < len(names):
            return None
        if role == Role.ToolTipRole:
            return tip(names[section].tip) or None
        return names[section].title if role in {Role.DisplayRole, Role.AccessibleTextRole} else None

    def position(self, key: str) -> int:
        """The row of a key, -1 where it is not shown."""
        return next((i for i, r in enumerate(self.rows) if r.key == key), -1)
