"""The list behind “Add”: small, searched while typing, chosen with the keyboard."""

import pytest
from PySide6.QtCore import QPoint, Qt

from explorer.ui.session import Session
from explorer.ui.tables.operators_table import OperatorsTable

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


@pytest.fixture
def opened(table: OperatorsTable, qtbot) -> OperatorsTable:
    table.kinds_menu.popup(table.mapToGlobal(QPoint(0, 0)))
    qtbot.waitUntil(table.kinds_menu.isVisible)
    return table


def current(table: OperatorsTable) -> str:
    return str(table.kinds.list.currentItem().data(Qt.ItemDataRole.UserRole))


def test_it_covers_a_small_part_of_the_screen(opened: OperatorsTable) -> None:
    assert opened.kinds_menu.width() <= 430
    assert opened.kinds_menu.height() <= 480
    assert opened.kinds.list.sizeHintForRow(1) >= 24


def test_typing_searches_and_enter_adds_the_kind_at_hand(opened: OperatorsTable, session: Session, qtbot) -> None:
    qtbot.keyClicks(opened.kinds.search, "rms")
    assert current(opened) == "rms_norm"
    qtbot.keyClick(opened.kinds.search, Qt.Key.Key_Return)
    assert session.store.study.operators[-1].kind == "rms_norm"
    assert not opened.kinds_menu.isVisible()


def test_arrows_go_from_kind_to_kind_over_the_subjects(opened: OperatorsTable, qtbot) -> None:
    qtbot.keyClicks(opened.kinds.search, "norm")
    seen = [current(opened)]
    for _ in range(3):
        qtbot.keyClick(opened.kinds.search, Qt.Key.Key_Down)
        seen.append(current(opened))
    assert seen[:2] == ["layer_norm", "rms_norm"]
    assert None not in seen
    for _ in range(9):
        qtbot.keyClick(opened.kinds.search, Qt.Key.Key_Up)
    assert current(opened) == "layer_norm"


def test_a_click_adds_and_a_subject_is_not_to_be_chosen(opened: OperatorsTable, session: Session, qtbot) -> None:
    before = session.store.study.operators
    kinds = opened.kinds.list
    qtbot.mouseClick(kinds.viewport(), Qt.MouseButton.LeftButton, pos=kinds.visualItemRect(kinds.item(0)).center())
    assert session.store.study.operators == before
    qtbot.mouseClick(kinds.viewport(), Qt.MouseButton.LeftButton, pos=kinds.visualItemRect(kinds.item(1)).center())
    assert session.store.study.operators[-1].kind == "matmul"


def test_escape_closes_it_and_it_begins_anew(opened: OperatorsTable, qtbot) -> None:
    qtbot.keyClicks(opened.kinds.search, "zzz")
    assert opened.kinds.list.currentItem() is None
    assert "zzz" in opened.kinds.list.item(0).text()
    qtbot.keyClick(opened.kinds.search, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not opened.kinds_menu.isVisible())
    opened.kinds_menu.popup(opened.mapToGlobal(QPoint(0, 0)))
    assert opened.kinds.search.text() == ""
    assert current(opened) == "matmul"
    opened.kinds_menu.close()


def test_field_and_list_have_names_for_those_who_do_not_see_them(opened: OperatorsTable) -> None:
    assert opened.kinds.search.accessibleName()
    assert opened.kinds.list.accessibleName()
    opened.kinds_menu.close()
