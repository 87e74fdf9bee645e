"""Card, fan and band over the chart: where they come to stand, what a hand does to them; picture and trail."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.plot.live import fan as module
from explorer.plot.live.band import Band
from explorer.plot.live.fan import Fan
from explorer.plot.live.hover_card import HoverCard
from explorer.plot.live.picture import Picture
from explorer.plot.live.still_chart import StillChart
from explorer.plot.live.trail import Trail, biggest
from explorer.presentation.palette import DARK, LIGHT
from tests.plot.hand_made import bare_figure, big, mark, measured, roofline_figure
from tests.plot.recorder import Recorder, fixed_fonts

WITHIN = QRectF(0, 0, 800, 600)


@pytest.fixture
def parent(qtbot: QtBot) -> Iterator[QWidget]:
    """A window of fixed letters."""
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.setFont(big())
    with fixed_fonts():
        yield made


@pytest.fixture
def card(parent: QWidget) -> HoverCard:
    return HoverCard(parent)


@pytest.fixture
def fan(parent: QWidget) -> Fan:
    made = Fan(parent)
    made.open(("gate", "up", "down"), QPointF(300, 300), 20.0, QColor("#123456"), WITHIN)
    return made


@pytest.mark.parametrize(
    ("x", "y", "left", "top"),
    [(100, 100, False, False), (780, 100, True, False), (100, 590, False, True), (780, 590, True, True)],
)
def test_a_card_stands_right_below_its_point_and_turns_where_there_is_no_room(
    card: HoverCard, x: float, y: float, left: bool, top: bool
) -> None:
    card.show_text("one line\na\tb", QPointF(x, y), 10.0, WITHIN)
    wanted = x - 10 - card.width() if left else x + 10, y - 10 - card.height() if top else y + 10
    assert card.pos() == QPoint(*(round(v) for v in wanted))
    assert WITHIN.contains(QRectF(card.geometry()))


def test_a_card_turns_only_once_it_does_not_fit(card: HoverCard) -> None:
    card.show_text("word", QPointF(0, 0), 0.0, WITHIN)
    fits = QPointF(800 - card.width() - 10, 600 - card.height() - 10)
    card.show_text("word", fits, 10.0, WITHIN)
    assert card.pos() == (fits + QPointF(10, 10)).toPoint()
    card.show_text("word", fits + QPointF(1, 1), 10.0, WITHIN)
    assert card.pos().x() < fits.x() - 9
    assert card.pos().y() < fits.y() - 9


def test_a_card_without_room_on_either_side_begins_at_the_edge(card: HoverCard) -> None:
    card.show_text("w" * 50, QPointF(300, 20), 10.0, QRectF(5, 7, 400, 30))
    assert card.pos() == QPoint(5, 7)


def test_a_card_is_measured_again_for_another_text_alone(card: HoverCard) -> None:
    card.show_text("short", QPointF(0, 0), 0.0, WITHIN)
    small = card.size()
    card.show_text("a text that is much longer", QPointF(0, 0), 0.0, WITHIN)
    assert card.width() > small.width()
    assert card.height() == small.height()
    card.resize(11, 12)
    card.show_text("a text that is much longer", QPointF(9, 0), 0.0, WITHIN)
    assert (card.width(), card.height()) == (11, 12)


@pytest.mark.parametrize(
    ("text", "letters", "gap"),
    [
        ("words", 5 * 1.06, 0.0),
        ("word\na longer line\nline", 13, 0.0),
        ("t\na\tb", 2, 1.2),
        ("t\nlabel\tvalue\na\tb", 10, 1.2),
        ("t\na\tb\nlabel\tvalue", 10, 1.2),
        ("t\nlong label\tb\na\tlong value", 20, 1.2),
        ("a title of many words\na\tb", 21 * 1.06, 0.0),
    ],
)
def test_a_card_is_as_wide_as_its_widest_line_with_values_in_a_column_of_their_own(
    card: HoverCard, text: str, letters: float, gap: float
) -> None:
    card.show_text(text, QPointF(0, 0), 0.0, WITHIN)
    height, lines = 1.2 * 26, text.count("\n") + 1
    assert card.width() == int(0.54 * 26 * letters + gap * height + 2 * 0.6 * height) + 2
    assert card.height() == int(lines * 1.2 * height + 2 * 0.75 * 0.6 * height) + 2


def test_a_card_holds_a_few_lines_and_no_more(card: HoverCard) -> None:
    heights = []
    for count in (1, 15, 16, 21):
        card.show_text("\n".join(f"line {i}" for i in range(count)), QPointF(0, 0), 0.0, WITHIN)
        heights.append(card.height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_neither_card_nor_band_takes_the_pointer_or_the_focus(parent: QWidget) -> None:
    for made in (HoverCard(parent), Band(parent)):
        assert made.testAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        assert made.focusPolicy() == Qt.FocusPolicy.NoFocus
        assert made.isHidden()
    assert Fan(parent).focusPolicy() == Qt.FocusPolicy.NoFocus
    assert Fan(parent).isHidden()


def test_a_band_spans_its_rectangle_and_goes(parent: QWidget) -> None:
    band = Band(parent)
    band.show_rect(QRectF(10, 20, 30, 40))
    assert (band.geometry(), band.isHidden()) == (QRect(10, 20, 30, 40), False)
    band.show_rect(None)
    assert band.isHidden()


def test_a_fan_opens_beside_its_ring_and_turns_at_the_right_edge(fan: Fan) -> None:
    size = fan.size()
    assert fan.geometry() == QRect(300, 300 - size.height() // 2, size.width(), size.height())
    for x, left in ((800 - size.width(), 800 - size.width()), (801 - size.width(), 801 - 2 * size.width())):
        fan.open(fan.names, QPointF(x, 300), 20.0, QColor("#123456"), WITHIN)
        assert fan.x() == left


@pytest.mark.parametrize(("y", "top"), [(5, 0), (595, None)])
def test_a_fan_stays_within_the_chart(fan: Fan, y: float, top: int | None) -> None:
    fan.open(fan.names, QPointF(300, y), 20.0, QColor("#123456"), WITHIN)
    assert fan.y() == (600 - fan.height() if top is None else top)


def test_a_fan_shows_the_first_names_of_many(fan: Fan) -> None:
    fan.open(tuple(f"r{i}" for i in range(17)), QPointF(300, 300), 20.0, QColor("#123456"), WITHIN)
    assert fan.names == tuple(f"r{i}" for i in range(14))


def test_rows_of_a_fan_follow_on_one_another_beside_the_spokes(fan: Fan) -> None:
    rows = [fan.row_rect(i) for i in range(3)]
    assert [r.top() for r in rows] == pytest.approx([rows[0].height() * (i + 0.5) for i in range(3)])
    assert all(r.right() == pytest.approx(fan.width()) for r in rows)
    spoke = 20.0 + 2.2 * 1.2 * 26
    assert rows[0].left() == pytest.approx(spoke)
    fan.open(fan.names, QPointF(790, 300), 20.0, QColor("#123456"), WITHIN)
    assert (fan.row_rect(0).left(), fan.row_rect(0).right()) == pytest.approx((0.0, fan.width() - spoke))


def hand(fan: Fan, kind: QEvent.Type, at: QPointF, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> bool:
    none = Qt.MouseButton.NoButton
    button = none if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    event = QMouseEvent(kind, at, at, button, none, keys)
    event.ignore()
    QApplication.sendEvent(fan, event)
    return event.isAccepted()


def raised(fan: Fan) -> list[float]:
    """Tops of the rows that are shown as hovered."""
    painter = Recorder()
    with patch.object(module, "QPainter", painter):
        fan.paintEvent(None)
    return [d.at[1] for d in painter.drawn if d.brush == LIGHT.raised]


def test_the_row_under_the_pointer_stands_out_until_the_pointer_leaves(fan: Fan) -> None:
    assert raised(fan) == []
    for i in range(3):
        hand(fan, QEvent.Type.MouseMove, fan.row_rect(i).center())
        assert raised(fan) == [pytest.approx(fan.row_rect(i).top() + 1)]
    hand(fan, QEvent.Type.MouseMove, QPointF(1, 1))
    assert raised(fan) == []
    hand(fan, QEvent.Type.MouseMove, fan.row_rect(1).center())
    QApplication.sendEvent(fan, QEvent(QEvent.Type.Leave))
    assert raised(fan) == []
    hand(fan, QEvent.Type.MouseMove, fan.row_rect(1).center())
    fan.open(fan.names, QPointF(300, 300), 20.0, QColor("#123456"), WITHIN)
    assert raised(fan) == []


def test_a_click_chooses_a_row_ctrl_adds_it_and_one_beside_closes_the_fan(fan: Fan) -> None:
    chosen: list[tuple[str, bool]] = []
    fan.chosen.connect(lambda name, add: chosen.append((name, add)))
    fan.show()
    assert hand(fan, QEvent.Type.MouseButtonPress, fan.row_rect(2).center())
    hand(fan, QEvent.Type.MouseButtonRelease, fan.row_rect(2).center())
    hand(fan, QEvent.Type.MouseButtonRelease, fan.row_rect(0).center(), Qt.KeyboardModifier.ControlModifier)
    assert chosen == [("down", False), ("gate", True)]
    assert not fan.isHidden()
    hand(fan, QEvent.Type.MouseButtonRelease, QPointF(1, 1))
    assert fan.isHidden()
    assert len(chosen) == 2


# the picture


@pytest.fixture
def picture(qapp: QApplication) -> Picture:
    made = Picture()
    made.lay_out(bare_figure(), QRectF(0, 0, 400, 300), LIGHT, big())
    return made


def canvas() -> tuple[QImage, QPainter]:
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    return image, QPainter(image)


def test_a_picture_is_drawn_again_for_another_layout_or_a_finer_screen_alone(picture: Picture) -> None:
    image, painter = canvas()
    redraws = []
    for ratio in (1.0, 1.0, 2.0, 2.0, 1.0):
        picture.paint_under(painter, ratio)
        redraws.append(picture.redraws)
    picture.lay_out(bare_figure(), QRectF(0, 0, 400, 300), LIGHT, big())
    picture.paint_under(painter, 1.0)
    redraws.append(picture.redraws)
    for size in (400, 401):
        picture.lay_out(bare_figure(), QRectF(0, 0, size, 300), DARK, big())
        picture.paint_under(painter, 1.0)
        redraws.append(picture.redraws)
    painter.end()
    assert not image.isNull()
    assert redraws == [1, 1, 2, 2, 3, 3, 4, 5]


def test_a_picture_before_its_first_layout_is_empty(qapp: QApplication) -> None:
    image, painter = canvas()
    made = Picture()
    made.paint_under(painter, 1.0)
    made.paint_over(painter)
    painter.end()
    assert not image.isNull()
    assert made.redraws == 0
    assert made.snapshot(2.0).isNull()


def test_a_copied_picture_shows_the_whole_wherever_the_chart_stands(qapp: QApplication) -> None:
    pictures = []
    for place in (QRectF(0, 0, 400, 300), QRectF(50, 30, 400, 300)):
        made = Picture()
        made.lay_out(bare_figure(), place, DARK, big())
        pictures.append(made.snapshot(1.5))
        under = QImage(400, 300, QImage.Format.Format_RGB32)
        painter = QPainter(under)
        painter.translate(-place.topLeft())
        made.paint_under(painter, 1.0)
        painter.end()
        assert under.pixelColor(1, 1) == QColor(DARK.panel)
        assert under.pixelColor(399, 299) == QColor(DARK.panel)
    assert (pictures[0].width(), pictures[0].height()) == (600, 450)
    assert pictures[0] == pictures[1]
    assert pictures[0].pixelColor(0, 0) == QColor(DARK.panel)


def test_a_still_chart_is_laid_out_once_until_figure_or_size_change(qtbot: QtBot) -> None:
    made = StillChart()
    qtbot.addWidget(made, before_close_func=lambda widget: widget.hide())
    made.resize(400, 300)
    made.show()
    qtbot.waitExposed(made)
    told: list[int] = []
    made.painted.connect(lambda: told.append(1))
    made.grab()
    assert (made.picture.layout, told) == (None, [])
    made.show_figure(bare_figure(), DARK)
    made.grab()
    first = made.picture.layout
    assert first is not None
    assert first.static.theme is DARK
    assert told
    made.grab()
    assert made.picture.layout is first
    made.resize(500, 300)
    made.grab()
    assert made.picture.layout.static.rect.width() == 500
    made.show_figure(roofline_figure(), LIGHT)
    made.grab()
    assert made.picture.layout.figure == roofline_figure()
    assert made.focusPolicy() == Qt.FocusPolicy.StrongFocus


# the trail


def test_a_trail_follows_three_marks_of_the_active_device_by_their_shares() -> None:
    marks = (
        *(mark(float(i), 12.0, f"r{i}", area=0.1 * i) for i in range(5)),
        mark(9.0, 12.0, "slow", device="slow", area=0.9),
        measured(8.0, 12.0, "timed", area=0.95),
    )
    assert [m.rows[0] for m in biggest(roofline_figure(marks=marks))] == ["r4", "r3", "r2"]
    idle = bare_figure(marks=marks)
    assert [m.rows[0] for m in biggest(idle)] == ["slow", "r4", "r3"], "no device is active: all count"


def test_a_trail_starts_anew_after_a_rest_and_forgets_on_request() -> None:
    trail, before = Trail(), bare_figure()
    assert trail.on(before) is before
    trail.follow(None, "a")
    trail.follow(replace(before, marks=()), "a")
    assert trail.on(before) is before
    trail.follow(before, "a")
    assert trail.on(before).trail == ((before.marks[0],),)
    trail.follow(before, "a")
    assert len(trail.on(before).trail) == 1, "it did not move"
    other = bare_figure(marks=(mark(2.0, 13.0, "one"),))
    for figure, count in ((other, 2), (other, 2), (before, 3)):
        trail.follow(figure, "a")
        assert len(trail.on(before).trail) == count
    trail.clear()
    assert trail.on(before) is before
    assert trail.on(replace(before, trail=((before.marks[0],),))).trail == ()
    trail.follow(before, "")
    assert trail.on(before) is before


def test_a_full_trail_loses_every_other_place_but_the_first() -> None:
    trail = Trail()
    for i in range(25):
        trail.follow(bare_figure(marks=(mark(0.1 * i, 12.0),)), "a")
        assert len(trail.on(bare_figure()).trail) == (i + 1 if i < 24 else 13)
    xs = [step[0].x for step in trail.on(bare_figure()).trail]
    assert xs == pytest.approx([0.2 * i for i in range(len(xs))])
