"""Curves as drawn: places are figures, legend and labels lie on nothing, every batch can be pointed at."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF

from explorer.plot.paint.labels import gaps
from explorer.plot.views.compared.frontier import paint_frontier
from explorer.plot.views.compared.marks import ComparedMark
from explorer.presentation.palette import DARK, LIGHT, Theme, device_colour
from explorer.presentation.views.compared.frontier import FrontierFigure, frontier_figure
from tests.plot.drawing import A100, CHINESE, H100, MI300X, decode_study, device, evaluated, matmul_study
from tests.plot.recorder import Drawn, Measures, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = [(262, 270), (300, 420), (620, 300), (900, 700)]


def figure(*devices: object, **work: object) -> FrontierFigure:
    chosen = devices or (H100, A100, MI300X)
    return frontier_figure(evaluated(decode_study(*chosen, **{"batch": 16, **work})))  # type: ignore[arg-type]


def drawn(found: FrontierFigure, size: tuple[int, int], theme: Theme = LIGHT) -> tuple[list[Drawn], list[ComparedMark]]:
    painter = Recorder()
    with fixed_fonts():
        marks = paint_frontier(painter, QRectF(10, 20, *size), found, theme)  # type: ignore[arg-type]
    painter.end()
    return painter.drawn, marks


def letters(thing: Drawn) -> QRectF:
    size = int(thing.font.split("/")[0])
    return QRectF(thing.at[0], thing.at[1] - 0.7 * size, Measures.of(thing.font, thing.text), 0.7 * size)


@pytest.mark.parametrize("size", SIZES)
def test_the_legend_shortens_names_as_the_table_does_and_cuts_none(size: tuple[int, int]) -> None:
    forms = [("A100 SXM4 80GB", "A100 80GB", "A100"), ("H100 SXM5 80GB", "H100 80GB", "H100")]
    sold = [
        replace(of, name=names[0], short=names[0], form=names[0].split()[1])
        for of, names in zip((A100, H100), forms, strict=True)
    ]
    found = figure(*sold)
    assert [(c.name, *c.shorter) for c in found.curves] == forms
    texts = [d.text for d in drawn(found, size)[0] if d.kind == "text"]
    assert all(any(form in texts for form in each) for each in forms)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_points_lie_where_their_figures_are(size: tuple[int, int], theme: Theme) -> None:
    found = figure()
    _, marks = drawn(found, size, theme)
    places = {(m.key, m.batch): m.area.center() for m in marks}
    assert len(places) == sum(len(c.points) for c in found.curves)
    first = found.curves[0].points
    low, high = places["d0", first[0].batch], places["d0", first[-1].batch]
    for curve in found.curves:
        for point in curve.points:
            at = places[curve.key, point.batch]
            across = (point.x - first[0].x) / (first[-1].x - first[0].x)
            assert at.x() - low.x() == pytest.approx(across * (high.x() - low.x()), abs=0.01)
            up = (point.y - first[0].y) / (first[-1].y - first[0].y)
            assert at.y() - low.y() == pytest.approx(up * (high.y() - low.y()), abs=0.01)
    assert high.y() < low.y()
    assert high.x() < low.x()
    assert all(QRectF(10, 20, *size).contains(at) for at in places.values())


@pytest.mark.parametrize("size", SIZES)
def test_texts_stand_clear_of_each_other_of_curves_and_inside(size: tuple[int, int]) -> None:
    crowd = [device(f"Device {i}", 3e14, (2 + i) * 1e12) for i in range(5)]
    wide = device(CHINESE, 376e12, 1.2e12)
    for found in (figure(), figure(H100, A100), figure(H100, *crowd, wide)):
        things, marks = drawn(found, size)
        texts = [d for d in things if d.kind == "text"]
        for one, other in combinations(texts, 2):
            common = letters(one) & letters(other)
            assert min(common.width(), common.height()) < 0.5, (one, other)
        for thing in texts:
            assert QRectF(9, 19, size[0] + 2, size[1] + 2).contains(letters(thing)), thing
        segments = []
        for curve in found.curves:
            at = [m.area.center() for p in curve.points for m in marks if (m.key, m.batch) == (curve.key, p.batch)]
            segments += [(a.x(), a.y(), b.x(), b.y()) for a, b in pairwise(at)]
        boxes = np.array([[b.left(), b.top(), b.right(), b.bottom()] for b in map(letters, texts)])
        assert not (gaps(boxes, np.array(segments)) <= 0).any()


@pytest.mark.parametrize("size", SIZES)
def test_ratios_are_written_whole_beside_every_name_that_the_legend_has(size: tuple[int, int]) -> None:
    found = figure(H100, A100, device(CHINESE, 376e12, 1.2e12))
    things, _ = drawn(found, size)
    assert {c.ratio_text for c in found.curves} <= {d.text for d in things}


def test_the_current_batch_is_filled_and_larger_than_the_marks() -> None:
    things, marks = drawn(figure(H100, A100), (620, 500))
    colour = device_colour(LIGHT, 1)
    rings = [d for d in things if d.kind == "ellipse" and d.pen.startswith(colour)]
    (now,) = [d for d in things if d.kind == "ellipse" and d.brush == colour]
    assert len(rings) == 4  # 1, 8, 64, full
    assert now.at[2] > 1.5 * rings[0].at[2]
    place = next(m.area.center() for m in marks if (m.key, m.batch) == ("d1", 16))
    assert now.at[:2] == pytest.approx((place.x(), place.y()))


def test_the_highest_curve_leads_the_legend() -> None:
    things, _ = drawn(figure(), (620, 500))
    heights = {d.text: d.at[1] for d in things if d.text in {"H100", "A100", "MI300X"}}
    assert heights["MI300X"] < heights["H100"] < heights["A100"]


def test_every_curve_has_its_devices_dash() -> None:
    things, _ = drawn(figure(), (620, 500))
    pens = [d.pen for d in things if d.kind == "polyline"]
    assert len({p.partition("/")[0] for p in pens}) == 3
    assert len({p.split("/", 2)[2] if p.count("/") > 1 else "" for p in pens}) == 3


def test_why_there_is_nothing_is_written_and_nothing_else() -> None:
    things, marks = drawn(frontier_figure(evaluated(matmul_study())), (300, 300))
    assert marks == []
    assert "Own operators have no batch" in " ".join(d.text for d in things)
