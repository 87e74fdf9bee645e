"""A slider's step in the Operators table, against a plain 18 x 10 table that changes as much in the same run."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.session import Session
from explorer.ui.tables.operators_table import OperatorsTable
from tests.benchmarks.floors import plain_table
from tests.benchmarks.judged import Judge

# the offscreen platform says so for any window with a least size
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

STEPS = 60


class Nothing:
    """Settings that keep nothing."""

    def text(self, name: str, default: str = "") -> str:
        del name
        return default

    def set_text(self, name: str, value: str) -> None:
        """Forget it."""


def table_step() -> Callable[[int], None]:
    study = opening_study()
    session = Session(StudyStore(study), load_catalogue(devices=False))
    table = OperatorsTable(session, Nothing())
    session.attach(table)
    table.resize(1264, 600)
    table.show()
    states = [
        Session(StudyStore(replace(study, workload=replace(study.workload, batch=8 + i))), session.catalogue).state
        for i in range(STEPS)
    ]

    def step(i: int) -> None:
        table.apply(states[i % STEPS - 1], states[i % STEPS])
        table.view.viewport().repaint()

    return step


@pytest.mark.usefixtures("qtbot")
def test_a_step_of_a_slider_costs_no_more_than_in_a_plain_table(judge: Judge, qapp: QApplication) -> None:
    step = table_step()
    qapp.processEvents()
    judge("operators table: slider step", step, plain_table(), goal=1, limit=1.2, goal_ms=4)
