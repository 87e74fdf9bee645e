"""Cells of a map that say the same and touch, and the largest rectangle in them, for one label each."""

from collections.abc import Collection, Hashable, Sequence
from typing import Final, NamedTuple

Cell = tuple[int, int]


class Region(NamedTuple):
    """Cells that touch and say the same; `box` is the largest rectangle of them: first row and column, last ones."""

    says: Hashable
    cells: frozenset[Cell]
    box: tuple[int, int, int, int]


_SIDES: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
_CORNERS: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def regions(
    says: Sequence[Sequence[Hashable]], kept_free: Cell | None = None, bands: Collection[Hashable] = ()
) -> tuple[Region, ...]:
    """The regions of a map [row][column], the largest first.

    No rectangle has the cell that is kept free, but that of a region without others. Of what says one of `bands`,
    cells that touch at corners are one region too.
    """
    left = {(r, c) for r, row in enumerate(says) for c in range(len(row))}
    found = []
    while left:
        start = min(left)
        word = says[start[0]][start[1]]
        cells, new = {start}, [start]
        while new:
            row, column = new.pop()
            for down, right in (*_SIDES, *(_CORNERS if word in bands else ())):
                near = (row + down, column + right)
                if near in left and near not in cells and says[near[0]][near[1]] == word:
                    cells.add(near)
                    new.append(near)
        left -= cells
        found.append(Region(word, frozenset(cells), _largest_box(cells - {kept_free} or cells)))
    return tuple(sorted(found, key=lambda region: (-len(region.cells), min(region.cells))))


def _largest_box(cells: set[Cell]) -> tuple[int, int, int, int]:
    """By area, the squarest of equals."""
    best, score = (*min(cells), *min(cells)), (0, 0)
    for top, left in sorted(cells):
        right, bottom = 10**9, top
        while (bottom, left) in cells:
            column = left
            while (bottom, column) in cells and column <= right:
                column += 1
            right = column - 1
            height, width = bottom - top + 1, right - left + 1
            if (height * width, min(height, width)) > score:
                best, score = (top, left, bottom, right), (height * width, min(height, width))
            bottom += 1
    return best
