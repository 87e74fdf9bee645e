"""What people type into cells: numbers with prefixes, dims by name; never read in two ways."""

import re
from decimal import Decimal
from typing import Final

from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.check import LARGEST_DIM
from explorer.presentation.quantities.typed_figure import Spelling, Unread, read_figure

_PREFIXES: Final = {
    "": Decimal(1), "k": Decimal(10**3), "K": Decimal(10**3), "M": Decimal(10**6), "G": Decimal(10**9),
    "T": Decimal(10**12), "Ki": Decimal(2**10), "Mi": Decimal(2**20), "Gi": Decimal(2**30), "Ti": Decimal(2**40),
}  # fmt: skip
_NUMBERS: Final = Spelling(_PREFIXES, careful=True, longest=400)
_BILLIONS: Final = Spelling(_PREFIXES | dict.fromkeys("Bb", Decimal(10**9)), careful=True, longest=400)
_DIM: Final = re.compile(r"(?<!\w)([^\W\d]\w*+)\s*+[=:]\s*+([^\s;=:]++)")
_COMMA: Final = re.compile(r",(?=\s*+[^\W\d]\w*+\s*+[=:])")  # before the next name, never within a number
_LONGEST: Final = 2000
LARGEST_CALLS: Final = 1e12


def read_number(text: str, path: str = "", *, billions: bool = False) -> float:
    """A number as typed: `4096`, `1.5e9`, `4k`, `2 Mi`, and where it is of `billions` `7B`.

    Raises
    ------
    Refused
        It is no number, or one that reads differently where the comma is the decimal sign.
    """
    try:
        return read_figure(text, _BILLIONS if billions else _NUMBERS)
    except Unread as unread:
        code = "typed.two_ways" if unread.fault in {"comma", "two_ways"} else "typed.number"
        raise Refused(Problem(code, path, {"got": text.strip()[:40]})) from None


def read_calls(text: str, path: str = "count") -> float:
    """A number of calls, greater than zero; raise Refused otherwise."""
    value = read_number(text, path)
    if not 0 < value <= LARGEST_CALLS:
        raise Refused(Problem("study.positive", path, {"got": value, "high": LARGEST_CALLS}))
    return value


def read_dim(text: str, path: str = "") -> float:
    """One dim of an operator; raise Refused when it cannot be one."""
    value = read_number(text, path)
    if not 0 <= value <= LARGEST_DIM:
        raise Refused(Problem("study.range", path, {"got": value, "low": 0, "high": LARGEST_DIM}))
    return value


def read_dims(text: str, kind: OperatorKind | None, path: str = "dims") -> dict[str, float]:
    """Dims by name, `m=8 n=4096 k=4k`, with blanks, commas or semicolons between; those left out keep the defaults.

    Raises
    ------
    Refused
        Something is not `name=number`, a name stands twice, or the kind has no such dim.
    """
    if len(text) > _LONGEST:
        raise Refused(Problem("typed.dims", path, {"got": text[:40]}))
    text = _COMMA.sub(" ", text)
    found: dict[str, float] = {}
    place = 0
    for match in _DIM.finditer(text):
        _only_separators(text[place : match.start()], path)
        place = match.end()
        name = match[1]
        if name in found:
            raise Refused(Problem("typed.dim_twice", path, {"name": name}))
        _known_dim(name, kind, path)
        found[name] = read_dim(match[2], f"{path}.{name}")
    _only_separators(text[place:], path)
    return found


def _only_separators(text: str, path: str) -> None:
    rest = text.strip(" \t\u00a0\u2009;")
    if rest:
        raise Refused(Problem("typed.dims", path, {"got": rest[:40]}))


def _known_dim(name: str, kind: OperatorKind | None, path: str) -> None:
    if kind is not None and all(d.name != name for d in kind.dims):
        known = ", ".join(d.name for d in kind.dims) or "–"
        raise Refused(Problem("study.dim", path, {"kind": kind.id, "known": known, "name": name}))


def read_name(text: str, taken: frozenset[str] | set[str] = frozenset(), path: str = "name") -> str:
    """A row's or model's name, one line not taken yet; raise Refused otherwise."""
    name = text.strip()
    if not name or len(name) > 200 or not name.isprintable():
        raise Refused(Problem("study.id", path, {"limit": 200}))
    if name in taken:
        raise Refused(Problem("typed.name_taken", path, {"name": name}))
    return name
