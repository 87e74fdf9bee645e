"""On a step of a slider the header paints what the columns come to, and no more; and never less."""

import pytest
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtGui import QPaintEvent

from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.grid.header_view import TableHeader
from explorer.ui.session import Session
from explorer.ui.tables.operators_table import OperatorsTable
from tests.ui.tables.conftest import Kept
from tests.ui.tables.test_painted import settle


class Painted(QObject):
    """The parts of a header that were painted."""

    def __init__(self, header: TableHeader) -> None:
        super().__init__(header)
        self.parts: list[QRect] = []
        header.viewport().installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt names it
        if isinstance(event, QPaintEvent):
            self.parts.append(event.rect())
        return False


@pytest.fixture
def session() -> Session:
    return Session(StudyStore(opening_study()), load_catalogue())


@pytest.fixture
def panel(qtbot, session: Session) -> OperatorsTable:
    panel = OperatorsTable(session, Kept())
    qtbot.addWidget(panel)
    session.attach(panel)
    panel.resize(1264, 420)
    panel.show()
    qtbot.waitExposed(panel)
    settle(panel)
    return panel


def test_another_batch_paints_only_the_line_of_totals(session: Session, panel: OperatorsTable) -> None:
    header = panel.view.header
    seen = Painted(header)
    session.store.edit_workload("Batch", batch=7)
    settle(panel)
    assert seen.parts
    assert all(part.top() >= header.height() - panel.delegate.style.row_height for part in seen.parts)


def test_totals_that_stay_as_they_were_are_not_painted(session: Session, panel: OperatorsTable) -> None:
    seen = Painted(panel.view.header)
    panel.view.header.show_totals()
    settle(panel)
    assert seen.parts == []


def test_a_row_of_totals_that_comes_paints_the_whole_header(panel: OperatorsTable) -> None:
    total, header = panel.model.total, panel.view.header
    panel.model.set_total(None)
    settle(panel)
    seen = Painted(header)
    panel.model.set_total(total)
    settle(panel)
    assert any(part.contains(header.viewport().rect()) for part in seen.parts)


def test_columns_that_stay_are_not_measured_again(monkeypatch, panel: OperatorsTable) -> None:
    measured: list[str] = []
    monkeypatch.setattr(panel.delegate, "natural_width", lambda column: measured.append(column.key) or 80)
    panel.show_columns(panel.every_column)
    assert measured == []
    panel.choose_column("peak", show=True)
    assert "peak" in measured
    panel.usual_columns()
