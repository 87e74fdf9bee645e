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
