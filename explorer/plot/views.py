"""Views that can be exported, by the names of `render --view`; other painters add theirs with `register_view`."""

from collections.abc import Callable

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.analysis.evaluate import Evaluation
from explorer.plot.paint import paint
from explorer.plot.slide_paint import paint_slide
from explorer.presentation.palette import Theme
from explorer.presentation.roofline import build_figure
from explorer.presentation.slide import build_slide

ViewPainter = Callable[[QPainter, QRectF, Evaluation, Theme], object]


def paint_slide_view(painter: QPainter, rect: QRectF, evaluation: Evaluation, theme: Theme) -> None:
    """The slide with the texts that the program proposes."""
    paint_slide(painter, rect, build_slide(evaluation), theme)


def paint_chart_view(painter: QPainter, rect: QRectF, evaluation: Evaluation, theme: Theme) -> None:
    """The chart alone."""
    edge = min(rect.width(), rect.height()) * 0.02
    painter.fillRect(rect, theme.panel)
    paint(painter, rect.adjusted(edge, edge, -edge, -edge), build_figure(evaluation), theme)


VIEWS: dict[str, ViewPainter] = {"roofline": paint_slide_view, "chart": paint_chart_view}


def register_view(name: str, painter: ViewPainter) -> None:
    """Make a view exportable under a name."""
    VIEWS[name] = painter
