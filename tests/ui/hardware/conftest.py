"""A picker on the opening study, with the real database and a folder of the test's own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation import sentences as texts  # noqa: F401 - registers every sentence
from explorer.ui.hardware.picker import HardwarePicker
from explorer.ui.session import Session
from explorer.ui.settings import Settings


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    found = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    found.hardware_folder = tmp_path / "hardware"
    return found


@pytest.fixture
def session(qapp: object) -> Session:
    return Session(StudyStore(opening_study()), load_catalogue(devices=False))


@pytest.fixture
def picker(qtbot: QtBot, session: Session, settings: Settings, catalogue: Catalogue) -> Iterator[HardwarePicker]:
    widget = HardwarePicker(session, settings)
    session.attach(widget)
    session.set_catalogue(catalogue)
    widget.resize(280, 900)
    qtbot.addWidget(widget)
    with qtbot.waitExposed(widget):
        widget.show()
    yield widget
    session.shown.disconnect(widget.apply)
