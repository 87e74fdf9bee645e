"""One selection for chart and table; sorting and filtering leave it alone."""

import pytest
from PySide6.QtCore import QPoint, Qt

from explorer.ui.session import Session
from explorer.ui.tables.operators_table import OperatorsTable
from tests.ui.tables.hands import cell, names, select

# the offscreen platform says so for any window with a least size
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


def test_a_row_selected_in_the_chart_is_selected_here_and_comes_into_view(
    table: OperatorsTable, session: Session
) -> None:
    table.resize(1264, 200)
    session.store.set_view(selection=("second",))
    assert table.view.selected_keys() == ["own:b"]
    place = table.view.visualRect(cell(table, "second", "name"))
    assert table.view.viewport().rect().contains(place.center())
    session.store.set_view(selection=())
    assert table.view.selected_keys() == []


def test_rows_selected_here_are_the_studys_selection(table: OperatorsTable, session: Session) -> None:
    changes: list[object] = []
    session.shown.connect(lambda *_a: changes.append(1))
    select(table, "q_proj")
    assert session.store.study.view.selection == ("q_proj",)
    assert len(changes) == 1, "the selection does not echo"
    assert session.store.undo_stack.count() == 0


def test_one_selection_after_another_reaches_the_study(table: OperatorsTable, session: Session) -> None:
    for name in ("q_proj", "first", "k_proj"):
        select(table, name)
        session.store.edit_workload("Batch", batch=session.store.study.workload.batch + 1)
        assert session.store.study.view.selection == (name,)


def test_sorting_keeps_the_selection_and_the_third_click_goes_back(table: OperatorsTable, session: Session) -> None:
    order = names(table)
    session.store.set_view(selection=("q_proj", "first"))
    column = table.model.column_position("time")
    times = lambda: [r.point.time_s for r in table.model.rows]  # noqa: E731
    table.view.sortByColumn(column, Qt.SortOrder.DescendingOrder)
    assert times() == sorted(times(), reverse=True)
    assert sorted(table.view.selected_keys()) == ["model:q_proj", "own:a"]
    table.view.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
    assert names(table) == order
    assert session.store.study.view.selection == ("q_proj", "first")


def test_clicks_on_a_header_sort_largest_first_then_back_then_not(qtbot, table: OperatorsTable) -> None:
    order = names(table)
    header = table.view.horizontalHeader()
    column = table.model.column_position("time")
    at = QPoint(header.sectionViewportPosition(column) + 20, header.height() // 2)
    seen = []
    for _ in range(3):
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
        seen.append([r.point.time_s for r in table.model.rows])
    assert seen[0] == sorted(seen[0], reverse=True)
    assert seen[1] == sorted(seen[1])
    assert names(table) == order


def test_filtering_keeps_the_studys_selection(table: OperatorsTable, session: Session) -> None:
    session.store.set_view(selection=("q_proj",))
    table.find_field.setText("norm")
    assert names(table)
    assert all("norm" in n or "norm" in r.kind for n, r in zip(names(table), table.model.rows, strict=True))
    assert session.store.study.view.selection == ("q_proj",)
    table.find_field.setText("")
    assert table.view.selected_keys() == ["model:q_proj"]


def test_find_puts_the_cursor_into_the_field(table: OperatorsTable) -> None:
    table.focus_find()
    assert table.window().focusWidget() is table.find_field


def test_renaming_keeps_the_row_selected(table: OperatorsTable, session: Session) -> None:
    select(table, "first")
    table.model.setData(cell(table, "first", "name"), "renamed")
    assert session.store.study.view.selection == ("renamed",)
    assert table.view.selected_keys() == ["own:a"]


def test_another_model_replaces_the_rows_and_keeps_the_users_selection(table: OperatorsTable, session: Session) -> None:
    select(table, "first")
    session.store.edit("No model", active_model="")
    assert names(table) == ["first", "second"]
    assert table.view.selected_keys() == ["own:a"]
