"""Devices come, go and hide while the Compare tab and the operators table show them."""

import random
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QTableView
from pytestqt.qtbot import QtBot

from explorer.analysis.study.edits import add_hardware, change_hardware, remove_hardware
from explorer.analysis.study.study import Study
from explorer.presentation.tables.columns import Column
from explorer.presentation.tables.operator_rows import OperatorRow
from explorer.ui.session import Session
from explorer.ui.tables.operators_table import OperatorsTable
from explorer.ui.views.compare_tab import CompareTab
from tests.presentation.llama import device, study
from tests.ui.decode_hands import session, shown
from tests.ui.tables.conftest import Kept

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
MADE = [device(f"Made {i}", bandwidth=1e12 * (i + 1)) for i in range(5)]


def begun(**view: object) -> Session:
    of = study(*MADE[:4])
    return session(of=replace(of, view=replace(of.view, tab="compare", **view)))


def table_of(qtbot: QtBot, of: Session) -> OperatorsTable:
    made = OperatorsTable(of, Kept())
    QAbstractItemModelTester(made.model, QAbstractItemModelTester.FailureReportingMode.Fatal, made)
    shown(qtbot, of, made, 1200, 500)
    return made


def put(of: Session, study: Study) -> None:
    of.store.edit("Hardware", hardware=study.hardware)


def without(*entries: str) -> Callable[[Study], Study]:
    def taken(study: Study) -> Study:
        for entry in entries:
            study = remove_hardware(study, entry)
        return study

    return taken


@pytest.mark.parametrize("gone", [("made 3",), ("made 0",), ("made 1", "made 3"), ("made 0", "made 1", "made 2")])
def test_a_baseline_and_other_devices_can_be_taken_out(qtbot: QtBot, gone: tuple[str, ...]) -> None:
    of = begun(baseline="made 3")
    table = table_of(qtbot, of)
    put(of, without(*gone)(of.store.study))
    table.grab()
    left = [h.id for h in of.store.study.hardware]
    times = [c.key.rpartition("@")[2] for c in table.model.columns if "@time@" in c.key]
    assert times == left


def test_figures_stand_under_the_device_that_they_are_of_whichever_went(qtbot: QtBot) -> None:
    of = begun(baseline="made 1")
    table = table_of(qtbot, of)
    before = told(table)
    put(of, without("made 0", "made 2")(of.store.study))
    assert told(table) == {k: v for k, v in before.items() if k.rpartition("@")[2] in {"made 1", "made 3"}}


def told(table: OperatorsTable) -> dict[str, list[str]]:
    columns = [c for c in table.model.columns if c.key.startswith("device_times@")]
    return {c.key: [c.text(row) for row in table.model.rows] for c in columns}


def test_old_columns_never_read_new_rows(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    of = begun(baseline="made 3")
    table = table_of(qtbot, of)
    known: list[set[str]] = []
    differs = Column.differs

    def noted(column: Column[OperatorRow], old: OperatorRow, new: OperatorRow) -> bool:
        if column.key.startswith("device_times@"):
            known.append({column.key.rpartition("@")[2]} - set(new.places))
        return differs(column, old, new)

    monkeypatch.setattr(Column, "differs", noted)
    put(of, without("made 3", "made 0")(of.store.study))
    assert table.model.rows
    assert not any(known)


@pytest.fixture
def chances() -> Iterator[random.Random]:
    return iter([random.Random(number) for number in range(4)])  # noqa: S311 - no secret


def step(of: Session, chance: random.Random) -> None:
    """One change of the hardware: out, in, hidden, shown, another baseline; undone now and then."""
    entries = of.store.study.hardware
    some = [h.id for h in chance.sample(entries, k=min(len(entries), chance.randint(1, 3)))]
    what = chance.choice(["out", "out", "in", "hide", "baseline", "undo"])
    if what == "out":
        put(of, without(*some)(of.store.study))
    elif what == "in":
        put(of, add_hardware(of.store.study, chance.choice(MADE)))
    elif what == "hide":
        changed = of.store.study
        for entry in some:
            changed = change_hardware(changed, entry, visible=chance.random() < 0.5)
        put(of, changed)
    elif what == "baseline" and some:
        of.store.set_view(baseline=some[0], active_hardware=some[-1])
    else:
        of.store.undo_stack.undo()


def test_any_order_of_devices_that_come_go_and_hide_is_shown(qtbot: QtBot, chances: Iterator[random.Random]) -> None:
    for chance in chances:
        of = begun(baseline="made 2")
        table, tab = table_of(qtbot, of), CompareTab(of)
        shown(qtbot, of, tab, 1000, 700)
        QAbstractItemModelTester(tab.panel.grid.words, QAbstractItemModelTester.FailureReportingMode.Fatal, tab)
        for _ in range(12):
            step(of, chance)
            tab.finish()
            QApplication.processEvents()
            table.grab()
            tab.grab()
            named = {c.key.rpartition("@")[2] for c in table.model.columns if "@time@" in c.key}
            visible = {h.id for h in of.store.study.hardware if h.visible}
            assert named == (visible if of.state.evaluation.devices else set())
        of.shown.disconnect(table.apply)
        of.shown.disconnect(tab.apply)


def test_a_fault_while_a_table_is_painted_leaves_no_painter_at_work(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(qtbot, begun())
    view: QTableView = table.view

    def fails(*_args: object) -> None:
        raise LookupError

    monkeypatch.setattr(table.delegate.cells, "column", fails)
    with pytest.raises(LookupError) as fault:  # its traceback keeps what was painted with
        view.viewport().repaint()
    assert fault.traceback
    assert not view.viewport().paintingActive()
