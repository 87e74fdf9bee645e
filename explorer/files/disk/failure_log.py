"""What went wrong in the program itself: a report without private paths, and a small log that keeps the last ones."""

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from explorer import __version__

NAME: Final = "roofline-explorer.log"
_LARGEST: Final = 262144
_OLDER: Final = 3
_FRAMES: Final = 40
_LINE: Final = 2000


def report_of(error: BaseException, *more: str) -> str:
    """The report of an exception: where, what, and on which system; the home folder is left out."""
    import platform  # here and below: not before something fails
    import traceback

    lines = [line[:_LINE] for line in traceback.format_exception(error, limit=-_FRAMES)]
    system = f"{platform.system()} {platform.release()}, {platform.machine()}"
    head = [f"Roofline Explorer {__version__}, Python {platform.python_version()}, {system}", *more, ""]
    return without_home("\n".join(head) + "\n" + "".join(lines))


def without_home(text: str) -> str:
    """The text with `~` for the user's home folder."""
    with suppress(RuntimeError, OSError):
        home = str(Path.home())
        if len(home) > 1:
            return text.replace(home, "~")
    return text


def log_folder(data: Path | None = None) -> Path:
    """Where the log lies: in the program's folder of this user."""
    return (data or user_folder()) / "log"


def user_folder() -> Path:
    """The program's folder of this user, as Qt would name it, for programs that run without Qt."""
    name = Path("Roofline Explorer", "Roofline Explorer")
    home = os.path.expanduser("~")  # noqa: PTH111 - Path raises where there is no home
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or home) / name
    if sys.platform == "darwin":
        return Path(home, "Library", "Application Support") / name
    chosen = os.environ.get("XDG_DATA_HOME", "")
    return (Path(chosen) if chosen.startswith("/") else Path(home, ".local", "share")) / name


def log(text: str, folder: Path) -> Path | None:
    """Add to the log; where that is not possible, to one in the folder for temporary files. None where neither is."""
    import tempfile

    for place in (folder, Path(tempfile.gettempdir())):
        try:
            return _log(text, place)
        except OSError:
            continue
    return None


def _log(text: str, folder: Path) -> Path:
    from logging import ERROR, Formatter, LogRecord
    from logging.handlers import RotatingFileHandler

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / NAME
    if path.exists() and not path.is_file():  # a pipe would never take it
        raise OSError
    handler = RotatingFileHandler(path, maxBytes=_LARGEST, backupCount=_OLDER, encoding="utf-8", errors="replace")
    handler.setFormatter(Formatter("%(asctime)s %(message)s\n"))
    record = LogRecord(NAME, ERROR, "", 0, text[: _LARGEST // 2], None, None)
    if handler.shouldRollover(record):
        handler.doRollover()
    line = handler.format(record) + "\n"
    handler.close()
    with path.open("a", encoding="utf-8", errors="replace") as file:  # a handler would keep what fails to itself
        file.write(line)
    return path
