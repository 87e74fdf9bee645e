"""The compare table scrolls under its names, and turns gestures into what is wanted of a row or figure."""

import pytest
from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.presentation.palette import LIGHT, Theme
from explorer.ui.compare.table.model import CellWords, ColumnWords, CompareModel, RowWords
from explorer.ui.compare.table.picture import TablePlaces
from explorer.ui.compare.table.view import CompareGrid

NAMES, WIDE, TALL, HEADER = 100, 80, 37, 40
COLOURS = ("#ff0000", "#00ff00", "#0000ff", "#808000", "#008080")


def places(columns: int, rows: int) -> TablePlaces:
    edges = (0.0, *(NAMES + i * WIDE for i in range(columns)))
    return TablePlaces(tuple(map(float, edges)), tuple(float(HEADER + i * TALL) for i in range(rows + 1)))


def painted(columns: int, rows: int):
    def paint(painter: QPainter, _rect: QRectF, _theme: Theme, _font: QFont) -> TablePlaces:
        found = places(columns, rows)
        for i, (left, right) in enumerate(zip(found.columns, found.columns[1:], strict=False)):
            painter.fillRect(QRectF(left, 0, right - left, found.rows[-1]), QColor(COLOURS[i]))
        return found

    def size(_font: QFont) -> QSize:
        return QSize(round(places(columns, rows).columns[-1]), round(places(columns, rows).rows[-1]))

    return paint, size


def words(rows: int) -> tuple[tuple[ColumnWords, ...], tuple[RowWords, ...]]:
    columns = (ColumnWords("", "Machine"), *(ColumnWords(f"f{i}", f"Figure {i}") for i in range(4)))
    return columns, tuple(
        RowWords(f"r{r}", r == 0, (CellWords(f"row {r}"), *(CellWords(f"{r}{c}", "2.00×", "why") for c in range(4))))
        for r in range(rows)
    )


@pytest.fixture
def table(qtbot: QtBot) -> CompareGrid:
    made = CompareGrid()
    qtbot.addWidget(made)
    made.resize(260, 300)
    made.picture.take(*painted(5, 3), LIGHT)
    made.words.show_words(*words(3))
    made.show()
    made.fit()
    QApplication.processEvents()
    return made


def colours(table: CompareGrid) -> list[str]:
    image = table.viewport().grab().toImage()
    return [image.pixelColor(x, 20).name() for x in (8, NAMES - 8, NAMES + 8)]


def test_names_stay_while_the_figures_scroll_and_figures_are_never_squeezed(table: CompareGrid) -> None:
    assert colours(table) == [COLOURS[0], COLOURS[0], COLOURS[1]]
    assert table.columnWidth(1) == WIDE
    table.horizontalScrollBar().setValue(WIDE)
    assert colours(table)[::2] == [COLOURS[0], COLOURS[2]]
    header = table.horizontalHeader().viewport().grab().toImage()
    assert [header.pixelColor(x, 5).name() for x in (8, NAMES + 8)] == [COLOURS[0], COLOURS[2]]


@pytest.mark.parametrize(("by", "shown"), [(0, [1]), (30, [2]), (WIDE, [2]), (2 * WIDE, [3])])
def test_columns_that_are_cut_are_not_shown_for_half_a_figure_is_another_one(
    table: CompareGrid, by: int, shown: list[int]
) -> None:
    table.resize(NAMES + WIDE + 60, 300)
    QApplication.processEvents()
    table.horizontalScrollBar().setValue(by)
    for part, y in ((table.viewport(), 20), (table.horizontalHeader().viewport(), 5)):
        image = part.grab().toImage()
        drawn = [image.pixelColor(x, y).name() for x in range(NAMES, image.width())]
        seen = [c for c in COLOURS if c in drawn]
        assert (part.width(), [COLOURS.index(c) for c in seen]) == (NAMES + WIDE + 60, shown)
        assert [drawn.count(c) for c in seen] == [WIDE]


def test_a_header_tells_its_figure_also_when_scrolled_and_the_names_none(qtbot: QtBot, table: CompareGrid) -> None:
    found: list[str] = []
    table.sort_wanted.connect(found.append)
    header = table.horizontalHeader().viewport()
    for x in (NAMES + 5, 5):
        qtbot.mouseClick(header, Qt.MouseButton.LeftButton, pos=QPoint(x, 10))
    table.horizontalScrollBar().setValue(2 * WIDE)
    qtbot.mouseClick(header, Qt.MouseButton.LeftButton, pos=QPoint(NAMES + 5, 10))
    assert found == ["f0", "f2"]


def test_a_click_wants_the_row_a_double_click_and_the_key_want_it_as_baseline(qtbot: QtBot, table: CompareGrid) -> None:
    rows: list[str] = []
    bases: list[str] = []
    table.row_wanted.connect(rows.append)
    table.baseline_wanted.connect(bases.append)
    second = QPoint(20, TALL + 10)
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=second)
    assert (rows, bases) == (["r1"], [])
    qtbot.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=second)
    assert bases == ["r1"]
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_B)
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert (rows[-1], bases[-1]) == ("r2", "r2")


def test_arrows_bring_a_figure_out_from_under_the_names(qtbot: QtBot, table: CompareGrid) -> None:
    table.setFocus()
    for _ in range(4):
        qtbot.keyClick(table, Qt.Key.Key_Right)
    assert table.currentIndex().column() == 4
    assert table.visualRect(table.currentIndex()).right() < table.viewport().width()
    for _ in range(3):
        qtbot.keyClick(table, Qt.Key.Key_Left)
    assert table.visualRect(table.currentIndex()).left() >= NAMES
    sorts: list[str] = []
    table.sort_wanted.connect(sorts.append)
    qtbot.keyClick(table, Qt.Key.Key_S)
    assert sorts == ["f0"]


def test_the_frozen_column_is_what_is_pointed_at(table: CompareGrid) -> None:
    table.horizontalScrollBar().setValue(WIDE)
    assert table.indexAt(QPoint(50, 5)).column() == 0
    assert table.indexAt(QPoint(NAMES + 5, 5)).column() == 2
    assert table.visualRect(table.words.index(1, 0)).left() == 0


def test_the_model_holds_to_its_promises_and_says_figure_and_ratio(qtbot: QtBot) -> None:
    model = CompareModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.show_words(*words(3))
    assert model.data(model.index(1, 1)) == "10, 2.00×"
    assert model.data(model.index(1, 1), Qt.ItemDataRole.ToolTipRole) == "why"
    columns, rows = words(3)
    with qtbot.waitSignal(model.dataChanged):
        model.show_words(columns, (rows[0], rows[1], RowWords("r2", baseline=False, cells=rows[0].cells)))
    with qtbot.waitSignal(model.modelReset):
        model.show_words(*words(2))
    with qtbot.assertNotEmitted(model.dataChanged):
        model.show_words(*words(2))
    assert model.headerData(1, Qt.Orientation.Horizontal) == "Figure 0"


def test_a_stale_table_is_shaded(table: CompareGrid) -> None:
    table.set_stale(stale=True)
    assert colours(table)[0] != COLOURS[0]
    table.set_stale(stale=False)
    assert colours(table)[0] == COLOURS[0]
