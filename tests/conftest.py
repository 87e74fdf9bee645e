"""Fixtures shared by all tests."""

import os
import sys
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")  # before any test makes an application
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")  # as the program itself does
if sys.platform == "win32":  # Qt's offscreen platform looks for fonts in the wheel, which holds none, and warns
    os.environ.setdefault("QT_QPA_FONTDIR", str(Path(os.environ["SYSTEMROOT"], "Fonts")))

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of collected cases, where a checkout has one beside it."""
    if not SHARED.is_dir():
        pytest.skip("no folder of cases beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


NEEDING = pytest.StashKey[int]()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[NEEDING] = sum("shared" in getattr(item, "fixturenames", ()) for item in items)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """One line on the tests that need the collected cases, so that nobody takes a run without them for all of it."""
    needing = config.stash.get(NEEDING, 0)
    if needing:
        found = f"which is there: {SHARED}" if SHARED.is_dir() else "which is not there: they were left out"
        terminalreporter.write_line(f"{needing} tests need the folder of cases beside the checkout, {found}")
