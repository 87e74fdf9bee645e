"""What the live roofline paints, and what it leaves alone."""

import itertools
import time
from collections.abc import Iterator
from statistics import median

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.plot.live.chart import CLOUD, FRONT, split
from explorer.plot.live.picture import Picture
from explorer.plot.live.ranges import Ranges
from explorer.plot.live.roofline_chart import RooflineChart
from explorer.plot.live.still_chart import StillChart
from explorer.plot.paint.figure import layout
from explorer.presentation.palette import DARK, LIGHT
from explorer.presentation.roofline.figure import Crowd, Figure
from tests.plot.chart_hands import ROOFS, click, cloud, figure, mark, move, wheel
from tests.plot.drawing import RECT


@pytest.fixture
def chart(qtbot: QtBot) -> Iterator[RooflineChart]:
    made = RooflineChart()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.take(figure(), None, LIGHT)
    made.show()
    qtbot.waitExposed(made)
    QApplication.processEvents()
    yield made
    made.hide()


def moved(by: float) -> Figure:
    """The figure with its points a little higher up their roof."""
    return figure(marks=tuple(replace(m, x=m.x + by, y=m.y + by) for m in figure().marks))


def paint(chart: RooflineChart) -> QImage:
    return chart.grab().toImage()


def test_the_resting_picture_is_not_redrawn_when_only_points_move(chart: RooflineChart) -> None:
    paint(chart)
    before, redraws = paint(chart), chart.picture.redraws
    for i in range(1, 8):
        chart.take(moved(0.01 * i), None, LIGHT)
        paint(chart)
    assert chart.picture.redraws == redraws
    assert paint(chart) != before, "the points did move"


def test_hover_and_selection_leave_the_resting_picture_alone(chart: RooflineChart) -> None:
    paint(chart)
    redraws = chart.picture.redraws
    move(chart, chart.to_pixels(1.0, 13.5))
    click(chart, chart.to_pixels(1.0, 13.5))
    chart.take(figure(selection=frozenset({"up"})), None, LIGHT)
    paint(chart)
    assert chart.picture.redraws == redraws


def test_points_pass_over_names_during_a_drag_and_the_names_make_room_after_it(
    chart: RooflineChart, qtbot: QtBot
) -> None:
    paint(chart)
    layout, redraws = chart.picture.layout, chart.picture.redraws
    assert layout is not None
    name = layout.static.names[0]
    x, y = chart.to_log(QPointF(*name.boxes[0][:2]))
    covering = figure(marks=(*figure().marks, mark(x, y, "other")))
    chart.take(covering, None, LIGHT, dragging=True)
    paint(chart)
    assert chart.picture.redraws == redraws
    qtbot.waitUntil(lambda: chart.picture.layout is not None and chart.picture.layout.static is not layout.static)
    paint(chart)
    assert chart.picture.redraws == redraws + 1


def test_zoom_resize_theme_and_hardware_redraw_the_resting_picture(chart: RooflineChart) -> None:
    def redraws() -> int:
        paint(chart)
        return chart.picture.redraws

    counts = [redraws()]
    wheel(chart, chart.plot_rect().center(), 1.0)
    counts.append(redraws())
    chart.resize(810, 600)
    counts.append(redraws())
    chart.take(figure(), None, DARK)
    counts.append(redraws())
    chart.take(figure(roofs=ROOFS[:1]), None, DARK)
    counts.append(redraws())
    assert all(b == a + 1 for a, b in itertools.pairwise(counts))


def test_the_picture_is_as_sharp_as_the_screen(qapp: QApplication) -> None:
    """At two device pixels per logical one the picture has twice the pixels, not the same ones doubled."""
    fine, rough = (drawn(ratio, figure(marks=())) for ratio in (2.0, 1.0))
    assert (fine.width(), fine.height()) == (800, 600)
    doubled = pixels(rough).repeat(2, axis=0).repeat(2, axis=1)
    assert np.abs(pixels(fine).astype(int) - doubled).max() > 60
    blocks = pixels(fine).astype(int).reshape(300, 2, 400, 2)
    assert (np.ptp(blocks, axis=(1, 3)) > 30).sum() > 500, "detail finer than a logical pixel"


