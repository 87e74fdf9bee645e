"""GGUF files: metadata and tensors from the header alone, of all parts of a split file.

Layout: the GGUF specification of the ggml project, versions 2 and 3.
"""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import Final, NamedTuple

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.binary import Head, opened_head
from explorer.files.disk.places import is_file
from explorer.files.disk.text import printable
from explorer.files.models.gguf.tensor_types import TYPES
from explorer.files.models.tensors import FileTensor

MAGIC: Final = b"GGUF"
_VERSIONS: Final = (2, 3)
_LONGEST_TEXT: Final = 4096
_KEPT_ITEMS: Final = 4096
_MOST_DIMS: Final = 4
_LARGEST: Final = 2**60
_STRING, _ARRAY = 8, 9
_U32, _U64 = Struct("<I"), Struct("<Q")
_NUMBERS: Final = {
    0: Struct("<B"), 1: Struct("<b"), 2: Struct("<H"), 3: Struct("<h"), 4: _U32, 5: Struct("<i"), 6: Struct("<f"),
    7: Struct("<?"), 10: _U64, 11: Struct("<q"), 12: Struct("<d"),
}  # fmt: skip
_PART: Final = re.compile(r"(.*-)(\d{5})(-of-)(\d{5})(\.gguf)", re.IGNORECASE)

Value = int | float | bool | str | tuple[int | float | bool, ...] | None


class GgufFile(NamedTuple):
    """What a header says; of arrays of texts and long arrays only the number of items, under `key#`."""

    metadata: Mapping[str, Value]
    tensors: tuple[FileTensor, ...]
    shapes: Mapping[str, tuple[int, ...]]


@dataclass
class _Left:
    """What may still be kept, or gone through piece by piece, in all parts of a file together."""

    texts: int = limits.GGUF_KEPT_TEXT
    numbers: int = limits.GGUF_KEPT_NUMBERS
    strings: int = limits.GGUF_STRINGS
    keys: int = limits.GGUF_KEYS
    tensors: int = limits.GGUF_TENSORS


def read_gguf(path: Path) -> GgufFile:
    """Metadata of a file, and the tensors of all its parts.

    Raises
    ------
    Refused
        It is no GGUF file, it is damaged or ends early, or a part of a split file is missing.
    """
    left = _Left()
    parts = [_read_part(p, left) for p in _parts(path)]
    first = parts[0]
    count = first.metadata.get("split.count")
    if isinstance(count, int) and count > 1 and count != len(parts):
        raise Refused(Problem("gguf.parts_named", values={"count": count, "file": printable(path.name)}))
    tensors = tuple(t for part in parts for t in part.tensors)
    if not tensors:
        raise Refused(Problem("tensors.none"))
    if len({t.name for t in tensors}) < len(tensors):
        raise Refused(Problem("gguf.damaged", values={"what": "tensor names", "offset": 0}))
    return GgufFile(first.metadata, tensors, {name: s for part in parts for name, s in part.shapes.items()})


def _parts(path: Path) -> list[Path]:
    """All parts of a split file by its name, `…-00001-of-00003.gguf`; else the file itself."""
    named = _PART.fullmatch(path.name)
    if named is None or not 1 < int(named[4]) <= 1000:
        return [path]
    parts = [path.with_name(f"{named[1]}{i:05d}{named[3]}{named[4]}{named[5]}") for i in range(1, int(named[4]) + 1)]
    missing = next((p for p in parts if not is_file(p)), None)
    if missing is not None:
        raise Refused(Problem("tensors.part_missing", values={"file": printable(missing.name)}))
    return parts


def _read_part(path: Path, left: _Left) -> GgufFile:
    with opened_head(path, limits.GGUF_HEAD) as head:
        return _header(_Reader(head, left))


