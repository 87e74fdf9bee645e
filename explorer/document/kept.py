"""The files that keep unsaved edits: written, found again, and known for what they belong to.

A first line of comment tells name, file and machine: an autosave stays where it is, so the path travels nowhere.
"""

import json
import os
import platform
import re
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile

from explorer.analysis.study.study import FORMAT, Study
from explorer.files.disk.atomic import Stamp, stamp_of, write_atomically
from explorer.files.disk.binary import first_bytes
from explorer.files.disk.leftovers import sweep
from explorer.files.disk.places import is_file
from explorer.files.disk.text import printable
from explorer.files.study.study import read_study
from explorer.files.study.writing import study_pieces

SUFFIX: Final = ".autosave.roofline.yaml"
_LEAD: Final = "# autosave "
_DAMAGED: Final = ".damaged"
_HEAD: Final = 65536
_SMALL: Final = 262144  # bytes that are read at once to see whether they can be
_FORMAT: Final = re.compile(rb"^format:[ \t]*([0-9]{1,9})[ \t]*\r?$", re.MULTILINE)


@dataclass(frozen=True)
class Kept:
    """Edits that a run of the program left behind; `file` is the study's own, where it is still there."""

    path: Path
    name: str = ""
    file: Path | None = None
    stamp: Stamp | None = None
    format: int = FORMAT
    gone: str = ""  # the file it had, where that is not to be found

    @property
    def newer(self) -> bool:
        """Whether a newer version of the program wrote it, which alone can read it."""
        return self.format > FORMAT


def write_kept(
    study: Study, path: Path, file: Path | None, stamp: Stamp | None, pause: Callable[[], None] = lambda: None
) -> Stamp:
    """Keep a study's edits; faults of the study are no reason to lose it. Raise Refused where it cannot be written."""
    return write_atomically(path, _text(study, file, stamp), pause)


def _text(study: Study, file: Path | None, stamp: Stamp | None) -> Iterator[str]:
    head = {"name": study.name, "host": platform.node()}
    if file is not None:
        head |= {"path": os.path.abspath(file), "stamp": stamp}  # type: ignore[dict-item]  # noqa: PTH100 - links stay
    yield f"{_LEAD}{json.dumps(head)}\n"
    yield from study_pieces(study)


def left_behind(folder: Path) -> list[Path]:
    """Edits kept by programs that are no longer running, the newest first."""
    try:
        found = [p for p in folder.iterdir() if p.name.endswith(SUFFIX) and _is_orphan(p)]
    except OSError:  # no such folder, or none that may be read
        return []
    return sorted(found, key=_age, reverse=True)


def look_at(path: Path) -> Kept:
    """What a kept file says about itself; raise Refused where it is damaged, as far as a first look tells."""
    start = first_bytes(path, _HEAD)
    version = _FORMAT.search(start)
    number = int(version[1]) if version else FORMAT
    line = start.partition(b"\n")[0].decode("utf-8", "replace")
    head = _mapping(line.removeprefix(_LEAD)) if line.startswith(_LEAD) else {}
    name = printable(str(head.get("name", "")))
    if number <= FORMAT and (not head or (stamp_of(path) or (0, 0))[1] <= _SMALL):
        name = printable(read_study(path).name)
    file, stamp = _belongs(head)
    gone = "" if file is not None else printable(Path(str(head.get("path", ""))).name)
    return Kept(path, name, file, stamp, number, gone)


def _mapping(text: str) -> dict[str, object]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _belongs(head: dict[str, object]) -> tuple[Path | None, Stamp | None]:
    """The study's own file, where this machine still has it."""
    name, stamp = head.get("path"), head.get("stamp")
    if not isinstance(name, str) or head.get("host") != platform.node():
        return None, None
    path = Path(name)
    if not path.is_absolute() or not is_file(path):
        return None, None
    match stamp:
        case [int(time), int(size)]:
            return path, (time, size)
    return path, None


def set_aside(path: Path) -> Path:
    """Take a damaged file out of the way of the others, where it can still be looked at."""
    target = path.with_name(path.name + _DAMAGED)
    while target.exists():
        target = target.with_name(target.name + "~")
    with suppress(OSError):
        path.rename(target)
        return target
    return path


def lock_of(path: Path) -> QLockFile:
    """The lock of the program that writes a kept file; one of a program that is gone does not hold."""
    name = path.with_name(path.name + ".lock")
    with suppress(OSError):
        if not stat.S_ISREG(name.lstat().st_mode):  # Qt would wait for a pipe, and read a device without end
            name.unlink()
    lock = QLockFile(str(name))
    lock.setStaleLockTime(0)
    return lock


def tidy(folder: Path) -> None:
    """Remove what killed programs left beside the kept files: halves of them, and their locks."""
    sweep(folder, own=True)
    with suppress(OSError):
        for path in folder.glob(f"*{SUFFIX}.lock"):
            kept = path.with_suffix("")
            if not kept.exists():
                _is_orphan(kept)


def _is_orphan(path: Path) -> bool:
    lock = lock_of(path)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another program has recovered it meanwhile
        return 0.0
