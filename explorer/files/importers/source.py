"""A measurement file as bytes: sniffed by its head, read in blocks with progress, packed or not."""

import gzip
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Final, cast

from explorer.analysis.problem import Problem, Refused
from explorer.files.text import shown

Progress = Callable[[float], bool]
HEAD: Final = 1 << 20
BLOCK: Final = 1 << 20
LARGEST_TEXT: Final = 64 << 20
_GZIP: Final = b"\x1f\x8b"
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_PATIENT: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Cancelled(Exception):  # noqa: N818 - the user's wish, not a fault
    """The reader was asked to stop."""


class Source:
    """A regular file; text of tools is UTF-8, with or without a mark, or what a Windows shell redirects (UTF-16)."""

    def __init__(self, path: Path, progress: Progress | None = None) -> None:
        self.path = path
        self._progress = progress
        with self._told():
            about = path.stat()
            if not stat.S_ISREG(about.st_mode):
                raise Refused(Problem("file.not_a_file", values={"file": shown(path.name)}))
            self.size = max(1, about.st_size)

    def told(self, done: float) -> None:
        """Tell how much is done; raise Cancelled where nobody waits any more."""
        if self._progress is not None and self._progress(min(1.0, done)) is False:
            raise Cancelled

    @cached_property
    def head(self) -> bytes:
        """The first megabyte, unpacked."""
        with self._told(), self._opened() as (file, _raw):
            return file.read(HEAD)

    @cached_property
    def encoding(self) -> str:
        """How the text is written."""
        return next((name for mark, name in _MARKS if self.head.startswith(mark)), "utf-8")

    @cached_property
    def start(self) -> str:
        """The first megabyte as text."""
        return self.head.decode(self.encoding, "replace").removeprefix("\ufeff")

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """The bytes, unpacked, in blocks."""
        with self._told(), self._opened() as (file, raw):
            while block := file.read(size):
                self.told(raw.tell() / self.size)
                yield block

    def text(self, limit: int = LARGEST_TEXT) -> str:
        """The whole text; a character that is none stays visible as one."""
        parts, total = [], 0
        for block in self.blocks():
            total += len(block)
            if total > limit:
                raise Refused(Problem("file.too_large", values={"limit": limit}))
            parts.append(block)
        return b"".join(parts).decode(self.encoding, "replace").removeprefix("\ufeff")

    def lines(self, size: int = 4 * BLOCK) -> Iterator[list[str]]:
        """The lines, without their ends, a block's worth at a time; memory stays small however long the file is."""
        if self.encoding != "utf-8":
            yield self.text().splitlines()
            return
        rest = b""
        for block in self.blocks(size):
            first, last = block.find(b"\n"), block.rfind(b"\n")
            if first < 0:
                rest += block
            else:
                lines = [(rest + block[:first]).decode("utf-8", "replace").removeprefix("\ufeff")]
                if last > first:
                    lines += str(memoryview(block)[first + 1 : last], "utf-8", "replace").split("\n")
                yield lines
                rest = block[last + 1 :]
            if len(rest) > LARGEST_TEXT:
                raise Refused(Problem("file.too_large", values={"limit": LARGEST_TEXT}))
        if rest:
            yield [rest.decode("utf-8", "replace").removeprefix("\ufeff")]

    @contextmanager
    def _opened(self) -> Iterator[tuple[BinaryIO, BinaryIO]]:
        with os.fdopen(os.open(self.path, _PATIENT), "rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            if not packed:
                yield raw, raw
                return
            with gzip.GzipFile(fileobj=raw) as file:
                yield cast("BinaryIO", file), raw

    @contextmanager
    def _told(self) -> Iterator[None]:
        name = shown(self.path.name)
        try:
            yield
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise Refused(Problem("import.packed", values={"file": name})) from error
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise Refused(Problem("file.read", values={"file": name, "reason": reason})) from None
        except ValueError:  # a NUL in the path
            raise Refused(Problem("file.not_a_file", values={"file": name})) from None
