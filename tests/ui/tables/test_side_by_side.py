"""The header of the Operators table: groups over their columns, what all comes to, the name that stays in sight."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QImage, QMouseEvent, QPainter
from PySide6.QtTest import QTest

from explorer.ui.session import Session
from explorer.ui.tables.operators_table import OperatorsTable
from tests.ui.tables.conftest import Kept

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def wide(table: OperatorsTable) -> OperatorsTable:
    """With the columns of each device, narrower than they need."""
    table.choose_column("device_times", show=True)
    table.resize(900, 400)
    return table


def scroll(table: OperatorsTable, by: int) -> None:
    table.view.horizontalScrollBar().setValue(by)


def grabbed(table: OperatorsTable) -> QImage:
    return table.view.grab().toImage()


def drawn(header: object, index: int) -> set[int]:
    """The colours of a section's picture."""
    size = header.sectionSize(index), header.height()  # type: ignore[attr-defined]
    image = QImage(*size, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.magenta)
    painter = QPainter(image)
    header.paintSection(painter, QRect(0, 0, *size), index)  # type: ignore[attr-defined]
    painter.end()
    return {image.pixel(x, y) for x in range(size[0]) for y in range(size[1])}


def test_the_header_has_a_line_for_what_all_comes_to_and_one_for_groups(table: OperatorsTable) -> None:
    line = table.delegate.style.row_height
    assert table.view.header.height() == 2 * line
    table.choose_column("device_times", show=True)
    assert table.view.header.height() == 3 * line
    table.usual_columns()
    assert table.view.header.height() == 2 * line


def test_a_group_stands_over_its_columns_and_no_others(wide: OperatorsTable) -> None:
    header, columns = wide.view.header, wide.model.columns
    second = [i for i, c in enumerate(columns) if c.group == "A100 SXM4 80GB"]
    assert len(second) == 3
    place = header.group_of(second[1])
    assert place == header.group_of(second[0])
    assert place.left() == header.sectionViewportPosition(second[0])
    assert place.width() == sum(header.sectionSize(i) for i in second)
    style = wide.delegate.style
    assert place.width() >= style.width("A100 SXM4 80GB", bold=True) + 2 * style.pad


def test_the_name_of_a_group_stays_in_sight_while_its_columns_scroll(wide: OperatorsTable) -> None:
    header, columns = wide.view.header, wide.model.columns
    second = [i for i, c in enumerate(columns) if c.group == "A100 SXM4 80GB"]
    wide.resize(420, 400)
    scroll(wide, header.sectionPosition(second[0]) - header.sectionSize(0) + 30)
    assert header.sectionViewportPosition(second[0]) < header.frozen_width()
    assert header.group_of(second[0]).left() == header.frozen_width()
    scroll(wide, header.sectionPosition(second[2]) + 5)
    right = header.sectionViewportPosition(second[2]) + header.sectionSize(second[2])
    assert header.group_of(second[0]).right() < right  # it goes with its last column


def test_what_all_comes_to_is_painted_under_the_titles(wide: OperatorsTable, session: Session) -> None:
    header = wide.view.header
    total = next(i for i, c in enumerate(wide.model.columns) if c.key.startswith("device_times@time@"))
    kinds = next(i for i, c in enumerate(wide.model.columns) if c.key == "kind")
    line = wide.delegate.style.row_height
    images = []
    for index in (total, kinds):
        image = QImage(header.sectionSize(index), header.height(), QImage.Format.Format_RGB32)
        painter = QPainter(image)
        header.paintSection(painter, QRect(0, 0, image.width(), image.height()), index)
        painter.end()
        band = image.copy(0, 2 * line + 2, image.width(), line - 6)
        images.append({band.pixel(x, y) for x in range(band.width()) for y in range(band.height())})
    assert len(images[0]) > 3  # the letters of a figure
    assert images[1] == {wide.delegate.style.raised.rgb()}
    name, evaluation = wide.model.total or ("", None)
    assert (name, evaluation) == ("operator by operator", session.state.evaluation)


