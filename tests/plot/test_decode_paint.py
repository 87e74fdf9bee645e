import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QFont, QImage, QPainter
from pytestqt.qtbot import QtBot

from explorer.analysis.ask.batch_sweep import sweep_batches
from explorer.plot.paint.fonts import fonts
from explorer.plot.views.batch import BatchFrame, frame_of, spaced_ticks
from explorer.plot.views.decode import paint_decode
from explorer.plot.views.time import content_height, paint_time
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.views.decode import DecodeView, decode_view
from explorer.presentation.views.time import time_view
from tests.presentation.llama import device, evaluated


def canvas(theme: Theme) -> QImage:
    image = QImage(900, 640, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.panel))
    return image


def view() -> DecodeView:
    evaluation = evaluated(device(), device("Second", bandwidth=4e12))
    return decode_view(evaluation, sweep_batches(evaluation))


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_the_current_point_is_painted_in_the_devices_colour(qtbot: QtBot, theme: Theme) -> None:
    shown = view()
    image = canvas(theme)
    painter = QPainter(image)
    frames = paint_decode(painter, QRectF(20, 20, 860, 600), shown, theme)
    painter.end()
    spot = shown.spots[0][-1]
    at = (round(frames[0].x(spot.x)), round(frames[0].y(spot.y)))
    assert image.pixelColor(*at).name() == theme.devices[0]


def test_a_position_maps_back_to_its_batch(qtbot: QtBot) -> None:
    chart = view().charts[0]
    frame = frame_of(QRectF(0, 0, 400, 300), chart)
    assert frame.batch_at(frame.x(5.0)) == pytest.approx(5.0)
    assert frame.batch_at(-100) == 0.0
    assert frame.batch_at(9999) == chart.x_max


def test_charts_do_not_overlap(qtbot: QtBot) -> None:
    painter = QPainter(image := canvas(LIGHT))
    frames = paint_decode(painter, QRectF(20, 20, 860, 600), view(), LIGHT)
    painter.end()
    assert not image.isNull()
    for i, one in enumerate(frames):
        assert all(not one.plot.intersects(other.plot) for other in frames[i + 1 :])


def test_every_operator_has_its_row_where_there_is_room_and_none_is_cut(qtbot: QtBot) -> None:
    shown = time_view(evaluated())
    tall = QImage(900, round(content_height(shown, 900)) + 4, QImage.Format.Format_RGB32)
    for image, rows in ((tall, len(shown.bars)), (canvas(LIGHT), None)):
        painter = QPainter(image)
        painted = paint_time(painter, QRectF(0, 0, image.width(), image.height()), shown, LIGHT)
        painter.end()
        assert rows in {None, len(painted)}
        assert all(box.bottom() <= image.height() + 1 for box, _ in painted)
        assert [name for _, name in painted] == [b.name for b in shown.bars][: len(painted)]


def test_names_of_batches_that_would_touch_are_left_out_but_never_the_largest(qtbot: QtBot) -> None:
    ticks = ((0.0, "1"), (4.0, "16"), (8.0, "256"), (12.0, "4,096"))
    wide, narrow = (spaced_ticks(BatchFrame(QRectF(0, 0, w, 60), 12.0, 1.0, fonts(QFont())), ticks) for w in (600, 80))
    assert [name for _, name in wide] == ["4,096", "256", "16", "1"]
    assert narrow[0][1] == "4,096"
    assert len(narrow) < len(wide)
