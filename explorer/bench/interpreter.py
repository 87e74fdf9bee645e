"""Another Python: how it is started, here or over ssh, and in what environment."""

import shlex
from pathlib import Path
from typing import Final

import msgspec

from explorer.analysis.problem import Problem, Refused

_WAIT_S: Final = 15
# The first words of any text for another Python: an old one puts its working folder on its path whatever it is told.
ALONE: Final = r"import sys; sys.path[:] = [p for p in sys.path if p[:1] in ('/', '\\') or p[1:3] in (':/', ':\\')]; "
# The worker's text comes first on stdin; a script file would put our folder on the other Python's path.
# Words that any Python understands, so that an old one can say that it is.
_BOOT: Final = (
    f"{ALONE}v = sys.version.split()[0]; sys.version_info < (3, 9) and (sys.stdout.write("
    """'{"type": "error", "code": "python_old", "values": {"version": "%s"}}\\n' % v), sys.exit(1)); """
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
    told = " ".join(["cd / && exec", _quoted(interpreter.python), *map(shlex.quote, arguments)])
    options = ["-T", "-o", "BatchMode=yes", "-o", f"ConnectTimeout={_WAIT_S}", "-o", "ServerAliveInterval=5"]
    return "ssh", [*options, *interpreter.ssh_options, "--", interpreter.host, told]


def _quoted(path: str) -> str:
    """A path for the other machine's shell, from the home folder on where it is a relative one."""
    if path.startswith("/") or "/" not in path:
        return shlex.quote(path)
    return f"~/{shlex.quote(path.removeprefix('~/'))}"


def worker_text() -> bytes:
    """The worker, as it is sent."""
    return Path(__file__).with_name("worker.py").read_bytes()


def sent(job: bytes, script: bytes | None = None) -> bytes:
    """What goes to the interpreter's stdin: the length of the worker's text, the text, and the job's line."""
    text = worker_text() if script is None else script
    return b"%d\n%b%b\n" % (len(text), text, job)
