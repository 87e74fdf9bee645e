"""Rows copied for a spreadsheet hold no formulas, and paste back under the names they had."""

import re

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication

from explorer.analysis.study.study import Measurement, OwnRow
from explorer.ui.session import Session
from explorer.ui.tables.measurements_table import MeasurementsTable
from explorer.ui.tables.operators_table import OperatorsTable
from tests.strangers import FORMULAS, NAMES

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
ALL = (*NAMES, *FORMULAS, '"quoted"', '"open', 'in"side', "'apostrophe'")


def assert_harmless(text: str) -> None:
    for line in text.splitlines():
        for cell in line.split("\t"):
            bare = cell.lstrip('" ')
            assert not re.match(r"[=+\-@\uff1d\uff0b\uff0d\uff20]", bare) or re.fullmatch(r"-?[\d.e-]+", cell), cell


def test_operators_paste_back_under_the_names_they_had(table: OperatorsTable, session: Session) -> None:
    rows = tuple(OwnRow(id=f"r{i}", name=name, kind="matmul") for i, name in enumerate(ALL))
    session.store.put(replace(session.store.study, operators=rows))
    table.view.selectAll()
    table.copy()
    assert_harmless(QGuiApplication.clipboard().text())
    session.store.put(replace(session.store.study, operators=(), active_model=""))
    table.paste()
    assert [o.name for o in session.store.study.operators][-len(ALL) :] == list(ALL)


def test_measurements_paste_back_under_the_names_they_had(qtbot, session: Session, kept) -> None:
    study = session.store.study
    device = replace(study.hardware[0].device, name="=D1", short="+d")
    rows = (OwnRow(id="r", name="=row", kind="matmul"),)
    found = tuple(
        Measurement(id=f"m{i}", name=name, device=study.hardware[0].id, row="=row", time_s=1e-3, source="=s\n=t\x1b")
        for i, name in enumerate(ALL)
    )
    entries = (replace(study.hardware[0], device=device), *study.hardware[1:])
    session.store.put(replace(study, operators=rows, measurements=found, hardware=entries))
    panel = MeasurementsTable(session, kept)
    qtbot.addWidget(panel)
    session.attach(panel)
    panel.show()
    panel.later.finish()
    panel.view.selectAll()
    panel.copy()
    copied = QGuiApplication.clipboard().text()
    assert_harmless(copied)
    assert "\x1b" not in copied
    session.store.put(replace(session.store.study, measurements=()))
    panel.paste()
    back = session.store.study.measurements
    assert [(m.name, m.row, m.device, m.time_s) for m in back] == [(m.name, m.row, m.device, m.time_s) for m in found]
    session.shown.disconnect(panel.apply)
