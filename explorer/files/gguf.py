"""GGUF files: metadata and tensors from the header alone, of all parts of a split file.

Layout: the GGUF specification of the ggml project, versions 2 and 3.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from struct import Struct
from typing import Final, NamedTuple

from explorer.analysis.problem import Problem, Refused
from explorer.files.binary import Head, opened_head
from explorer.files.gguf_types import TYPES
from explorer.files.places import is_file
from explorer.files.tensors import FileTensor
from explorer.files.text import shown

MAGIC: Final = b"GGUF"
HEAD_LIMIT: Final = 2**29  # the largest vocabularies take some 20 MB
_VERSIONS: Final = (2, 3)
_MOST_KEYS: Final = 100_000
_MOST_TENSORS: Final = 1_000_000
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


class Shape(NamedTuple):
    """A tensor's sizes, innermost first."""

    sizes: tuple[int, ...]


class GgufFile(NamedTuple):
    """What a header says; of arrays of texts and long arrays only the number of items, under `key#`."""

    metadata: Mapping[str, Value]
    tensors: tuple[FileTensor, ...]
    shapes: Mapping[str, tuple[int, ...]]


def read_gguf(path: Path) -> GgufFile:
    """Metadata of a file, and the tensors of all its parts.

    Raises
    ------
    Refused
        It is no GGUF file, it is damaged or ends early, or a part of a split file is missing.
    """
    parts = [_read_part(p) for p in _parts(path)]
    first = parts[0]
    count = first.metadata.get("split.count")
    if isinstance(count, int) and count > 1 and count != len(parts):
        raise Refused(Problem("gguf.parts_named", values={"count": count, "file": shown(path.name)}))
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
        raise Refused(Problem("tensors.part_missing", values={"file": shown(missing.name)}))
    return parts


def _read_part(path: Path) -> GgufFile:
    with opened_head(path, HEAD_LIMIT) as head:
        return _header(head)


def _header(head: Head) -> GgufFile:
    if head.size < 24 or head.take(4) != MAGIC:
        raise Refused(Problem("gguf.magic"))
    version = _whole(head, _U32)
    if version not in _VERSIONS:
        big_endian = version in {v << 24 for v in (1, *_VERSIONS)}
        raise Refused(Problem("gguf.big_endian" if big_endian else "gguf.version", values={"version": version}))
    tensors, keys = _whole(head, _U64), _whole(head, _U64)
    if tensors > _MOST_TENSORS or keys > _MOST_KEYS:
        raise _damaged(head, "counts")
    metadata = dict(_pair(head) for _ in range(keys))
    listed = [_tensor(head) for _ in range(tensors)]
    _check_ends(head, metadata, listed)
    return GgufFile(
        {k: v for k, v in metadata.items() if v is not None},
        tuple(tensor for tensor, _, _ in listed),
        {tensor.name: sizes for tensor, sizes, _ in listed},
    )


def _damaged(head: Head, what: str) -> Refused:
    return Refused(Problem("gguf.damaged", values={"what": what, "offset": head.position}))


def _whole(head: Head, layout: Struct) -> int:
    return int(head.number(layout))


def _text(head: Head, longest: int = _LONGEST_TEXT) -> str:
    length = _whole(head, _U64)
    if length > longest:  # chat templates and licences
        head.skip(length)
        return ""
    return head.take(length).decode("utf-8", "replace")


def _pair(head: Head) -> tuple[str, Value]:
    key = _text(head)
    kind = _whole(head, _U32)
    if kind == _ARRAY:
        return _array(head, key)
    return key, _text(head) if kind == _STRING else _number(head, kind)


def _number(head: Head, kind: int) -> int | float | bool:
    if kind not in _NUMBERS:
        raise _damaged(head, "metadata")
    return head.number(_NUMBERS[kind])


def _array(head: Head, key: str) -> tuple[str, Value]:
    kind, count = _whole(head, _U32), _whole(head, _U64)
    if kind == _STRING:
        head.skip_strings(count)
        return f"{key}#", count
    if kind not in _NUMBERS:
        raise _damaged(head, "metadata")
    layout = _NUMBERS[kind]
    if count > _KEPT_ITEMS:
        head.skip(count * layout.size)
        return f"{key}#", count
    return key, tuple(value for (value,) in layout.iter_unpack(head.take(count * layout.size)))


def _tensor(head: Head) -> tuple[FileTensor, tuple[int, ...], int]:
    """A tensor, its sizes and its offset in the data."""
    name, dims = _text(head), _whole(head, _U32)
    if not name or dims > _MOST_DIMS:
        raise _damaged(head, "tensors")
    sizes = tuple(_whole(head, _U64) for _ in range(dims))
    kind, offset = _whole(head, _U32), _whole(head, _U64)
    values = 1
    for size in sizes:
        values *= size
    if kind not in TYPES:
        raise Refused(Problem("gguf.type", values={"type": kind, "tensor": shown(name)}))
    stored = TYPES[kind]
    if values > _LARGEST or (sizes[0] if sizes else values) % stored.block:
        raise _damaged(head, "tensors")
    return FileTensor(name, stored.name, values, values // stored.block * stored.bytes), sizes, offset


def _check_ends(head: Head, metadata: Mapping[str, Value], listed: Iterable[tuple[FileTensor, object, int]]) -> None:
    """Refuse a file that ends before the data of its tensors does."""
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or not 1 <= alignment <= 2**20:
        raise _damaged(head, "alignment")
    start = -(-head.position // alignment) * alignment
    for tensor, _, offset in listed:
        missing = start + offset + tensor.bytes - head.size
        if missing > 0:
            raise Refused(Problem("tensors.cut", values={"tensor": shown(tensor.name), "missing": missing}))
