"""A session on the study of tests/presentation/llama.py, and panels shown on it."""

from msgspec.structs import replace
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.analysis.study.study import Study
from explorer.document.store import StudyStore
from explorer.ui.session import Panel, Session
from tests.presentation.llama import catalogue, device, study


def session(*, of: Study | None = None) -> Session:
    return Session(StudyStore(of or study(device(), device("Second", bandwidth=4e12))), catalogue())


def shown(qtbot: QtBot, of: Session, panel: QWidget, width: int = 330, height: int = 800) -> None:
    qtbot.addWidget(panel)
    panel.resize(width, height)
    of.attach(as_panel(panel))
    panel.show()
    QApplication.processEvents()


def as_panel(widget: QWidget) -> Panel:
    return widget  # type: ignore[return-value]  # every view is one


def select(of: Session, *rows: str) -> None:
    of.store.set_view(selection=rows)


def without_model(of: Study) -> Study:
    return replace(of, models=(), active_model="")
