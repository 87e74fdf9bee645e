"""The wheel, made from a copy of what it holds: nothing of an earlier one gets in, and nothing into the checkout."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from devtools.project import ROOT, Stop, say
from devtools.words import WHEEL

SOURCES = ("explorer", "hardware", "resources", "packaging", "pyproject.toml", "README.md", "LICENSE")
LEFT = shutil.ignore_patterns("__pycache__", "*.pyc")


def main(arguments: Sequence[str]) -> int:
    """Make the wheel; return the exit code."""
    try:
        print(build(WHEEL.parse_args(arguments).folder))
    except Stop as stop:
        say(str(stop))
        return stop.code
    return 0


def build(into: Path) -> Path:
    """Make the wheel without the network and return its path."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = Path(folder, "source"), Path(folder, "made")
        for name in SOURCES:
            copy(ROOT / name, source / name)
        pip = [sys.executable, "-P", "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-input"]
        offline = ["--no-deps", "--no-build-isolation", "--no-index"]
        done = subprocess.run([*pip, *offline, "-w", made, source], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Stop(f"The wheel was not made: {done.stderr.strip()}", 1)
        (wheel,) = made.glob("*.whl")
        into.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy(wheel, into))


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, ignore=LEFT)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
