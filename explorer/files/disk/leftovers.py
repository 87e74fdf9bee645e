"""Temporary files of programs that were killed while they wrote: known by name, taken away when nobody holds them."""

import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

if sys.platform != "win32":  # where an open file cannot be removed
    import fcntl

ENDING: Final = ".roofline.tmp"
_QT: Final = re.compile(r"\.[A-Za-z]{6}")
_LONG_AGO_S: Final = 3600.0
_NAMED: Final = 40  # characters of a file's name in that of its temporary file
_ANY: Final = re.compile(r"\..*\.[a-z0-9_]{8}(\.roofline)?\.tmp", re.DOTALL)


def beginning(name: str) -> str:
    """How the names of a file's temporary files begin."""
    return f".{name[:_NAMED]}."


def hold(file: BinaryIO) -> bool:
    """Hold an open file until it is closed or the program ends; False where another program holds it."""
    if sys.platform != "win32":
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        except OSError:  # a file system without locks
            return True
    return True


def sweep(folder: Path, name: str = "", *, own: bool = False) -> None:
    """Remove what killed programs left in a folder: of one file only where it is named.

    A folder of the program's `own` may hold temporary files of older versions too, whose names say less.
    """
    start = beginning(name) if name else "."
    with suppress(OSError, ValueError):
        for path in list(_leftovers(folder, start, own=own)):
            with suppress(OSError):
                _remove(path)


def sweep_settings(file: Path) -> None:
    """Remove what Qt left beside a settings file when a program was killed long ago; its writing takes no time."""
    with suppress(OSError, ValueError):
        for path in file.parent.glob("*.??????"):
            ours = _QT.fullmatch(path.name.removeprefix(file.name)) and path.name.startswith(file.name)
            if ours and path.is_file() and time.time() - path.stat().st_mtime > _LONG_AGO_S:
                with suppress(OSError):
                    path.unlink()


def _leftovers(folder: Path, start: str, *, own: bool) -> Iterator[Path]:
    with os.scandir(folder) as entries:
        for entry in entries:
            named = entry.name.startswith(start) and (own or entry.name.endswith(ENDING))
            if named and _ANY.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _remove(path: Path) -> None:
    with path.open("ab") as file:
        free = hold(file)
        if free and os.name != "nt":
            path.unlink()
    if free and os.name == "nt":
        path.unlink()
