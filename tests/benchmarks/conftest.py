"""Timings run alone (`dev.py bench`), never among the tests."""

import pytest


@pytest.fixture(autouse=True)
def only_when_asked(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("benchmark_enable"):
        pytest.skip("timings run with dev.py bench")
