"""Modules by name, each library's way: whole names, wildcards, or parts of a path; `re:` leads a regular expression."""

import re
from collections.abc import Callable, Mapping
from fnmatch import translate
from functools import cached_property
from itertools import chain, takewhile
from typing import Final, Literal

import msgspec

from explorer.analysis.models.checkpoint.expressions import expression
from explorer.analysis.models.checkpoint.module_patterns import (
    OUTER,
    PATTERN_LIMIT,
    Patterns,
    Way,
    local,
    ways,
)

Style = Literal["whole", "wildcard", "within"]
MOST_EFFORT: Final = 2_000  # of all names of a config together
_SLOW, _QUICK, _FREE, _WHOLE = 200, 2, 15, 0.4  # expressions by letter and by piece; wildcards against all or a few
_WILD: Final = frozenset("*?[")
_EXPRESSION: Final = "re:"
Test = Callable[[str], bool]


class ModuleNames(msgspec.Struct, frozen=True, dict=True):
    """Texts that name modules.

    `whole`: the very name (compressed-tensors). `wildcard`: as a shell has it, where `*` runs over dots (ModelOpt,
    Quark); a name without one stands for all that lies in the module too. `within`: also a part of the path, or what
    lies in the module (transformers, bitsandbytes, AWQ).
    """

    texts: tuple[str, ...]
    style: Style

    def any(self, paths: tuple[str, ...]) -> bool:
        """Whether one of the names of a module is meant."""
        if not self.texts:
            return False
        if self.style == "within":
            return any(self._parts.name(path) for path in paths) or self._expressed(paths)
        if not self._plain.isdisjoint(paths):
            return True
        return (self.style == "wildcard" and self._wild(paths)) or self._expressed(paths)

    @cached_property
    def _plain(self) -> frozenset[str]:
        return frozenset(local(t) for t in self.texts if not t.startswith(_EXPRESSION))

    @cached_property
    def _parts(self) -> Patterns:
        return Patterns(tuple(local(t) for t in self.texts if not t.startswith(_EXPRESSION)))

    @cached_property
    def _expressions(self) -> tuple[Patterns, tuple[Test, ...]]:
        """Expressions in pieces that Python looks for, and those that are followed letter by letter."""
        found = [t for t in self.texts if t.startswith(_EXPRESSION)]
        quick = tuple(t for t in found if ways(t.removeprefix(_EXPRESSION)) is not None)
        slow = (expression(t.removeprefix(_EXPRESSION)) for t in found if t not in set(quick))
        return Patterns(quick), tuple(test for test in slow if test is not None)

    def _expressed(self, paths: tuple[str, ...]) -> bool:
        quick, slow = self._expressions
        if quick.texts and any(quick.name(path) for path in paths):
            return True
        return any(test(outer + path) for test in slow for path in paths for outer in OUTER)

    @cached_property
    def _wildcards(self) -> Mapping[tuple[str, ...] | None, list[re.Pattern[str]]]:
        """Wildcards by the whole names that they begin with; None where the first of them is not whole."""
        found: dict[tuple[str, ...] | None, list[re.Pattern[str]]] = {}
        for text in self.texts:
            if text.startswith(_EXPRESSION) or _WILD.isdisjoint(text):
                continue
            short = local(text)
            whole = tuple(takewhile(_WILD.isdisjoint, short.split(".")))
            found.setdefault(whole or None, []).append(re.compile(translate(short if whole else text)))
        return found

    def _wild(self, paths: tuple[str, ...]) -> bool:
        return any(self._fits(path.split(".")) for path in paths)

    def _fits(self, parts: list[str]) -> bool:
        path = ".".join(parts)
        starts = [".".join(parts[:count]) for count in range(1, len(parts))]
        if not self._plain.isdisjoint(starts):  # a module around it
            return True
        near = chain.from_iterable(self._wildcards.get(tuple(parts[:count]), ()) for count in range(1, len(parts) + 1))
        if any(pattern.match(path) for pattern in near):
            return True
        return any(p.match(outer + path) for p in self._wildcards.get(None, ()) for outer in OUTER)


def names_of(found: object, style: Style) -> ModuleNames:
    """The names of a list; what is no text, empty or too long to be a name is passed over."""
    listed = found if isinstance(found, list | tuple) else ()
    return ModuleNames(
        tuple(dict.fromkeys(t for t in listed if isinstance(t, str) and 0 < len(t) <= PATTERN_LIMIT)), style
    )


def unreadable(names: ModuleNames) -> tuple[str, ...]:
    """Expressions beyond what is read here."""
    expressions = (t for t in names.texts if t.startswith(_EXPRESSION))
    return tuple(t for t in expressions if _ways(t) is None and expression(t.removeprefix(_EXPRESSION)) is None)


def effort(names: ModuleNames) -> float:
    """What it takes to hold them against every module: a name without any mark is looked up."""
    return sum(map(_effort, names.texts))


def _effort(text: str) -> float:
    if text.startswith(_EXPRESSION):
        found = _ways(text)
        return _SLOW if found is None else _QUICK * sum(len(pieces) for pieces, _ in found)
    if _WILD.isdisjoint(text):
        return 0
    return _WHOLE if _WILD.isdisjoint(local(text).split(".")[0]) else _FREE


def _ways(text: str) -> tuple[Way, ...] | None:
    return ways(text.removeprefix(_EXPRESSION))
