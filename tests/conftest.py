"""Fixtures shared by all tests."""

from pathlib import Path

import pytest

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
