"""The one door through which another program is started: nothing of the working folder, or of a relative path, runs.

A study may lie in a folder that a stranger filled. Python looks for modules in its working folder, Windows and a PATH
with a dot in it look for programs there; so every child works in a folder of the system's, is called by its whole path,
and finds none of the variables that lead a Python elsewhere.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from explorer.files.disk.places import neutral_folder

if TYPE_CHECKING:
    from PySide6.QtCore import QProcess

_OURS: Final = ("_PYI_", "_MEI", "QT_", "QML", "PYSIDE_", "PYTHON", "__PYVENV_LAUNCHER__")
_KEPT: Final = frozenset({"PYTHONUSERBASE", "PYTHONNOUSERSITE", "PYTHONDONTWRITEBYTECODE"})
_LIBRARIES: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FRAMEWORK_PATH", "LIBPATH")
_SEARCHED: Final = ("PATH", *_LIBRARIES)
Process = subprocess.Popen[bytes]
# What keeps a Python and its libraries from going online, or from sending who they are.
OFFLINE: Final = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "USE_HUB_KERNELS": "0",
}
_SECRETS: Final = frozenset({"HF_TOKEN", "HUGGING_FACE_HUB_TOKEN", "HUGGINGFACE_TOKEN", "HF_TOKEN_PATH"})


def absolute_only(paths: str) -> str:
    """The entries of a search path that mean the same wherever one works; an empty one means the working folder."""
    return os.pathsep.join(p for p in paths.split(os.pathsep) if Path(p).is_absolute())


def whole_path(program: str) -> str:
    """Where a program lies: by its name along PATH, never in the working folder; a path of the user's from there on.

    Raises
    ------
    OSError
        No folder of PATH holds it.
    """
    if program.startswith("~"):
        program = os.path.expanduser(program)  # noqa: PTH111 - Path raises where there is no home
    if Path(program).name != program or program in {"", ".", ".."}:
        return os.path.abspath(program)  # noqa: PTH100 - a venv's link must stay one
    names = [program] if sys.platform != "win32" or program.lower().endswith(".exe") else [f"{program}.exe"]
    for folder in absolute_only(os.environ.get("PATH", os.defpath)).split(os.pathsep):
        for path in (Path(folder, n) for n in names if folder):
            if path.is_file() and os.access(path, os.X_OK):
                return str(path)
    raise FileNotFoundError(2, os.strerror(2), program)


def clean_environment(variables: Mapping[str, str], *, frozen: bool | None = None) -> dict[str, str]:
    """The environment for another program, without what a packed program, Qt or a Python's own settings put into it.

    A packed program points the system's loader at its own libraries and keeps what was there under NAME_ORIG.
    """
    packed = bool(getattr(sys, "frozen", False)) if frozen is None else frozen
    kept = {n: v for n, v in variables.items() if n not in _SECRETS and (n in _KEPT or not n.startswith(_OURS))}
    for name in _LIBRARIES:
        before = kept.pop(f"{name}_ORIG", None)
        if before is not None:
            kept[name] = before
        elif packed:
            kept.pop(name, None)
    for name in _SEARCHED:
        if name in kept and (whole := absolute_only(kept.pop(name))):
            kept[name] = whole
    if not Path(kept.get("PYTHONUSERBASE") or "/").is_absolute():
        del kept["PYTHONUSERBASE"]
    return kept


def own_environment() -> dict[str, str]:
    """The environment of this process, cleaned for another program; Pythons from 3.11 on know PYTHONSAFEPATH."""
    return {**clean_environment(os.environ), **OFFLINE, "PYTHONSAFEPATH": "1"}


def start_process(line: Sequence[str], *, talks: bool = True) -> Process:
    """Start a program that is heard through pipes; it leads a group, so that all it starts can end with it.

    Raises
    ------
    OSError
        There is no such program, or it is none.
    """
    more: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
    pipe = subprocess.PIPE
    told = pipe if talks else subprocess.DEVNULL
    return subprocess.Popen(_whole(line), stdin=told, stdout=pipe, stderr=pipe, **_neutral(), **more)


def output_of(line: Sequence[str], timeout_s: float | None = None) -> bytes:
    """Run a program that is told nothing, to its end, and return what it prints.

    Raises
    ------
    OSError
        It cannot be started, or takes longer.
    """
    with start_process(line, talks=False) as process:
        try:
            return process.communicate(timeout=timeout_s)[0]
        except subprocess.TimeoutExpired as late:
            raise TimeoutError from late
        finally:
            kill_tree(process.pid)
            process.kill()


def start_qprocess(process: "QProcess", line: Sequence[str]) -> None:
    """Start a program beside the window, in a group of its own.

    Raises
    ------
    OSError
        There is no such program.
    """
    from PySide6.QtCore import QProcess, QProcessEnvironment

    program, *arguments = _whole(line)
    environment = QProcessEnvironment()
    for name, value in own_environment().items():
        environment.insert(name, value)
    process.setProcessEnvironment(environment)
    process.setWorkingDirectory(neutral_folder())
    if hasattr(process, "setUnixProcessParameters"):
        process.setUnixProcessParameters(QProcess.UnixProcessFlag.CreateNewSession)
    process.start(program, arguments)


def show_folder(folder: Path) -> None:
    """Show a folder in the desktop's file manager."""
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    url = QUrl.fromLocalFile(str(folder.absolute()))
    with contextlib.chdir(neutral_folder()):  # the desktop's helpers are looked for and started from here
        QDesktopServices.openUrl(url)


def is_over(process: Process) -> bool:
    """Whether a process has ended; its number stays its own until it is waited for, so that its group can be ended."""
    if process.returncode is None and hasattr(os, "waitid"):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return process.poll() is not None


def kill_tree(process_id: int) -> None:
    """Kill a process that leads its own group, and the group, which may outlive it."""
    if process_id <= 0:
        return
    if sys.platform == "win32":
        line = [str(Path(neutral_folder(), "taskkill.exe")), "/PID", str(process_id), "/T", "/F"]
        subprocess.run(line, capture_output=True, check=False, **_neutral())
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if _group(process_id) == process_id:  # never our own group
            os.killpg(process_id, signal.SIGKILL)
        else:
            os.kill(process_id, signal.SIGKILL)


def _group(process_id: int) -> int:
    try:
        return os.getpgid(process_id)
    except ProcessLookupError:
        return process_id


def _whole(line: Sequence[str]) -> list[str]:
    return [whole_path(line[0]), *line[1:]]


def _neutral() -> dict[str, Any]:
    return {"cwd": neutral_folder(), "env": own_environment()}
