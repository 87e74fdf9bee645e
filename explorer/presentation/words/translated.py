"""Texts as a translator wrote them: one that cannot be filled as the English one is never shown."""

from collections.abc import Callable
from string import Formatter

Fields = frozenset[tuple[str, str, str]]  # name, format and conversion of each
Hear = Callable[[str], None]

_PARSER = Formatter()
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
