"""safetensors files: the JSON header alone, one file or all shards of an index.

Layout: the header's length in 8 bytes, then JSON that names dtype, shape and place of every tensor.
"""

import math
from collections.abc import Mapping
from pathlib import Path
from struct import Struct
from typing import Final

import msgspec

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.binary import first_bytes, opened_head
from explorer.files.disk.places import is_file
from explorer.files.disk.text import printable, read_start
from explorer.files.models.tensors import FileTensor

INDEX: Final = "model.safetensors.index.json"
SINGLE: Final = "model.safetensors"
_MOST_FILES: Final = 4_000
_MOST_DIMS: Final = 16
_LARGEST: Final = 2**60
_LONGEST_HEADER: Final = 2**27  # the library itself allows 100 MB; what is over our limit is refused in words
_U64: Final = Struct("<Q")
DTYPES: Final[dict[str, tuple[str, float]]] = {  # number format, bytes per stored number
    "F64": ("fp64", 8), "F32": ("fp32", 4), "F16": ("fp16", 2), "BF16": ("bf16", 2),
    "F8_E4M3": ("fp8", 1), "F8_E5M2": ("fp8", 1), "F8_E8M0": ("E8M0", 1), "F8_E4M3FNUZ": ("fp8", 1),
    "F8_E5M2FNUZ": ("fp8", 1), "F4": ("fp4", 0.5), "F6_E2M3": ("fp6", 0.75), "F6_E3M2": ("fp6", 0.75),
    "I8": ("int8", 1), "BOOL": ("BOOL", 1), "U8": ("U8", 1), "I16": ("I16", 2), "U16": ("U16", 2),
    "I32": ("I32", 4), "U32": ("U32", 4), "I64": ("I64", 8), "U64": ("U64", 8), "C64": ("C64", 8),
}  # fmt: skip


class _About(msgspec.Struct, gc=False):
    """What a header says of one tensor."""

    dtype: str
    shape: list[int]
    data_offsets: tuple[int, int]


_HEADER: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])  # what stands for no tensor is passed over, not built
_ABOUT: Final = msgspec.json.Decoder(_About)


class _Index(msgspec.Struct, gc=False):
    """An index: which shard holds which tensor."""

    weight_map: dict[str, str]


_INDEX: Final = msgspec.json.Decoder(_Index)
_UNREADABLE: Final = (msgspec.MsgspecError, RecursionError, ValueError)


def read_safetensors(path: Path, limit: int = limits.SAFETENSORS_HEAD) -> tuple[FileTensor, ...]:
    """The tensors of one file whose header takes at most `limit` bytes.

    Raises
    ------
    Refused
        It is no safetensors file, its header is damaged, or it ends early.
    """
    with opened_head(path, limit) as head:
        if head.size < 8:
            raise Refused(Problem("safetensors.header"))
        length = int(head.number(_U64))
        if not 2 <= length <= head.size - 8:
            raise Refused(Problem("safetensors.header"))
        return _tensors(_listed(head.take(length)), head.size - 8 - length)


def _listed(data: bytes) -> Mapping[str, msgspec.Raw]:
    """Tensors by name, each still as its text."""
    if data.count(b"{") > limits.SAFETENSORS_TENSORS + 2:
        raise Refused(Problem("safetensors.many", values={"limit": limits.SAFETENSORS_TENSORS}))
    try:
        return _HEADER.decode(data)
    except _UNREADABLE:
        raise Refused(Problem("safetensors.header")) from None


def _tensors(listed: Mapping[str, msgspec.Raw], room: int) -> tuple[FileTensor, ...]:
    return tuple(_tensor(name, about, room) for name, about in listed.items() if name != "__metadata__")


def _tensor(name: str, raw: msgspec.Raw, room: int) -> FileTensor:
    try:
        about = _ABOUT.decode(raw)
    except _UNREADABLE:
        raise _contradicts(name) from None
    begin, end = about.data_offsets
    if not (_wholes(about.shape) and _wholes([begin, end])):
        raise _contradicts(name)
    if about.dtype not in DTYPES:
        raise Refused(Problem("safetensors.dtype", values={"tensor": printable(name), "dtype": printable(about.dtype)}))
    stored, each = DTYPES[about.dtype]
    values = math.prod(about.shape)
    if end - begin != values * each:
        raise _contradicts(name)
    if end > room:
        raise Refused(Problem("tensors.cut", values={"tensor": printable(name), "missing": end - room}))
    return FileTensor(name, stored, values, end - begin)


def _contradicts(name: str) -> Refused:
    return Refused(Problem("safetensors.tensor", values={"tensor": printable(name)}))


def _wholes(found: list[int]) -> bool:
    return len(found) <= _MOST_DIMS and all(0 <= n < _LARGEST for n in found)


def read_index(path: Path) -> tuple[FileTensor, ...] | None:
    """The tensors of all shards that an index names; None where none of the shards lies beside it.

    Raises
    ------
    Refused
        The index is damaged, a shard is missing or does not hold what the index says.
    """
    files = _shards(path)
    there = {name for name in files if is_file(path.parent / name)}
    if not there:
        return None
    if missing := next((name for name in files if name not in there), None):
        raise Refused(Problem("tensors.part_missing", values={"file": printable(missing)}))
    tensors: list[FileTensor] = []
    left = 2 * limits.SAFETENSORS_HEAD  # of all headers together
    for name, wanted in files.items():
        shard = path.parent / name
        found = [t for t in read_safetensors(shard, min(left, limits.SAFETENSORS_HEAD)) if t.name in wanted]
        left -= _header_length(shard)
        if len(found) < len(wanted):
            raise Refused(Problem("safetensors.shard", values={"file": printable(name)}))
        tensors += found
    return tuple(tensors)


def _shards(path: Path) -> dict[str, set[str]]:
    """Names of tensors by shard; a shard is a plain name beside the index, never a path."""
    damaged = Refused(Problem("safetensors.index", values={"file": printable(path.name)}))
    text = read_start(path, limits.INDEX + 1).removeprefix(b"\xef\xbb\xbf")
    if len(text) > limits.INDEX:
        raise Refused(Problem("file.too_large", values={"limit": limits.INDEX}))
    if text.count(b'"') > 4 * limits.INDEX_TENSORS + 100:
        raise Refused(Problem("safetensors.many", values={"limit": limits.INDEX_TENSORS}))
    try:
        places = _INDEX.decode(text).weight_map
    except _UNREADABLE:
        raise damaged from None
    if not places:
        raise damaged
    shards: dict[str, set[str]] = {}
    for tensor, name in places.items():
        if not _plain(name):
            raise damaged
        shards.setdefault(name, set()).add(tensor)
    if len(shards) > _MOST_FILES:
        raise damaged
    return shards


def _plain(name: str) -> bool:
    return name.endswith(".safetensors") and "/" not in name and "\\" not in name and name.isprintable()


def looks_like_safetensors(start: bytes) -> bool:
    """Whether the first bytes of a file are the beginning of a safetensors header."""
    return len(start) >= 9 and start[8:9] == b"{" and int.from_bytes(start[:8], "little") < _LONGEST_HEADER


def _header_length(path: Path) -> int:
    return int.from_bytes(first_bytes(path, 8), "little")


def folder_tensors(folder: Path) -> tuple[FileTensor, ...] | None:
    """The tensors of a model folder: of its index, its one file, or None where it holds none."""
    if is_file(folder / INDEX):
        return read_index(folder / INDEX)
    if is_file(folder / SINGLE):
        return read_safetensors(folder / SINGLE)
    return None
