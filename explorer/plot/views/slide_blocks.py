"""Painters of a slide's blocks: boxes of text, and the table that decides."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from explorer.plot.compare.layout import table_height as compared_height
from explorer.plot.compare.style import paper_style
from explorer.plot.compare.table import paint_compare_table
from explorer.plot.paint.brushes import colour
from explorer.plot.paint.fonts import Face, sans
from explorer.plot.paint.wrap import wrapped
from explorer.plot.views.registered import register_painter
from explorer.plot.views.slide_table import paint_table, table_height, table_width
from explorer.presentation.compare.table import ComparedTable
from explorer.presentation.palette import Theme
from explorer.presentation.slide.blocks import Box
from explorer.presentation.slide.table import DecidingTable

_PAD, _LINE = 17.0, 24.0
_LEAST = 260.0
_RATIOS, _LEAST_RATIOS = 0.88, 430.0


def box_height(box: Box, width: float) -> float:
    """Height of a block of text in a width."""
    return _PAD * 1.6 + _LINE * len(_lines(box, width))


def paint_box(painter: QPainter, rect: QRectF, box: Box, theme: Theme) -> None:
    """Paint a block of text on its ground."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(theme.raised))
    painter.drawRoundedRect(rect, 12, 12)
    painter.setPen(colour(theme.text))
    head, _ = _faces()
    y = rect.top() + _PAD * 0.8 + _LINE / 2 + head.cap / 2
    for text, face in _lines(box, rect.width()):
        painter.setFont(face.font)
        painter.drawText(QPointF(rect.left() + _PAD, y), text)
        y += _LINE


def _faces() -> tuple[Face, Face]:
    return Face(sans(), 16, QFont.Weight.DemiBold), Face(sans(), 16)


def _lines(box: Box, width: float) -> list[tuple[str, Face]]:
    head, body = _faces()
    room = width - 2 * _PAD
    found = [(line, head) for line in wrapped(box.title, head, room)]
    texts = (text.replace("× ", "×\u00a0") for text in box.lines)  # a factor stays beside what it is of
    return found + [(line, body) for text in texts for line in wrapped(text, body, room)]


register_painter(Box, paint_box, box_height, lambda _box: _LEAST)
register_painter(
    DecidingTable,
    lambda painter, rect, table, theme: paint_table(painter, rect.topLeft(), rect.width(), table, theme),
    lambda table, _width: table_height(table),
    table_width,
)
register_painter(
    ComparedTable,
    lambda painter, rect, table, theme: paint_compare_table(painter, rect, table, theme, paper_style(_RATIOS)),
    lambda table, _width: compared_height(table, paper_style(_RATIOS)),
    lambda _table: _LEAST_RATIOS,
)
