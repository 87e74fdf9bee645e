"""Where the view and the blocks of a slide stand: side by side, or the blocks in rows below; nothing overlaps."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF

GAP = 24.0
_MOST_GAP = 40.0
_SIDE = (0.25, 0.36)  # of the room's width
_LARGEST, _SMALLEST, _STEP = 1.25, 0.55, 0.05  # times the usual size of the blocks
_VIEW_LEAST = 0.5  # of the room's height, where the view fills what it gets
_ROOMY = 1.15  # times the height a view wants, before its blocks go below


class Sized(NamedTuple):
    """A block's least width, and its height in a width."""

    least: float
    height: Callable[[float], float]


class Arranged(NamedTuple):
    """Rectangles of the view and of the blocks, and how much larger than usual each block is.

    Blocks beyond those placed found no room.
    """

    view: QRectF
    blocks: tuple[QRectF, ...]
    scales: tuple[float, ...]


def arranged(room: QRectF, wanted: float | None, sizes: Sequence[Sized]) -> Arranged:
    """Blocks beside the view on a wide page, below it on a high one or where the view wants but a part of the height.

    `wanted` is the height that the view wants, None where it fills what it gets.
    """
    if not sizes:
        return Arranged(room, (), ())
    low = wanted is not None and wanted * _ROOMY < 0.6 * room.height()
    if low or room.width() < 1.05 * room.height():
        placed = _below(room, wanted, sizes)
        if len(placed.blocks) == len(sizes):
            return placed
    return _beside(room, sizes)


def _scales() -> list[float]:
    count = round((_LARGEST - _SMALLEST) / _STEP)
    return [_LARGEST - i * _STEP for i in range(count + 1)]


def _beside(room: QRectF, sizes: Sequence[Sized]) -> Arranged:
    """Blocks as large as the column holds them all, none wider than the column."""
    least, most = (share * room.width() for share in _SIDE)
    side = min(max(least, *(s.least for s in sizes)), most)
    for wanted in _scales():
        scales = [min(wanted, side / s.least) for s in sizes]
        heights = [s.height(side / scale) * scale for s, scale in zip(sizes, scales, strict=True)]
        if sum(heights) + GAP * (len(sizes) - 1) <= room.height():
            break
    spare = room.height() - sum(heights) - GAP * (len(sizes) - 1)
    gap = GAP + max(0.0, min(_MOST_GAP - GAP, spare / max(1, len(sizes) - 1)))
    left, y, rects = room.right() - side, room.top(), []
    for height in heights:
        if y + height > room.bottom() + 0.5:
            break
        rects.append(QRectF(left, y, side, height))
        y += height + gap
    view = QRectF(room.left(), room.top(), room.width() - side - GAP, room.height())
    return Arranged(view, tuple(rects), tuple(scales[: len(rects)]))


def _below(room: QRectF, wanted: float | None, sizes: Sequence[Sized]) -> Arranged:
    view_least = _VIEW_LEAST * room.height() if wanted is None else min(wanted, _VIEW_LEAST * room.height())
    for scale in _scales():
        rows = _rows(room.width() / scale, GAP / scale, sizes)
        heights = [max(s.height(w) for s, w in row) * scale for row in rows]
        taken = sum(heights) + GAP * len(rows)
        if taken + view_least > room.height() or any(w < s.least - 0.5 for row in rows for s, w in row):
            continue
        view = QRectF(room.left(), room.top(), room.width(), room.height() - taken)
        y, rects = view.bottom() + GAP, []
        for row, height in zip(rows, heights, strict=True):
            x = room.left()
            for _, width in row:
                rects.append(QRectF(x, y, width * scale, height))
                x += width * scale + GAP
            y += height + GAP
        return Arranged(view, tuple(rects), (scale,) * len(rects))
    return Arranged(room, (), ())


def _rows(width: float, gap: float, sizes: Sequence[Sized]) -> list[list[tuple[Sized, float]]]:
    """Blocks in rows as many as find room beside each other, widened together to the whole width."""
    rows: list[list[Sized]] = []
    for size in sizes:
        if rows and sum(s.least + gap for s in rows[-1]) + size.least <= width:
            rows[-1].append(size)
        else:
            rows.append([size])
    found = []
    for row in rows:
        spare = width - gap * (len(row) - 1) - sum(s.least for s in row)
        found.append([(s, s.least + spare / len(row)) for s in row])
    return found
