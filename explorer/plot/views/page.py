"""A view on paper: its margins, and all of it shown where it wants more room than there is."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from explorer.plot.paint.fonts import Fonts
from explorer.plot.paint.wrap import wrapped
from explorer.presentation.palette import Theme

EDGE = 24.0  # units around a view
_LINES = 12


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


def paint_empty(
    painter: QPainter, rect: QRectF, text: str, faces: Fonts, theme: Theme, *, centred: bool = False
) -> None:
    """Why a view has nothing to show: at its top, or in its middle."""
    face = faces.note
    lines = wrapped(text, face, max(rect.width(), 1.0), most=_LINES)
    painter.setFont(face.font)
    painter.setPen(QColor(theme.muted))
    y = rect.center().y() - (len(lines) - 1) / 2 * face.height if centred else rect.top() + 2 * face.height
    for line in lines:
        x = rect.center().x() - face.width(line) / 2 if centred else rect.left()
        painter.drawText(QPointF(x, y), line)
        y += face.height
