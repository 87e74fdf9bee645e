"""Verdicts that flip stand in one line: chips that find no room are counted, and none is cut where there is room."""

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.presentation.compare.flip_chips import FlipLine, FlipSide, FlipWords
from explorer.presentation.palette import LIGHT
from explorer.ui.compare.verdict_strip import VerdictStrip

SIDES = (
    FlipSide("memory", "memory", "H100", "memory on H100"),
    FlipSide("compute", "compute", "A100, H200", "compute on A100, H200"),
)
TEXT = "q, o: memory on H100, compute on A100, H200"
ONE = FlipWords("q, o", SIDES, TEXT, "q_proj, o_proj\ncompute: A100, H200", ("q_proj", "o_proj"))
LINE = FlipLine("Verdicts that flip, 6 of 17", (ONE,) * 3)


def strip(qtbot: QtBot, width: int, line: FlipLine = LINE) -> VerdictStrip:
    made = VerdictStrip()
    qtbot.addWidget(made)
    made.resize(width, 30)
    made.show()
    made.show_line(line, LIGHT)
    return made


def test_all_chips_say_both_sides_where_there_is_room(qtbot: QtBot) -> None:
    made = strip(qtbot, 1400)
    assert [chip.isVisible() for chip in made.chips] == [True] * 3 + [False] * 2
    assert made.rest.isHidden()
    assert [text for _, text, _ in made.chips[0]._pieces()] == ["q, o", "memory", "H100", "compute", "A100, H200"]
    assert all(chip.width() >= chip.sizeHint().width() for chip in made.chips if chip.isVisible())


def test_chips_without_room_are_counted_and_named_in_the_tip(qtbot: QtBot) -> None:
    made = strip(qtbot, 520)
    seen = [chip for chip in made.chips if chip.isVisible()]
    assert 1 <= len(seen) < 3
    assert made.rest.text() == f"+ {3 - len(seen)} more"
    assert TEXT in made.rest.toolTip()
    assert made.rest.geometry().right() <= made.width()


def test_a_click_tells_the_operators(qtbot: QtBot) -> None:
    made = strip(qtbot, 1000)
    with qtbot.waitSignal(made.chosen) as told:
        qtbot.mouseClick(made.chips[0], Qt.MouseButton.LeftButton)
    assert told.args == [("q_proj", "o_proj")]
    assert made.chips[0].accessibleName() == TEXT
    assert made.chips[0].height() >= 24


def test_nothing_to_compare_takes_no_room(qtbot: QtBot) -> None:
    assert not strip(qtbot, 1000, FlipLine("")).isVisible()
