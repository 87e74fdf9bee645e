"""What a file is, by its content and never by its name; only the beginning of it is looked at."""

import re
from itertools import islice
from os import scandir
from pathlib import Path
from typing import Final, Literal

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.places import is_file, is_folder
from explorer.files.disk.text import decode, read_start, shown
from explorer.files.models.gguf import MAGIC
from explorer.files.models.safetensors import looks_like_safetensors

FileKind = Literal["study", "device", "model"]
_BLOCK_KEY: Final = re.compile(r"""^["']?(\w++)["']?:(?=\s|$)""", re.MULTILINE)
_FLOW_KEY: Final = re.compile(r"""[{,]\s*+["']?(\w++)["']?\s*+:""")
_TOKEN: Final = re.compile(r'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"(\s*+:)?+|[{}\[\]"]')
_STUDY_KEYS: Final = {"hardware", "models", "workload", "operators", "active_model", "view", "kinds"}
_LARGEST: Final = max(limits.STUDY, limits.CONFIG, limits.INDEX, limits.DEVICE)


def detect(path: Path) -> FileKind:
    """Tell a study, a hardware file or a model (config, folder, GGUF, safetensors, its index) apart.

    Raises
    ------
    Refused
        The file cannot be read or is none of them.
    """
    if is_folder(path):
        if is_file(path / "config.json") or ggufs(path):
            return "model"
        raise Refused(Problem("file.folder", shown(path.name)))
    start = read_start(path, limits.HEAD)
    if start[:4] == MAGIC or looks_like_safetensors(start[:9]):
        return "model"
    if path.stat().st_size > _LARGEST:
        raise Refused(Problem("file.too_large", values={"limit": _LARGEST}))
    return _told(_top_keys(_text(start)), path)


def ggufs(folder: Path) -> list[Path]:
    """GGUF files among the first entries of a folder."""
    try:
        with scandir(folder) as entries:
            return sorted(folder / e.name for e in islice(entries, limits.FOLDER_ENTRIES) if e.name.endswith(".gguf"))
    except OSError:
        return []


def _told(keys: set[str], path: Path) -> FileKind:
    if "model_type" in keys or "architectures" in keys or "weight_map" in keys:
        return "model"
    if "memory" in keys or "peaks" in keys:
        return "device"
    if keys & _STUDY_KEYS or keys in ({"format"}, {"format", "name"}):
        return "study"
    if path.suffix == ".json":
        return "model"
    raise Refused(Problem("file.unknown", shown(path.name)))


def _text(start: bytes) -> str:
    """The beginning as text; the last character may have been cut in two."""
    if len(start) == limits.HEAD:
        while start and start[-1] & 0xC0 == 0x80:
            start = start[:-1]
        start = start[:-1]
    return decode(start, limits.HEAD)


def _top_keys(text: str) -> set[str]:
    return (text.lstrip().startswith("{") and _json_keys(text)) or _yaml_keys(text)


def _json_keys(text: str) -> set[str]:
    """Keys of the outermost braces, as far as the text goes; none where it does not look like JSON."""
    keys: set[str] = set()
    depth = 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "{[":
            depth += 1
        elif mark in "}]":
            depth -= 1
        elif mark == '"':  # a string that does not end
            break
        elif depth == 1 and token[2]:
            keys.add(token[1])
    return keys


def _yaml_keys(text: str) -> set[str]:
    """Keys at the left edge, or of a mapping in braces; the reader of the kind found will judge the rest."""
    return set(_BLOCK_KEY.findall(text)) or set(_FLOW_KEY.findall(text) if "{" in text[:100] else ())
