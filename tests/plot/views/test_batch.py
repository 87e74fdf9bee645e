"""Curves against batch on paper: log axes, names at the curves' ends, the batch under the pointer."""

from itertools import pairwise

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF

from explorer.plot.views.batch import BatchFrame, frame_of, paint_batch, paint_static
from explorer.presentation.palette import LIGHT, device_ink
from explorer.presentation.views.batch_chart import BatchChart, Curve
from tests.plot import hand_made as made
from tests.plot.recorder import Drawn, Measures, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")
RECT = QRectF(0, 0, 1200, 500)
XS = np.linspace(0.0, 8.0, 9)


def chart(*names: str, log: bool = False, figure: str = "") -> BatchChart:
    curves = tuple(
        Curve(str(i), name, i, XS, (1.0 + XS) * 10.0**i, active=i == 0, figure=figure) for i, name in enumerate(names)
    )
    top = 9.0 * 10.0 ** (len(names) - 1)
    ticks = ((1.0, "1"), (10.0, "10"), (100.0, "100"))
    return made.batch_chart(
        curves=curves, marks=(), x_max=8.0, y_max=top, y_min=1.0 if log else 0.0, y_ticks=ticks, x_ticks=((0.0, "1"),)
    )


def painted(of: BatchChart, rect: QRectF = RECT) -> tuple[list[Drawn], BatchFrame]:
    painter = Recorder()
    with fixed_fonts():
        frame = paint_static(painter, rect, of, LIGHT, made.big())
    return painter.drawn, frame


def test_a_name_without_room_is_the_shorter_one_and_never_cut() -> None:
    of = chart("A100 SXM4 80GB of a long name", "MI300X", figure="12,345")
    short = replace(of, curves=(replace(of.curves[0], shorter=("A100 80GB", "A100")), of.curves[1]))
    things, _ = painted(replace(short, title=""), QRectF(0, 0, 600, 300))
    texts = [d.text for d in things if d.kind == "text"]
    assert "A100 80GB" in texts or "A100" in texts
    assert not any("…" in text for text in texts), texts
    wide, _ = painted(replace(short, curves=(replace(short.curves[0], name="A100 SXM4"), of.curves[1])))
    assert "A100 SXM4" in [d.text for d in wide if d.kind == "text"]


def test_on_a_log_axis_every_tenfold_is_as_far() -> None:
    _, frame = painted(chart("a", "b", "c", log=True))
    one, ten, hundred = (frame.y(v) for v in (1.0, 10.0, 100.0))
    assert one == pytest.approx(frame.plot.bottom())
    assert one - ten == pytest.approx(ten - hundred)
    assert frame.y(900.0) == pytest.approx(frame.plot.top())
    linear = painted(chart("a", "b", "c"))[1]
    assert linear.y(450.0) == pytest.approx(linear.plot.center().y())


def test_each_curve_ends_in_its_name_in_its_colour_and_no_name_stands_over_another() -> None:
    things, frame = painted(chart("One", "Two", "Three"))
    texts = {d.text: d for d in things if d.kind == "text"}
    for i, name in enumerate(("One", "Two", "Three")):
        assert texts[name].pen == device_ink(LIGHT, i)
        assert texts[name].at[0] > frame.plot.right()
        assert texts[name].right <= RECT.right()
    baselines = sorted(texts[n].at[1] for n in ("One", "Two", "Three"))
    assert min(b - a for a, b in pairwise(baselines)) >= frame.fonts.name.height - 0.01
    top, bottom = frame.plot.top(), frame.plot.bottom()
    assert top <= baselines[0] - frame.fonts.name.cap / 2 + 0.01 <= baselines[-1] <= bottom + frame.fonts.name.cap


def test_a_long_name_is_cut_and_the_figure_behind_it_is_whole() -> None:
    things, frame = painted(chart("A device with a very long name, 很长的名字", "B", figure="1.58×"))
    figures = [d for d in things if d.text == " 1.58×"]
    assert len(figures) == 2
    assert all(d.right <= RECT.right() + 0.5 for d in figures)
    cut = next(d for d in things if d.text.startswith("A dev") and d.kind == "text")
    assert cut.text.endswith("…")
    assert cut.at[0] + Measures.of(cut.font, cut.text) <= figures[0].at[0] + 0.5 or cut.at[1] != figures[0].at[1]
    assert frame.plot.width() > RECT.width() / 2


def test_more_curves_than_names_have_room_for_bear_none() -> None:
    with fixed_fonts():
        frame = frame_of(QRectF(0, 0, 600, 120), chart(*"abcdefgh"), made.big())
    assert frame.labels == ()


def test_the_batch_under_the_pointer_is_marked_on_every_curve() -> None:
    of = chart("One", "Two")
    _, frame = painted(of)
    painter = Recorder()
    paint_batch(painter, frame, of, 3.0, LIGHT)
    (line,) = [d for d in painter.drawn if d.kind == "line"]
    assert line.at == pytest.approx((frame.x(3.0), frame.plot.top(), frame.x(3.0), frame.plot.bottom()))
    dots = [d.at[:2] for d in painter.drawn if d.kind == "ellipse"]
    assert dots == [pytest.approx((frame.x(3.0), frame.y(4.0 * 10.0**i))) for i in range(2)]


def test_small_charts_bear_no_names_at_their_curves() -> None:
    with fixed_fonts():
        assert frame_of(RECT, chart("One"), made.big(), compact=True).labels == ()
        assert frame_of(RECT, replace(chart("One"), curves=()), made.big()).labels == ()
