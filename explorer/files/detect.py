"""What a file is, by its content and never by its name."""

import json
import re
from pathlib import Path
from typing import Literal

from explorer.analysis.problem import Problem, Refused
from explorer.files.binary import first_bytes
from explorer.files.gguf import MAGIC
from explorer.files.places import is_file, is_folder
from explorer.files.safetensors import looks_like_safetensors
from explorer.files.text import read_text, shown

FileKind = Literal["study", "device", "model"]
LARGEST = 64 * 2**20
FLOW_LIMIT = 100_000
_BLOCK_KEY = re.compile(r"""^["']?(\w+)["']?:(?=\s|$)""", re.MULTILINE)
_FLOW_KEY = re.compile(r"""[{,]\s*["']?(\w+)["']?\s*:""")
_STUDY_KEYS = {"hardware", "models", "workload", "operators", "active_model", "view", "kinds"}


def detect(path: Path) -> FileKind:
    """Tell a study, a hardware file or a model (config, folder, GGUF, safetensors, its index) apart.

    Raises
    ------
    Refused
        The file cannot be read or is none of them.
    """
    if is_folder(path):
        if is_file(path / "config.json") or any(path.glob("*.gguf")):
            return "model"
        raise Refused(Problem("file.folder", shown(path.name)))
    start = first_bytes(path, 9)
    if start[:4] == MAGIC or looks_like_safetensors(start):
        return "model"
    keys = _top_keys(read_text(path, LARGEST))
    if "model_type" in keys or "architectures" in keys or "weight_map" in keys:
        return "model"
    if "memory" in keys or "peaks" in keys:
        return "device"
    if keys & _STUDY_KEYS or keys in ({"format"}, {"format", "name"}):
        return "study"
    if path.suffix == ".json":
        return "model"
    raise Refused(Problem("file.unknown", shown(path.name)))


def _top_keys(text: str) -> set[str]:
    return _json_keys(text) if text.lstrip().startswith("{") else _yaml_keys(text)


def _json_keys(text: str) -> set[str]:
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return _yaml_keys(text)
    return set(map(str, loaded)) if isinstance(loaded, dict) else set()


def _yaml_keys(text: str) -> set[str]:
    """Keys at the left edge, or of a mapping in braces; the reader of the kind found will judge the rest."""
    return set(_BLOCK_KEY.findall(text)) or set(_FLOW_KEY.findall(text[:FLOW_LIMIT]) if "{" in text[:100] else ())
