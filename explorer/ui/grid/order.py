"""Which rows a table shows, and in which order."""

from collections.abc import Callable, Sequence
from typing import Any

from explorer.presentation.tables.columns import Column


def arranged(
    rows: Sequence[Any], by: tuple[Column[Any], bool] | None, needle: str, haystack: Callable[[Any], str]
) -> list[Any]:
    """Rows in which every word of the needle occurs, by a column (descending or not) or as they come."""
    words = needle.lower().split()
    found = [r for r in rows if all(w in haystack(r) for w in words)] if words else list(rows)
    return found if by is None else ordered(found, *by)


def ordered(rows: list[Any], column: Column[Any], descending: bool) -> list[Any]:
    """Rows by a column's value, equal ones as they come; those without a value are last either way."""
    having = [(column.value(r), r) for r in rows]
    absent = [r for v, r in having if v is None]
    present = [(v.lower() if isinstance(v, str) else v, r) for v, r in having if v is not None]
    present.sort(key=lambda pair: pair[0], reverse=descending)
    return [*(r for _, r in present), *absent]


def runs(hits: Sequence[bool]) -> list[tuple[int, int]]:
    """First and last place of each run of hits."""
    found: list[tuple[int, int]] = []
    for i, hit in enumerate(hits):
        if hit and found and found[-1][1] == i - 1:
            found[-1] = (found[-1][0], i)
        elif hit:
            found.append((i, i))
    return found
