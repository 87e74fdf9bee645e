"""Ratios beside the current points of the curves: next to their points, none over another, over a name or outside."""

import random

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from pytestqt.qtbot import QtBot

from explorer.plot.views.batch import BatchFrame, paint_spots, paint_static, ratio_labels
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.views.batch_chart import Spot
from tests.plot.hand_made import batch_chart

RECT = QRectF(0, 0, 420, 260)


def framed(image: QImage, rect: QRectF = RECT, *, compact: bool = False, **more: object) -> BatchFrame:
    painter = QPainter(image)
    frame = paint_static(painter, rect, batch_chart(**more), LIGHT, compact=compact)
    painter.end()
    return frame


def blank(theme: Theme = LIGHT) -> QImage:
    image = QImage(420, 260, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.panel))
    return image


def test_a_ratio_stands_left_of_its_point_and_right_where_the_axis_begins(qtbot: QtBot) -> None:
    frame = framed(blank(), marks=())
    ((box, _),) = ratio_labels(frame, [Spot(5.0, 400.0, 0, ratio="1.58×")])
    assert box.right() < frame.x(5.0)
    assert abs(box.center().y() - frame.y(400.0)) <= box.height()
    ((box, _),) = ratio_labels(frame, [Spot(0.0, 400.0, 0, ratio="1.58×")])
    assert box.left() > frame.x(0.0)


def test_points_off_the_axis_and_those_without_a_ratio_have_none(qtbot: QtBot) -> None:
    frame = framed(blank())
    assert ratio_labels(frame, [Spot(9.0, 10.0, 0, ratio="2×"), Spot(3.0, 10.0, 1)]) == []


@pytest.mark.parametrize("seed", range(40))
def test_no_ratio_stands_over_another_over_a_name_or_outside(qtbot: QtBot, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - places, no secrets
    rect = QRectF(0, 0, chance.uniform(110, 420), chance.uniform(70, 260))
    frame = framed(blank(), rect, compact=chance.random() < 0.5)
    x = chance.uniform(0, 8)
    spots = [Spot(x, chance.uniform(0, 800), i, ratio=f"{chance.uniform(0.01, 20):.2f}×") for i in range(6)]
    boxes = [box for box, _ in ratio_labels(frame, spots)]
    for i, box in enumerate(boxes):
        assert frame.plot.top() - 1 <= box.top()
        assert box.right() <= rect.right() or frame.x(x) - frame.plot.left() < box.width() + 20
        assert box.bottom() <= frame.plot.bottom() + 1
        assert not any(box.intersects(other.adjusted(0, 0.1, 0, -0.1)) for other in boxes[:i])
        assert not any(box.intersects(name) for name in frame.taken)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_ratio_is_painted_in_the_colour_of_its_device(qtbot: QtBot, theme: Theme) -> None:
    image = blank(theme)
    frame = framed(QImage(image), marks=())
    spot = Spot(5.0, 400.0, 1, ratio="1.58×")
    ((box, _),) = ratio_labels(frame, [spot])
    painter = QPainter(image)
    paint_spots(painter, frame, [spot], theme)
    painter.end()
    area = box.toRect()
    seen = {
        image.pixelColor(x, y).name()
        for x in range(area.left(), area.right())
        for y in range(area.top(), area.bottom())
    }
    assert theme.inks[1] in seen
