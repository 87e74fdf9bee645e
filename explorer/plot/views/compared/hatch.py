"""Hatches as lines of their own, the second cue beside a colour: the same on screen, in SVG and on paper."""

from typing import Final

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.plot.paint.brushes import colour, pen
from explorer.presentation.palette import second_cue

_SPACING: Final = 5.5
_LEAST: Final = 0.3  # a shorter line is left out

# direction of each hatch: up, down, across, along; () is filled
HATCHES: Final[tuple[tuple[str, ...], ...]] = (
    (),
    ("up",),
    ("down",),
    ("across",),
    ("up", "down"),
    ("along",),
    ("across", "along"),
    ("up", "across"),
)


def hatch_lines(rect: QRectF, direction: str, spacing: float, origin: QPointF | None = None) -> list[QLineF]:
    """Lines of one direction, cut at the rectangle; those of neighbours meet where they share an origin."""
    if direction in {"across", "along"}:
        return _straight(rect, spacing, across=direction == "across")
    down, step = direction == "down", spacing * 1.41
    at = step / 2
    if origin is not None:  # both ways lines are x + y = at, in a corner of the rectangle
        corner = rect.left() - origin.x() + (origin.y() - rect.bottom() if down else rect.top() - origin.y())
        at = -corner % step
    found = []
    while at < rect.width() + rect.height():
        x0, x1 = max(0.0, at - rect.height()), min(at, rect.width())
        if x1 - x0 > _LEAST:
            y0, y1 = (rect.height() - (at - x) if down else at - x for x in (x0, x1))
            found.append(QLineF(QPointF(rect.left() + x0, rect.top() + y0), QPointF(rect.left() + x1, rect.top() + y1)))
        at += step
    return found


def _straight(rect: QRectF, spacing: float, *, across: bool) -> list[QLineF]:
    first, last = (rect.left(), rect.right()) if across else (rect.top(), rect.bottom())
    found = []
    at = first + spacing / 2
    while at < last:
        line = (at, rect.top(), at, rect.bottom()) if across else (rect.left(), at, rect.right(), at)
        found.append(QLineF(*line))
        at += spacing
    return found


def paint_hatched(painter: QPainter, rect: QRectF, name: str, index: int, unit: float) -> None:
    """A bar in a colour with the hatch of its place; the first is filled."""
    directions = HATCHES[second_cue(index) % len(HATCHES)]
    if not directions:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(name))
        painter.drawRect(rect)
        return
    painter.setPen(pen(name, 1.4 * unit))
    painter.setBrush(colour(name, 0.10))
    inner = rect.adjusted(0.7 * unit, 0.7 * unit, -0.7 * unit, -0.7 * unit) if rect.width() > 2 * unit else rect
    painter.drawRect(inner)
    spacing = _SPACING * unit * (1.25 if len(directions) > 1 else 1.0)
    lines = [line for direction in directions for line in hatch_lines(inner, direction, spacing)]
    if lines:
        painter.drawLines(lines)
