"""Room for labels: rectangles that are taken, candidates that are free, lines better not crossed."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF

Boxes = npt.NDArray[np.float64]  # (n, 4): left, top, right, bottom
Flags = npt.NDArray[np.bool_]
_NAME_CROSSING = 20.0  # the same for names of roofs, which have many places along their line
_CROSSING = 40.0  # cost of crossing a line, in steps of preference: more than the farthest place has


_STEPS = 60  # places that are tried along each side of the room


class Space:
    """A plot's free room; boxes are taken one after the other, the important ones first."""

    def __init__(self, bounds: QRectF) -> None:
        self._rect = bounds
        self._bounds = (bounds.left(), bounds.top(), bounds.right(), bounds.bottom())
        self._taken: Boxes = np.empty((256, 4))
        self._count = 0
        self._lines: Boxes = np.empty((0, 4))
        self._clear = 0.0

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the whole room."""
        return self._bounds

    @property
    def width(self) -> float:
        """Width of the whole room."""
        return self._bounds[2] - self._bounds[0]

    def copy(self) -> "Space":
        """The room as it is, to take more of without changing this one."""
        other = Space(self._rect)
        other.avoid_lines(self._lines, self._clear)
        other.take(self._taken[: self._count])
        return other

    def take(self, boxes: Boxes) -> int:
        """Boxes that nothing may cover from now on; returns the place of the first one."""
        needed = self._count + len(boxes)
        if needed > len(self._taken):
            grown = np.empty((max(needed, 2 * len(self._taken)), 4))
            grown[: self._count] = self._taken[: self._count]
            self._taken = grown
        first = self._count
        self._taken[first:needed] = boxes
        self._count = needed
        return first

    def avoid_lines(self, segments: Sequence[tuple[float, float, float, float]] | Boxes, clear: float = 0.0) -> None:
        """Line segments that texts cross, or come nearer to than `clear`, only where there is no other place."""
        self._clear = clear
        self._lines = np.array(segments, dtype=np.float64).reshape(-1, 4)

    def best(self, candidates: Boxes, *, crossing: bool = True) -> int | None:
        """The cheapest free candidate; `candidates` are (n, 4), or (n, k, 4) where each is several boxes.

        Cost counts the place in the order and lines crossed; without `crossing` no line may be crossed.
        None: no room.
        """
        shaped = candidates[:, None, :] if candidates.ndim == 2 else candidates
        order, crossed = self.by_cost(shaped, np.arange(len(shaped), dtype=np.float64), _NAME_CROSSING)
        if not len(order) or (not crossing and crossed[0]):
            return None
        return int(order[0])

    def by_cost(self, shaped: Boxes, costs: Boxes, crossing: float = _CROSSING) -> tuple[npt.NDArray[np.intp], Boxes]:
        """Free candidates (n, k, 4), the cheapest first, and how many lines each crosses, which costs extra."""
        free = np.flatnonzero(self._free(shaped))
        crossed, near = self._crossings(shaped[free])
        cheapest = np.argsort(costs[free] + crossing * (crossed + near) / 2, kind="stable")
        return free[cheapest], crossed[cheapest]

    def spots(self, near: tuple[float, float], width: float, height: float) -> tuple[Boxes, Flags]:
        """Free boxes of a size (n, 4) in all the room, clear of lines where any are, the nearest to a point first.

        And which of them lie on a line.
        """
        lefts = _steps(self._bounds[0], self._bounds[2] - width, height / 2)
        tops = _steps(self._bounds[1], self._bounds[3] - height, height / 4)
        left, top = (grid.ravel() for grid in np.meshgrid(lefts, tops))
        boxes = np.stack([left, top, left + width, top + height], axis=1)
        boxes = boxes[self._free(boxes[:, None, :])]
        crossed = self._crossings(boxes[:, None, :])[0] > 0
        if not crossed.all():
            boxes, crossed = boxes[~crossed], crossed[~crossed]
        across = np.maximum(np.abs((boxes[:, 0] + boxes[:, 2]) / 2 - near[0]) - width / 2, 0.0)
        down = np.maximum(np.abs((boxes[:, 1] + boxes[:, 3]) / 2 - near[1]) - height / 2, 0.0)
        order = np.argsort(np.hypot(across, down), kind="stable")
        return boxes[order], crossed[order]

    def crosses(self, boxes: Boxes) -> bool:
        """Whether a text of these boxes (k, 4) lies on a line."""
        return bool(self._crossings(boxes[None])[0][0])

    def is_free(self, box: tuple[float, float, float, float]) -> bool:
        """Whether one box (left, top, right, bottom) lies inside and covers nothing."""
        left, top, right, bottom = box
        bounds, taken = self._bounds, self._taken[: self._count]
        if left < bounds[0] or top < bounds[1] or right > bounds[2] or bottom > bounds[3]:
            return False
        across = (taken[:, 0] < right) & (taken[:, 2] > left)
        return not (across & (taken[:, 1] < bottom) & (taken[:, 3] > top)).any()

    def blocked(self, lines: Boxes, margin: float, passing: npt.NDArray[np.bool_], first: int) -> Flags:
        """Which lines (n, 4) run over a taken box; `passing` of those from place `first` on do not count."""
        met = meets(self._taken[: self._count], lines, margin)
        met[first : first + len(passing)] &= ~passing[:, None]
        return np.asarray(met.any(axis=0))

    def _free(self, shaped: Boxes) -> Flags:
        left, top, right, bottom = (shaped[..., i] for i in range(4))
        bounds = self._bounds
        inside = (left >= bounds[0]) & (top >= bounds[1]) & (right <= bounds[2]) & (bottom <= bounds[3])
        taken = self._taken[: self._count]
        hits = (
            (left[..., None] < taken[:, 2])
            & (right[..., None] > taken[:, 0])
            & (top[..., None] < taken[:, 3])
            & (bottom[..., None] > taken[:, 1])
        )
        return np.asarray(inside.all(axis=1) & ~hits.any(axis=(1, 2)))

    def _crossings(self, shaped: Boxes) -> tuple[Boxes, Boxes]:
        """How many lines each candidate crosses, and how many it comes too near to."""
        lines = self._lines
        if not len(lines):
            return np.zeros(len(shaped)), np.zeros(len(shaped))
        apart = gaps(shaped, lines)
        crossed = (apart <= 0.0).any(axis=1).sum(axis=1)
        near = (apart <= self._clear).any(axis=1).sum(axis=1) if self._clear > 0 else crossed
        return crossed.astype(np.float64), near.astype(np.float64)


def _steps(first: float, last: float, least: float) -> npt.NDArray[np.float64]:
    """Places from the first to the last, not nearer to each other than `least`, and not very many."""
    if last < first:
        return np.empty(0)
    return np.linspace(first, last, 1 + int(min((last - first) / least, _STEPS)))


def meets(boxes: Boxes, lines: Boxes, margin: float = 0.0) -> Flags:
    """Which boxes (..., 4), grown by a margin, which lines (m, 4) run through: (..., m)."""
    return np.asarray(gaps(boxes, lines) <= margin)


def gaps(boxes: Boxes, lines: Boxes) -> Boxes:
    """By how much boxes (..., 4) must grow on each side to touch lines (m, 4): (..., m), by separating axes."""
    x0, y0, x1, y1 = lines.T
    dx, dy = x1 - x0, y1 - y0
    long_x, long_y = np.abs(dx), np.abs(dy)
    left, top, right, bottom = (boxes[..., i, None] for i in range(4))
    middle_x, middle_y, half_x, half_y = (left + right) / 2, (top + bottom) / 2, (right - left) / 2, (bottom - top) / 2
    across = np.abs(dx * (middle_y - y0) - dy * (middle_x - x0)) - half_x * long_y - half_y * long_x
    across /= np.maximum(long_x + long_y, 1e-9)
    along_x = np.abs(middle_x - (x0 + x1) / 2) - half_x - long_x / 2
    along_y = np.abs(middle_y - (y0 + y1) / 2) - half_y - long_y / 2
    return np.asarray(np.maximum(across, np.maximum(along_x, along_y)))


def box(rect: QRectF) -> tuple[float, float, float, float]:
    """A rectangle as left, top, right, bottom."""
    return rect.left(), rect.top(), rect.right(), rect.bottom()


def overlaps(one: Boxes, other: Boxes) -> bool:
    """Whether any box of one set overlaps any of the other."""
    return bool(
        (
            (one[:, None, 0] < other[:, 2])
            & (one[:, None, 2] > other[:, 0])
            & (one[:, None, 1] < other[:, 3])
            & (one[:, None, 3] > other[:, 1])
        ).any()
    )
