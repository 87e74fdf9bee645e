"""Title and subtitle of a page, in the house layout of 1600 x 900."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter

from explorer.plot.paint.brushes import colour
from explorer.plot.paint.fonts import Face, sans
from explorer.presentation.palette import Theme

DESIGN = (1600.0, 900.0)
MARGIN = 48.0
_TITLE, _LEAST_TITLE = 31, 20
_SUBTITLE, _LEAST_SUBTITLE = 17, 13


def page_scale(rect: QRectF) -> float:
    """Units of a rectangle per unit of the house layout."""
    return min(rect.width() / DESIGN[0], rect.height() / DESIGN[1])


def paint_heading(
    painter: QPainter, page: QRectF, title: str, subtitle: str, theme: Theme, margin: float = MARGIN
) -> float:
    """Title and subtitle in the layout's own units; returns where the chart begins."""
    width = page.width() - 2 * margin
    y = 30.0
    if title:
        face = _fitting(title, width, _TITLE, _LEAST_TITLE, QFont.Weight.Bold)
        y += 32
        painter.setFont(face.font)
        painter.setPen(colour(theme.text))
        painter.drawText(QPointF(margin, y), face.elided(title, width))
    if subtitle:
        face = _fitting(subtitle, width, _SUBTITLE, _LEAST_SUBTITLE, QFont.Weight.Normal)
        y += 29
        painter.setFont(face.font)
        painter.setPen(colour(theme.muted))
        painter.drawText(QPointF(margin, y), face.elided(subtitle, width))
    return y + 18


def _fitting(text: str, width: float, size: int, least: int, weight: QFont.Weight) -> Face:
    """The largest face in which a text fits a width, down to `least` pixels."""
    for pixels in range(size, least, -1):
        face = Face(sans(), pixels, weight)
        if face.measure(text) <= width:
            return face
    return Face(sans(), least, weight)
