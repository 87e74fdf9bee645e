"""Verdicts that flip stand in one line: chips that find no room are counted, and none is cut where there is room."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.presentation.compare.flip_chips import FlipLine, FlipWords
from explorer.presentation.palette import LIGHT
from explorer.ui.compare.verdict_strip import VerdictStrip

ONE = FlipWords("q, o", "compute", "compute", "A100, H200", "q_proj, o_proj\ncompute: A100, H200", ("q_proj", "o_proj"))
LINE = FlipLine("Verdicts that flip, 6 of 17", (ONE,) * 3, "else memory")


def strip(qtbot: QtBot, width: int, line: FlipLine = LINE) -> VerdictStrip:
    made = VerdictStrip()
    qtbot.addWidget(made)
    made.resize(width, 30)
    made.show()
    made.show_line(line, LIGHT)
    return made


def test_all_chips_and_what_the_rest_waits_for_where_there_is_room(qtbot: QtBot) -> None:
    made = strip(qtbot, 1400)
    assert [chip.isVisible() for chip in made.chips] == [True] * 3 + [False] * 2
    assert made.rest.text() == "else memory"
    assert all(chip.width() >= chip.sizeHint().width() for chip in made.chips if chip.isVisible())


def test_chips_without_room_are_counted_and_named_in_the_tip(qtbot: QtBot) -> None:
    made = strip(qtbot, 520)
    seen = [chip for chip in made.chips if chip.isVisible()]
    assert 1 <= len(seen) < 3
    assert made.rest.text() == f"+ {3 - len(seen)} more"
    assert "q, o: compute A100, H200" in made.rest.toolTip()
    assert made.rest.geometry().right() <= made.width()


def test_a_click_tells_the_operators(qtbot: QtBot) -> None:
    made = strip(qtbot, 1000)
    with qtbot.waitSignal(made.chosen) as told:
        qtbot.mouseClick(made.chips[0], Qt.MouseButton.LeftButton)
    assert told.args == [("q_proj", "o_proj")]
    assert made.chips[0].accessibleName() == "q, o: compute A100, H200"
    assert made.chips[0].height() >= 24


def test_nothing_to_compare_takes_no_room(qtbot: QtBot) -> None:
    assert not strip(qtbot, 1000, FlipLine("")).isVisible()