def test_the_row_of_totals_goes_on_behind_the_last_column(table: OperatorsTable) -> None:
    table.choose_column("share", show=False)
    table.choose_column("flop_share", show=False)
    table.resize(2400, 300)
    header = table.view.header
    image = header.viewport().grab().toImage()
    at = QPoint(image.width() - 5, header.height() - table.delegate.style.row_height // 2)
    assert header.length() < image.width() - 10
    assert image.pixelColor(at) == table.delegate.style.raised


def test_without_rows_nothing_comes_to_anything(table: OperatorsTable, session: Session) -> None:
    session.store.edit("None", operators=(), active_model="")
    assert table.model.total is None
    assert table.view.header.height() == table.delegate.style.row_height


def test_the_names_stay_while_the_other_columns_scroll(wide: OperatorsTable) -> None:
    view = wide.view
    before = grabbed(wide)
    scroll(wide, 150)
    after = grabbed(wide)
    part = QRect(0, view.header.height(), view.columnWidth(0) - 2, 100)
    assert before.copy(part) == after.copy(part)
    beside = QRect(view.columnWidth(0) + 4, view.header.height(), 200, 100)
    assert before.copy(beside) != after.copy(beside)
    head = QRect(0, 0, view.columnWidth(0) - 2, view.header.height())
    assert before.copy(head) == after.copy(head)


def test_what_the_names_cover_is_not_half_shown(wide: OperatorsTable) -> None:
    header = wide.view.header
    assert not any(header.covers(i) for i in range(header.count()))
    scroll(wide, 40)
    covered = [i for i in range(header.count()) if header.covers(i)]
    assert covered == [1]
    empty = {wide.delegate.style.panel.rgb(), wide.delegate.style.raised.rgb(), wide.delegate.style.border.rgb()}
    assert drawn(header, 1) <= empty


def test_a_click_on_a_name_that_stays_is_one_on_its_row(wide: OperatorsTable, session: Session) -> None:
    scroll(wide, 150)
    view = wide.view
    at = QPoint(20, view.rowViewportPosition(2) + 5)
    index = view.indexAt(at)
    assert (index.row(), index.column()) == (2, 0)
    assert view.visualRect(index).left() == 0
    assert view.indexAt(QPoint(view.columnWidth(0) + 40, at.y())).column() > 0
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert session.store.study.view.selection == (wide.model.rows[2].name,)


def test_a_click_on_the_header_that_stays_sorts_by_the_names(wide: OperatorsTable) -> None:
    scroll(wide, 150)
    header = wide.view.header
    for kind, buttons in (
        (QEvent.Type.MouseButtonPress, Qt.MouseButton.LeftButton),
        (QEvent.Type.MouseButtonRelease, Qt.MouseButton.NoButton),
    ):
        at = QPointF(20, header.height() / 2)
        event = QMouseEvent(
            kind, at, header.viewport().mapToGlobal(at), Qt.MouseButton.LeftButton, buttons,
            Qt.KeyboardModifier.NoModifier,
        )  # fmt: skip
        (header.mousePressEvent if kind == QEvent.Type.MouseButtonPress else header.mouseReleaseEvent)(event)
    assert wide.model.sorted_by == "name"


def test_the_keyboard_never_leads_under_the_names(wide: OperatorsTable) -> None:
    scroll(wide, 400)
    view = wide.view
    column = next(i for i in range(1, view.header.count()) if view.header.covers(i))
    view.scrollTo(wide.model.index(0, column))
    assert view.columnViewportPosition(column) >= view.header.frozen_width()
    before = view.horizontalScrollBar().value()
    view.scrollTo(wide.model.index(3, 0))
    assert view.horizontalScrollBar().value() == before


def test_a_table_narrower_than_its_names_does_not_keep_them(wide: OperatorsTable) -> None:
    scroll(wide, 30)
    assert wide.view.header.frozen_width() == wide.view.columnWidth(0)
    wide.view.setColumnWidth(0, 600)
    assert wide.view.header.frozen_width() == 0


def test_beside_a_comparison_the_devices_stand_side_by_side(
    table: OperatorsTable,
    session: Session,
    kept: Kept,
) -> None:
    usual = [c.key for c in table.model.columns]
    session.store.set_view(tab="compare")
    groups = list(dict.fromkeys(c.group for c in table.model.columns if c.group))
    assert groups == ["H100 SXM5", "A100 SXM4 80GB", "MI300X"]
    assert [c.key for c in table.model.columns if not c.group] == ["name", "kind", "intensity", "share"]
    session.store.set_view(tab="roofline")
    assert [c.key for c in table.model.columns] == usual
    table.choose_column("dims", show=True)
    session.store.set_view(tab="compare")
    assert [c.key for c in table.model.columns if not c.group] == [*usual[:3], "dims", *usual[3:]]
    assert kept.texts["columns/operators"]
