"""The live roofline's speed, in repaints of a plain plot of the same size."""

from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPointF

from explorer.analysis.study.edits import add_hardware
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.plot.live.roofline_chart import RooflineChart
from explorer.presentation.palette import LIGHT
from explorer.presentation.roofline.figure import Figure
from explorer.ui.session import Session
from explorer.ui.views.roofline_tab import RooflineTab
from tests.benchmarks.floors import painted, shown
from tests.benchmarks.judged import Floor, Judge
from tests.plot.chart_hands import cloud, figure, wheel

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

MORE = ("nvidia-h200-sxm-141gb", "nvidia-geforce-rtx-4090", "nvidia-l40s")


@pytest.fixture
def chart(qtbot) -> Iterator[RooflineChart]:
    made = RooflineChart()
    qtbot.addWidget(made)
    made.take(figure(), None, LIGHT)
    shown(made)
    yield made
    made.hide()


@pytest.fixture
def session(qapp) -> Session:
    study, catalogue = opening_study(), load_catalogue()
    for ident in MORE:
        study = add_hardware(study, catalogue.device_by_id[ident])
    return Session(StudyStore(study), catalogue)


@pytest.fixture
def tab(qtbot, session: Session) -> Iterator[RooflineTab]:
    made = RooflineTab(session)
    qtbot.addWidget(made)
    session.attach(made)
    made.go_live()
    shown(made)
    yield made
    made.hide()


def moving(base: Figure) -> Callable[[int], Figure]:
    def at(i: int) -> Figure:
        by = 0.002 * (i % 50)
        return replace(base, marks=tuple(replace(m, x=m.x + by, y=m.y + by) for m in base.marks))

    return at


def test_a_step_of_six_devices_from_figure_to_paint_costs_few_plain_plots(
    judge: Judge, session: Session, tab: RooflineTab, plain: Floor
) -> None:
    """Evaluation, figure, layout and paint of about 40 points with labels and trail."""
    store = session.store
    step = painted(lambda i: store.edit_workload("Batch", merge="batch", batch=1 + (i * 7) % 120))
    turns = judge("chart: step of six devices", step, plain, goal=4, limit=8, goal_ms=10)
    assert turns.tail <= 3.0, "no step redraws what rests"


def test_points_that_move_cost_little_more_than_a_plain_plot(judge: Judge, chart: RooflineChart, plain: Floor) -> None:
    at = moving(figure())
    step = painted(lambda i: chart.take(at(i), None, LIGHT, dragging=True))
    judge("chart: points that move", step, plain, goal=1, limit=1.5)


def test_five_thousand_points_move_in_few_plain_plots(judge: Judge, chart: RooflineChart, plain: Floor) -> None:
    at = moving(figure(marks=cloud(5000)))
    figures = [at(i) for i in range(30)]
    step = painted(lambda i: chart.take(figures[i % len(figures)], None, LIGHT, dragging=True))
    judge("chart: 5,000 points that move", step, plain, goal=30, limit=45, goal_ms=33)


def test_a_hover_is_answered_in_few_plain_plots(judge: Judge, tab: RooflineTab, plain: Floor) -> None:
    chart = tab.go_live()
    places = [chart.to_pixels(m.x, m.y) for m in chart.figure.marks]
    step = painted(lambda i: chart.hover(places[i % len(places)]))
    judge("chart: hover", step, plain, goal=3, limit=4.5, goal_ms=5)


def test_a_wheel_turn_costs_few_plain_plots(judge: Judge, tab: RooflineTab, plain: Floor) -> None:
    """A zoom lays everything out anew and redraws the resting picture."""
    chart = tab.go_live()
    at = QPointF(chart.plot_rect().center())
    step = painted(lambda i: wheel(chart, at, 0.25 if i % 2 else -0.25))
    judge("chart: wheel turn", step, plain, goal=16, limit=24, goal_ms=33)
