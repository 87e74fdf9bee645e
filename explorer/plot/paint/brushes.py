"""Pens and texts in the drawing's own units: no cosmetic pens, so that every scale looks the same."""

from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from explorer.plot.paint.geometry import Text
from explorer.presentation.palette import LOWER_DASH, device_dash

LOWER = -1  # instead of a device's number


@lru_cache(maxsize=512)
def colour(name: str, alpha: float = 1.0) -> QColor:
    """A colour of the theme, seen through by `alpha`."""
    found = QColor(name)
    found.setAlphaF(alpha)
    return found


@lru_cache(maxsize=512)
def pen(name: str, width: float, dash: int = 0, alpha: float = 1.0) -> QPen:
    """A pen; `dash` counts the palette's dashes, 0 is solid, `LOWER` that of an active device's other roofs."""
    made = QPen(colour(name, alpha), width)
    pattern = LOWER_DASH if dash == LOWER else device_dash(dash)
    if pattern:
        made.setDashPattern(list(pattern))
    made.setCapStyle(Qt.PenCapStyle.FlatCap)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return made


@lru_cache(maxsize=512)
def ring(name: str, width: float) -> QPen:
    """A pen for circles: without corners to join, mitres look the same as arcs and are stroked a third faster."""
    made = QPen(pen(name, width))
    made.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    return made


def draw_text(painter: QPainter, text: Text) -> None:
    """Paint a placed text, on its plate where it has one."""
    if text.angle:
        painter.save()
        painter.translate(text.x, text.y)
        painter.rotate(text.angle)
        _draw_level(painter, text, 0.0, 0.0)
        painter.restore()
    else:
        _draw_level(painter, text, text.x, text.y)


def _draw_level(painter: QPainter, text: Text, x: float, y: float) -> None:
    face = text.face
    for start, end, ground in text.plates:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(ground, 0.82))
        painter.drawRect(QRectF(x + start, y - face.cap - 2, end - start, face.cap + face.down * 0.6 + 3))
    painter.setFont(text.face.font)
    painter.setPen(colour(text.colour))
    painter.drawText(QPointF(x, y), text.text)
