"""The time view's painter: type that can be read on a page, columns that keep apart, whole figures in the head."""

import pytest
from PySide6.QtCore import QRectF

from explorer.plot.paint.fonts import fonts, sans
from explorer.plot.views.slide import paint_view
from explorer.plot.views.time import columns, content_height, paint_time
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.views.time import TimeBar, TimeView
from tests.plot import hand_made as made
from tests.plot.recorder import Drawn, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")


def many(count: int) -> TimeView:
    bars = tuple(TimeBar(f"row {i}", "memory", 1 / count, 1 / count, "1 µs", "1 %", "1 %") for i in range(count))
    others = tuple(
        TimeBar(f"{count - i} others", "", 1 - i / count, 1 - i / count, "9 µs", "9 %", "9 %") for i in range(count)
    )
    return made.time_figure(bars=bars, others=others, selection=frozenset())


def page(view: TimeView, wide: float = 1600, high: float = 900, theme: Theme = LIGHT) -> list[Drawn]:
    painter = Recorder()
    with fixed_fonts():
        paint_view("time", painter, QRectF(0, 0, wide, high), view, theme)
    return painter.drawn


@pytest.mark.parametrize("rows", [3, 25, 67, 400])
def test_type_on_a_page_is_never_smaller_than_nine_pixels(rows: int) -> None:
    drawn = page(many(rows))
    assert min(int(d.font.split("/")[0]) for d in drawn if d.kind == "text") >= 9
    assert max(d.at[1] for d in drawn if d.kind == "text") < 900


def test_rows_beyond_a_page_are_told_together_and_those_that_fit_are_not() -> None:
    said = {d.text for d in page(many(67))}
    shown = {text for text in said if text.startswith("row ")}
    assert f"{67 - len(shown)} others" in said
    assert len(shown) > 12
    assert not any("others" in d.text for d in page(many(10)))


@pytest.mark.parametrize("wide", [300, 420, 560, 900, 1500])
def test_columns_keep_apart_in_any_width(wide: float) -> None:
    with fixed_fonts():
        faces = fonts(sans())
        rect = QRectF(10, 0, wide, 600)
        cols = columns(rect, made.time_figure(), faces)
        shares = max(faces.tick.width(b.time_percent) for b in made.time_figure().bars)
    assert cols.name + cols.name_width <= cols.bars
    assert cols.bars_width >= 60
    assert cols.bars + cols.bars_width <= cols.percent
    assert cols.percent + shares <= cols.time
    assert cols.time <= rect.right()
    assert cols.noted is (wide > 420)


def test_title_and_finding_are_broken_into_lines_and_never_cut() -> None:
    view = made.time_figure(title="Where 240 µs of all operators go on a device: at least 200 µs, launches unknown")
    painter = Recorder()
    with fixed_fonts():
        paint_time(painter, QRectF(0, 0, 320, 900), view, LIGHT, sans())
        narrow, wide = (content_height(view, width, sans()) for width in (320, 1400))
    said = [d.text for d in painter.drawn if d.kind == "text"]
    assert " ".join(said).count("launches unknown") == 1
    assert not [text for text in said[:4] if "…" in text]
    assert {"for compute", "for memory", "FLOP share"} <= set(said), "the legend goes below where it has no room beside"
    assert narrow > wide


def test_what_several_wait_for_has_no_bounds_colour_and_words_on_bars_stand_out() -> None:
    for theme in (LIGHT, DARK):
        drawn = page(many(67), theme=theme)
        rows = [d for d in drawn if d.kind == "rounded" and d.brush == theme.text]
        assert len(rows) == 2, "in the step as one bar, and in its row"
        inside = [d for d in drawn if d.text.endswith("others")]
        assert {d.pen for d in inside} == {theme.text, theme.on_accent}
