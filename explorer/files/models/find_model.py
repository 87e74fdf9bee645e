"""One model by what a text says: its name or a part of it, or the path of its file or folder."""

import difflib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.study import ModelEntry
from explorer.files.disk.faults import led_by_name
from explorer.files.disk.places import may_exist
from explorer.files.disk.text import printable
from explorer.files.models.config import FILE
from explorer.files.models.model_file import read_model

_NAMED: Final = 4


def find_model(text: str, known: Sequence[ModelEntry]) -> ModelEntry:
    """The model a text means: a known one by id or name, a model's file or folder, or part of a known name.

    Raises
    ------
    Refused
        There is no such model or there are several, or its file cannot be read.
    """
    wanted = text.strip().lower()
    for entry in known:
        if wanted in {entry.id.lower(), entry.name.lower()}:
            return entry
    path = Path(text)
    if may_exist(path):
        with led_by_name(path):
            return replace(read_model(path), id="model")
    found = models_like(text, known)
    if len(found) > 1:
        names = ", ".join(m.name for m in found[:_NAMED]) + (", …" if len(found) > _NAMED else "")
        raise Refused(Problem("asked.model_several", values={"text": printable(text), "names": names}))
    if not found:
        raise _no_model(text, [m.name for m in known])
    return found[0]


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


def _no_model(text: str, known: Sequence[str]) -> Refused:
    close = difflib.get_close_matches(text, known, n=1, cutoff=0.5)
    values = {"text": printable(text), "hint": close[0] if close else FILE}
    return Refused(Problem("asked.model_near" if close else "asked.model", values=values))
