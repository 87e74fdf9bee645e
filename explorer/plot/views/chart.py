"""The roofline's chart, on paper."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.plot.paint.figure import ChartLayout, paint
from explorer.plot.paint.fonts import sans
from explorer.plot.views.registered import register_painter
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Figure


def paint_chart(painter: QPainter, rect: QRectF, figure: Figure, theme: Theme) -> ChartLayout:
    """Paint the chart alone."""
    return paint(painter, rect, figure, theme, sans())


register_painter(Figure, paint_chart)
