"""Charts of 300 studies drawn at random: no text lies on anything else, no figure is cut, the largest is labelled."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF

from explorer.plot.paint.by_points.point_labels import largest_mark
from explorer.plot.paint.figure import ChartLayout, layout
from explorer.presentation.palette import LIGHT
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import DrawnRoof
from tests.plot.any_study import any_evaluation, any_font, any_rect

pytestmark = pytest.mark.usefixtures("qapp")
STUDIES = 300
TOUCHING = 0.01  # pixels


@pytest.fixture(scope="module")
def charts(qapp: object) -> list[ChartLayout]:
    return [layout(build_figure(any_evaluation(s)), any_rect(s), LIGHT, any_font(s)) for s in range(STUDIES)]


def meet(one: QRectF, other: QRectF) -> bool:
    common = one.intersected(other)
    return common.width() > TOUCHING and common.height() > TOUCHING


def test_no_text_lies_on_another_or_on_a_point(charts: list[ChartLayout]) -> None:
    for seed, chart in enumerate(charts):
        texts = chart.text_rects
        assert not [1 for one, two in combinations(texts, 2) for a in one for b in two if meet(a, b)], seed
        assert not [1 for one in texts for a in one for m in chart.mark_rects if meet(a, m)], seed
        assert not [1 for one in texts for a in one for arrow in chart.arrow_rects if meet(a, arrow)], seed
        assert all(chart.plot.contains(r) for rects in texts for r in rects), seed


def test_texts_of_the_axes_touch_neither_each_other_nor_the_plot_and_stay_in_the_picture(
    charts: list[ChartLayout],
) -> None:
    for seed, chart in enumerate(charts):
        assert not [1 for a, b in combinations(chart.axis_rects, 2) if meet(a, b)], seed
        assert not [1 for a in chart.axis_rects if meet(a, chart.plot)], seed
        assert all(chart.static.rect.contains(r) for r in chart.axis_rects), seed


def test_no_figure_is_cut(charts: list[ChartLayout]) -> None:
    for seed, chart in enumerate(charts):
        wordings = {text for m in chart.marks for text in (m.label, *m.shorter, m.gain_text, ", ".join(m.rows[:3]))}
        assert {t.text for t in chart.labels} <= wordings, seed
        for text in chart.static.names:
            begun, dots, rest = text.text.partition("…")
            if dots:
                assert any(_said_of(r, begun, rest.strip()) for r in chart.figure.roofs), (seed, text.text)
        assert not any("…" in t.text for t in (*chart.static.axes, *chart.static.zones)), seed


def _said_of(roof: DrawnRoof, begun: str, rest: str) -> bool:
    """Whether a cut text is the beginning of a roof's name, no number in it cut, led to a whole figure."""
    if not roof.name.startswith(begun) or rest not in {roof.peak_text, roof.short_peak, roof.bandwidth_text}:
        return False
    return roof.name[len(begun) :].startswith(" ") or not any(c.isdigit() for c in begun.rpartition(" ")[2])


def test_the_largest_share_is_labelled_in_every_one(charts: list[ChartLayout]) -> None:
    for seed, chart in enumerate(charts):
        largest = largest_mark(chart.marks)
        if largest is not None:
            mark = chart.marks[largest]
            assert mark.area == max(m.area for m in chart.marks if m.active and not m.measured), seed
            assert {t.text for t in chart.labels} & {mark.label, *mark.shorter}, seed


def test_every_roof_has_its_name_and_the_active_one_its_ridge(charts: list[ChartLayout]) -> None:
    for seed, chart in enumerate(charts):
        said = {t.text for t in chart.static.names}
        for lines in chart.static.roofs:
            if lines.roof.active and lines.ridge is not None:
                assert lines.roof.ridge_text in said, seed
            if lines.segments:
                begun = {text.partition("…")[0] for text in said}
                assert any(lines.roof.name in text for text in said) or any(map(lines.roof.name.startswith, begun)), (
                    seed
                )


def test_labels_of_points_lie_on_no_roof(charts: list[ChartLayout]) -> None:
    on_roofs = sum(chart.static.space.crosses(t.boxes) for chart in charts for t in chart.labels)
    assert on_roofs == 0
    assert sum(len(chart.arrow_rects) for chart in charts) > 20
    assert sum(len(chart.labels) for chart in charts) > 1000  # dropping every label would pass the rest
