"""What a file is, by its content and never by its name."""

import json
import re
from pathlib import Path
from typing import Literal

from explorer.analysis.problem import Problem, Refused

FileKind = Literal["study", "device", "config"]
LARGEST = 64 * 2**20
FLOW_LIMIT = 100_000
_BLOCK_KEY = re.compile(r"""^["']?(\w+)["']?:(?=\s|$)""", re.MULTILINE)
_FLOW_KEY = re.compile(r"""[{,]\s*["']?(\w+)["']?\s*:""")
_STUDY_KEYS = {"hardware", "models", "workload", "operators", "active_model", "view", "kinds"}


def detect(path: Path) -> FileKind:
    """Tell a study, a hardware file or a model config apart.

    Raises
    ------
    Refused
        The file cannot be read or is none of them.
    """
    if path.is_dir():
        if (path / "config.json").is_file():
            return "config"
        raise Refused(Problem("file.folder", str(path)))
    keys = _top_keys(path)
    if "model_type" in keys or "architectures" in keys:
        return "config"
    if "memory" in keys or "peaks" in keys:
        return "device"
    if keys & _STUDY_KEYS or keys in ({"format"}, {"format", "name"}):
        return "study"
    if path.suffix == ".json":
        return "config"
    raise Refused(Problem("file.unknown", path.name))


def _top_keys(path: Path) -> set[str]:
    try:
        if path.stat().st_size > LARGEST:
            raise Refused(Problem("file.large", path.name, {"limit_mb": LARGEST // 2**20}))
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError) as error:
        raise Refused(Problem("file.unreadable", path.name, {"why": _reason(error)})) from error
    if text.lstrip().startswith("{"):
        return _json_keys(text)
    return _yaml_keys(text)


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "not UTF-8 text"


def _json_keys(text: str) -> set[str]:
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError):
        return _yaml_keys(text)
    return set(map(str, loaded)) if isinstance(loaded, dict) else set()


def _yaml_keys(text: str) -> set[str]:
    """Keys at the left edge, or of a mapping in braces; the reader of the kind found will judge the rest."""
    return set(_BLOCK_KEY.findall(text)) or set(_FLOW_KEY.findall(text[:FLOW_LIMIT]) if "{" in text[:100] else ())
