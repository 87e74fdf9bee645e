"""What lies at a path, without an exception where the way there is closed (`Path` raises for some errors)."""

import os
import sys
from pathlib import Path


def is_folder(path: Path) -> bool:
    """Whether a folder is there and may be seen."""
    return os.path.isdir(path)  # noqa: PTH112 - see above


def is_file(path: Path) -> bool:
    """Whether a regular file is there and may be seen."""
    return os.path.isfile(path)  # noqa: PTH113 - see above


def is_named(path: Path) -> bool:
    """Whether anything has this name, be it a link to nothing."""
    return os.path.lexists(path)


def may_exist(path: Path) -> bool:
    """Whether something is there, or the way is closed, so that reading it will say why."""
    try:
        path.stat()
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def neutral_folder() -> str:
    """A folder that only the system's owner writes to, and that holds no modules."""
    if sys.platform == "win32":
        return str(Path(os.environ.get("SYSTEMROOT") or r"C:\Windows", "System32"))
    return "/"
