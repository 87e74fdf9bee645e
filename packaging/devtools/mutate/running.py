"""pytest in a forked child: what both kinds of run share."""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

QUIET = (
    "--quiet",
    "--no-header",
    "--tb=short",
    "--maxfail=1",
    "-p",
    "no:cacheprovider",
    "-W",
    "ignore::pytest.PytestAssertRewriteWarning",  # modules are loaded before the fork
)
ALL = "--maxfail=100000"  # instead of ending at the first
LEFT_OUT = "not slow and not torch"
ENVIRONMENT = {
    "QT_QPA_PLATFORM": "offscreen",
    "OPENBLAS_NUM_THREADS": "1",  # a child has one core
    "PYTHONHASHSEED": "0",
}


def preload() -> None:
    """Load what every test needs but the program, once for all children; no application is made."""
    os.environ.update(ENVIRONMENT)
    os.environ.pop("PYTHONPATH", None)  # programs that tests start are to be those of the copy
    for name in ("numpy", "yaml", "msgspec", "hypothesis", "PySide6.QtTest", "PySide6.QtSvg", "pyqtgraph"):
        try:
            __import__(name)
        except ImportError:
            continue


def run_pytest(root: Path, arguments: Sequence[str], plugin: object, scratch: Path) -> int:
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    os.chdir(root)
    sys.dont_write_bytecode = False
    seeded = ["--hypothesis-seed=0"] if "hypothesis" in sys.modules else []
    places = ["-c", str(root / "pyproject.toml"), f"--rootdir={root}", f"--basetemp={scratch}"]
    return int(pytest.main([*QUIET, *seeded, *places, *arguments], plugins=[plugin]))
