"""Labels, names and points of random studies: nothing lies on anything else."""

from itertools import combinations

import pytest
from PySide6.QtCore import QRectF

from explorer.plot.paint.figure import ChartLayout, layout
from explorer.presentation.palette import LIGHT
from explorer.presentation.roofline.build import build_figure
from tests.plot.drawing import evaluated, random_study

pytestmark = pytest.mark.usefixtures("qapp")
SIZES = (QRectF(0, 0, 930, 700), QRectF(10, 20, 560, 420), QRectF(0, 0, 1500, 900))
TOUCHING = 0.01  # pixels


def _meet(one: QRectF, other: QRectF) -> bool:
    common = one.intersected(other)
    return common.width() > TOUCHING and common.height() > TOUCHING


def _collisions(chart: ChartLayout) -> list[tuple[QRectF, QRectF]]:
    texts = chart.text_rects
    between = [(a, b) for one, other in combinations(texts, 2) for a in one for b in other if _meet(a, b)]
    on_points = [(a, m) for one in texts for a in one for m in chart.mark_rects if _meet(a, m)]
    return between + on_points


def test_nothing_overlaps_in_200_random_studies() -> None:
    labels = 0
    for seed in range(200):
        chart = layout(build_figure(evaluated(random_study(seed))), SIZES[seed % 3], LIGHT)
        assert _collisions(chart) == [], seed
        assert all(chart.plot.contains(r) for rects in chart.text_rects for r in rects), seed
        labels += len(chart.labels)
    assert labels > 600  # dropping every label would pass the rest


def test_leaders_do_not_run_through_other_labels() -> None:
    for seed in range(60):
        chart = layout(build_figure(evaluated(random_study(seed))), SIZES[0], LIGHT)
        for owner in chart.labels:
            if owner.leader is None:
                continue
            x0, y0, x1, y1 = owner.leader
            along = [QRectF(x0 + (x1 - x0) * t / 20 - 0.5, y0 + (y1 - y0) * t / 20 - 0.5, 1, 1) for t in range(20)]
            others = [r for t in chart.labels if t is not owner for r in t.rects]
            assert not [1 for a in along for r in others if _meet(a, r)], seed
