"""A view on paper: its margins, and all of it shown where it wants more room than there is."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from explorer.presentation.palette import Theme

EDGE = 24.0  # units around a view


def within_margins(rect: QRectF) -> QRectF:
    """What the margins leave."""
    return rect.adjusted(EDGE, EDGE, -EDGE, -EDGE)


def paint_fitted(
    painter: QPainter, rect: QRectF, height: float, theme: Theme, paint: Callable[[QRectF], object]
) -> None:
    """Paint what wants a height within the margins, all of it, smaller where that is too much."""
    room = within_margins(rect)
    scale = min(1.0, room.height() / height)
    painter.fillRect(rect, theme.panel)
    painter.save()
    painter.translate(rect.topLeft() + QPointF(EDGE, EDGE))
    painter.scale(scale, scale)
    paint(QRectF(0, 0, room.width() / scale, room.height() / scale))
    painter.restore()
