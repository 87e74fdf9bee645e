"""The number of an entry's devices is edited where it stands, and the swatch tells its roofs."""

from itertools import pairwise

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from explorer.presentation.palette import DASHES
from explorer.ui.hardware.picker import HardwarePicker
from explorer.ui.session import Session
from tests.ui.hardware.test_picker import H100, click, entries, row

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_the_number_of_devices_is_typed_in_its_row_and_kept_in_bounds(
    qtbot: QtBot, picker: HardwarePicker, session: Session
) -> None:
    click(qtbot, picker, f"entry:{H100}", "row")
    picker.list.setFocus()
    qtbot.keyClick(picker.list, Qt.Key.Key_8)
    editor = picker.list.count_editor
    assert editor is not None
    assert editor.accessibleName() == "Number of H100 SXM5 80GB"
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert entries(session)[H100].count == 8
    assert row(picker, f"entry:{H100}").count == "×8"
    picker.commands.set_count(row(picker, f"entry:{H100}"), 5000)
    assert entries(session)[H100].count == 1024
    session.store.undo_stack.undo()
    session.store.undo_stack.undo()
    assert entries(session)[H100].count == 1


def test_plus_and_minus_count_devices_and_escape_gives_an_edit_up(
    qtbot: QtBot, picker: HardwarePicker, session: Session
) -> None:
    click(qtbot, picker, f"entry:{H100}", "row")
    picker.list.setFocus()
    for _ in range(3):
        qtbot.keyClicks(picker.list, "+")
    qtbot.keyClicks(picker.list, "-")
    assert entries(session)[H100].count == 3
    qtbot.keyClick(picker.list, Qt.Key.Key_F2)
    editor = picker.list.count_editor
    assert editor is not None
    editor.setValue(700)
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    assert entries(session)[H100].count == 3


def test_a_click_on_the_number_edits_it_and_leaving_takes_it(
    qtbot: QtBot, picker: HardwarePicker, session: Session
) -> None:
    picker.show()
    found = row(picker, f"entry:{H100}")
    rect = QRectF(picker.list.visualRect(picker.model.index_of(found.key)))
    place = picker.list.painter_of_rows.count_rect(found, rect)
    assert rect.contains(place)
    qtbot.mouseClick(picker.list.viewport(), Qt.MouseButton.LeftButton, pos=place.center().toPoint())
    editor = picker.list.count_editor
    assert editor is not None
    editor.setValue(16)
    picker.search.setFocus()
    qtbot.waitUntil(lambda: entries(session)[H100].count == 16)


def test_the_swatch_shows_the_dash_of_the_charts_roofs_whole(picker: HardwarePicker, session: Session) -> None:
    """Each dash of the palette leaves as many gaps under the swatch as its first period and a half have."""
    delegate = picker.list.painter_of_rows
    for index, dash in enumerate(DASHES):
        picture = QImage(60, 60, QImage.Format.Format_ARGB32)
        picture.fill(QColor("white"))
        painter = QPainter(picture)
        delegate._paint_dash(painter, QRectF(8, 8, 16, 16), index, QColor("black"))
        painter.end()
        y = max(range(60), key=lambda y: sum(picture.pixelColor(x, y).value() < 128 for x in range(60)))
        inked = [picture.pixelColor(x, y).value() < 200 for x in range(8, 24)]
        gaps = sum(1 for a, b in pairwise(inked) if a and not b)
        assert gaps >= len(dash) // 2, (index, dash, inked)
        assert all(inked) == (not dash)


@pytest.mark.parametrize("part", ["box", "eye", "count"])
def test_each_sign_of_a_row_is_reached_by_a_hand_that_is_not_exact(picker: HardwarePicker, part: str) -> None:
    found = row(picker, f"entry:{H100}")
    rect = QRectF(picker.list.visualRect(picker.model.index_of(found.key)))
    part_at = picker.list.painter_of_rows.part_at
    hits = [
        (x, y)
        for x in range(int(rect.left()), int(rect.right()) + 1)
        for y in range(int(rect.top()), int(rect.bottom()) + 1)
        if part_at(found, rect, QPointF(x, y)) == part
    ]
    wide = max(x for x, _ in hits) - min(x for x, _ in hits) + 1
    high = max(y for _, y in hits) - min(y for _, y in hits) + 1
    assert wide >= 23
    assert high >= 20