class _Reader:
    """A header read once from front to back."""

    def __init__(self, head: Head, left: _Left) -> None:
        self.head = head
        self.left = left

    def damaged(self, what: str) -> Refused:
        """A refusal that says where it went wrong."""
        return Refused(Problem("gguf.damaged", values={"what": what, "offset": self.head.position}))

    def whole(self, layout: Struct) -> int:
        """A whole number."""
        return int(self.head.number(layout))

    def text(self) -> str:
        """A text; an empty one for what is too long to matter, as chat templates and licences are."""
        length = self.whole(_U64)
        if length > _LONGEST_TEXT:
            self.head.skip(length)
            return ""
        self.left.texts -= length
        if self.left.texts < 0:
            raise self.damaged("texts")
        return self.head.take(length).decode("utf-8", "replace")

    def pair(self) -> tuple[str, Value]:
        """One key and its value."""
        key = self.text()
        kind = self.whole(_U32)
        if kind == _ARRAY:
            return self._array(key)
        return key, self.text() if kind == _STRING else self._number(kind)

    def _number(self, kind: int) -> int | float | bool:
        if kind not in _NUMBERS:
            raise self.damaged("metadata")
        return self.head.number(_NUMBERS[kind])

    def _array(self, key: str) -> tuple[str, Value]:
        kind, count = self.whole(_U32), self.whole(_U64)
        if kind == _STRING:
            self.left.strings -= count
            if self.left.strings < 0:
                raise self.damaged("metadata")
            self.head.skip_strings(count)
            return f"{key}#", count
        if kind not in _NUMBERS:
            raise self.damaged("metadata")
        layout = _NUMBERS[kind]
        if count > min(_KEPT_ITEMS, self.left.numbers):
            self.head.skip(count * layout.size)
            return f"{key}#", count
        self.left.numbers -= count
        return key, tuple(value for (value,) in layout.iter_unpack(self.head.take(count * layout.size)))

    def tensor(self) -> tuple[FileTensor, tuple[int, ...], int]:
        """A tensor, its sizes and its offset in the data."""
        name, dims = self.text(), self.whole(_U32)
        if not name or dims > _MOST_DIMS:
            raise self.damaged("tensors")
        sizes = tuple(self.whole(_U64) for _ in range(dims))
        kind, offset = self.whole(_U32), self.whole(_U64)
        values = math.prod(sizes)
        if kind not in TYPES:
            raise Refused(Problem("gguf.type", values={"type": kind, "tensor": printable(name)}))
        stored = TYPES[kind]
        if values > _LARGEST or (sizes[0] if sizes else values) % stored.block:
            raise self.damaged("tensors")
        return FileTensor(name, stored.name, values, values // stored.block * stored.bytes), sizes, offset


def _header(reader: _Reader) -> GgufFile:
    head = reader.head
    if head.size < 24 or head.take(4) != MAGIC:
        raise Refused(Problem("gguf.magic"))
    version = reader.whole(_U32)
    if version not in _VERSIONS:
        big_endian = version in {v << 24 for v in (1, *_VERSIONS)}
        raise Refused(Problem("gguf.big_endian" if big_endian else "gguf.version", values={"version": version}))
    tensors, keys = reader.whole(_U64), reader.whole(_U64)
    reader.left.tensors -= tensors
    reader.left.keys -= keys
    if reader.left.tensors < 0 or reader.left.keys < 0:
        raise reader.damaged("counts")
    metadata = dict(reader.pair() for _ in range(keys))
    listed = [reader.tensor() for _ in range(tensors)]
    _check_ends(reader, metadata, listed)
    return GgufFile(
        metadata,
        tuple(tensor for tensor, _, _ in listed),
        {tensor.name: sizes for tensor, sizes, _ in listed},
    )


def _check_ends(
    reader: _Reader, metadata: Mapping[str, Value], listed: Iterable[tuple[FileTensor, object, int]]
) -> None:
    """Refuse a file that ends before the data of its tensors does."""
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or not 1 <= alignment <= 2**20:
        raise reader.damaged("alignment")
    head = reader.head
    start = -(-head.position // alignment) * alignment
    for tensor, _, offset in listed:
        missing = start + offset + tensor.bytes - head.size
        if missing > 0:
            raise Refused(Problem("tensors.cut", values={"tensor": printable(tensor.name), "missing": missing}))
