"""Where things lie in the checkout, how its programs are started, and what is said on the way."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

PACKAGING = Path(__file__).resolve().parent.parent
ROOT = PACKAGING.parent
VENV = ROOT / ".venv"
CONSTRAINTS = PACKAGING / "constraints.txt"
PYPROJECT = ROOT / "pyproject.toml"
VENV_PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

# A caller's settings that would make this checkout import, install or plug in something else; of a Python's own all,
# PYTHONDONTWRITEBYTECODE too: without bytecode every start compiles the program anew.
FOREIGN = (
    "PYTHON",
    "VIRTUAL_ENV",
    "__PYVENV_LAUNCHER__",
    "PIP_PREFIX",
    "PIP_ROOT",
    "PIP_TARGET",
    "QT_PLUGIN_PATH",
    "QT_QPA_PLATFORM_PLUGIN_PATH",
    "QML2_IMPORT_PATH",
)


class Stop(Exception):  # noqa: N818  (an end that was explained, not an error of the program)
    """Ends the command with one line said and an exit code."""

    def __init__(self, line: str, code: int = 2) -> None:
        super().__init__(line)
        self.code = code


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def own_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the caller's environment without what would lead into another installation."""
    kept = {name: value for name, value in environ.items() if not name.startswith(FOREIGN)}
    if "PATH" in kept:
        kept["PATH"] = absolute_only(kept["PATH"])
    return {**kept, "PYTHONPATH": str(ROOT), "PIP_USER": "0"}


def absolute_only(paths: str) -> str:
    """The entries of a search path that lead to no program of the working folder."""
    return os.pathsep.join(path for path in paths.split(os.pathsep) if Path(path).is_absolute())


def call(command: Sequence[str | Path], extra: Mapping[str, str] | None = None, cwd: Path | None = None) -> int:
    """Run to the end and return the exit code; Ctrl-C belongs to the child first."""
    environment = {**own_environment(os.environ), **(extra or {})}
    with subprocess.Popen(list(map(str, command)), cwd=cwd, env=environment) as child:
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                continue
