"""A session on the opening example, and tables over it."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtTest import QAbstractItemModelTester

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.study.study import OwnRow, Study
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.session import Session
from explorer.ui.tables.models_table import ModelsTable
from explorer.ui.tables.operators_table import OperatorsTable


class Kept:
    """Settings in memory."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def text(self, name: str, default: str = "") -> str:
        return self.texts.get(name, default)

    def set_text(self, name: str, value: str) -> None:
        self.texts[name] = value


@pytest.fixture(scope="session")
def known() -> Catalogue:
    return load_catalogue(devices=False)


@pytest.fixture
def study() -> Study:
    """The opening example with two rows of the user's own."""
    mine = (
        OwnRow(id="a", name="first", kind="matmul", dims={"m": 8.0, "n": 64.0, "k": 32.0}, count=2.0),
        OwnRow(id="b", name="second", kind="softmax", dims={"values": 1000.0}),
    )
    return replace(opening_study(), operators=mine)


@pytest.fixture
def session(study: Study, known: Catalogue) -> Session:
    return Session(StudyStore(study), known)


@pytest.fixture
def kept() -> Kept:
    return Kept()


@pytest.fixture
def table(qtbot, session: Session, kept: Kept) -> Iterator[OperatorsTable]:
    """The table, shown, under the model tester that aborts on every broken promise of the model."""
    panel = OperatorsTable(session, kept)
    tester = QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal, panel)
    qtbot.addWidget(panel)
    session.attach(panel)
    panel.resize(1264, 600)
    panel.show()
    qtbot.waitExposed(panel)
    yield panel
    session.shown.disconnect(panel.apply)
    tester.deleteLater()


@pytest.fixture
def models(qtbot, session: Session, kept: Kept) -> Iterator[ModelsTable]:
    panel = ModelsTable(session, kept)
    tester = QAbstractItemModelTester(panel.model, QAbstractItemModelTester.FailureReportingMode.Fatal, panel)
    qtbot.addWidget(panel)
    session.attach(panel)
    panel.resize(1264, 300)
    panel.show()
    qtbot.waitExposed(panel)
    yield panel
    session.shown.disconnect(panel.apply)
    tester.deleteLater()
