"""Paired bars as drawn: lengths are times, texts stand clear of each other, each subject has a hatch of its own."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF

from explorer.plot.paint.fonts import fonts
from explorer.plot.views.compared.hatch import HATCHES, hatch_lines
from explorer.plot.views.compared.marks import ComparedMark
from explorer.plot.views.compared.paired import paint_paired, shown_groups
from explorer.plot.views.slide import paint_view
from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.presentation.views.compared.paired import PairedFigure, paired_figure
from tests.plot.drawing import A100, CHINESE, H100, MI300X, decode_study, device, evaluated, matmul_study
from tests.plot.recorder import Drawn, Measures, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = [(262, 270), (300, 420), (620, 300), (900, 700)]


def figure(*devices: object, **work: object) -> PairedFigure:
    chosen = devices or (H100, A100, MI300X)
    return paired_figure(evaluated(decode_study(*chosen, **{"batch": 256, "context": 256, **work})))  # type: ignore[arg-type]


def drawn(found: PairedFigure, size: tuple[int, int], theme: Theme = LIGHT) -> tuple[list[Drawn], list[ComparedMark]]:
    painter = Recorder()
    with fixed_fonts():
        marks = paint_paired(painter, QRectF(10, 20, *size), found, theme)  # type: ignore[arg-type]
    painter.end()
    return painter.drawn, marks


def letters(thing: Drawn) -> QRectF:
    size = int(thing.font.split("/")[0])
    return QRectF(thing.at[0], thing.at[1] - 0.7 * size, Measures.of(thing.font, thing.text), 0.7 * size)


def assert_clear(things: list[Drawn], room: QRectF) -> None:
    texts = [d for d in things if d.kind == "text"]
    for one, other in combinations(texts, 2):
        common = letters(one) & letters(other)
        assert min(common.width(), common.height()) < 0.5, (one, other)
    for thing in texts:
        assert room.adjusted(-1, -1, 1, 1).contains(letters(thing)), thing


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_bars_are_as_long_as_their_times(size: tuple[int, int], theme: Theme) -> None:
    found = figure()
    _, marks = drawn(found, size, theme)
    first = found.groups[0]
    bars = [m for m in marks if m.rows == first.rows]
    assert len(bars) >= 2
    seconds = [b.seconds or 0.0 for b in first.bars]
    for mark, each in zip(bars, seconds, strict=False):
        assert mark.area.width() / bars[0].area.width() == pytest.approx(each / seconds[0], rel=1e-6)
    assert [m.key for m in bars] == [s.key for s in found.subjects][: len(bars)]
    assert bars[0].text == first.bars[0].tip


@pytest.mark.parametrize("size", SIZES)
def test_texts_stand_clear_and_inside(size: tuple[int, int]) -> None:
    wide = device(CHINESE, 376e12, 1.2e12)
    for found in (figure(), figure(H100, A100), figure(H100, A100, MI300X, wide, device("X" * 40, 1e14, 1e12))):
        things, _ = drawn(found, size)
        assert_clear(things, QRectF(10, 20, *size))


@pytest.mark.parametrize("size", SIZES)
def test_figures_are_never_cut(size: tuple[int, int]) -> None:
    found = figure(H100, A100, device(CHINESE, 376e12, 1.2e12))
    things, _ = drawn(found, size)
    texts = {d.text for d in things}
    shown = found.subjects if found.subjects[2].whole.time_text in texts else found.subjects[:2]
    for subject in shown:
        assert {subject.whole.time_text, subject.whole.ratio_text} <= texts


def test_what_has_no_row_of_its_own_is_drawn_in_one_that_sums_it() -> None:
    found = figure(H100, A100)
    faces = fonts(None)
    for height in (60.0, 150.0, 250.0, 400.0):
        groups = shown_groups(found, height, faces)
        assert sum(g.bars[1].seconds or 0.0 for g in groups) == pytest.approx(found.subjects[1].whole.seconds)
    assert len(shown_groups(found, 60.0, faces)) < len(shown_groups(found, 400.0, faces))


def test_where_little_room_is_left_operators_give_way_before_machines_and_those_past_four_are_counted() -> None:
    found = figure(*[device(f"N{i}", 3e14, (i + 1) * 1e12) for i in range(6)])
    things, marks = drawn(found, (262, 270))
    assert {m.key for m in marks} == {"d0", "d1", "d2", "d3"}
    assert "2 more where there is room." in " ".join(d.text for d in things if d.text)
    few = figure(*[device(f"N{i}", 3e14, (i + 1) * 1e12) for i in range(3)])
    low, kept = drawn(few, (262, 200))
    assert {m.key for m in kept} == {"d0", "d1", "d2"}
    assert "where there is room" not in " ".join(d.text for d in low if d.text)
    _, every = drawn(found, (500, 900))
    assert {m.key for m in every} == {f"d{i}" for i in range(6)}


def test_in_a_low_room_bars_have_the_place_of_sentences() -> None:
    found = figure(H100, A100)
    low, tall = (" ".join(d.text for d in drawn(found, (262, height))[0]) for height in (180, 400))
    for said in ("whole step, operator by operator", "as long as H100"):
        assert said in tall
        assert said not in low
    bars = [m for m in drawn(found, (262, 180))[1] if m.rows]
    assert len(bars) >= 4
    assert found.subjects[0].whole.time_text in low


def test_every_subject_has_a_hatch_of_its_own_and_hatches_stay_inside() -> None:
    assert len(set(HATCHES)) == len(HATCHES) == 8
    box = QRectF(5, 6, 40, 13)
    for direction in ("up", "down", "across", "along"):
        lines = hatch_lines(box, direction, 5.0)
        assert lines
        for line in lines:
            for end in (line.p1(), line.p2()):
                assert box.adjusted(-0.01, -0.01, 0.01, 0.01).contains(end)
    up, down = (hatch_lines(box, d, 5.0)[3] for d in ("up", "down"))
    assert up.dx() * up.dy() == pytest.approx(-(down.dx() * down.dy()))


def test_bars_of_different_subjects_differ_without_colour() -> None:
    things, marks = drawn(figure(H100, A100), (620, 500))
    lines = [d for d in things if d.kind == "line"]
    first, second = (next(m.area for m in marks if m.key == key) for key in ("d0", "d1"))
    assert not [d for d in lines if first.contains(d.rect.center())]
    assert len([d for d in lines if second.contains(d.rect.center())]) > 5


def test_why_there_is_nothing_is_written_and_nothing_else() -> None:
    found = paired_figure(evaluated(matmul_study()))
    things, marks = drawn(found, (300, 300))
    assert marks == []
    assert " ".join(d.text for d in things) == "Time by operator One machine stands alone: tick a second device."


def test_on_paper_texts_grow_with_the_page() -> None:
    sizes = []
    for rect in (QRectF(0, 0, 928, 568), QRectF(0, 0, 1600, 900)):
        painter = Recorder()
        paint_view("paired", painter, rect, figure(), LIGHT)  # type: ignore[arg-type]
        sizes.append(next(int(d.font.split("/")[0]) for d in painter.drawn if d.text == "attention"))
        assert painter.drawn[0].kind == "fill"
    assert sizes[1] > 1.4 * sizes[0]
