"""Regular expressions of a file, matched without going back: all places where a part may end are followed together.

Read are letters, classes, groups, alternatives, repetitions, anchors and looking ahead; what remembers (groups that
are named again) or looks behind is not read.
"""

from collections.abc import Callable
from typing import Final

Step = Callable[[str, set[int]], set[int]]  # from the places where a part may begin to those where it may end

_DEEPEST: Final = 3  # repetitions within repetitions
_MOST_TIMES: Final = 64
_DIGITS: Final = frozenset("0123456789")
_WORD: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_SPACE: Final = frozenset(" \t\n\r\f\v")
_CLASSES: Final = {"d": (_DIGITS, True), "w": (_WORD, True), "s": (_SPACE, True)} | {
    "D": (_DIGITS, False),
    "W": (_WORD, False),
    "S": (_SPACE, False),
}
_SPECIAL: Final = frozenset("()[]{}*+?|\\^$.")


class UnreadableError(Exception):
    """An expression that uses more than is read here."""


def expression(text: str) -> Callable[[str], bool] | None:
    """Whether a text begins with what the expression says, as `re.match` has it; None where it is not read."""
    reader = _Reader(text)
    try:
        step = reader.alternatives(0)
        if reader.at != len(text):
            return None
    except (UnreadableError, IndexError, ValueError, RecursionError):
        return None
    return lambda path: bool(step(path, {0}))


def _one(characters: frozenset[str], *, among: bool) -> Step:
    def step(text: str, places: set[int]) -> set[int]:
        return {p + 1 for p in places if p < len(text) and (text[p] in characters) is among}

    return step


def _sequence(parts: list[Step]) -> Step:
    def step(text: str, places: set[int]) -> set[int]:
        for part in parts:
            if not places:
                break
            places = part(text, places)
        return places

    return step


def _either(ways: list[Step]) -> Step:
    return lambda text, places: set().union(*(way(text, places) for way in ways))


def _repeated(part: Step, least: int, most: int | None) -> Step:
    def step(text: str, places: set[int]) -> set[int]:
        for _ in range(least):
            places = part(text, places)
        found, new, times = set(places), places, least
        while new and (most is None or times < most):
            new = part(text, new) - found
            found |= new
            times += 1
        return found

    return step


def _ahead(inner: Step, *, holds: bool) -> Step:
    return lambda text, places: {p for p in places if bool(inner(text, {p})) is holds}


def _edge(text: str, place: int) -> bool:
    before = place > 0 and text[place - 1] in _WORD
    return before is not (place < len(text) and text[place] in _WORD)


_ANCHORS: Final[dict[str, Step]] = {
    "^": lambda _text, places: places & {0},
    "$": lambda text, places: places & {len(text)},
    "b": lambda text, places: {p for p in places if _edge(text, p)},
    "B": lambda text, places: {p for p in places if not _edge(text, p)},
}
_ANCHORS["A"], _ANCHORS["Z"] = _ANCHORS["^"], _ANCHORS["$"]


class _Reader:
    """Reads an expression from left to right."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0

    def _peek(self) -> str:
        return self.text[self.at] if self.at < len(self.text) else ""

    def _take(self) -> str:
        self.at += 1
        return self.text[self.at - 1]

    def alternatives(self, depth: int) -> Step:
        ways = [self._branch(depth)]
        while self._peek() == "|":
            self.at += 1
            ways.append(self._branch(depth))
        return ways[0] if len(ways) == 1 else _either(ways)

    def _branch(self, depth: int) -> Step:
        parts: list[Step] = []
        while self._peek() not in {"", "|", ")"}:
            start = self.at
            part = self._atom(depth)
            times = self._times()
            if times is not None:
                if self._deepest(start) >= _DEEPEST:
                    raise UnreadableError
                part = _repeated(part, *times)
            parts.append(part)
        return _sequence(parts)

    def _deepest(self, start: int) -> int:
        """How many repetitions stand within the part that has just been read."""
        inner = self.text[start : self.at]
        return sum(inner.count(mark) for mark in "*+{") - 1 if inner.startswith("(") else 0

    def _times(self) -> tuple[int, int | None] | None:
        mark = self._peek()
        if mark not in {"*", "+", "?", "{"} or not mark:
            return None
        self.at += 1
        least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}.get(mark) or self._counted()
        if self._peek() == "?":  # as few as can be: the same places in the end
            self.at += 1
        elif self._peek() in {"+", "*", "{"} and self._peek():
            raise UnreadableError
        return least, most

    def _counted(self) -> tuple[int, int | None]:
        inner, closed, _ = self.text[self.at :].partition("}")
        if not closed:
            raise UnreadableError
        self.at += len(inner) + 1
        least, several, most = inner.partition(",")
        low = int(least or "0")
        high = low if not several else int(most) if most else None
        if max(low, high or 0) > _MOST_TIMES:
            raise UnreadableError
        return low, high

    def _atom(self, depth: int) -> Step:
        mark = self._take()
        if mark == "(":
            return self._group(depth)
        if mark == "[":
            return self._set()
        if mark == "\\":
            return self._escaped()
        if mark == ".":
            return _one(frozenset("\n"), among=False)
        if mark in "^$":
            return _ANCHORS[mark]
        if mark in _SPECIAL:
            raise UnreadableError
        return _one(frozenset(mark), among=True)

    def _escaped(self) -> Step:
        mark = self._take()
        if mark in _CLASSES:
            characters, among = _CLASSES[mark]
            return _one(characters, among=among)
        if mark in _ANCHORS and mark not in "^$":
            return _ANCHORS[mark]
        if mark.isalnum():
            raise UnreadableError
        return _one(frozenset(mark), among=True)

    def _group(self, depth: int) -> Step:
        if depth > 2 * _DEEPEST:
            raise UnreadableError
        ahead = ""
        if self._peek() == "?":
            kind = self.text[self.at : self.at + 2]
            if kind not in {"?:", "?=", "?!"}:
                raise UnreadableError
            self.at += 2
            ahead = kind[1] if kind != "?:" else ""
        inner = self.alternatives(depth + 1)
        if self._take() != ")":
            raise UnreadableError
        return _ahead(inner, holds=ahead == "=") if ahead else inner

    def _set(self) -> Step:
        among = self._peek() != "^"
        self.at += not among
        found: set[str] = set()
        first = True
        while first or self._peek() != "]":
            first = False
            mark = self._take()
            if mark == "\\":
                mark = self._take()
                if mark in _CLASSES and _CLASSES[mark][1]:
                    found |= _CLASSES[mark][0]
                    continue
                if mark.isalnum():
                    raise UnreadableError
            if self._peek() == "-" and self.text[self.at + 1] not in "]\\":
                self.at += 1
                found |= {chr(code) for code in range(ord(mark), min(ord(self._take()), 0x2FF) + 1)}
            else:
                found.add(mark)
        self.at += 1
        return _one(frozenset(found), among=among)
