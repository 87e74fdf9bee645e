"""The roofline's chart alone, on paper."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.plot.paint.figure import paint
from explorer.plot.views.registered import register_painter
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Figure

_EDGE = 0.02  # of the shorter side


def paint_chart(painter: QPainter, rect: QRectF, figure: Figure, theme: Theme) -> None:
    """Paint the chart within a narrow margin."""
    edge = min(rect.width(), rect.height()) * _EDGE
    painter.fillRect(rect, theme.panel)
    paint(painter, rect.adjusted(edge, edge, -edge, -edge), figure, theme)


register_painter(Figure, paint_chart)
