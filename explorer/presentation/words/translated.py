"""Texts as a translator wrote them: one that cannot be filled as the English one is never shown. And one thing is one.

English templates count in the plural; where the number before a word is 1 they say “1 call”. Translators have their
own ways, and their texts are left as they are.
"""

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from string import Formatter
from typing import Final

Fields = frozenset[tuple[str, str, str]]  # name, format and conversion of each
Hear = Callable[[str], None]

COUNTED: Final = (
    "calls", "operators", "devices", "rows", "layers", "measurements", "points", "pts", "inputs", "tokens", "prompts",
    "texts", "columns", "cells", "values", "lines", "faults", "problems", "parameters", "models", "kernels", "threads",
    "runs", "files", "times", "pixels", "characters", "experts", "others", "passes", "bytes", "kinds", "tensors",
    "formats", "steps", "requests", "sequences", "slides", "pages", "views", "studies",
)  # fmt: skip
_SINGULAR: Final = {"passes": "pass", "bytes": "byte", "studies": "study"}
_PARSER = Formatter()
_PLURAL: Final = re.compile(
    r"\{(\w+)(?:[:!][^{}]*)?\}(?:</b>)? (?:(?:more|other|further) )?(" + "|".join(COUNTED) + r")\b(?!/)"
)
_judged: dict[tuple[str, str], str] = {}  # every text is looked at once, and told of once
_unheard: list[str] = []
_listeners: list[Hear] = []


def fitting(english: str, translated: str) -> str:
    """The translated text, or the English one where filling it might fail, steer, or lose a figure."""
    if translated == english:
        return english
    key = english, translated
    if key not in _judged:
        good = _fits(english, translated)
        _judged[key] = translated if good else english
        if not good:
            _tell(f"The translation “{translated}” does not have the fields of “{english}”, which is shown instead.")
    return _judged[key]


def filled(english: str, translated: str, values: Mapping[str, object]) -> str:
    """The text with its values, one thing in the singular."""
    text = fitting(english, translated)
    told = values.values()
    if text == english and (1 in told or "1" in told):
        text = _of_one(text, frozenset(name for name, value in values.items() if value in (1, "1")))
    return text.format(**values)


@lru_cache(maxsize=512)
def _of_one(template: str, ones: frozenset[str]) -> str:
    """A template in which the words counted by some of its fields are single things."""

    def single(match: re.Match[str]) -> str:
        if match[1] not in ones:
            return match[0]
        return match[0].removesuffix(match[2]) + _SINGULAR.get(match[2], match[2].removesuffix("s"))

    return _PLURAL.sub(single, template)


def hear_of_faults(hear: Hear) -> None:
    """Tell `hear` of every translation that is not used, those met before included."""
    _listeners.append(hear)
    while _unheard:
        hear(_unheard.pop(0))


def hear_no_more(hear: Hear) -> None:
    """Take a listener away."""
    _listeners.remove(hear)


def _tell(fault: str) -> None:
    if not _listeners:
        _unheard.append(fault)
    for hear in _listeners:
        hear(fault)


def _fits(english: str, translated: str) -> bool:
    wanted = _fields(english)
    if wanted is None:  # never filled
        return True
    return _fields(translated) == wanted and bool(translated.strip()) == bool(english.strip())


def _fields(text: str) -> Fields | None:
    """What a text is to be filled with; None where it is no template."""
    try:
        found = [(name, form or "", how or "") for _, name, form, how in _PARSER.parse(text) if name is not None]
    except ValueError:
        return None
    return frozenset(found)
