"""Another Python: how it is started, here or over ssh, and in what environment."""

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from explorer.analysis.problem import Problem, Refused

_OURS: Final = ("_PYI_", "_MEI", "QT_", "QML", "PYSIDE_")
_PYTHONS: Final = frozenset({"PYTHONHOME", "PYTHONPATH", "PYTHONEXECUTABLE", "__PYVENV_LAUNCHER__", "PYTHONSAFEPATH"})
_LIBRARIES: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "LIBPATH")
_WAIT_S: Final = 15
# The worker's text comes first on stdin; a script file would put our folder on the other Python's path.
# Words that any Python understands, so that an old one can say that it is.
_BOOT: Final = (
    "import sys; v = sys.version.split()[0]; sys.version_info < (3, 9) and (sys.stdout.write("
    """'{"type": "error", "code": "python_old", "values": {"version": "%s"}}\\n' % v), sys.exit(1)); """
    "sys.path[:] = [p for p in sys.path if p]; "
    "s = sys.stdin.buffer; n = int(s.readline()); exec(compile(s.read(n), 'worker.py', 'exec'))"
)


class Interpreter(msgspec.Struct, frozen=True):
    """A Python by its path, on this machine or, where `host` is named, on one that ssh reaches."""

    python: str
    host: str = ""
    ssh_options: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{self.host}:{self.python}" if self.host else self.python


def command(interpreter: Interpreter) -> tuple[str, list[str]]:
    """The program and arguments that run a worker whose text comes on stdin.

    Raises
    ------
    Refused
        The host's or interpreter's name cannot be one.
    """
    if not interpreter.python.strip():
        raise Refused(Problem("measure.no_python"))
    arguments = ["-u", "-c", _BOOT]
    if not interpreter.host:
        return interpreter.python, arguments
    if interpreter.host.startswith("-") or not interpreter.host.isprintable() or " " in interpreter.host:
        raise Refused(Problem("measure.host", values={"host": interpreter.host[:80]}))
    told = " ".join([_quoted(interpreter.python), *map(shlex.quote, arguments)])
    options = ["-T", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={_WAIT_S}", "-o", "ServerAliveInterval=5"]
    return "ssh", [*options, *interpreter.ssh_options, "--", interpreter.host, told]


def _quoted(path: str) -> str:
    """A path for the other machine's shell, which still finds the home folder."""
    return f"~/{shlex.quote(path[2:])}" if path.startswith("~/") else shlex.quote(path)


def worker_text() -> bytes:
    """The worker, as it is sent."""
    return Path(__file__).with_name("worker.py").read_bytes()


def sent(job: bytes, script: bytes | None = None) -> bytes:
    """What goes to the interpreter's stdin: the length of the worker's text, the text, and the job's line."""
    text = worker_text() if script is None else script
    return b"%d\n%b%b\n" % (len(text), text, job)


def clean_environment(variables: Mapping[str, str], *, frozen: bool | None = None) -> dict[str, str]:
    """The environment without what a packed program, Qt or our own Python put into it.

    A packed program points the system's loader at its own libraries and keeps what was there under NAME_ORIG.
    """
    packed = bool(getattr(sys, "frozen", False)) if frozen is None else frozen
    kept = {n: v for n, v in variables.items() if not n.startswith(_OURS) and n not in _PYTHONS}
    for name in _LIBRARIES:
        before = kept.pop(f"{name}_ORIG", None)
        if before is not None:
            kept[name] = before
        elif packed:
            kept.pop(name, None)
    return kept


def own_environment() -> dict[str, str]:
    """The environment of this process, cleaned for another Python."""
    return clean_environment(os.environ)
