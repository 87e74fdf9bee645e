"""A window on the opening study, and workers that only say what a test wants."""

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow

OPENING = """
import json, sys, time
def say(kind, **values): print(json.dumps({"type": kind, **values}), flush=True)
job = json.loads(sys.stdin.buffer.readline())
devices = [{"id": "cpu", "name": "Test CPU"}, {"id": "cuda", "name": "Test GPU"}]
say("hello", protocol=1, python="3.11", torch="2.13", host="here", threads=2, devices=devices)
if job["command"] == "hello":
    say("done", rows=0, skipped=0)
    sys.exit(0)
"""


def worker(body: str) -> bytes:
    return (OPENING + body).encode()


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    found = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    found.hardware_folder = tmp_path / "hardware"
    found.measure_python = sys.executable
    return found


@pytest.fixture
def window(qapp, qtbot, catalogue, settings) -> MainWindow:
    made = make_window(opening_study(), settings)
    made.take_catalogue(catalogue)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    return made
