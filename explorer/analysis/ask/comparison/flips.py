"""Verdicts that flip: operators that wait for one thing here and for another there."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.step.evaluate import DeviceResult
from explorer.analysis.step.resources import BOUNDS, Bound


class _RowKey(NamedTuple):
    """A row, the same in every step: its name, whose it is, and which of several of that name."""

    name: str
    own: bool
    place: int


class Flip(msgspec.Struct, frozen=True, eq=False):
    """Operators whose bound differs in the same way: their names, and by bound the keys of the subjects."""

    rows: tuple[str, ...]
    subjects: Mapping[Bound, tuple[str, ...]]


class Flips(msgspec.Struct, frozen=True, eq=False):
    """All flips, those of most operators first.

    `of` is how many operators are compared, `left_out` the keys of subjects whose launches are unknown: their operators
    have no verdict.
    """

    groups: tuple[Flip, ...]
    of: int
    left_out: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many operators flip."""
        return sum(len(flip.rows) for flip in self.groups)


def flips(compared: Sequence[Subject]) -> Flips:
    """Operators that every subject runs and whose bound is not the same in all; also where there is no room."""
    left_out = tuple(s.key for s in compared if s.result is not None and s.result.launches_unknown)
    placed = [(s.key, _bounds(s.result)) for s in compared if s.result is not None and s.key not in left_out]
    if not placed:
        return Flips((), 0, left_out)
    shared = [row for row in placed[0][1] if all(row in bounds for _, bounds in placed)]
    by_pattern: dict[tuple[Bound, ...], list[str]] = {}
    for row in shared:
        by_pattern.setdefault(tuple(bounds[row] for _, bounds in placed), []).append(row.name)
    keys = [key for key, _ in placed]
    found = [_flip(names, pattern, keys) for pattern, names in by_pattern.items() if len(set(pattern)) > 1]
    return Flips(tuple(sorted(found, key=lambda flip: -len(flip.rows))), len(shared), left_out)


def _flip(names: list[str], pattern: tuple[Bound, ...], keys: list[str]) -> Flip:
    by_bound = {bound: tuple(k for k, b in zip(keys, pattern, strict=True) if b == bound) for bound in BOUNDS}
    return Flip(tuple(names), {bound: found for bound, found in by_bound.items() if found})


def _bounds(result: DeviceResult) -> dict[_RowKey, Bound]:
    """What each row that takes time waits for."""
    found: dict[_RowKey, Bound] = {}
    seen: Counter[tuple[bool, str]] = Counter()
    for part in (result.modelled, result.own):
        for row, bound, spent in zip(part.stack.rows, part.bounds(), part.total_s.tolist(), strict=True):
            seen[row.own, row.name] += 1
            if spent > 0:
                found[_RowKey(row.name, row.own, seen[row.own, row.name])] = bound
    return found
