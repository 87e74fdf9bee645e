"""Room for labels: rectangles that are taken, candidates that are free, lines better not crossed."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QRectF

Boxes = npt.NDArray[np.float64]  # (n, 4): left, top, right, bottom
_CROSSING = 3.0  # cost of crossing a line, in steps of preference


class Space:
    """A plot's free room; boxes are taken one after the other, the important ones first."""

    def __init__(self, bounds: QRectF) -> None:
        self._bounds = (bounds.left(), bounds.top(), bounds.right(), bounds.bottom())
        self._taken: Boxes = np.empty((256, 4))
        self._count = 0
        self._lines: Boxes = np.empty((0, 4))

    def copy(self) -> "Space":
        """The same room, to be filled further."""
        other = Space(QRectF())
        other._bounds, other._count, other._lines = self._bounds, self._count, self._lines
        other._taken = self._taken.copy()
        return other

    def take(self, boxes: Boxes) -> None:
        """Boxes that nothing may cover from now on."""
        needed = self._count + len(boxes)
        if needed > len(self._taken):
            grown = np.empty((max(needed, 2 * len(self._taken)), 4))
            grown[: self._count] = self._taken[: self._count]
            self._taken = grown
        self._taken[self._count : needed] = boxes
        self._count = needed

    def avoid_lines(self, segments: Sequence[tuple[float, float, float, float]]) -> None:
        """Line segments that texts cross only where there is no other place."""
        self._lines = np.array(segments, dtype=np.float64).reshape(-1, 4)

    def best(self, candidates: Boxes, *, crossing: bool = True) -> int | None:
        """The cheapest free candidate; `candidates` are (n, 4), or (n, k, 4) where each is several boxes.

        Cost counts the place in the order and lines crossed; without `crossing` no line may be crossed.
        None: no room.
        """
        shaped = candidates[:, None, :] if candidates.ndim == 2 else candidates
        order = self.by_cost(shaped, np.arange(len(shaped), dtype=np.float64))
        if not len(order) or (not crossing and self.crosses(shaped[order[0]])):
            return None
        return int(order[0])

    def by_cost(self, shaped: Boxes, costs: Boxes) -> npt.NDArray[np.intp]:
        """Free candidates (n, k, 4), the cheapest first; crossing a line costs extra."""
        free = np.flatnonzero(self._free(shaped))
        if not len(free):
            return free
        total = costs[free] + _CROSSING * self._crossings(shaped[free])
        return np.asarray(free[np.argsort(total, kind="stable")])

    def crosses(self, boxes: Boxes) -> bool:
        """Whether a text of these boxes (k, 4) lies on a line."""
        return bool(self._crossings(boxes[None])[0])

    def covers(self, boxes: Boxes) -> bool:
        """Whether any box (k, 4) overlaps one that is taken."""
        return overlaps(boxes, self._taken[: self._count])

    def _free(self, shaped: Boxes) -> npt.NDArray[np.bool_]:
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

    def _crossings(self, shaped: Boxes) -> Boxes:
        lines = self._lines
        if not len(lines):
            return np.zeros(len(shaped))
        x0, y0, x1, y1 = lines.T
        left, top, right, bottom = (shaped[..., i, None] for i in range(4))
        near = (
            (left < np.maximum(x0, x1))
            & (right > np.minimum(x0, x1))
            & (top < np.maximum(y0, y1))
            & (bottom > np.minimum(y0, y1))
        )
        flat = y0 == y1
        near |= flat & (left < np.maximum(x0, x1)) & (right > np.minimum(x0, x1)) & (top < y0) & (bottom > y0)
        dx, dy = x1 - x0, y1 - y0
        middle_x, middle_y = (left + right) / 2, (top + bottom) / 2
        distance = np.abs(dx * (middle_y - y0) - dy * (middle_x - x0))
        reach = (right - left) / 2 * np.abs(dy) + (bottom - top) / 2 * np.abs(dx)
        return np.asarray((near & (distance <= reach)).any(axis=1).sum(axis=1), dtype=np.float64)


def box(rect: QRectF, margin: float = 0.0) -> tuple[float, float, float, float]:
    """A rectangle as left, top, right, bottom, grown by a margin."""
    return rect.left() - margin, rect.top() - margin, rect.right() + margin, rect.bottom() + margin


def overlaps(one: Boxes, other: Boxes) -> bool:
    """Whether any box of one set overlaps any of the other."""
    if not len(one) or not len(other):
        return False
    return bool(
        (
            (one[:, None, 0] < other[:, 2])
            & (one[:, None, 2] > other[:, 0])
            & (one[:, None, 1] < other[:, 3])
            & (one[:, None, 3] > other[:, 1])
        ).any()
    )
