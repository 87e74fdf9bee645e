"""The years as drawn: two charts over the same years, names that stand clear, the study's devices on top."""

from functools import lru_cache
from itertools import combinations, pairwise

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from explorer.plot.paint.labels import box, meets
from explorer.plot.views.compared.marks import ComparedMark
from explorer.plot.views.compared.years import paint_years
from explorer.presentation.palette import DARK, LIGHT, Theme, device_colour
from explorer.presentation.views.compared.years import YearsFigure, years_figure
from tests.plot.drawing import decode_study
from tests.plot.recorder import Drawn, Measures, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = [(262, 380), (320, 560), (640, 330), (1100, 600)]


@lru_cache(maxsize=1)
def figure() -> YearsFigure:
    catalogue = load_catalogue()
    chosen = [d for d in catalogue.devices if d.short in {"H100 SXM5", "RTX 4090", "MI300X"}]
    return years_figure(evaluate(decode_study(*chosen), catalogue))


def drawn(size: tuple[int, int], theme: Theme = LIGHT) -> tuple[list[Drawn], list[ComparedMark]]:
    painter = Recorder()
    with fixed_fonts():
        marks = paint_years(painter, QRectF(10, 20, *size), figure(), theme)  # type: ignore[arg-type]
    painter.end()
    return painter.drawn, marks


def letters(thing: Drawn) -> QRectF:
    size = int(thing.font.split("/")[0])
    return QRectF(thing.at[0], thing.at[1] - 0.7 * size, Measures.of(thing.font, thing.text), 0.7 * size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_stand_clear_and_inside(size: tuple[int, int], theme: Theme) -> None:
    things, _ = drawn(size, theme)
    texts = [d for d in things if d.kind == "text" and d.text]
    for one, other in combinations(texts, 2):
        common = letters(one) & letters(other)
        assert min(common.width(), common.height()) < 0.5, (one, other)
    for thing in texts:
        assert QRectF(9, 19, size[0] + 2, size[1] + 2).contains(letters(thing)), thing


@pytest.mark.parametrize("size", SIZES)
def test_every_device_can_be_pointed_at_in_both_charts(size: tuple[int, int]) -> None:
    _, marks = drawn(size)
    assert len(marks) == 2 * len(figure().marks)
    room = QRectF(10, 20, *size)
    assert all(room.contains(m.area.center()) for m in marks)
    half = len(marks) // 2
    assert [m.text for m in marks[:half]] == [m.text for m in marks[half:]]
    assert {m.text.partition(",")[0] for m in marks[:3]} == {"H100 SXM5", "RTX 4090", "MI300X"}


def test_later_is_to_the_right_and_more_is_higher() -> None:
    _, marks = drawn((1100, 600))
    half = len(marks) // 2
    places = [{m.text.partition(",")[0]: m.area.center() for m in part} for part in (marks[:half], marks[half:])]
    bandwidth, ridge = places
    assert bandwidth["P100 SXM2"].x() < bandwidth["V100 SXM2"].x() < bandwidth["H100 SXM5"].x()
    assert bandwidth["H200 SXM"].y() < bandwidth["H100 SXM5"].y()
    assert ridge["H200 SXM"].y() > ridge["H100 SXM5"].y()  # more bandwidth, a lower ridge
    assert bandwidth["H100 SXM5"].x() < ridge["P100 SXM2"].x()  # beside each other
    assert ridge["H100 SXM5"].x() - ridge["V100 SXM2"].x() == pytest.approx(
        bandwidth["H100 SXM5"].x() - bandwidth["V100 SXM2"].x(), rel=0.05
    )


def test_in_a_narrow_room_the_charts_stand_one_above_the_other() -> None:
    _, marks = drawn((320, 560))
    half = len(marks) // 2
    assert max(m.area.center().y() for m in marks[:half]) < min(m.area.center().y() for m in marks[half:])


def test_the_studys_devices_are_drawn_in_their_colours_and_larger() -> None:
    things, marks = drawn((1100, 600))
    discs = [d for d in things if d.kind == "ellipse" and d.brush == device_colour(LIGHT, 0)]
    assert len(discs) == 2
    name = marks[0].text.partition(",")[0]
    assert name in {d.text for d in things}
    others = [d for d in things if d.kind == "ellipse" and d.brush.endswith(LIGHT.muted.lstrip("#"))]
    assert discs[0].at[2] > 1.8 * max(d.at[2] for d in others if d.brush != LIGHT.muted)


def test_the_line_runs_through_the_flagships_in_both_charts() -> None:
    things, _ = drawn((1100, 600))
    lines = [d for d in things if d.kind == "polyline"]
    assert [len(d.at) for d in lines] == [2 * len(figure().line)] * 2


@pytest.mark.parametrize("size", [(500, 400), (640, 330), (1100, 600)])
def test_the_line_runs_through_no_name_but_the_studys(size: tuple[int, int]) -> None:
    things, marks = drawn(size)
    chosen = {m.text.partition(",")[0] for m in marks[:3]}
    names = {figure().marks[i].name for i in figure().line} - chosen
    told = [d for d in things if d.kind == "text" and d.text in names]
    assert told
    for line in (d for d in things if d.kind == "polyline"):
        stops = list(zip(line.at[::2], line.at[1::2], strict=True))
        segments = np.array([(*a, *b) for a, b in pairwise(stops)])
        for thing in told:
            assert not meets(np.array([box(letters(thing))]), segments).any(), thing
