"""Models that come with the program, and models found by any unambiguous part of their name."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.study import ModelEntry
from explorer.files.disk.faults import convert
from explorer.files.disk.text import read_text, shown
from explorer.files.disk.yaml_text import load_mapping
from explorer.files.resources import resource_root

_LIMIT: Final = 1_000_000
_TOLD: Final = 4


def load_presets(root: Path | None = None) -> tuple[ModelEntry, ...]:
    """Every preset, in the order of their file."""
    path = (root or resource_root()) / "resources" / "presets.yaml"
    listed = load_mapping(read_text(path, _LIMIT)).get("presets")
    return convert(listed, tuple[ModelEntry, ...], "presets")


def models_like(text: str, known: Sequence[ModelEntry]) -> tuple[ModelEntry, ...]:
    """Models whose name holds every word of a text, the whole of it standing before parts of words."""
    words = _words(text)
    if not words:
        return ()
    found = [m for m in known if all(word in m.name.lower() or word in m.id.lower() for word in words)]
    whole = [m for m in found if set(words) <= set(_words(m.name)) | set(_words(m.id))]
    return tuple(whole if len(whole) == 1 else found)


def _words(text: str) -> list[str]:
    return [w for w in re.split(r"[\s\-_/]+", text.lower().strip()) if w]


def find_model(text: str, known: Sequence[ModelEntry]) -> ModelEntry | None:
    """The one model that a text means, None where there is none.

    Raises
    ------
    Refused
        Several models hold the text's words.
    """
    found = models_like(text, known)
    if len(found) > 1:
        names = ", ".join(m.name for m in found[:_TOLD]) + (", …" if len(found) > _TOLD else "")
        raise Refused(Problem("asked.model_several", values={"text": shown(text), "names": names}))
    return found[0] if found else None
