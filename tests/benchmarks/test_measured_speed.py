"""Ten thousand imported points: a frame of pan and zoom, the hover's answer, a slider's step beside them."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF

from explorer.analysis.study.study import Measurement
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.session import Session
from explorer.ui.views.roofline_tab import RooflineTab
from tests.benchmarks.floors import painted, shown
from tests.benchmarks.judged import Floor, Judge

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
POINTS = 10_000
FRAME_MS = 1e3 / 60


@pytest.fixture
def session(qapp) -> Session:
    study, dice = opening_study(), random.Random(1)  # noqa: S311 - it draws points, not secrets
    device = study.hardware[0].id
    found = []
    for i in range(POINTS):
        flops = 10 ** dice.uniform(6, 13)
        moved = flops / 10 ** dice.uniform(-1, 3.3)
        seconds = max(flops / 989e12, moved / 3.35e12) * dice.uniform(0.9, 20) + 1e-6
        found.append(
            Measurement(
                id=f"k{i}", name=f"kernel {i}", device=device, time_s=seconds, flops=flops, bytes=moved, format="bf16",
                tool="test",
            )
        )  # fmt: skip
    return Session(StudyStore(replace(study, measurements=tuple(found))), load_catalogue(devices=False))


@pytest.fixture
def tab(qtbot, session: Session) -> Iterator[RooflineTab]:
    made = RooflineTab(session)
    qtbot.addWidget(made)
    session.attach(made)
    made.go_live()
    shown(made)
    yield made
    made.hide()


def test_ten_thousand_points_pan_and_zoom_in_few_plain_plots(judge: Judge, tab: RooflineTab, plain: Floor) -> None:
    chart = tab.chart
    assert chart is not None
    pan = painted(lambda i: chart.pan_pixels(QPointF(3 if i % 2 else -3, 1)))
    zoom = painted(lambda i: chart.zoom_pixels(QPointF(480, 300), 1.02 if i % 2 else 1 / 1.02))
    judge("10,000 measurements: pan", pan, plain, goal=22, limit=32, goal_ms=FRAME_MS)
    judge("10,000 measurements: zoom", zoom, plain, goal=22, limit=32, goal_ms=FRAME_MS)


def test_hover_over_ten_thousand_points_is_answered_in_few_plain_plots(
    judge: Judge, tab: RooflineTab, plain: Floor
) -> None:
    chart, dice = tab.chart, random.Random(2)  # noqa: S311 - places of a pointer
    assert chart is not None
    plot = chart.plot_rect()
    places = [
        QPointF(plot.left() + dice.random() * plot.width(), plot.top() + dice.random() * plot.height())
        for _ in range(105)
    ]
    judge("10,000 measurements: hover", lambda i: chart.hover(places[i % 105]), plain, goal=0.5, limit=1, goal_ms=5)


def test_a_sliders_step_beside_ten_thousand_points_costs_few_plain_plots(
    judge: Judge, session: Session, tab: RooflineTab, plain: Floor
) -> None:
    store = session.store
    step = painted(lambda i: store.edit_workload("Batch", merge="batch", batch=1 + i % 100))
    judge("10,000 measurements: slider step", step, plain, goal=26, limit=38, goal_ms=2 * FRAME_MS)
