"""Hands on the Operators table: find a cell, select rows, look a row up."""

from PySide6.QtCore import QItemSelectionModel, QModelIndex

from explorer.analysis.study.study import OwnRow
from explorer.ui.session import Session
from explorer.ui.tables.operators_table import OperatorsTable

Select = QItemSelectionModel.SelectionFlag


def cell(table: OperatorsTable, name: str, key: str) -> QModelIndex:
    row = next(i for i, r in enumerate(table.model.rows) if r.name == name)
    if table.model.column_position(key) < 0:
        table.choose_column(key, show=True)
    return table.model.index(row, table.model.column_position(key))


def names(table: OperatorsTable) -> list[str]:
    return [r.name for r in table.model.rows]


def select(table: OperatorsTable, *wanted: str) -> None:
    selection = table.view.selectionModel()
    selection.clearSelection()
    for name in wanted:
        selection.setCurrentIndex(cell(table, name, "name"), Select.Select | Select.Rows)


def own(session: Session, name: str) -> OwnRow:
    return next(o for o in session.store.study.operators if o.name == name)