def drawn(ratio: float, shown: Figure | None = None) -> QImage:
    image = QImage(round(400 * ratio), round(300 * ratio), QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill("black")
    picture = Picture()
    picture.lay_out(shown or figure(), QRectF(0, 0, 400, 300), LIGHT, QFont())
    painter = QPainter(image)
    picture.paint_under(painter, ratio)
    picture.paint_over(painter)
    painter.end()
    return image


def pixels(image: QImage) -> "np.ndarray[tuple[int, int], np.dtype[np.uint8]]":
    plain = image.convertToFormat(QImage.Format.Format_Grayscale8)
    raw = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    return raw[:, : plain.width()]


def test_the_still_picture_and_the_live_chart_look_alike(chart: RooflineChart, qtbot: QtBot) -> None:
    still = StillChart()
    qtbot.addWidget(still)
    still.resize(800, 600)
    still.show_figure(figure(), LIGHT)
    live = paint(chart)
    assert still.grab().toImage().convertToFormat(live.format()) == live


def test_the_view_stays_while_points_move_and_stay_in_sight(chart: RooflineChart) -> None:
    start = chart.visible
    other = replace(moved(0.1), x_range=(-1.5, 4.5), y_range=(11.0, 16.0))
    chart.take(other, None, LIGHT)
    assert chart.visible == start


def test_a_point_that_leaves_the_view_is_followed_by_a_new_fit(chart: RooflineChart) -> None:
    far = replace(figure(marks=(mark(-2.0, 10.5),)), x_range=(-2.5, 4.0), y_range=(10.0, 15.5))
    chart.take(far, None, LIGHT)
    assert chart.visible.holds(-2.0, 10.5)


def test_other_hardware_is_fitted_anew(chart: RooflineChart) -> None:
    chart.take(replace(figure(roofs=ROOFS[:1]), x_range=(-3.0, 6.0)), None, LIGHT)
    assert chart.visible.x[0] <= -3.0


def test_a_zoomed_view_survives_edits(chart: RooflineChart) -> None:
    wheel(chart, chart.plot_rect().center(), 3.0)
    zoomed = chart.visible
    for by in (0.05, 0.5, 5.0):
        chart.take(moved(by), None, LIGHT)
        assert chart.visible == zoomed


def test_ranges_of_another_study_are_taken_over(chart: RooflineChart) -> None:
    wheel(chart, chart.plot_rect().center(), 3.0)
    view = Ranges((0.0, 2.0), (12.0, 14.0))
    chart.take(figure(x_range=view.x, y_range=view.y, fitted=False), view, LIGHT)
    assert chart.visible == view
    assert not chart._settle.isActive(), "an unfinished gesture would overwrite them"


def test_an_empty_figure_says_what_to_do(chart: RooflineChart) -> None:
    empty = Figure((-1.0, 4.0), (11.0, 15.0), "x", "y", empty_text="Choose hardware")
    silent = replace(empty, empty_text="")
    chart.take(silent, None, LIGHT)
    without = paint(chart)
    chart.take(empty, None, LIGHT)
    assert paint(chart) != without


def test_the_copied_picture_is_finer_than_the_screen(chart: RooflineChart) -> None:
    image = chart.picture_of(2.0)
    assert image.width() == 2 * chart.viewport().width()


@pytest.mark.parametrize("scale", [1.0, 2.0, 3.0])
def test_the_copied_picture_is_all_of_the_chart_at_any_scale_wherever_it_lay(qapp: QApplication, scale: float) -> None:
    wanted, found = drawn(1.0), copied(0.0, 0.0, scale)
    assert (found.width(), found.height()) == (400 * scale, 300 * scale)
    assert unlike(found, wanted, round(scale)) < 12
    assert copied(37.0, 23.0, scale) == found


def test_the_picture_of_a_fine_screen_shows_what_a_rough_one_does(qapp: QApplication) -> None:
    assert unlike(drawn(2.0), drawn(1.0), 2) < 12
    assert unlike(drawn(3.0), drawn(1.0), 3) < 12


def copied(left: float, top: float, scale: float) -> QImage:
    picture = Picture()
    picture.lay_out(figure(), QRectF(left, top, 400, 300), LIGHT, QFont())
    return picture.snapshot(scale)


def unlike(fine: QImage, rough: QImage, times: int) -> float:
    """By how many of 255 steps the squares of a fine picture differ from the pixels of a rough one, at the most."""
    blocks = pixels(fine).astype(float).reshape(rough.height() // 20, 20 * times, rough.width() // 20, 20 * times)
    rough_blocks = pixels(rough).astype(float).reshape(rough.height() // 20, 20, rough.width() // 20, 20)
    return float(np.abs(blocks.mean(axis=(1, 3)) - rough_blocks.mean(axis=(1, 3))).max())


# clouds


def test_few_points_need_no_scatter(chart: RooflineChart) -> None:
    assert not chart._cloud.isVisible()


def test_thousands_of_points_go_into_one_scatter_and_the_biggest_keep_their_rings(chart: RooflineChart) -> None:
    crowd = figure(marks=cloud(5000))
    chart.take(crowd, None, LIGHT)
    assert chart._cloud.isVisible()
    assert len(chart._front.marks) == FRONT
    assert len(chart._cloud.data) == 5000 - FRONT
    assert min(m.area for m in chart._front.marks) >= sorted(m.area for m in crowd.marks)[-FRONT]


def test_the_scatter_stands_where_the_painter_would_put_its_points(chart: RooflineChart) -> None:
    chart.take(figure(marks=cloud(CLOUD + 100)), None, LIGHT)
    for x, y in ((-0.5, 12.0), (1.7, 13.3)):
        there = chart._box.mapViewToScene(QPointF(x, y))
        here = chart.to_pixels(x, y)
        assert (there.x(), there.y()) == pytest.approx((here.x(), here.y()), abs=0.01)
    wheel(chart, chart.plot_rect().center(), 2.0)
    there, here = chart._box.mapViewToScene(QPointF(1.0, 13.0)), chart.to_pixels(1.0, 13.0)
    assert (there.x(), there.y()) == pytest.approx((here.x(), here.y()), abs=0.01)


def test_a_selected_point_of_a_cloud_comes_to_the_front() -> None:
    crowd = figure(marks=cloud(CLOUD + 1), selection=frozenset({"row3"}))
    front, rest = split(crowd)
    assert any(m.rows == ("row3",) for m in front)
    assert len(front) + len(rest) == CLOUD + 1


def test_every_point_of_a_cloud_can_be_hovered(chart: RooflineChart) -> None:
    chart.describe_target = lambda target: target.rows[0]
    marks = (*cloud(3000), mark(3.0, 12.0, "alone", area=0.0))
    chart.take(figure(marks=marks), None, LIGHT)
    move(chart, chart.to_pixels(3.0, 12.0))
    assert chart.card.text == "alone"


def test_ten_thousand_points_hover_within_five_milliseconds(chart: RooflineChart) -> None:
    chart.take(figure(marks=cloud(10_000)), None, LIGHT)
    chart.mark_at(chart.to_pixels(0.0, 12.2), 10.0)
    times = []
    for i in range(20):
        pos = chart.to_pixels(-0.5 + i * 0.1, 12.0)
        start = time.perf_counter()
        chart.mark_at(pos, 10.0)
        times.append(time.perf_counter() - start)
    assert median(times) < 0.005


def crowded(by: float = 0.0, crowd: Crowd | None = None) -> Figure:
    return replace(moved(by), crowds=(crowd or Crowd(cloud(900), (-0.9, 2.1), (11.6, 13.6)),))


def test_a_crowd_is_a_cloud_that_is_not_made_again_while_other_points_move(
    chart: RooflineChart, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = paint(chart)
    first = crowded()
    chart.take(first, None, LIGHT)
    assert paint(chart) != bare
    fills: list[int] = []
    monkeypatch.setattr(chart, "_fill_cloud", lambda marks: fills.append(len(marks)))
    for i in range(1, 5):
        chart.take(crowded(0.01 * i, first.crowds[0]), None, LIGHT, dragging=True)
    assert fills == []
    chart.take(crowded(), None, LIGHT)
    assert fills == [900], "another crowd"


def test_labels_over_a_crowd_stand_on_plates(chart: RooflineChart) -> None:
    chart.take(crowded(), None, LIGHT)
    assert chart.picture.layout is not None
    labels = chart.picture.layout.labels
    assert labels
    assert all(text.plates for text in labels)


def test_a_mark_of_a_crowd_is_found_under_the_pointer_and_comes_to_the_front_when_selected(
    chart: RooflineChart,
) -> None:
    shown = crowded()
    chart.take(shown, None, LIGHT)
    one = shown.crowds[0].marks[100]
    assert chart.mark_at(chart.to_pixels(one.x, one.y), 3.0) is not None
    chart.take(replace(shown, selection=frozenset(one.rows)), None, LIGHT)
    assert chart.picture.layout is not None
    assert any(m is one for m in chart.picture.layout.marks)


def test_a_crowd_stands_on_paper_as_well(chart: RooflineChart) -> None:
    laid = layout(crowded(), RECT, LIGHT)
    assert len(laid.marks) == 903
