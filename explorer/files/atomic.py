"""Files that are either the old one or the new one, never half of one."""

import errno
import os
import tempfile
from pathlib import Path

from explorer.analysis.problem import Problem, Refused
from explorer.files.text import shown


def write_atomically(path: Path, data: str | bytes) -> None:
    """Replace the file in one step; text is written as UTF-8 with plain line ends. Raise Refused."""
    content = data.encode() if isinstance(data, str) else data
    try:
        _replace(path.resolve(), content)  # a link keeps pointing at the file it names
    except OSError as error:
        raise _refused(path, error.strerror or type(error).__name__) from None
    except RuntimeError:  # what Python calls links that point at each other
        raise _refused(path, os.strerror(errno.ELOOP)) from None
    except ValueError:  # a NUL in the path
        raise _refused(path, os.strerror(errno.EINVAL)) from None


def _refused(path: Path, reason: str) -> Refused:
    return Refused(Problem("file.write", values={"file": shown(path.name or path), "reason": reason}))


def _replace(path: Path, content: bytes) -> None:
    if path.exists() and not (path.is_file() or path.is_dir()):  # a device must not become a file
        raise OSError(errno.EINVAL, "not a regular file")
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=".tmp", dir=path.parent)
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(_mode(path))
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _mode(path: Path) -> int:
    """The mode the file has, or the one a new file gets; mkstemp's own is private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
