"""What people type into cells: numbers with prefixes, dims by name; never read in two ways."""

import math
import re
from collections.abc import Mapping
from typing import Final

from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.check import LARGEST_DIM

_PREFIXES: Final[Mapping[str, float]] = {
    "": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12,
    "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40,
}  # fmt: skip
BILLIONS: Final[Mapping[str, float]] = {"B": 1e9, "b": 1e9}
_NUMBER: Final = re.compile(
    r"([+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?)[ \u00a0\u2009]?([A-Za-z]{0,2})", re.ASCII
)
# 1.234 is 1234 where the comma is the decimal sign
_TWO_WAYS: Final = re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})++", re.ASCII)
_DIM: Final = re.compile(r"(?<!\w)([^\W\d]\w*+)\s*+[=:]\s*+([^\s;=:]++)")
_COMMA: Final = re.compile(r",(?=\s*+[^\W\d]\w*+\s*+[=:])")  # before the next name, never within a number
_LONGEST: Final = 2000
LARGEST_CALLS: Final = 1e12


def read_number(text: str, path: str = "", more: Mapping[str, float] | None = None) -> float:
    """A number as typed: `4096`, `1.5e9`, `4k`, `2 Mi`; `more` adds suffixes.

    Raises
    ------
    Refused
        It is no number, or one that reads differently where the comma is the decimal sign.
    """
    stripped = text.strip()
    if "," in stripped or _TWO_WAYS.fullmatch(stripped):
        raise Refused(Problem("typed.two_ways", path, {"got": stripped[:40]}))
    match = _NUMBER.fullmatch(stripped)
    factor = {**_PREFIXES, **(more or {})}.get(match[2]) if match else None
    if match is None or factor is None:
        raise Refused(Problem("typed.number", path, {"got": stripped[:40]}))
    value = float(match[1]) * factor
    if not math.isfinite(value):
        raise Refused(Problem("typed.number", path, {"got": stripped[:40]}))
    return value


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
