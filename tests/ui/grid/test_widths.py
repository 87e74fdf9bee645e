"""Columns of a table: near each other on a wide screen, and never too narrow for a figure."""

from typing import NamedTuple

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from explorer.presentation.palette import LIGHT
from explorer.presentation.tables.columns import Column, as_text, number, share
from explorer.presentation.words.messages import Message
from explorer.ui.grid.delegate import RowDelegate
from explorer.ui.grid.rows_model import RowsModel
from explorer.ui.grid.style import GridStyle
from explorer.ui.grid.table_view import TableView

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


class Line(NamedTuple):
    key: str
    figure: float


COLUMNS = (
    Column("name", Message("column.name"), lambda r: r.key, as_text, right=False, style="name"),
    *(Column(f"figure {i}", Message("column.flops"), lambda r: r.figure, number) for i in range(5)),
    Column("share", Message("column.share"), lambda _r: 0.5, share, style="bar"),
)


@pytest.fixture
def view(qtbot) -> TableView:
    model = RowsModel(lambda *_: False)
    delegate = RowDelegate(model, GridStyle(LIGHT, QApplication.font()), lambda *_: QWidget())
    made = TableView(model, delegate)
    model.setParent(made)
    delegate.setParent(made)
    qtbot.addWidget(made)
    model.set_columns(COLUMNS)
    model.set_rows([Line("a", 1.0), Line("b", 2.0)])
    made.resize(1264, 300)
    made.show()
    qtbot.waitExposed(made)
    made.widths.renew()
    return made


def test_columns_do_not_spread_apart_on_a_wide_screen(view: TableView) -> None:
    em = view.delegate.style.em
    view.resize(2560, 300)
    for i, column in enumerate(COLUMNS):
        natural = view.delegate.natural_width(column)
        most = 10 if column.style == "name" else 6 if column.style == "bar" else 2.5
        assert natural <= view.columnWidth(i) <= natural + most * em


def test_a_figure_that_comes_later_gets_its_room(view: TableView, qtbot) -> None:
    view.resize(100, 300)
    wide = view.delegate.style.width("123,456,789,012")
    assert view.columnWidth(1) < wide
    view.rows_model.set_rows([Line("a", 123456789012.0), Line("b", 2.0)])
    qtbot.waitUntil(lambda: view.columnWidth(1) >= wide + 2 * view.delegate.style.pad)


def test_looking_for_a_row_leaves_the_columns_as_wide_as_they_were(view: TableView) -> None:
    view.rows_model.set_rows([Line("a very long name that needs its room", 1e9), Line("b", 2.0)])
    view.widths.renew()
    before = [view.columnWidth(i) for i in range(len(COLUMNS))]
    view.rows_model.set_needle("b")
    view.widths.renew()
    assert [view.columnWidth(i) for i in range(len(COLUMNS))] == before
