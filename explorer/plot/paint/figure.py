"""The one painter of a figure, for screen, PNG, SVG and PDF (QtGui only, device coordinates, no cosmetic pens)."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from explorer.plot.paint.groups import group
from explorer.plot.paint.layout import ChartLayout, StaticLayout, hit, hit_strip, layout
from explorer.plot.paint.points import paint_points
from explorer.plot.paint.static import paint_static
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Figure


def paint(painter: QPainter, rect: QRectF, figure: Figure, theme: Theme, font: QFont | None = None) -> ChartLayout:
    """Paint a whole figure into a rectangle and return its layout."""
    chart = layout(figure, rect, theme, font)
    with group(painter, "roofs"):
        paint_static(painter, chart)
    with group(painter, "points"):
        paint_points(painter, chart)
    return chart


__all__ = ["ChartLayout", "StaticLayout", "hit", "hit_strip", "layout", "paint", "paint_points", "paint_static"]
