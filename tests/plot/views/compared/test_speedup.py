"""The map as drawn: cells on a grid, texts readable on their shade, one box, a dashed line where room ends."""

from itertools import combinations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor

from explorer.plot.views.compared.marks import ComparedMark
from explorer.plot.views.compared.speedup import contrast, label_inks, paint_speedup, readable, shaded
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.views.compared.speedup import SpeedLabel, SpeedupFigure, speedup_figure
from tests.plot.drawing import A100, CHINESE, H100, decode_study, device, evaluated
from tests.plot.recorder import Drawn, Measures, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = [(262, 270), (300, 420), (620, 300), (900, 700)]
SMALL = replace(H100, name="Small", short="Small", memory=(replace(H100.memory[0], capacity=20e9),))


def figure(*devices: object, **work: object) -> SpeedupFigure:
    chosen = devices or (A100, H100)
    return speedup_figure(evaluated(decode_study(*chosen, **{"batch": 256, "context": 1024, **work})))  # type: ignore[arg-type]


def drawn(found: SpeedupFigure, size: tuple[int, int], theme: Theme = LIGHT) -> tuple[list[Drawn], list[ComparedMark]]:
    painter = Recorder()
    with fixed_fonts():
        marks = paint_speedup(painter, QRectF(10, 20, *size), found, theme)  # type: ignore[arg-type]
    painter.end()
    return painter.drawn, marks


def letters(thing: Drawn) -> QRectF:
    size = int(thing.font.split("/")[0])
    return QRectF(thing.at[0], thing.at[1] - 0.7 * size, Measures.of(thing.font, thing.text), 0.7 * size)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_shade_has_a_text_that_can_be_read_on_it_and_is_darker_or_lighter_the_farther_from_one(
    theme: Theme,
) -> None:
    away = []
    for step in range(-20, 21):
        ground = shaded(step / 20, theme)
        assert contrast(QColor(readable(ground, theme)), ground) >= 4.5
        away.append(contrast(ground, QColor(theme.panel)))
    assert away[20] == 1.0
    assert away[:21] == sorted(away[:21], reverse=True)
    assert away[20:] == sorted(away[20:])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("shades", [(0.1, 0.5), (0.4, 0.9), (-0.9, -0.3), (0.3, 1.0), (0.0, 0.6)])
def test_a_label_can_be_read_on_every_cell_that_it_lies_on_or_has_a_plate(
    theme: Theme, shades: tuple[float, float]
) -> None:
    found = figure()
    cells = tuple(
        tuple(replace(cell, shade=shades[0] if c < len(row) / 2 else shades[1]) for c, cell in enumerate(row))
        for row in found.cells
    )
    label = SpeedLabel((0, 0, len(cells) - 1, len(cells[0]) - 1), "3.92×")
    ink, plate = label_inks(replace(found, cells=cells), label, theme)
    grounds = [QColor(plate)] if plate else [shaded(shade, theme) for shade in shades]
    assert all(contrast(QColor(ink), ground) >= 4.5 for ground in grounds)
    things, _ = drawn(replace(found, cells=cells, labels=(label,), now=None), (900, 700), theme)
    text = next(thing for thing in things if thing.text == "3.92×")
    assert text.pen == ink


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(QColor("#000000"), QColor("#ffffff")) == pytest.approx(21.0)
    assert contrast(QColor("#767676"), QColor("#ffffff")) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("size", SIZES)
def test_cells_stand_on_a_grid_batches_to_the_right_contexts_upwards(size: tuple[int, int]) -> None:
    found = figure()
    _, marks = drawn(found, size)
    places = {(m.batch, m.context): m.area for m in marks}
    assert len(places) == len(found.rows) * len(found.columns)
    assert places[2, 512].left() == pytest.approx(places[1, 512].right())
    assert places[1, 1024].bottom() == pytest.approx(places[1, 512].top())
    assert all(QRectF(9, 19, size[0] + 2, size[1] + 2).contains(area) for area in places.values())


@pytest.mark.parametrize("size", SIZES)
def test_texts_stand_clear_and_inside(size: tuple[int, int]) -> None:
    wide = device(CHINESE, 376e12, 1.2e12)
    for found in (figure(), figure(SMALL, A100, batch=64, context=512), figure(A100, wide), figure(H100, A100)):
        things, _ = drawn(found, size)
        texts = [d for d in things if d.kind == "text" and d.text]
        for one, other in combinations(texts, 2):
            common = letters(one) & letters(other)
            assert min(common.width(), common.height()) < 0.5, (one, other)
        for thing in texts:
            assert QRectF(9, 19, size[0] + 2, size[1] + 2).contains(letters(thing)), thing


def test_a_region_of_one_ratio_has_one_label() -> None:
    things, marks = drawn(figure(), (900, 700))
    inside = [d for d in things if d.text == "1.64×"]
    assert len(inside) == 1
    at = letters(inside[0]).center()
    (under,) = [m for m in marks if m.area.contains(at)]
    assert "1.64×" in under.text


def test_the_box_stands_on_the_current_batch_and_context() -> None:
    things, marks = drawn(figure(), (900, 700))
    place = next(m.area for m in marks if (m.batch, m.context) == (256, 1024))
    boxes = [d for d in things if d.kind == "rect" and d.brush == "-"]
    assert [QRectF(*d.at) for d in boxes] == [place, place]
    assert boxes[1].pen.startswith(LIGHT.text)


def test_the_end_of_the_room_is_dashed_between_cells_that_fit_and_cells_that_do_not() -> None:
    found = figure(SMALL, A100, batch=64, context=512)
    things, marks = drawn(found, (900, 700))
    dashed = [d for d in things if d.kind == "line" and d.pen.count("/") == 2 and d.pen.endswith("3,2")]
    assert len({d.pen for d in dashed}) == 2  # one line for each of the two
    places = {(m.batch, m.context): m.area for m in marks}
    edge = places[32, 512]  # the last that the small one holds: 58 fit
    assert any(d.at == pytest.approx((edge.right(), edge.top(), edge.right(), edge.bottom())) for d in dashed)
    one, _ = drawn(figure(), (900, 700))
    assert len({d.pen for d in one if d.kind == "line" and d.pen.endswith("3,2")}) == 1


def test_why_there_is_nothing_is_written() -> None:
    things, marks = drawn(figure(H100), (300, 300))
    assert marks == []
    assert "One machine stands alone" in " ".join(d.text for d in things)


def test_the_map_takes_the_height_it_is_given() -> None:
    cells = drawn(figure(), (620, 700))[1]
    low, high = max(c.area.bottom() for c in cells), min(c.area.top() for c in cells)
    assert low - high > 0.8 * 700
