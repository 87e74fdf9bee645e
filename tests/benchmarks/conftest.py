"""Timings run alone (`dev.py bench`), never among the tests."""

import pytest

from tests.ui.conftest import no_window_left, own_settings

__all__ = ["no_window_left", "own_settings"]


@pytest.fixture(autouse=True)
def only_when_asked(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("benchmark_enable"):
        pytest.skip("timings run with dev.py bench")
