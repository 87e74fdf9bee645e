"""A measurement file as bytes: sniffed by its head, read in blocks with progress, packed or not."""

import codecs
import os
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import BinaryIO, Final

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.text import printable

Progress = Callable[[float], bool]
BLOCK: Final = 1 << 20
_GZIP: Final = b"\x1f\x8b"
_ANY_GZIP: Final = 31  # zlib's word for a gzip member of any window
_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_PATIENT: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Cancelled(Exception):  # noqa: N818 - the user's wish, not a fault
    """The reader was asked to stop."""


class SourceText:
    """A regular file; text of tools is UTF-8, with or without a mark, or what a Windows shell redirects (UTF-16)."""

    def __init__(self, path: Path, progress: Progress | None = None) -> None:
        self.path = path
        self._progress = progress
        with self._refusing():
            about = path.stat()
            if not stat.S_ISREG(about.st_mode):
                raise Refused(Problem("file.not_a_file", values={"file": printable(path.name)}))
            self.size = max(1, about.st_size)

    def report_progress(self, done: float) -> None:
        """Tell how much is done; raise Cancelled where nobody waits any more."""
        if self._progress is not None and self._progress(min(1.0, done)) is False:
            raise Cancelled

    @cached_property
    def head(self) -> bytes:
        """The beginning, unpacked."""
        with self._refusing(), self._opened() as raw:
            start = _read(raw, limits.HEAD)
            return zlib.decompressobj(_ANY_GZIP).decompress(start, limits.HEAD) if start[:2] == _GZIP else start

    @cached_property
    def encoding(self) -> str:
        """How the text is written."""
        return next((name for mark, name in _MARKS if self.head.startswith(mark)), "utf-8")

    @cached_property
    def start(self) -> str:
        """The beginning as text."""
        return _plain(self.head.decode(self.encoding, "replace"))

    @cached_property
    def start_lines(self) -> list[str]:
        """The beginning in lines."""
        return self.start.split("\n", limits.HEAD_LINES)[: limits.HEAD_LINES]

    def blocks(self, size: int = BLOCK, limit: int = limits.TOOL_STREAM) -> Iterator[bytes]:
        """The bytes, unpacked, in blocks; raise Refused beyond the limit."""
        total = 0
        with self._refusing(), self._opened() as raw:
            packed = _read(raw, 2) == _GZIP
            raw.seek(0)
            for block in unpacked(raw, size) if packed else iter(lambda: _read(raw, size), b""):
                self.report_progress(raw.tell() / self.size)
                total += len(block)
                if total > limit:
                    raise Refused(Problem("file.too_large", values={"limit": limit}))
                yield block

    def utf8_blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """The bytes in blocks, as UTF-8 also where a Windows shell redirected them as UTF-16."""
        if self.encoding == "utf-8":
            yield from self.blocks(size)
            return
        decoder = codecs.getincrementaldecoder(self.encoding)("replace")
        for i, block in enumerate(self.blocks(size)):
            text = decoder.decode(block)
            yield (text.removeprefix("\ufeff") if i == 0 else text).encode("utf-8", "replace")

    def text(self, limit: int = limits.TOOL_TEXT) -> str:
        """The whole text with plain line ends; a character that is none stays visible as one."""
        text = _plain(b"".join(self.blocks(limit=limit)).decode(self.encoding, "replace"))
        if text.count("\n") > limits.TOOL_LINES:
            raise Refused(Problem("import.lines", values={"limit": limits.TOOL_LINES}))
        return text

    def lines(self, size: int = BLOCK, limit: int = limits.TOOL_STREAM) -> Iterator[list[str]]:
        """The lines, without their ends, a block's worth at a time; memory stays small however long the file is."""
        if self.encoding != "utf-8":
            yield self.text().split("\n")
            return
        rest = b""
        for block in self.blocks(size, limit):
            first, last = block.find(b"\n"), block.rfind(b"\n")
            if first < 0:
                rest += block
            else:
                lines = _lines_in(rest + block[:first])
                if last > first:
                    lines += _lines_in(memoryview(block)[first + 1 : last])
                yield lines
                rest = block[last + 1 :]
            if len(rest) > limits.TOOL_LINE:
                raise Refused(Problem("import.long_line", values={"limit": limits.TOOL_LINE}))
        if rest:
            yield _lines_in(rest)

    @contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        with os.fdopen(os.open(self.path, _PATIENT), "rb") as raw:
            if not stat.S_ISREG(os.fstat(raw.fileno()).st_mode):  # another one since it was looked at
                raise Refused(Problem("file.not_a_file", values={"file": printable(self.path.name)}))
            yield raw

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        name = printable(self.path.name)
        try:
            yield
        except (EOFError, zlib.error) as error:
            raise Refused(Problem("import.packed", values={"file": name})) from error
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise Refused(Problem("file.read", values={"file": name, "reason": reason})) from None
        except ValueError:  # a NUL in the path
            raise Refused(Problem("file.not_a_file", values={"file": name})) from None


def _read(raw: BinaryIO, size: int) -> bytes:
    return raw.read(size) or b""  # a file of the kernel may have nothing to say yet


def _lines_in(data: "bytes | memoryview[int]") -> list[str]:
    text = str(data, "utf-8", "replace").removesuffix("\r")  # it belongs to the end of the last line
    return (_plain(text) if "\r" in text or text[:1] == "\ufeff" else text).split("\n")


def _plain(text: str) -> str:
    """Text without its mark, with the same end behind every line."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def lines_of(text: str) -> Iterator[str]:
    """Lines one after the other, without a list of all of them."""
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    if start < len(text):
        yield text[start:]


def unpacked(raw: BinaryIO, size: int) -> Iterator[bytes]:
    """The content of a gzip file in blocks of at most `size` bytes, however small it was packed.

    Raises
    ------
    EOFError
        It ends in the middle, or consists of more pieces than any tool writes.
    """
    for _ in range(limits.PACKED_MEMBERS):
        member = zlib.decompressobj(_ANY_GZIP)
        while not member.eof:
            packed = member.unconsumed_tail or _read(raw, BLOCK)
            block = member.decompress(packed, size)
            if not packed and not block:
                raise EOFError
            if block:
                yield block
        behind = member.unused_data.lstrip(b"\0") or _read(raw, BLOCK).lstrip(b"\0")
        if not behind:
            return
        raw.seek(-len(behind), os.SEEK_CUR)
    raise EOFError
