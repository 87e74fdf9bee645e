"""The live roofline's speed; yardstick in the same run: a plain PlotWidget of the same size, drawing one line."""

import gc
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from statistics import median

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication, QWidget

from explorer.analysis.edits import add_hardware
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.examples import opening_study
from explorer.plot.roofline_chart import RooflineChart
from explorer.presentation.figure import Figure
from explorer.presentation.palette import LIGHT
from explorer.ui.roofline_tab import RooflineTab
from explorer.ui.session import Session
from tests.plot.chart_hands import cloud, figure, wheel

# Qt parts each translucent fill among threads, and waking them can cost ten times the fill: too noisy to time
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

SIZE = (960, 640)
ROUNDS = 60
MORE = ("nvidia-h200-sxm-141gb", "nvidia-geforce-rtx-4090", "nvidia-l40s")


def shown(widget: QWidget) -> QWidget:
    widget.resize(*SIZE)
    widget.show()
    QApplication.processEvents()
    return widget


def timed(step: Callable[[int], None], rounds: int = ROUNDS) -> list[float]:
    """Seconds from a step to its paint, the first ones left out."""
    times = []
    gc.collect()
    for i in range(rounds + 10):
        started = time.perf_counter()
        step(i)
        QApplication.processEvents()
        times.append(time.perf_counter() - started)
    return times[10:]


@pytest.fixture
def plain(qtbot) -> float:
    """Median seconds of a PlotWidget that draws a line anew."""
    widget = pg.PlotWidget()
    qtbot.addWidget(widget, before_close_func=lambda w: w.hide())
    widget.setMenuEnabled(False)
    curve = widget.plot(np.arange(64.0), np.arange(64.0))
    shown(widget)
    found = median(timed(lambda i: curve.setData(np.arange(64.0), np.sin(np.arange(64.0) + i))))
    widget.hide()
    return found


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


@pytest.mark.benchmark(group="chart")
def test_a_step_of_six_devices_from_figure_to_paint_costs_at_most_four_plain_plots(
    benchmark, session: Session, tab: RooflineTab, plain: float
) -> None:
    """Evaluation, figure, layout and paint of about 40 points with labels and trail."""
    store = session.store
    times = timed(lambda i: store.edit_workload("Batch", merge="batch", batch=1 + (i * 7) % 120), 2 * ROUNDS)
    benchmark.extra_info.update(step_ms=median(times) * 1e3, p99_ms=float(np.percentile(times, 99)) * 1e3)
    benchmark.extra_info.update(plain_ms=plain * 1e3)
    benchmark(lambda: None)
    assert median(times) <= 10e-3
    assert median(times) <= 4.0 * plain
    assert np.percentile(times, 99) <= 3.0 * median(times), "no step redraws what rests"


@pytest.mark.benchmark(group="chart")
def test_points_that_move_cost_no_more_than_a_plain_plot(benchmark, chart: RooflineChart, plain: float) -> None:
    at = moving(figure())
    times = timed(lambda i: chart.take(at(i), None, LIGHT, dragging=True))
    benchmark.extra_info.update(step_ms=median(times) * 1e3, plain_ms=plain * 1e3)
    benchmark(lambda: None)
    assert median(times) <= 1.5 * plain


@pytest.mark.benchmark(group="chart")
def test_five_thousand_points_stay_within_a_frame(benchmark, chart: RooflineChart) -> None:
    at = moving(figure(marks=cloud(5000)))
    figures = [at(i) for i in range(ROUNDS // 2)]
    times = timed(lambda i: chart.take(figures[i % len(figures)], None, LIGHT, dragging=True), ROUNDS // 2)
    benchmark.extra_info.update(step_ms=median(times) * 1e3)
    benchmark(lambda: None)
    assert median(times) <= 33e-3


@pytest.mark.benchmark(group="chart")
def test_hover_answers_within_five_milliseconds(benchmark, session: Session, tab: RooflineTab) -> None:
    chart = tab.go_live()
    places = [chart.to_pixels(m.x, m.y) for m in chart.figure.marks]

    def step(i: int) -> None:
        chart.hover(places[i % len(places)])

    times = timed(step)
    benchmark.extra_info.update(hover_ms=median(times) * 1e3)
    benchmark(lambda: None)
    assert median(times) <= 5e-3


@pytest.mark.benchmark(group="chart")
def test_a_wheel_turn_stays_within_a_frame(benchmark, tab: RooflineTab) -> None:
    """A zoom lays everything out anew and redraws the resting picture."""
    chart = tab.go_live()
    at = QPointF(chart.plot_rect().center())
    times = timed(lambda i: wheel(chart, at, 0.25 if i % 2 else -0.25))
    benchmark.extra_info.update(zoom_ms=median(times) * 1e3)
    benchmark(lambda: None)
    assert median(times) <= 33e-3
