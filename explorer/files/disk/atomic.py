"""Files that are either the old one or the new one, never half of one."""

import errno
import os
import stat
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.leftovers import ENDING, beginning, hold
from explorer.files.disk.text import printable

Stamp = tuple[int, int]  # when a file was last changed, in ns, and its size
Data = str | bytes | Iterable[str]
_READ_ONLY: Final = "the file is read-only"


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


_MASK: Final = _mask()  # read while there is one thread: for a moment there is no mask at all


def write_atomically(path: Path, data: Data, pause: Callable[[], None] = lambda: None) -> Stamp:
    """Replace the file in one step, and say what it looks like then; raise Refused.

    Text is written as UTF-8 with plain line ends. `pause` is called after each piece, where `data` comes in pieces;
    what it raises leaves the old file in place.
    """
    try:
        return _replace(path.resolve(), data, pause)  # a link keeps pointing at the file it names
    except OSError as error:
        raise _refused(path, error.strerror or type(error).__name__) from None
    except RuntimeError:  # what Python calls links that point at each other
        raise _refused(path, os.strerror(errno.ELOOP)) from None
    except ValueError:  # a NUL in the path
        raise _refused(path, os.strerror(errno.EINVAL)) from None


def stamp_of(path: Path) -> Stamp | None:
    """What a file looks like now; None where it cannot be told."""
    try:
        return _stamp(path.stat())
    except (OSError, ValueError):
        return None


def _stamp(status: os.stat_result) -> Stamp:
    return status.st_mtime_ns, status.st_size


def _refused(path: Path, reason: str) -> Refused:
    return Refused(Problem("file.write", values={"file": printable(path.name or path), "reason": reason}))


def _replace(path: Path, data: Data, pause: Callable[[], None]) -> Stamp:
    old = _status(path)
    file, temporary = _temporary(path)
    try:
        with file:
            _write(file, data, pause)
            _like(old, file, temporary)
            file.flush()
            os.fsync(file.fileno())
            stamp = _stamp(os.fstat(file.fileno()))
            if os.name != "nt":  # where an open file can be renamed the lock lasts until it has its name
                temporary.replace(path)
        if os.name == "nt":
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)
    return stamp


def _status(path: Path) -> os.stat_result | None:
    """The file that is there; a device must not become a file, and a file that must not be written is left alone."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
        raise OSError(errno.EINVAL, "not a regular file")
    writable = status.st_mode & 0o222 and os.access(path, os.W_OK)  # the first tells even where all is allowed
    if stat.S_ISREG(status.st_mode) and not writable:
        raise OSError(errno.EACCES, _READ_ONLY)
    return status


def _temporary(path: Path) -> tuple[BinaryIO, Path]:
    """A new file beside the one it will become, held so that no other program takes it for a leftover."""
    while True:
        handle, name = tempfile.mkstemp(prefix=beginning(path.name), suffix=ENDING, dir=path.parent)
        file = os.fdopen(handle, "wb")
        if hold(file) and (os.name == "nt" or os.fstat(handle).st_nlink):
            return file, Path(name)
        file.close()  # taken away in the moment before it was held


def _write(file: BinaryIO, data: Data, pause: Callable[[], None]) -> None:
    if isinstance(data, bytes):
        file.write(data)
        return
    for piece in (data,) if isinstance(data, str) else data:
        file.write(piece.encode())
        pause()


def _like(old: os.stat_result | None, file: BinaryIO, temporary: Path) -> None:
    """Give the file the mode and, where allowed, the owner of the one it replaces; mkstemp's own mode is private."""
    if old is None or not stat.S_ISREG(old.st_mode):
        temporary.chmod(0o666 & ~_MASK)
        return
    now = os.fstat(file.fileno())
    if os.name != "nt" and (now.st_uid, now.st_gid) != (old.st_uid, old.st_gid):
        with suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)
    temporary.chmod(old.st_mode & 0o777)


def _sync_folder(folder: Path) -> None:
    """Have the new name outlive a power cut; not every system can."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
