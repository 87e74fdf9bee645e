"""Timings run alone (`dev.py bench`), never among the tests; `--busy` runs them beside loops that occupy every core."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.benchmarks.floors import plain_plot
from tests.benchmarks.judged import Floor, Judge, Judged, table
from tests.ui.conftest import held_windows, no_window_left, own_settings

__all__ = ["held_windows", "no_window_left", "own_settings"]

ROWS = pytest.StashKey[list[Judged]]()
ROUNDS, BUSY_ROUNDS = 9, 5
# ends by itself should the tests be killed
BUSY = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    sum(range(1_000_000))"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--bench", action="store_true", help="run the timings")
    parser.addoption("--busy", action="store_true", help="run them beside busy loops on all cores")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[ROWS] = []


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    rows = config.stash.get(ROWS, [])
    if not rows:
        return
    busy = ", beside busy loops on all cores" if config.getoption("--busy") else ""
    terminalreporter.section(f"timings{busy}")
    terminalreporter.write_line("Judged are ratios of CPU time to a floor of the same run; ms are on the wall.")
    for line in table(rows):
        terminalreporter.write_line(line)


@pytest.fixture(autouse=True)
def only_when_asked(request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--bench", default=False):
        pytest.skip("timings run with dev.py bench")
    if request.config.getoption("--busy") and request.node.get_closest_marker("torch"):
        pytest.skip("what a busy machine adds to an operator's time is for the worker to tell, not to hide")


@pytest.fixture(autouse=True, scope="session")
def busy_loops(pytestconfig: pytest.Config) -> Iterator[None]:
    """Occupy every core as long as the timings run."""
    count = (os.cpu_count() or 1) if pytestconfig.getoption("--busy", default=False) else 0
    loops = [subprocess.Popen([sys.executable, "-S", "-c", BUSY]) for _ in range(count)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


@pytest.fixture
def judge(request: pytest.FixtureRequest) -> Judge:
    return Judge(request.config.stash[ROWS], BUSY_ROUNDS if request.config.getoption("--busy") else ROUNDS)


@pytest.fixture
def plain(qtbot: QtBot) -> Floor:
    """A plain plot that draws one line anew."""
    return plain_plot(qtbot)
