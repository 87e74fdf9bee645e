"""Reading the head of a large binary file piece by piece; the rest of it is never touched."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from struct import Struct
from typing import BinaryIO, Final

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import printable

_PIECE: Final = 2**20
_U64: Final = Struct("<Q")
_PATIENT = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class Head:
    """The beginning of a file, read as far as it is asked for; running past its end is refused.

    Only a piece of it is held at any time: what was taken or skipped is let go.
    """

    def __init__(self, file: BinaryIO, size: int, limit: int) -> None:
        self._file = file
        self._limit = limit
        self._data = b""
        self._start = 0  # where the piece held begins in the file
        self.size = size
        self.position = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        self._hold(count)
        at = self.position - self._start
        self.position += count
        return self._data[at : at + count]

    def skip(self, count: int) -> None:
        """Pass bytes over, without reading those that are not held yet."""
        self._check(count)
        self.position += count

    def number(self, layout: Struct) -> int | float:
        """The next number."""
        self._hold(layout.size)
        value: int | float = layout.unpack_from(self._data, self.position - self._start)[0]
        self.position += layout.size
        return value

    def skip_strings(self, count: int) -> None:
        """Pass over strings, each led by its length; vocabularies hold hundreds of thousands."""
        self._check(8 * count)
        start, data, position = self._start, self._data, self.position
        end = start + len(data)
        for _ in range(count):
            if position + 8 > end:
                self.position = position
                self._hold(8)
                start, data = self._start, self._data
                end = start + len(data)
            position += 8 + _U64.unpack_from(data, position - start)[0]
        self.position = position
        self._check(0)

    def _check(self, count: int) -> None:
        if count < 0 or self.position + count > self.size:
            raise Refused(Problem("binary.ends", values={"size": self.size}))
        if self.position + count > self._limit:
            raise Refused(Problem("binary.head", values={"limit": self._limit}))

    def _hold(self, count: int) -> None:
        """Have the next bytes in the piece held."""
        self._check(count)
        end = self._start + len(self._data)
        if self.position + count <= end:
            return
        kept = self._data[self.position - self._start :] if self.position < end else b""
        self._file.seek(self.position + len(kept))
        wanted = max(count - len(kept), _PIECE)
        self._data = kept + self._read(min(wanted, self.size - self.position - len(kept)))
        self._start = self.position
        if len(self._data) < count:  # it shrank while it was read
            raise Refused(Problem("binary.ends", values={"size": self.size}))

    def _read(self, count: int) -> bytes:
        pieces = []
        while count > 0 and (piece := self._file.read(count)):
            pieces.append(piece)
            count -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


@contextmanager
def opened_head(path: Path, limit: int) -> Iterator[Head]:
    """The head of a regular file, of which at most `limit` bytes are read; raise Refused."""
    try:
        with os.fdopen(os.open(path, _PATIENT), "rb", buffering=0) as raw:
            status = os.fstat(raw.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise Refused(Problem("file.not_a_file", values={"file": printable(path.name)}))
            yield Head(raw, status.st_size, limit)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Refused(Problem("file.read", values={"file": printable(path.name), "reason": reason})) from None
    except ValueError:  # a NUL in the path
        raise Refused(Problem("file.not_a_file", values={"file": printable(path.name)})) from None


def first_bytes(path: Path, count: int) -> bytes:
    """The first bytes of a regular file, fewer where it is shorter; raise Refused."""
    with opened_head(path, count) as head:
        return head.take(min(count, head.size))
