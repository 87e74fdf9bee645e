"""What a file is, by its content and never by its name; only the beginning of it is looked at."""

import re
from pathlib import Path
from typing import Final, Literal

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.places import is_folder
from explorer.files.disk.text import decode, printable, read_start
from explorer.files.importers import recognised
from explorer.files.models.kind import holds_model, weights_format

FileKind = Literal["study", "device", "model", "measurements"]
_BLOCK_KEY: Final = re.compile(r"""^["']?(\w++)["']?:(?=\s|$)""", re.MULTILINE)
_FLOW_KEY: Final = re.compile(r"""[{,]\s*+["']?(\w++)["']?\s*+:""")
_TOKEN: Final = re.compile(r'"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"(\s*+:)?+|[{}\[\]"]')
_STUDY_KEYS: Final = {"hardware", "models", "workload", "operators", "active_model", "view", "kinds"}
_LARGEST: Final = max(limits.STUDY, limits.CONFIG, limits.INDEX, limits.DEVICE)


def detect(path: Path) -> FileKind:
    """Tell a study, a hardware file, a model (config, folder, GGUF, safetensors, its index) and measurements apart.

    Raises
    ------
    Refused
        The file cannot be read or is none of them.
    """
    if is_folder(path):
        if holds_model(path):
            return "model"
        raise Refused(Problem("file.folder", printable(path.name)))
    if recognised(path):
        return "measurements"
    start = read_start(path, limits.HEAD)
    if weights_format(start):
        return "model"
    if path.stat().st_size > _LARGEST:
        raise Refused(Problem("file.too_large", values={"limit": _LARGEST}))
    return _kind_of(_top_keys(_text(start)), path)


def _kind_of(keys: set[str], path: Path) -> FileKind:
    if "model_type" in keys or "architectures" in keys or "weight_map" in keys:
        return "model"
    if "memory" in keys or "peaks" in keys:
        return "device"
    if keys & _STUDY_KEYS or keys in ({"format"}, {"format", "name"}):
        return "study"
    if path.suffix == ".json":
        return "model"
    raise Refused(Problem("file.unknown", printable(path.name)))


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
