"""safetensors files: the JSON header alone, one file or all shards of an index.

Layout: the header's length in 8 bytes, then JSON that names dtype, shape and place of every tensor.
"""

import json
import math
from collections.abc import Mapping
from pathlib import Path
from struct import Struct
from typing import Any, Final, TypeGuard

from explorer.analysis.problem import Problem, Refused
from explorer.files.binary import opened_head
from explorer.files.places import is_file
from explorer.files.tensors import FileTensor
from explorer.files.text import read_text, shown

INDEX: Final = "model.safetensors.index.json"
SINGLE: Final = "model.safetensors"
HEAD_LIMIT: Final = 2**27  # the library itself allows 100 MB
_INDEX_LIMIT: Final = 64 * 2**20
_MOST_FILES: Final = 4_000
_MOST_DIMS: Final = 16
_LARGEST: Final = 2**60
_U64: Final = Struct("<Q")
DTYPES: Final[dict[str, tuple[str, float]]] = {  # number format, bytes per stored number
    "F64": ("fp64", 8), "F32": ("fp32", 4), "F16": ("fp16", 2), "BF16": ("bf16", 2),
    "F8_E4M3": ("fp8", 1), "F8_E5M2": ("fp8", 1), "F8_E8M0": ("E8M0", 1), "F8_E4M3FNUZ": ("fp8", 1),
    "F8_E5M2FNUZ": ("fp8", 1), "F4": ("fp4", 0.5), "F6_E2M3": ("fp6", 0.75), "F6_E3M2": ("fp6", 0.75),
    "I8": ("int8", 1), "BOOL": ("BOOL", 1), "U8": ("U8", 1), "I16": ("I16", 2), "U16": ("U16", 2),
    "I32": ("I32", 4), "U32": ("U32", 4), "I64": ("I64", 8), "U64": ("U64", 8), "C64": ("C64", 8),
}  # fmt: skip


def read_safetensors(path: Path) -> tuple[FileTensor, ...]:
    """The tensors of one file.

    Raises
    ------
    Refused
        It is no safetensors file, its header is damaged, or it ends early.
    """
    with opened_head(path, HEAD_LIMIT) as head:
        if head.size < 8:
            raise Refused(Problem("safetensors.header"))
        length = int(head.number(_U64))
        if not 2 <= length <= head.size - 8 or length > HEAD_LIMIT - 8:
            raise Refused(Problem("safetensors.header"))
        return _tensors(_listed(head.take(length)), head.size - 8 - length)


def _listed(data: bytes) -> Mapping[str, Any]:
    try:
        found = json.loads(data.decode("utf-8"), parse_int=_short_integer)
    except (ValueError, RecursionError):
        raise Refused(Problem("safetensors.header")) from None
    if not isinstance(found, dict):
        raise Refused(Problem("safetensors.header"))
    return found


def _short_integer(text: str) -> int:
    if len(text) > 20:
        raise ValueError(text)
    return int(text)


def _tensors(listed: Mapping[str, Any], room: int) -> tuple[FileTensor, ...]:
    return tuple(_tensor(name, about, room) for name, about in listed.items() if name != "__metadata__")


def _tensor(name: str, about: Any, room: int) -> FileTensor:
    if not isinstance(about, dict):
        raise _contradicts(name)
    dtype, shape, place = about.get("dtype"), about.get("shape"), about.get("data_offsets")
    if not (isinstance(dtype, str) and _wholes(shape) and _wholes(place) and len(place) == 2):
        raise _contradicts(name)
    if dtype not in DTYPES:
        raise Refused(Problem("safetensors.dtype", values={"tensor": shown(name), "dtype": shown(dtype)}))
    stored, each = DTYPES[dtype]
    values = math.prod(shape)
    begin, end = place
    if end - begin != values * each:
        raise _contradicts(name)
    if end > room:
        raise Refused(Problem("tensors.cut", values={"tensor": shown(name), "missing": end - room}))
    return FileTensor(name, stored, values, end - begin)


def _contradicts(name: str) -> Refused:
    return Refused(Problem("safetensors.tensor", values={"tensor": shown(name)}))


def _wholes(found: Any) -> TypeGuard[list[int]]:
    if not isinstance(found, list) or len(found) > _MOST_DIMS:
        return False
    return all(type(n) is int and 0 <= n < _LARGEST for n in found)


def read_index(path: Path) -> tuple[FileTensor, ...] | None:
    """The tensors of all shards that an index names; None where none of the shards lies beside it.

    Raises
    ------
    Refused
        The index is damaged, a shard is missing or does not hold what the index says.
    """
    files = _shards(path)
    there = [name for name in files if is_file(path.parent / name)]
    if not there:
        return None
    if missing := next((name for name in files if name not in there), None):
        raise Refused(Problem("tensors.part_missing", values={"file": shown(missing)}))
    tensors: list[FileTensor] = []
    for name, wanted in files.items():
        found = [t for t in read_safetensors(path.parent / name) if t.name in wanted]
        if len(found) < len(wanted):
            raise Refused(Problem("safetensors.shard", values={"file": shown(name)}))
        tensors += found
    return tuple(tensors)


def _shards(path: Path) -> dict[str, set[str]]:
    """Names of tensors by shard; a shard is a plain name beside the index, never a path."""
    damaged = Refused(Problem("safetensors.index", values={"file": shown(path.name)}))
    try:
        found = json.loads(read_text(path, _INDEX_LIMIT))
    except (ValueError, RecursionError):
        raise damaged from None
    places = found.get("weight_map") if isinstance(found, dict) else None
    if not isinstance(places, dict) or not places:
        raise damaged
    shards: dict[str, set[str]] = {}
    for tensor, name in places.items():
        if not isinstance(name, str) or not _plain(name):
            raise damaged
        shards.setdefault(name, set()).add(tensor)
    if len(shards) > _MOST_FILES:
        raise damaged
    return shards


def _plain(name: str) -> bool:
    return name.endswith(".safetensors") and "/" not in name and "\\" not in name and name.isprintable()


def looks_like_safetensors(start: bytes) -> bool:
    """Whether the first bytes of a file are the beginning of a safetensors header."""
    return len(start) >= 9 and start[8:9] == b"{" and int.from_bytes(start[:8], "little") < HEAD_LIMIT


def folder_tensors(folder: Path) -> tuple[FileTensor, ...] | None:
    """The tensors of a model folder: of its index, its one file, or None where it holds none."""
    if is_file(folder / INDEX):
        return read_index(folder / INDEX)
    if is_file(folder / SINGLE):
        return read_safetensors(folder / SINGLE)
    return None
