"""The Operators table with very many rows: a step of a slider announces the shares alone."""

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt

from explorer.analysis.study.study import OwnRow
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.tables.operators_table import OperatorsTable

# the offscreen platform says so for any window with a least size
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

ROWS = 600


@pytest.fixture
def session(qapp) -> Session:
    rows = tuple(
        OwnRow(id=f"r{i}", name=f"row {i}", kind="matmul", dims={"m": 1.0 + i, "n": 4096.0, "k": 4096.0})
        for i in range(ROWS)
    )
    study = opening_study()
    return Session(StudyStore(replace(study, operators=rows)), load_catalogue(devices=False))


def shown(qtbot, session: Session) -> OperatorsTable:
    table = OperatorsTable(session, Settings())
    qtbot.addWidget(table)
    session.attach(table)
    return table


def said(table: OperatorsTable) -> list[list[str]]:
    model = table.model
    return [[model.data(model.index(r, c)) for c in range(model.columnCount())] for r in range(model.rowCount())]


def test_after_steps_and_edits_every_cell_says_what_a_new_table_says(qtbot, session: Session) -> None:
    table, store = shown(qtbot, session), session.store
    table.model.sort(table.model.column_position("share"), Qt.SortOrder.DescendingOrder)
    for batch in (3, 90):
        store.edit_workload("Batch", merge="batch", batch=batch)
    changed = replace(store.study.operators[5], count=40.0)
    store.edit("Calls", operators=(*store.study.operators[:5], changed, *store.study.operators[6:]))
    store.edit_workload("Weights", weights="fp8")
    fresh = shown(qtbot, session)
    fresh.model.sort(fresh.model.column_position("share"), Qt.SortOrder.DescendingOrder)
    assert said(table) == said(fresh)


def test_rows_that_do_not_change_are_asked_for_their_shares_alone(
    qtbot, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = shown(qtbot, session)
    dressed: list[str] = []
    monkeypatch.setattr(table.model, "dress", lambda row: dressed.append(row.key))
    session.store.edit_workload("Batch", merge="batch", batch=77)
    assert not [key for key in dressed if key.startswith("own:")]
