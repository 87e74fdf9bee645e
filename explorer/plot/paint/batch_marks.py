"""Where the names of batches of note stand: in lines over a chart, none on another's name or line."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import NamedTuple

from PySide6.QtCore import QRectF

from explorer.plot.paint.fonts import Face
from explorer.presentation.views.batch_chart import BatchMark

_LINES = 4  # of names that may stand one below the other
_BESIDE = 4.0  # units from a line to its name
_APART = 6.0  # and between a name and what is not its own
_MOST_ORDERED = 4  # marks: with more of them only one order is tried


class PlacedMark(NamedTuple):
    """A mark's line from its top, and its name in a box; an empty name found no room."""

    mark: BatchMark
    x: float
    top: float
    text: str = ""
    box: QRectF = QRectF()


def placed_marks(
    marks: Sequence[BatchMark], xs: Sequence[float], plot: QRectF, top: float, face: Face, unit: float
) -> list[PlacedMark]:
    """Every mark, as many of them named as can be, with names as long as can be."""
    ordered = sorted(zip(marks, xs, strict=True), key=lambda m: (not m[0].wall, m[1]))
    best: list[PlacedMark] = []
    for texts, order in _ways(ordered):
        found: list[PlacedMark] = []
        for place in order:
            found.append(_placed(*ordered[place], texts[place], found, plot, top, face, unit))
        if not best or _named(found) > _named(best):
            best = found
        if _named(best) == len(best):
            break
    return best


def _named(placed: Sequence[PlacedMark]) -> int:
    return sum(bool(p.text) for p in placed)


def _ways(marks: Sequence[tuple[BatchMark, float]]) -> Iterator[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Texts and orders to try: whole names before short ones, the wall first where that goes."""
    plain = tuple(range(len(marks)))
    orders = list(permutations(plain)) if len(marks) <= _MOST_ORDERED else [plain]
    for texts in product(*((m.text, *m.shorter) for m, _ in marks)):
        for order in orders:
            yield texts, order


def _placed(
    mark: BatchMark,
    x: float,
    text: str,
    others: Sequence[PlacedMark],
    plot: QRectF,
    top: float,
    face: Face,
    unit: float,
) -> PlacedMark:
    width = face.width(text)
    lefts = [x - width - _BESIDE * unit, x + _BESIDE * unit]
    for line in range(_LINES):
        y = top + line * face.height
        if _under(x, y, others, unit):
            continue
        for left in lefts:
            box = QRectF(left, y, width, face.height)
            if plot.left() <= left <= plot.right() - width and _is_free(box, others, unit):
                return PlacedMark(mark, x, y, text, box)
    lowest = max((o.box.bottom() for o in others if _crossed(o.box, x, unit)), default=top)
    return PlacedMark(mark, x, lowest)


def _under(x: float, y: float, others: Sequence[PlacedMark], unit: float) -> bool:
    """Whether a line from there down would run through a name."""
    return any(_crossed(o.box, x, unit) and o.box.bottom() > y for o in others)


def _crossed(box: QRectF, x: float, unit: float) -> bool:
    return not box.isEmpty() and box.left() - _BESIDE * unit < x < box.right() + _BESIDE * unit


def _is_free(box: QRectF, others: Sequence[PlacedMark], unit: float) -> bool:
    wide = box.adjusted(-_APART * unit, 0.0, _APART * unit, 0.0)
    return not any(
        wide.intersects(o.box) or (box.left() - 2 * unit < o.x < box.right() + 2 * unit and o.top < box.bottom())
        for o in others
    )
