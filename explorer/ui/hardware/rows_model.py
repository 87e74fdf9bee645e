"""The picker's list model: immutable rows, taken in whole, announced narrowly."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from explorer.presentation.hardware.picker_rows import HardwareRow
from explorer.ui.widgets.plain_text import tip

Index = QModelIndex | QPersistentModelIndex
ROW_ROLE = Qt.ItemDataRole.UserRole


class HardwareModel(QAbstractListModel):
    """Rows of the picker, sections included."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[HardwareRow, ...] = ()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        row = self.rows[index.row()]
        if row.kind == "section":
            return Qt.ItemFlag.ItemIsEnabled
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        return flags | Qt.ItemFlag.ItemIsUserCheckable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.CheckStateRole and row.kind != "section":
            on = row.visible if row.kind == "entry" else row.chosen
            return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        texts: dict[int, object] = {
            ROW_ROLE: row,
            Qt.ItemDataRole.DisplayRole: row.name,
            Qt.ItemDataRole.ToolTipRole: tip(row.tip) or None,
            Qt.ItemDataRole.AccessibleTextRole: row.spoken,
        }
        return texts.get(role)

    def row_at(self, index: Index) -> HardwareRow | None:
        """The row of an index, None for no index."""
        return self.rows[index.row()] if index.isValid() and index.row() < len(self.rows) else None

    def index_of(self, key: str) -> QModelIndex:
        """The index of a row's key, invalid where it is not listed."""
        place = next((i for i, r in enumerate(self.rows) if r.key == key), -1)
        return self.index(place) if place >= 0 else QModelIndex()

    def set_rows(self, rows: Sequence[HardwareRow]) -> None:
        """Show new rows: rows that stay keep their indexes, only the differing stretch comes and goes."""
        new = tuple(rows)
        old_keys, new_keys = [r.key for r in self.rows], [r.key for r in new]
        if old_keys == new_keys:
            self._replace(new)
            return
        head = _common(old_keys, new_keys)
        tail = _common(old_keys[head:][::-1], new_keys[head:][::-1])
        last = len(self.rows) - tail
        if last > head:
            self.beginRemoveRows(QModelIndex(), head, last - 1)
            self.rows = self.rows[:head] + self.rows[last:]
            self.endRemoveRows()
        fresh = new[head : len(new) - tail]
        if fresh:
            self.beginInsertRows(QModelIndex(), head, head + len(fresh) - 1)
            self.rows = self.rows[:head] + fresh + self.rows[head:]
            self.endInsertRows()
        self._replace(new)

    def _replace(self, new: tuple[HardwareRow, ...]) -> None:
        changed = [i for i, (a, b) in enumerate(zip(self.rows, new, strict=True)) if a != b]
        self.rows = new
        for i in changed:
            index = self.index(i)
            self.dataChanged.emit(index, index)


def _common(first: Sequence[str], second: Sequence[str]) -> int:
    """How many items two sequences share from the start."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(first), len(second)))
