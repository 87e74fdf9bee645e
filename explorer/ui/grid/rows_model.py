"""A table model over immutable rows: sorts and filters itself, announces only what differs."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.tables.columns import Column, Value
from explorer.presentation.words.messages import render
from explorer.ui.grid.figures import shown_figure
from explorer.ui.grid.order import arranged, runs
from explorer.ui.widgets.plain_text import tip

Index: TypeAlias = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
Flag = Qt.ItemFlag
MIME = "application/x-roofline-rows"
_PLAIN = Flag.ItemIsEnabled | Flag.ItemIsSelectable | Flag.ItemNeverHasChildren
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Keyed(Protocol):
    """A row knows itself by its key over every change."""

    @property
    def key(self) -> str: ...


class RowsModel(QAbstractTableModel):
    """Rows in the order shown; `edit(row, column, value)` is asked to change one and says whether it did."""

    total_changed = Signal()
    cramped = Signal()  # a figure found no room in its column

    def __init__(self, edit: Callable[[Any, Column[Any], Any], bool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: tuple[Column[Any], ...] = ()
        self.rows: list[Any] = []
        self.look: Look = ENGLISH
        self.movable: Callable[[Any], bool] = lambda _row: False
        self.haystack: Callable[[Any], str] = lambda row: row.key
        self.dress: Callable[[Any], object] = lambda _row: None  # what the whole row's look depends on
        self.alike: Callable[[Any, Any], bool] = lambda _old, _new: False
        self.restless: frozenset[str] = frozenset()  # columns in which even `alike` rows may differ
        self.frozen = False  # the first column stays in sight while the others scroll sideways
        self._total: tuple[str, Any] | None = None
        self._edit = edit
        self._all: Sequence[Any] = ()
        self._sort: tuple[str, bool] | None = None
        self._needle = ""
        self._readers: dict[int, Callable[[Any, Column[Any]], Any]] = {
            int(Role.DisplayRole): lambda row, column: column.text(row, self.look),
            int(Role.EditRole): lambda row, column: column.value(row),
            int(Role.UserRole): lambda row, column: column.value(row),
            int(Role.ToolTipRole): self._tip,
            int(Role.TextAlignmentRole): lambda _row, column: _RIGHT if column.right else _LEFT,
            int(Role.CheckStateRole): _checked,
        }

    # what Qt asks

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - an invalid index is immutable
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - an invalid index is immutable
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        reader = self._readers.get(role)
        if reader is None or not index.isValid():
            return None
        return reader(self.rows[index.row()], self.columns[index.column()])

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if not index.isValid() or role not in {Role.EditRole, Role.CheckStateRole}:
            return False
        row, column = self.rows[index.row()], self.columns[index.column()]
        if role == Role.CheckStateRole:
            value = Qt.CheckState(value) == Qt.CheckState.Checked
        figure = shown_figure(row, column, self.look) if isinstance(value, str) else None
        taken = value if figure is None else figure.completed(value)
        return column.can_edit(row) and self._edit(row, column, taken)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        if role == Role.DisplayRole:
            return column.whole_title(self.look)
        if role == Role.TextAlignmentRole:
            return _RIGHT if column.right else _LEFT
        if role == Role.InitialSortOrderRole:
            return Qt.SortOrder.DescendingOrder if column.right else Qt.SortOrder.AscendingOrder
        return None

    def flags(self, index: Index) -> Flag:
        if not index.isValid():
            return Flag.ItemIsDropEnabled
        row, column = self.rows[index.row()], self.columns[index.column()]
        flags = _PLAIN
        if column.edit is not None and column.can_edit(row):
            flags |= Flag.ItemIsUserCheckable if column.edit == "check" else Flag.ItemIsEditable
        return flags | Flag.ItemIsDragEnabled if self.movable(row) else flags

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        data = QMimeData()
        keys = dict.fromkeys(self.rows[i.row()].key for i in indexes if i.isValid())
        data.setData(MIME, "\n".join(keys).encode())
        return data

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; -1 goes back to the order of execution."""
        inside = 0 <= column < len(self.columns)
        self._sort = (self.columns[column].key, order == Qt.SortOrder.DescendingOrder) if inside else None
        self._arrange()

    # what the panel says

    @property
    def sorted_by(self) -> str | None:
        """The key of the column that orders the rows."""
        return self._sort[0] if self._sort else None

    @property
    def total(self) -> tuple[str, Any] | None:
        """What the row of totals is called, and the evaluation that its columns read; None where there is none."""
        return self._total

    def set_total(self, total: tuple[str, Any] | None) -> None:
        """Show what the columns come to."""
        self._total = total
        self.total_changed.emit()

    @property
    def every_row(self) -> Sequence[Any]:
        """Also the rows that are not looked for."""
        return self._all

    @property
    def needle(self) -> str:
        """What is looked for."""
        return self._needle

    def set_needle(self, needle: str) -> None:
        """Show only the rows in which every word occurs."""
        if needle != self._needle:
            self._needle = needle
            self._arrange()

    def set_columns(self, columns: Sequence[Column[Any]]) -> None:
        """Show other columns; those that stay keep their place in view and header."""
        if not self.columns and columns:
            self.beginInsertColumns(QModelIndex(), 0, len(columns) - 1)
            self.columns = tuple(columns)
            self.endInsertColumns()
            return
        wanted = {c.key for c in columns}
        for i in reversed(range(len(self.columns))):
            if self.columns[i].key not in wanted:
                self.beginRemoveColumns(QModelIndex(), i, i)
                self.columns = (*self.columns[:i], *self.columns[i + 1 :])
                self.endRemoveColumns()
        for i, column in enumerate(columns):
            if i >= len(self.columns) or self.columns[i].key != column.key:
                self.beginInsertColumns(QModelIndex(), i, i)
                self.columns = (*self.columns[:i], column, *self.columns[i:])
                self.endInsertColumns()
        if any(a is not b for a, b in zip(self.columns, columns, strict=True)):
            self.columns = tuple(columns)
            self.relabel()

    def relabel(self) -> None:
        """Words or units of every cell changed."""
        if self.columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)
            self._announce(0, len(self.columns) - 1)

    def set_rows(self, rows: Sequence[Any]) -> None:
        """Show new rows in place of the old; where the same rows stay, only changed columns are announced."""
        self._all = rows
        shown = arranged(rows, self._sort_column(), self._needle, self.haystack)
        if [r.key for r in shown] == [r.key for r in self.rows]:
            old, self.rows = self.rows, shown
            self._announce_changes(old)
        else:
            self._restructure(shown)

    def position(self, key: str) -> int:
        """The row of a key, -1 where it is not shown."""
        return next((i for i, r in enumerate(self.rows) if r.key == key), -1)

    def column_position(self, key: str) -> int:
        """The column of a key, -1 where it is not shown."""
        return next((i for i, c in enumerate(self.columns) if c.key == key), -1)

    # how it is done

    def _sort_column(self) -> tuple[Column[Any], bool] | None:
        if self._sort is None:
            return None
        column = next((c for c in self.columns if c.key == self._sort[0]), None)
        return None if column is None else (column, self._sort[1])

    def _arrange(self) -> None:
        self.set_rows(self._all)

    def _announce_changes(self, old: Sequence[Any]) -> None:
        """Name runs of columns in which some cell says something else."""
        pairs = [(a, b) for a, b in zip(old, self.rows, strict=True) if a is not b]
        if not pairs:
            return
        changed = [(a, b) for a, b in pairs if not self.alike(a, b)]
        every = any(self.dress(a) != self.dress(b) for a, b in changed)
        for first, last in runs([every or self._differs(c, changed, pairs) for c in self.columns]):
            self._announce(first, last)

    def _differs(
        self, column: Column[Any], changed: Sequence[tuple[Any, Any]], pairs: Sequence[tuple[Any, Any]]
    ) -> bool:
        looked = pairs if column.key in self.restless else changed
        return any(column.differs(a, b) for a, b in looked)

    def _announce(self, first: int, last: int) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, first), self.index(len(self.rows) - 1, last))

    def _restructure(self, shown: list[Any]) -> None:
        """Take rows out, put the rest in order, bring new ones in: selection and editors of the rest survive."""
        wanted = {r.key for r in shown}
        for first, last in reversed(runs([r.key not in wanted for r in self.rows])):
            self.beginRemoveRows(QModelIndex(), first, last)
            del self.rows[first : last + 1]
            self.endRemoveRows()
        known = {r.key for r in self.rows}
        self._reorder([r for r in shown if r.key in known])
        for first, last in runs([r.key not in known for r in shown]):
            self.beginInsertRows(QModelIndex(), first, last)
            self.rows[first:first] = shown[first : last + 1]
            self.endInsertRows()

    def _reorder(self, rows: list[Any]) -> None:
        old = [r.key for r in self.rows]
        if old == [r.key for r in rows]:
            before, self.rows = self.rows, rows
            self._announce_changes(before)
            return
        self.layoutAboutToBeChanged.emit()
        place = {r.key: i for i, r in enumerate(rows)}
        kept = self.persistentIndexList()
        moved = [self.createIndex(place[old[i.row()]], i.column()) for i in kept]
        self.rows = rows
        self.changePersistentIndexList(kept, moved)
        self.layoutChanged.emit()

    def _tip(self, row: Any, column: Column[Any]) -> str | None:
        found = column.tip(row)
        return None if found is None else tip(render(found, self.look))


def _checked(row: Any, column: Column[Any]) -> Any:
    value: Value = column.value(row)
    if column.edit != "check":
        return None
    return Qt.CheckState.Checked if value else Qt.CheckState.Unchecked
