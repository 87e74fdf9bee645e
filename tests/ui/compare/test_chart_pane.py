"""Charts below the table: which are in sight, what their marks say and do."""

from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.plot.views.compared.marks import ComparedMark
from explorer.presentation.palette import Theme
from explorer.ui.compare.chart_kind import ChartKind
from explorer.ui.compare.chart_pane import MOST, ChartPane, arranged, toggled
from explorer.ui.session import Shown
from tests.ui.decode_hands import session

NAMES = ("a", "b", "c", "d", "e")
AREA = QRectF(60, 60, 40, 40)


def make(shown: Shown) -> Generator[object, None, None]:
    yield 0
    yield len(shown.evaluation.rows)


def paint(painter: QPainter, rect: QRectF, figure: Any, theme: Theme, font: QFont) -> Sequence[ComparedMark]:
    painter.fillRect(rect, QColor("#008000"))
    return (ComparedMark(rect, "ground"), ComparedMark(AREA, f"{figure} rows", rows=("q",)))


def pane(qtbot: QtBot, width: int = 1400) -> ChartPane:
    made = ChartPane([ChartKind(n, n.upper(), make, paint, lambda f: f"{f} rows") for n in NAMES])
    made.setFont(QFont(made.font().family(), 10))
    qtbot.addWidget(made)
    made.resize(width, 300)
    made.show()
    QApplication.processEvents()
    made.show_charts((), ("a", "b", "c"))
    for _ in made.make(session().state):
        pass
    return made


def test_the_chosen_charts_are_shown_and_the_usual_ones_where_none_is_known() -> None:
    assert arranged(("c", "x", "a", "c"), NAMES, ("a", "b")) == ("c", "a")
    assert arranged(("x",), NAMES, ("a", "b", "z")) == ("a", "b")


@pytest.mark.parametrize(
    ("name", "wanted", "room", "then"),
    [
        ("b", ("a", "b", "c"), 3, ("a", "c")),  # one in sight goes
        ("a", ("a",), 3, ("a",)),  # but never the last one
        ("d", ("a", "b"), 3, ("a", "b", "d")),
        ("d", ("a", "b", "c"), 3, ("a", "b", "d")),  # in the last one's place
        ("d", ("a", "b", "c"), 1, ("d", "a", "b")),  # the others wait behind
        ("b", ("a", "b", "c"), 1, ("b", "a", "c")),
    ],
)
def test_a_click_on_a_word_brings_a_chart_or_takes_it(
    name: str, wanted: tuple[str, ...], room: int, then: tuple[str, ...]
) -> None:
    assert toggled(name, wanted, room) == then


def test_three_stand_side_by_side_where_there_is_room_else_one(qtbot: QtBot) -> None:
    made = pane(qtbot)
    assert made.in_sight == ("a", "b", "c")
    boxes = [made.cards[n].geometry() for n in made.in_sight]
    assert all(left.right() < right.left() for left, right in pairwise(boxes))
    made.resize(made.fontMetrics().height() * 20, 300)
    QApplication.processEvents()
    assert made.in_sight == ("a",)
    assert [n for n, card in made.cards.items() if card.isVisible()] == ["a"]
    assert len(boxes) == MOST
    made.resize(1400, made.fontMetrics().height() * 10)
    QApplication.processEvents()
    assert made.in_sight == ("a",)  # three would be low


def test_a_choice_is_told_and_the_words_show_what_is_in_sight(qtbot: QtBot) -> None:
    made = pane(qtbot)
    with qtbot.waitSignal(made.chosen) as told:
        made.switch["e"].click()
    assert told.args == [("a", "b", "e")]
    made.show_charts(("a", "b", "e"), ())
    assert [n for n, button in made.switch.items() if button.isChecked()] == ["a", "b", "e"]


def test_pointing_says_what_lies_on_top_and_a_click_tells_it(qtbot: QtBot) -> None:
    made = pane(qtbot)
    card = made.cards["a"]
    card.grab()
    qtbot.mouseMove(card, QPoint(80, 80))
    assert card.spot_at(AREA.center()) == 1
    assert made._card is not None
    assert made._card.text == card.spots[1].text
    made.hide()
    assert not made._card.isVisible()  # it floats over the window, where another view may come into sight
    made.show()
    with qtbot.waitSignal(made.wanted) as told:
        qtbot.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(80, 80))
    assert told.args[0].rows == ("q",)


def test_the_keyboard_walks_over_the_marks_and_chooses_one(qtbot: QtBot) -> None:
    made = pane(qtbot)
    card = made.cards["a"]
    card.grab()
    card.setFocus()
    qtbot.keyClick(card, Qt.Key.Key_Left)
    with qtbot.waitSignal(made.wanted) as told:
        qtbot.keyClick(card, Qt.Key.Key_Return)
    assert told.args[0].area == AREA


def test_a_stale_chart_is_shaded_until_it_is_made_anew(qtbot: QtBot) -> None:
    made = pane(qtbot)
    card = made.cards["a"]
    fresh = card.grab().toImage().pixelColor(200, 200)
    assert fresh == QColor("#008000")
    made.set_stale()
    assert card.grab().toImage().pixelColor(200, 200) != fresh
    for _ in made.make(session().state):
        pass
    assert card.grab().toImage().pixelColor(200, 200) == fresh
    assert card.accessibleDescription() == f"{card.figure} rows"
