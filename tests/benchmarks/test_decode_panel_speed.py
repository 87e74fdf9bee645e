"""The decode panel, the inspector and the answer under a drag, six devices: from the edit to the painted panel."""

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.analysis.ask.batch_sweep import sweep_batches
from explorer.document.store import StudyStore
from explorer.presentation.views.decode import decode_view
from explorer.ui.answer_bar import AnswerBar
from explorer.ui.decode.panel import DecodePanel
from explorer.ui.inspector import Inspector
from explorer.ui.session import Session
from tests.benchmarks.floors import painted, plain_python
from tests.benchmarks.judged import Floor, Judge
from tests.presentation.llama import catalogue, device, evaluated, study

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

SIX = [device(f"Device {i}", bandwidth=(2 + i) * 1e12) for i in range(6)]
STATES = 60


@pytest.mark.parametrize(
    ("make", "what", "most", "goal_ms"),
    [(DecodePanel, "decode panel", 2.4, 4.0), (Inspector, "inspector", 3.6, 4.0), (AnswerBar, "answer", 1.6, 3.0)],
    ids=["decode panel", "inspector", "answer"],
)
def test_a_slider_step_is_applied_and_painted_in_few_plain_plots(
    qtbot: QtBot, judge: Judge, plain: Floor, make: Callable[[Session], QWidget], what: str, most: float, goal_ms: float
) -> None:
    session = Session(StudyStore(study(*SIX)), catalogue())
    panel: Any = make(session)
    qtbot.addWidget(panel)
    panel.resize(340, 800)
    session.attach(panel)
    panel.show()
    session.store.set_view(selection=("attention",))
    for _ in range(5):
        QApplication.processEvents()
    states = [session.state]
    session.shown.disconnect(panel.apply)
    for batch in range(9, 9 + STATES):
        session.store.edit_workload("Batch", merge="batch", batch=batch)
        states.append(session.state)
    step = painted(lambda i: panel.apply(states[i % STATES], states[i % STATES + 1]))
    judge(f"{what}: slider step", step, plain, goal=most, limit=1.4 * most, goal_ms=goal_ms)


def test_curves_of_six_devices_cost_little_python(judge: Judge) -> None:
    evaluation = evaluated(*SIX)
    curves = lambda _: decode_view(evaluation, sweep_batches(evaluation))  # noqa: E731
    judge("decode: curves of six devices", curves, plain_python(), goal=15, limit=22, goal_ms=8)
