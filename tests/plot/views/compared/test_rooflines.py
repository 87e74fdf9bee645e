"""Small multiples as drawn: a grid that fits, equal places at equal figures, words that stand clear."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF

from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import example_path
from explorer.files.study.study import read_study
from explorer.plot.paint.fonts import fonts
from explorer.plot.views.compared.marks import ComparedMark
from explorer.plot.views.compared.rooflines import paint_rooflines, panel_areas, shown_figure
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.views.compared.rooflines import RooflinesFigure, rooflines_figure
from tests.plot.drawing import A100, CHINESE, H100, MI300X, decode_study, device, evaluated
from tests.plot.recorder import Drawn, Measures, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = [(262, 270), (320, 460), (700, 330), (1100, 700)]


def figure(*devices: object, **work: object) -> RooflinesFigure:
    chosen = devices or (H100, A100, MI300X)
    return rooflines_figure(evaluated(decode_study(*chosen, **{"batch": 64, "context": 1024, **work})))  # type: ignore[arg-type]


def drawn(
    found: RooflinesFigure, size: tuple[int, int], theme: Theme = LIGHT
) -> tuple[list[Drawn], list[ComparedMark]]:
    painter = Recorder()
    with fixed_fonts():
        marks = paint_rooflines(painter, QRectF(10, 20, *size), found, theme)  # type: ignore[arg-type]
    painter.end()
    return painter.drawn, marks


def letters(thing: Drawn) -> QRectF:
    size = int(thing.font.split("/")[0])
    return QRectF(thing.at[0], thing.at[1] - 0.7 * size, Measures.of(thing.font, thing.text), 0.7 * size)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_texts_stand_clear_and_inside(size: tuple[int, int], theme: Theme) -> None:
    for found in (figure(), figure(H100, A100), figure(H100, device(CHINESE, 376e12, 1.2e12), A100, MI300X)):
        things, _ = drawn(found, size, theme)
        texts = [d for d in things if d.kind == "text" and d.text and not d.angle]
        for one, other in combinations(texts, 2):
            common = letters(one) & letters(other)
            assert min(common.width(), common.height()) < 0.5, (one, other)
        for thing in texts:
            assert QRectF(9, 19, size[0] + 2, size[1] + 2).contains(letters(thing)), thing


@pytest.mark.parametrize("count", range(1, 10))
@pytest.mark.parametrize("size", [(300, 300), (1200, 300), (300, 1200), (1200, 800)])
def test_places_are_equal_inside_and_apart(count: int, size: tuple[int, int]) -> None:
    rect = QRectF(5, 7, *size)
    areas = panel_areas(rect, count, fonts(None))
    assert len(areas) == count
    assert len({(round(a.width(), 6), round(a.height(), 6)) for a in areas}) == 1
    for one, other in combinations(areas, 2):
        assert not one.intersects(other)
    assert all(rect.adjusted(-0.1, -0.1, 0.1, 0.1).contains(a) for a in areas)
    columns = len({round(a.left(), 3) for a in areas})
    if count == 4:
        assert columns == {(300, 300): 2, (1200, 300): 4, (300, 1200): 1, (1200, 800): 2}[size]


def test_equal_intensity_stands_at_the_same_place_of_every_chart() -> None:
    found = figure(H100, A100)
    _, marks = drawn(found, (900, 420))
    attention = [m.area.center() for m in marks if m.rows == ("attention",)]
    dominant = [m for m in marks if m.rows == ("attention",)]
    assert [m.key for m in dominant] == ["d0", "d1"]
    names = panel_areas(QRectF(10, 0, 900, 300), 2, fonts(None))
    assert attention[1].x() - attention[0].x() == pytest.approx(names[1].left() - names[0].left(), abs=0.01)
    assert attention[1].y() > attention[0].y()  # less bandwidth, so lower at the same intensity


def test_in_little_room_there_are_fewer_charts_and_the_others_are_counted() -> None:
    found = figure(*[device(f"N{i}", 3e14, (i + 1) * 1e12) for i in range(8)])
    things, marks = drawn(found, (262, 270))
    shown = {m.key for m in marks}
    assert 1 <= len(shown) < 8
    assert f"{8 - len(shown)} more where there is room." in " ".join(d.text for d in things)
    _, every = drawn(found, (1100, 700))
    assert len({m.key for m in every}) == 8


def test_a_narrow_chart_names_its_largest_point_alone_and_draws_them_all() -> None:
    panel = figure().panels[0].figure
    narrow = shown_figure(panel, 250.0, 1.0)
    assert len(narrow.marks) == len(panel.marks)
    assert [m.rows for m in narrow.marks if m.label] == [max(panel.marks, key=lambda m: m.area).rows]
    assert [m for m in shown_figure(panel, 120.0, 1.0).marks if m.label] == []
    assert shown_figure(panel, 500.0, 1.0) is panel


def test_a_point_says_whose_it_is() -> None:
    _, marks = drawn(figure(), (1100, 500))
    assert any(m.text.startswith("A100\nattention") and m.key == "d1" for m in marks)


def of_example(name: str) -> RooflinesFigure:
    return rooflines_figure(evaluate(read_study(example_path(name)), load_catalogue()))


@pytest.mark.parametrize("name", ["bert-large", "a100-to-h100", "resnet-50", "llama-8b-decode"])
@pytest.mark.parametrize("size", [(1050, 620), (1180, 700), (900, 560), (760, 420)])
def test_every_panel_says_its_peak_and_the_name_of_its_largest_point(name: str, size: tuple[int, int]) -> None:
    found = of_example(name)
    things, _ = drawn(found, size)
    texts = [d.text for d in things if d.kind == "text" and d.text]
    for panel in found.panels:
        (roof,) = (r for r in panel.figure.roofs if r.active)
        assert any(t.endswith((roof.peak_text, roof.short_peak)) for t in texts), (panel.name, texts)
        largest = max((m for m in panel.figure.marks if m.label), key=lambda m: m.area)
        named = {largest.label, *largest.shorter[:-1]}
        assert named & set(texts), (panel.name, named, texts)
