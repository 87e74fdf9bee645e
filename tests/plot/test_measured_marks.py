"""Measured points on the chart: a diamond, its spread, an arrow to its bound, and thousands of them as a cloud."""

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from explorer.plot.live.chart import CLOUD, Chart, split
from explorer.plot.paint.layout import layout
from explorer.plot.paint.points import paint_points
from explorer.presentation.palette import LIGHT
from explorer.presentation.roofline.figure import Mark
from tests.plot.chart_hands import figure


def diamond(y: float = 13.0, **fields: object) -> Mark:
    known = {"rows": ("row",), "device": "fast", "colour": 0, "label": "measured", "area": 0.1}
    return Mark(**{"x": 1.0, "y": y, "shape": "diamond", "measured": True, **known, **fields})


def painted(*marks: Mark) -> tuple[QImage, object]:
    shown = layout(figure(marks=marks), QRectF(0, 0, 800, 600), LIGHT)
    image = QImage(800, 600, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.panel))
    painter = QPainter(image)
    paint_points(painter, shown)
    painter.end()
    return image, shown


def ink(image: QImage, shown, x: float, y: float) -> bool:
    """Whether something is drawn within two pixels of a place in log10 units."""
    px, py = round(shown.frame.x(x)), round(shown.frame.y(y))
    near = (image.pixelColor(px + dx, py + dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2))
    return any(c != QColor(LIGHT.panel) for c in near)


@pytest.mark.usefixtures("qapp")
def test_an_arrow_leads_from_a_measured_point_up_to_its_bound():
    image, shown = painted(diamond(ceiling=13.5, gain_text="up to 3.16×"))
    assert ink(image, shown, 1.0, 13.4)
    assert not ink(image, shown, 1.0, 13.7)


@pytest.mark.usefixtures("qapp")
def test_an_arrow_leads_from_a_point_above_its_roof_down_to_it():
    image, shown = painted(diamond(13.8, ceiling=13.2, over=True))
    assert ink(image, shown, 1.0, 13.4)
    assert not ink(image, shown, 1.0, 13.0)


@pytest.mark.usefixtures("qapp")
def test_a_point_above_a_roof_that_is_not_known_has_no_arrow():
    image, shown = painted(diamond(13.0, over=True))
    assert not ink(image, shown, 1.0, 12.7)


@pytest.mark.usefixtures("qapp")
def test_the_middle_half_of_the_runs_is_a_line_through_the_diamond():
    image, shown = painted(diamond(spread=(12.7, 13.2)))
    assert ink(image, shown, 1.0, 12.72)
    assert ink(image, shown, 1.0, 13.18)
    narrow, shown = painted(diamond(spread=(12.999, 13.001)))
    assert not ink(narrow, shown, 1.0, 12.72)


def test_a_crowd_of_measured_points_is_the_cloud_and_the_others_stay_in_front():
    crowd = tuple(diamond(label="", x=i * 0.001) for i in range(CLOUD + 50))
    named = (diamond(), Mark(1.0, 12.0, ("q",), "fast", 0, "q", 0.4))
    front, rest = split(figure(marks=(*crowd, *named)))
    assert front == named
    assert rest == crowd


def test_a_slider_step_leaves_the_cloud_of_measured_points_alone(qtbot, monkeypatch):
    chart = Chart()
    qtbot.addWidget(chart, before_close_func=lambda w: w.hide())
    chart.resize(800, 600)
    chart.show()
    crowd = tuple(diamond(label="", x=i * 0.001) for i in range(CLOUD + 50))
    chart.show_figure(figure(marks=(*crowd, diamond())), LIGHT)
    filled: list[int] = []
    monkeypatch.setattr(chart, "_fill_cloud", lambda marks: filled.append(len(marks)))
    chart.show_figure(figure(marks=(*crowd, diamond(12.0))), LIGHT)
    assert filled == []
    chart.show_figure(figure(marks=(*crowd[1:], diamond(12.0))), LIGHT)
    assert filled == [CLOUD + 49]
