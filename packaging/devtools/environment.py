"""The virtual environment in .venv: made once, filled with the pinned packages, made anew when left half done."""

import hashlib
import os
import shutil
import subprocess
import sys
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Literal

from devtools import launcher
from devtools.project import CONSTRAINTS, PYPROJECT, ROOT, VENV, VENV_PYTHON, Stop, own_environment, say
from devtools.system import need_qt_libraries, need_venv_module

Level = Literal["run", "develop"]
STAMP = VENV / "installed.txt"  # what is installed, so that a second start installs nothing
UNFINISHED = VENV / "unfinished.txt"  # there from the first step to the last: its presence tells of an interruption


def ensure(level: Level) -> None:
    """Leave a virtual environment that can run the program, or also test and build it."""
    if stamp(level) not in installed():
        make_venv()
        install(level)
        STAMP.write_text("\n".join({stamp("run"), stamp(level)}), encoding="utf-8")
        UNFINISHED.unlink()
    with suppress(OSError):  # of an environment that one may use and not write to; the command is a convenience
        launcher.put(VENV, ROOT)
    need_qt_libraries(pyside_folder())


def installed() -> set[str]:
    """Return the stamps of what is installed; none where the environment is missing, broken or half made."""
    if UNFINISHED.exists() or not (VENV_PYTHON.exists() and STAMP.exists()):
        return set()
    return set(STAMP.read_text(encoding="utf-8").split())


def stamp(level: Level) -> str:
    """Return a name for what `level` needs, which changes with every pin, dependency and move of the checkout."""
    wanted = [str(VENV), CONSTRAINTS.read_text(encoding="utf-8"), *requirements(level)]
    return hashlib.sha256("\n".join(wanted).encode()).hexdigest()[:24]


def requirements(level: Level) -> list[str]:
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    extra: list[str] = project["optional-dependencies"]["dev"] if level == "develop" else []
    return [*project["dependencies"], *extra]


def make_venv() -> None:
    """Make .venv unless a sound one stands; scripts in it name its folder, so a moved one is made anew too."""
    if not UNFINISHED.exists() and sound():
        UNFINISHED.touch()
        return
    need_venv_module()
    say("Making the virtual environment")
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir(exist_ok=True)
    UNFINISHED.touch()
    done = subprocess.run(
        [sys.executable, "-P", "-m", "venv", str(VENV)],
        env=own_environment(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise Stop(f"The virtual environment was not made: {(done.stdout + done.stderr).strip()}")


def sound() -> bool:
    """Whether .venv holds a working Python, new enough, with pip, at the place where it was made."""
    if not VENV_PYTHON.exists() or not made_here():
        return False
    check = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    return not subprocess.run(
        [str(VENV_PYTHON), "-P", "-c", check], env=own_environment(os.environ), capture_output=True, check=False
    ).returncode


def made_here() -> bool:
    config = VENV / "pyvenv.cfg"
    return config.exists() and str(VENV) in config.read_text(encoding="utf-8")


def install(level: Level) -> None:
    say("Installing the pinned packages")
    quiet = ["-q", "--disable-pip-version-check", "--no-input"]
    command = [str(VENV_PYTHON), "-P", "-m", "pip", "install", *quiet, "-c", str(CONSTRAINTS), *requirements(level)]
    if subprocess.run(command, env=own_environment(os.environ), stdin=subprocess.DEVNULL, check=False).returncode:
        raise Stop("pip could not install the pinned packages (its reason stands above).", 1)


def pyside_folder() -> Path:
    """Return where the Qt wheel unpacked; only asked on Linux, where the folder names Python's version."""
    return next(VENV.glob("lib*/python3.*/site-packages/PySide6"), VENV)
