"""Title and subtitle of a page, in the house layout of 1600 x 900."""

import math

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont, QPainter

from explorer.plot.paint.brushes import colour
from explorer.plot.paint.fonts import Face, sans
from explorer.plot.paint.wrap import wrapped
from explorer.presentation.palette import Theme

DESIGN = (1600.0, 900.0)
MARGIN = 48.0
_LEAST_PAGE = (900.0, 560.0)
_TITLE, _LEAST_TITLE = 31, 24
_SUBTITLE, _LEAST_SUBTITLE = 17, 15
_LEAST = 12  # of a text that is longer still
_LINES = 2
_MOST_LINES = 12


def page_scale(rect: QRectF) -> float:
    """Units of a rectangle per unit of the house layout: a page of another form has as much room."""
    area = math.sqrt(rect.width() * rect.height() / (DESIGN[0] * DESIGN[1]))
    return min(area, rect.width() / _LEAST_PAGE[0], rect.height() / _LEAST_PAGE[1])


def paint_heading(
    painter: QPainter, page: QRectF, title: str, subtitle: str, theme: Theme, margin: float = MARGIN
) -> float:
    """Title and subtitle in the layout's own units, on as many lines as they need; returns where the view begins."""
    width = page.width() - 2 * margin
    y = 30.0
    for text, ink, largest, least, weight, gap in (
        (title, theme.text, _TITLE, _LEAST_TITLE, QFont.Weight.Bold, 0.0),
        (subtitle, theme.muted, _SUBTITLE, _LEAST_SUBTITLE, QFont.Weight.Normal, 8.0),
    ):
        if not text:
            continue
        face, lines = _fitting(text, width, largest, least, weight)
        painter.setFont(face.font)
        painter.setPen(colour(ink))
        y += gap
        for line in lines:
            y += face.height * 0.87
            painter.drawText(QPointF(margin, y), line)
        y += face.height * 0.13
    return y + 22


def _fitting(text: str, width: float, size: int, least: int, weight: QFont.Weight) -> tuple[Face, list[str]]:
    """A face and lines: one line where it fits without going below `least`, else two, else ever smaller ones."""
    for pixels in range(size, least - 1, -1):
        face = Face(sans(), pixels, weight)
        if face.measure(text) <= width:
            return face, [text]
    for pixels in range(least + (size - least) // 2, _LEAST - 1, -1):
        face = Face(sans(), pixels, weight)
        lines = wrapped(text, face, width)
        if len(lines) <= _LINES:
            return face, lines
    face = Face(sans(), _LEAST, weight)
    return face, wrapped(text, face, width, _MOST_LINES)
