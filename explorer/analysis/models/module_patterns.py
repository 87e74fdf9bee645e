"""Patterns that name modules of a checkpoint: paths, paths with `*`, and a safe part of regular expressions (`re:`).

A regular expression of a file is not run as it stands, since one can be written that never ends: it is cut at each
`.*` into pieces without repetition, which are looked for one after the other.
"""

import re
from functools import cached_property
from itertools import product

import msgspec

PATTERN_LIMIT = 300
MOST_WAYS = 64
PREFIXES = ("model.", "language_model.", "transformer.", "backbone.")
OUTER = ("", "model.", "language_model.model.", "model.language_model.")
_TOKEN = re.compile(r"\\d\+|\[0-9\]\+|\\\.|\.\*|\.|[A-Za-z0-9_\-]+|\(|\)|\||\^|\$")

Way = tuple[tuple[str, ...], bool]  # pieces in order, each a safe expression; whether the last one ends the path


class Patterns(msgspec.Struct, frozen=True, dict=True):
    """Patterns together; a module is named by one of them, or by one of a module around it or a part of its path."""

    texts: tuple[str, ...] = ()

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(t for t in self.texts if "*" not in t and not t.startswith("re:"))

    @cached_property
    def _globs(self) -> tuple[re.Pattern[str], ...]:
        return tuple(re.compile(_glob(t)) for t in self.texts if "*" in t and not t.startswith("re:"))

    @cached_property
    def _ways(self) -> tuple[tuple[tuple[re.Pattern[str], ...], bool], ...]:
        found = [way for t in self.texts if t.startswith("re:") for way in ways(t.removeprefix("re:")) or ()]
        return tuple((tuple(re.compile(piece) for piece in pieces), ends) for pieces, ends in found)

    def name(self, module: str) -> bool:
        """Whether they name a module (`layers.0.mlp.gate`)."""
        if not self.texts:
            return False
        parts = module.split(".")
        slices = (".".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1))
        if any(s in self._exact for s in slices) or any(g.match(module) for g in self._globs):
            return True
        return any(_matches(pieces, f"{outer}{module}", ends) for pieces, ends in self._ways for outer in OUTER)


def patterns_of(found: object) -> tuple[str, ...]:
    """The patterns of a list, paths from the list of layers on, whatever the checkpoint's outer modules are called."""
    if not isinstance(found, list | tuple):
        return ()
    short = (p for p in found if isinstance(p, str) and 0 < len(p) <= PATTERN_LIMIT)
    return tuple(dict.fromkeys(p if p.startswith("re:") else _local(p) for p in short))


def unread(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Those regular expressions that use more than is read here."""
    return tuple(t for t in texts if t.startswith("re:") and ways(t.removeprefix("re:")) is None)


def _local(pattern: str) -> str:
    for prefix in PREFIXES * 2:
        pattern = pattern.removeprefix(prefix)
    return pattern.removesuffix(".weight")


def _glob(pattern: str) -> str:
    """A regular expression for a path whose `*` stands for a part of it or of one of its names."""
    free = pattern.startswith("*")
    short = re.sub(r"\*+", "*", pattern).removeprefix("*").removeprefix(".") if free else re.sub(r"\*+", "*", pattern)
    body = r"[^.]*".join(re.escape(piece) for piece in short.split("*"))
    return (r"(?:.*\.)?[^.]*?" if free else "") + body + r"(?:\.|$)"


def ways(expression: str) -> tuple[Way, ...] | None:
    """What an expression says once its groups are spelled out; None where it uses more than is read here."""
    marks, end = [], 0
    for match in _TOKEN.finditer(expression):
        if match.start() != end:
            return None
        marks.append(match.group())
        end = match.end()
    if end != len(expression):
        return None
    choices = _choices(marks)
    if choices is None:
        return None
    count = 1
    for choice in choices:
        count *= len(choice)
    if count > MOST_WAYS:
        return None
    return tuple(_way([mark for part in spelled for mark in part]) for spelled in product(*choices))


def _choices(marks: list[str]) -> list[list[list[str]]] | None:
    """Tokens as a sequence of choices: one for a mark, several for a group; None for groups within groups."""
    choices: list[list[list[str]]] = []
    group: list[list[str]] | None = None
    for mark in marks:
        if mark == "(":
            if group is not None:
                return None
            group = [[]]
        elif mark == ")":
            if group is None:
                return None
            choices.append(group)
            group = None
        elif mark == "|":
            if group is None:
                return None
            group.append([])
        elif group is not None:
            group[-1].append(mark)
        else:
            choices.append([[mark]])
    return choices if group is None else None


def _way(marks: list[str]) -> Way:
    ends = bool(marks) and marks[-1] == "$"
    pieces = [""]
    for mark in marks:
        if mark == ".*":
            pieces.append("")
        elif mark not in {"^", "$"}:
            digits = mark in {r"\d+", "[0-9]+"}
            pieces[-1] += r"[0-9]+" if digits else "." if mark == "." else re.escape(mark.removeprefix("\\"))
    return tuple(pieces), ends and pieces[-1] != ""


def _matches(pieces: tuple[re.Pattern[str], ...], path: str, ends: bool) -> bool:
    """Whether the pieces stand in a path one after the other, the first at its start."""
    first = pieces[0].match(path)
    if first is None:
        return False
    position = first.end()
    for piece in pieces[1:]:
        found = piece.search(path, position)
        if found is None:
            return False
        position = found.end()
    return not ends or position == len(path)
