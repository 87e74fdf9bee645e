"""Patterns that name modules of a checkpoint: paths, paths with `*`, and a safe part of regular expressions (`re:`).

A regular expression of a file is not run as it stands, since one can be written that never ends: it is cut at each
`.*` into pieces without repetition, which are looked for one after the other.
"""

import re
from functools import cached_property
from itertools import product, takewhile

import msgspec

PATTERN_LIMIT = 300
MOST_WAYS = 64
_LISTS = ("h.", "blocks.")  # what older families call their layers
_NUMBERS = frozenset("0123456789*[")
PREFIXES = ("model.", "language_model.", "transformer.", "backbone.")
OUTER = ("", "model.", "language_model.model.", "model.language_model.")
_TOKEN = re.compile(r"\\d\+|\[0-9\]\+|\\\.|\.\*|\.|[A-Za-z0-9_\-]+|\(|\)|\||\^|\$")

MOST_PATTERNS = 2_000  # with wildcards
_ANYWHERE, _PIECE = 20, 5  # what a path counts that is held against every module, and a piece of an expression

Glob = tuple[tuple[tuple[str, ...], ...], bool]
Way = tuple[tuple[str, ...], bool]  # pieces in order, each a safe expression; whether the last one ends the path


class Patterns(msgspec.Struct, frozen=True, dict=True):
    """Patterns together; a module is named by one of them, or by one of a module around it or a part of its path."""

    texts: tuple[str, ...] = ()

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(t for t in self.texts if "*" not in t and not t.startswith("re:"))

    @cached_property
    def _globs(self) -> dict[tuple[str, ...] | None, list[Glob]]:
        """Paths with `*` by the whole names that they begin with, as most are of one layer; None where more leads."""
        found: dict[tuple[str, ...] | None, list[Glob]] = {}
        for text in self.texts:
            if "*" in text and not text.startswith("re:"):
                names, free = glob = _glob(text)
                whole = tuple(pieces[0] for pieces in takewhile(lambda p: len(p) == 1, names))
                found.setdefault(None if free else whole, []).append(glob)
        return found

    @cached_property
    def _ways(self) -> tuple[tuple[tuple[re.Pattern[str], ...], bool], ...]:
        found = [way for t in self.texts if t.startswith("re:") for way in ways(t.removeprefix("re:")) or ()]
        return tuple((_compiled(pieces, ends), ends) for pieces, ends in found)

    def name(self, module: str) -> bool:
        """Whether they name a module (`layers.0.mlp.gate`)."""
        if not self.texts:
            return False
        parts = module.split(".")
        slices = (".".join(parts[i:j]) for i in range(len(parts)) for j in range(i + 1, len(parts) + 1))
        if any(s in self._exact for s in slices) or self._fits(parts):
            return True
        return any(_matches(pieces, f"{outer}{module}", ends) for pieces, ends in self._ways for outer in OUTER)

    def _fits(self, parts: list[str]) -> bool:
        globs = self._globs
        if not globs:
            return False
        near = (globs.get(tuple(parts[:count]), ()) for count in range(len(parts) + 1))
        return any(_fits(glob, parts) for some in (globs.get(None, ()), *near) for glob in some)


def patterns_of(found: object) -> tuple[str, ...]:
    """The patterns of a list, paths from the list of layers on, whatever the checkpoint's outer modules are called."""
    if not isinstance(found, list | tuple):
        return ()
    short = (p for p in found if isinstance(p, str) and 0 < len(p) <= PATTERN_LIMIT)
    return tuple(dict.fromkeys(p if p.startswith("re:") else local(p) for p in short))


def unread(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Those patterns that use more than is read here, and those beyond as many as a model needs."""
    beyond, left = [], MOST_PATTERNS
    for text in texts:
        if text.startswith("re:"):
            spelled = ways(text.removeprefix("re:"))
            cost = MOST_PATTERNS + 1 if spelled is None else sum(_PIECE * len(pieces) for pieces, _ in spelled)
        else:
            cost = (_ANYWHERE if text.startswith("*") else 1) if "*" in text else 0
        if cost > left:
            beyond.append(text)
        else:
            left -= cost
    return tuple(beyond)


def local(pattern: str) -> str:
    """A name from the list of layers on, whatever the checkpoint's outer modules and the list are called."""
    for prefix in PREFIXES * 2:
        pattern = pattern.removeprefix(prefix)
    for layers in _LISTS:
        if pattern.startswith(layers) and pattern[len(layers) : len(layers) + 1] in _NUMBERS:
            pattern = f"layers.{pattern.removeprefix(layers)}"
    return pattern.removesuffix(".weight")


def _glob(pattern: str) -> Glob:
    """A path whose `*` stands for a part of it or of one of its names: names of pieces, and whether more may lead."""
    free = pattern.startswith("*")
    short = pattern.lstrip("*").removeprefix(".") if free else pattern
    return tuple(tuple(name.split("*")) for name in short.split(".")), free


def _fits(glob: Glob, parts: list[str]) -> bool:
    """Whether a module's path begins with names that fit, or, where more may lead, has them anywhere."""
    names, free = glob
    starts = range(len(parts) - len(names) + 1 if free else min(1, len(parts) - len(names) + 1))
    return any(
        all(
            _spelled(pieces, part, free and i == 0)
            for i, (pieces, part) in enumerate(zip(names, parts[at:], strict=False))
        )
        for at in starts
    )


def _spelled(pieces: tuple[str, ...], name: str, free: bool) -> bool:
    """Whether a name is pieces with anything between; the first begins it, unless it is free, and the last ends it."""
    first, *rest = pieces
    if free:
        first, rest = "", [first, *rest]
    if not name.startswith(first):
        return False
    if not rest:
        return len(name) == len(first)
    position = len(first)
    for piece in rest[:-1]:
        position = name.find(piece, position)
        if position < 0:
            return False
        position += len(piece)
    return len(name) - position >= len(rest[-1]) and name.endswith(rest[-1])


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


def _compiled(pieces: tuple[str, ...], ends: bool) -> tuple[re.Pattern[str], ...]:
    """Pieces to look for; the last one stands at the end where the expression does."""
    *first, last = pieces
    return (*(re.compile(piece) for piece in first), re.compile(f"(?:{last})\\Z" if ends else last))


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
