"""Names that share much of what they say: what is common is left out, what differs stays whole."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

_PIECES: Final = re.compile(r"[\s_/:,;|-]+|[^\s_/:,;|-]+")
_LEAST: Final = 8  # characters that are worth leaving out
_ELLIPSIS: Final = "…"


def what_differs(names: Iterable[str]) -> dict[str, str]:
    """A short form of each name that shares its first word with others: that word, then what differs.

    Words are never parted, a number keeps the word before it, and two names never become one.
    """
    told = list(dict.fromkeys(names))
    groups: dict[str, list[str]] = {}
    for name in told:
        groups.setdefault(_pieces(name)[0] if _pieces(name) else "", []).append(name)
    short = {name: text for group in groups.values() if len(group) > 1 for name, text in _shortened(group)}
    uses = Counter(short.get(name, name) for name in told)
    return {name: text for name, text in short.items() if uses[text] == 1 and len(text) < len(name)}


def _pieces(name: str) -> list[str]:
    return _PIECES.findall(name)


def _shortened(group: Sequence[str]) -> list[tuple[str, str]]:
    parted = [_pieces(name) for name in group]
    begin = _common(parted)
    end = _common([p[begin:][::-1] for p in parted])
    begin = max(1, _with_words(parted, begin))
    found = []
    for name, pieces in zip(group, parted, strict=True):
        before, after = "".join(pieces[1:begin]), "".join(pieces[len(pieces) - end :]) if end else ""
        last = len(pieces) - (end if len(after) >= _LEAST else 0)
        rest = "".join(pieces[begin:last]).strip(" _/:,;|-")
        if len(before) < _LEAST:
            rest = "".join(pieces[1:last]).strip(" _/:,;|-")
            lead = pieces[0] + " "
        else:
            lead = f"{pieces[0]} {_ELLIPSIS} "
        tail = f" {_ELLIPSIS}" if last < len(pieces) else ""
        found.append((name, f"{lead}{rest}{tail}".strip()))
    return found


def _common(parted: Sequence[Sequence[str]]) -> int:
    """How many pieces all begin with, one at least left to each."""
    most = min(len(p) for p in parted) - 1
    count = 0
    while count < most and len({p[count] for p in parted}) == 1:
        count += 1
    return count


def _with_words(parted: Sequence[Sequence[str]], begin: int) -> int:
    """Where what differs begins: before the word of a number, as in “batch 16”."""
    numbers = any(p[begin][:1].isdigit() or not p[begin].strip(" _/:,;|-") for p in parted if begin < len(p))
    while numbers and begin > 1:
        begin -= 1
        if parted[0][begin].strip(" _/:,;|-"):
            break
    return begin
