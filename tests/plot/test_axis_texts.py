"""Texts of the axes: shorter wordings before none, ticks apart, nothing beyond the picture."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF

from explorer.plot.paint.axis_texts import apart, fitting
from explorer.plot.paint.fonts import fonts
from explorer.plot.paint.geometry import level_text
from explorer.plot.paint.layout import ChartLayout, layout
from explorer.presentation.palette import LIGHT
from explorer.presentation.roofline.figure import Figure, Strip
from tests.plot.hand_made import bare_figure, big
from tests.plot.recorder import fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

STRIPS = (Strip(("a",), "slow", 1, "", 0.5),)


def laid(figure: Figure, wide: float, high: float) -> ChartLayout:
    with fixed_fonts():
        return layout(figure, QRectF(0, 0, wide, high), LIGHT, big())


@pytest.mark.parametrize(("room", "text"), [(100, "long one"), (79, "short"), (49, "")])
def test_the_fullest_wording_that_fits_is_taken(room: float, text: str) -> None:
    with fixed_fonts():
        face = fonts(big()).tick
        scale = face.width("m")
        assert fitting(face, ("long one", "", "short"), room / 10 * scale) == text


def test_titles_are_said_by_less_where_there_is_little_room_and_never_cut() -> None:
    figure = bare_figure(
        x_title="Intensity (FLOP/byte, HBM3 traffic)", short_x="FLOP/byte", y_title="Performance (FLOP/s)", short_y="/s"
    )
    wide = {t.text for t in laid(figure, 1400, 900).static.axes}
    narrow = {t.text for t in laid(figure, 360, 240).static.axes}
    assert {figure.x_title, figure.y_title} <= wide
    assert {figure.short_x, figure.short_y} <= narrow
    assert not {t for t in narrow if "…" in t}


def test_the_strip_counts_where_it_cannot_say_of_what() -> None:
    figure = bare_figure(strips=STRIPS, strip_text="3 operators without FLOPs", short_strip="3")
    said = [laid(figure, 800, high).strip_text for high in (900, 240)]
    assert [t.text for t in said if t is not None] == ["3 operators without FLOPs", "3"]
    assert laid(replace(figure, strips=()), 800, 900).strip_text is None


def test_a_tick_that_would_touch_the_one_before_has_no_text() -> None:
    with fixed_fonts():
        face = fonts(big()).tick
        texts = [level_text(face, "10", x, 0.0, LIGHT.muted) for x in (0.0, 20.0, 60.0)]
        assert [t.x for t in apart(texts, 4.0)] == [0.0, 60.0]


def test_the_last_tick_stays_in_the_picture() -> None:
    figure = replace(bare_figure(x_range=(2.0, 8.0)), x_title="")
    chart = laid(figure, 900, 600)
    last = max((t for t in chart.static.axes if t.text == "100 M"), key=lambda t: t.x)
    assert last.rects[0].right() <= chart.static.rect.right()
