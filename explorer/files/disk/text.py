"""Text of files from anywhere: size, encoding and odd files are refused in one line."""

import os
import stat
from pathlib import Path

from explorer.analysis.problem import Problem, Refused

_NO_TEXT = "\x00"
_PATIENT = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def read_text(path: Path, limit: int) -> str:
    """Return the text of a regular file of at most `limit` bytes; raise Refused."""
    return decode(read_start(path, limit + 1), limit)


def read_start(path: Path, most: int) -> bytes:
    """Return the first bytes of a regular file; raise Refused."""
    try:
        return _bytes(path, most)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Refused(Problem("file.read", values={"file": printable(path.name), "reason": reason})) from None
    except ValueError:  # a NUL in the path
        raise Refused(Problem("file.not_a_file", values={"file": printable(path.name)})) from None


def _bytes(path: Path, most: int) -> bytes:
    """The first bytes of a regular file; a folder, a pipe or a device might never end, and never makes this wait."""
    if not stat.S_ISREG(path.stat().st_mode):
        raise Refused(Problem("file.not_a_file", values={"file": printable(path.name)}))
    with os.fdopen(os.open(path, _PATIENT), "rb") as file:
        return file.read(most) or b""  # a file of the kernel may have nothing to say yet


def decode(data: bytes, limit: int) -> str:
    """Return UTF-8 bytes as text (a byte order mark is dropped); raise Refused."""
    if len(data) > limit:
        raise Refused(Problem("file.too_large", values={"limit": limit}))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Refused(Problem("file.not_utf8", values={"offset": error.start})) from None
    return checked(text, limit)


def checked(text: str, limit: int) -> str:
    """Return the text if it can be text of a file of at most `limit` bytes; raise Refused."""
    if len(text) > limit:
        raise Refused(Problem("file.too_large", values={"limit": limit}))
    if _NO_TEXT in text:
        raise Refused(Problem("file.nul", values={"offset": text.index(_NO_TEXT)}))
    return text


def printable(value: object, limit: int = 60) -> str:
    """Return a value as one short printable line, fit for a message."""
    text = value if isinstance(value, str) else _spelled(value)[: 4 * limit]
    clean = "".join(c if c.isprintable() else "�" for c in text[: limit + 1])
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"


def _spelled(value: object) -> str:
    try:
        return repr(value)
    except RecursionError:  # lists within lists, deeper than Python can spell
        return type(value).__name__
