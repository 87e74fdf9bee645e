"""A study's text, piece by piece; the text of a part that did not change is not made again."""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from explorer.analysis.study.study import FORMAT, Study
from explorer.files.disk.yaml_writing import entry_text, item_text

_PIECE: Final = 50  # parts in one piece: about a millisecond's work
_INDENT: Final = "  "
_MUCH: Final = 400  # parts, or values of a config, whose writing a user could feel
_LISTS: Final = ("hardware", "models", "overrides", "operators", "kinds", "measurements", "what_ifs", "plan", "slides")

Parts = Sequence[msgspec.Struct]

# Of each list that was written last: its parts, which are never changed in place, and their texts by identity, which
# holds as long as the parts are kept. Two threads may write at once: each makes a table of its own and puts it here
# whole. Texts alone in a table are nothing to Python's collector, whose rounds would halt the window.
_kept: dict[str, tuple[Parts, dict[int, str]]] = {}


def study_pieces(study: Study) -> Iterator[str]:
    """Yield the text of a study's file; each piece is short work, so that others may run in between."""
    others = msgspec.to_builtins(msgspec.structs.replace(study, **dict.fromkeys(_LISTS, ())))
    yield entry_text("format", FORMAT)
    for name in study.__struct_fields__:
        if name in _LISTS:
            yield from _list(name, getattr(study, name))
        elif name in others and name != "format":
            yield entry_text(name, others[name])


def _list(name: str, parts: Parts) -> Iterator[str]:
    if not parts:
        _kept.pop(name, None)
        return
    before = _kept.get(name, ((), {}))
    yield f"{name}:\n"
    now: dict[int, str] = {}
    for start in range(0, len(parts), _PIECE):
        piece = []
        for part in parts[start : start + _PIECE]:
            text = before[1].get(id(part)) or item_text(msgspec.to_builtins(part), _INDENT)
            now[id(part)] = text
            piece.append(text)
        yield "".join(piece)
    _kept[name] = parts, now


def takes_long(study: Study) -> bool:
    """Whether writing the study takes longer than a user should wait for."""
    count = sum(len(getattr(study, name)) for name in _LISTS)
    for model in study.models:
        count += len(model.tensors.entries) if model.tensors is not None else 0
    if count > _MUCH:
        return True
    return sum(_values(m.config, _MUCH) for m in study.models) > _MUCH


def _values(value: object, most: int) -> int:
    """How many values there are inside, counted no further than `most`."""
    waiting, count = [value], 0
    while waiting and count <= most:
        value = waiting.pop()
        count += 1 + (len(value) // 1000 if isinstance(value, str) else 0)
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
    return count
