"""A view on paper: all of it shown where it wants more room than there is, larger where there is more."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter

from explorer.plot.paint.fonts import Fonts
from explorer.plot.paint.wrap import wrapped
from explorer.presentation.palette import Theme

EDGE = 24.0  # units around a figure alone on its page
LARGEST = 1.8  # times its usual size
_LINES = 12


def paint_fitted(painter: QPainter, rect: QRectF, height: float, paint: Callable[[QRectF], object]) -> None:
    """Paint what wants a height, all of it: smaller where that is too much, larger where there is room for it."""
    scale = min(LARGEST, rect.height() / height)
    painter.save()
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    paint(QRectF(0, 0, rect.width() / scale, rect.height() / scale))
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
