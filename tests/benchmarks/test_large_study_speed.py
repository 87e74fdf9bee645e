"""Thousands of rows of the user's own: steps and edits of the whole window, in repaints of one plain plot."""

from random import Random

import pytest
from msgspec.structs import replace

from explorer.analysis.study.edit_rows import change_row, insert_rows
from explorer.analysis.study.study import OwnRow
from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow
from tests.benchmarks.floors import painted
from tests.benchmarks.judged import Floor, Judge

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

MANY, VERY_MANY = 5_000, 20_000


def own_rows(count: int, prefix: str = "row") -> tuple[OwnRow, ...]:
    chance = Random(1)  # noqa: S311 - no secret

    def one(i: int) -> OwnRow:
        if i % 2:
            dims = {n: float(chance.randint(1, 8192)) for n in "mnk"}
            return OwnRow(id=f"{prefix}-{i}", name=f"{prefix} {i}", kind="matmul", dims=dims)
        values = float(chance.randint(10**4, 10**8))
        return OwnRow(id=f"{prefix}-{i}", name=f"{prefix} {i}", kind="residual_add", dims={"values": values})

    return tuple(one(i) for i in range(count))


def window_of(qtbot, count: int) -> MainWindow:
    window = make_window(replace(opening_study(), operators=own_rows(count)), Settings())
    window.take_catalogue(load_catalogue())
    window.autosave.blockSignals(True)  # noqa: FBT003 - the way Qt has it
    window.resize(1600, 1000)
    window.show()
    qtbot.waitExposed(window)
    window.roofline.go_live()
    return window


def test_sliding_with_five_thousand_own_rows_costs_some_plain_plots(qtbot, judge: Judge, plain: Floor) -> None:
    window = window_of(qtbot, MANY)
    store = window.session.store
    step = painted(lambda i: store.edit_workload("Batch", merge="batch", batch=1 + i * 7 % 120))
    judge("5,000 own rows: slider step", step, plain, goal=50, limit=80, goal_ms=50, steps=4)
    window.hide()


def test_editing_twenty_thousand_own_rows_stays_fluent(qtbot, judge: Judge, plain: Floor) -> None:
    window = window_of(qtbot, VERY_MANY)
    store = window.session.store
    known = {o.name for o in store.study.operators}
    pasted = own_rows(1000, "new")
    edits = {
        "batch": (130, lambda _: store.edit_workload("Batch", batch=99)),
        "one cell": (1000, lambda _: store.replace(change_row(store.study, "row-500", count=5.0), "Calls")),
        "undo": (1000, lambda _: store.undo_stack.undo()),
        "paste of 1,000": (
            1000,
            lambda _: store.replace(insert_rows(store.study, pasted, known), "Paste"),
        ),
    }
    for name, (goal, edit) in edits.items():
        judge.once(f"20,000 own rows: {name}", painted(edit), plain, goal=goal, limit=1.5 * goal, goal_ms=600)
    window.hide()
