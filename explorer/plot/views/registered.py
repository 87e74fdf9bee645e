"""Views that can be exported, by the names of `render --view`; other painters add theirs with `register_view`."""

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from explorer.analysis.step.evaluate import Evaluation
from explorer.plot.paint.figure import paint
from explorer.plot.paint.fonts import sans
from explorer.plot.views.slide import paint_slide
from explorer.presentation.look import Look
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.slide.slide import build_slide

_EDGE = 24.0  # units around a view on paper

ViewPainter = Callable[[QPainter, QRectF, Evaluation, Look], object]


def paint_slide_view(painter: QPainter, rect: QRectF, evaluation: Evaluation, look: Look) -> None:
    """The slide with the texts that the program proposes."""
    paint_slide(painter, rect, build_slide(evaluation, look=look), look.theme)


def paint_chart_view(painter: QPainter, rect: QRectF, evaluation: Evaluation, look: Look) -> None:
    """The chart alone."""
    edge = min(rect.width(), rect.height()) * 0.02
    painter.fillRect(rect, look.theme.panel)
    paint(painter, rect.adjusted(edge, edge, -edge, -edge), build_figure(evaluation, look=look), look.theme)


def paint_time_view(painter: QPainter, rect: QRectF, evaluation: Evaluation, look: Look) -> None:
    """Shares of the time beside shares of the FLOPs."""
    from explorer.plot.views.time import content_height, paint_time
    from explorer.presentation.views.time import time_view

    view = time_view(evaluation, look=look)
    # the rows of a model seldom fit a picture at their usual size: all of them are shown, smaller
    scale = min(1.0, (rect.height() - 2 * _EDGE) / content_height(view, sans()))
    painter.fillRect(rect, look.theme.panel)
    painter.save()
    painter.translate(rect.topLeft() + QPointF(_EDGE, _EDGE))
    painter.scale(scale, scale)
    paint_time(painter, _inner(rect, scale), view, look.theme, sans())
    painter.restore()


def paint_decode_view(painter: QPainter, rect: QRectF, evaluation: Evaluation, look: Look) -> None:
    """Throughput and step time against batch."""
    from explorer.plot.views.decode import paint_decode
    from explorer.presentation.views.batch_sweep import sweep_batches
    from explorer.presentation.views.decode import decode_view

    painter.fillRect(rect, look.theme.panel)
    view = decode_view(evaluation, sweep_batches(evaluation), look)
    paint_decode(painter, rect.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE), view, look.theme, sans())


def paint_memory_view(painter: QPainter, rect: QRectF, evaluation: Evaluation, look: Look) -> None:
    """What is held on every device, and what fits."""
    from explorer.plot.views.memory import content_height, paint_memory
    from explorer.presentation.views.memory import memory_chart

    chart = memory_chart(evaluation, look)
    width = rect.width() - 2 * _EDGE
    scale = min(1.0, (rect.height() - 2 * _EDGE) / content_height(chart, width, sans()))
    painter.fillRect(rect, look.theme.panel)
    painter.save()
    painter.translate(rect.topLeft() + QPointF(_EDGE, _EDGE))
    painter.scale(scale, scale)
    paint_memory(painter, _inner(rect, scale), chart, look.theme, sans())
    painter.restore()


def _inner(rect: QRectF, scale: float) -> QRectF:
    return QRectF(0, 0, (rect.width() - 2 * _EDGE) / scale, (rect.height() - 2 * _EDGE) / scale)


VIEWS: dict[str, ViewPainter] = {
    "roofline": paint_slide_view,
    "chart": paint_chart_view,
    "time": paint_time_view,
    "decode": paint_decode_view,
    "memory": paint_memory_view,
}


def register_view(name: str, painter: ViewPainter) -> None:
    """Make a view exportable under a name."""
    VIEWS[name] = painter
