"""Painter of the decode view: throughput in all and per request, step time, for screen and paper."""

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QPainter

from explorer.plot.paint.brushes import pen
from explorer.plot.paint.fonts import Fonts, fonts, sans
from explorer.plot.paint.wrap import in_one_line
from explorer.plot.views.batch import BatchFrame, frame_of, paint_spots, paint_static
from explorer.plot.views.page import paint_empty
from explorer.plot.views.registered import register_painter
from explorer.presentation.palette import Theme, device_colour
from explorer.presentation.views.decode import DecodeView


def paint_decode(
    painter: QPainter, rect: QRectF, view: DecodeView, theme: Theme, font: QFont | None = None
) -> list[BatchFrame]:
    """Paint the whole view; returns the frame of each chart."""
    frames = paint_decode_static(painter, rect, view, theme, font)
    for frame, spots in zip(frames, view.spots, strict=False):
        paint_spots(painter, frame, spots, theme)
    return frames


def paint_decode_static(
    painter: QPainter, rect: QRectF, view: DecodeView, theme: Theme, font: QFont | None = None
) -> list[BatchFrame]:
    """Paint what does not follow the current batch."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faces = fonts(font)
    if not view.charts:
        paint_empty(painter, rect, view.empty_text, faces, theme, centred=True)
        return []
    boxes = _below(rect, rect.top() + faces.label.height + 10 * faces.unit, faces)
    named = bool(frame_of(boxes[0], view.charts[0], font).labels)  # the curves bear their names
    top = _head(painter, rect, faces, view, theme, legend=not named)
    boxes = boxes if named else _below(rect, top, faces)
    return [paint_static(painter, box, chart, theme, font) for box, chart in zip(boxes, view.charts, strict=False)]


def _below(rect: QRectF, top: float, faces: Fonts) -> list[QRectF]:
    return _boxes(QRectF(rect.left(), top, rect.width(), rect.bottom() - top), 18 * faces.unit)


def _boxes(rect: QRectF, gap: float) -> list[QRectF]:
    """One large chart above two smaller ones."""
    upper = (rect.height() - gap) * 0.56
    lower = rect.height() - gap - upper
    half = (rect.width() - gap) / 2
    y = rect.top() + upper + gap
    return [
        QRectF(rect.left(), rect.top(), rect.width(), upper),
        QRectF(rect.left(), y, half, lower),
        QRectF(rect.left() + half + gap, y, half, lower),
    ]


def _head(painter: QPainter, rect: QRectF, faces: Fonts, view: DecodeView, theme: Theme, *, legend: bool) -> float:
    """Title, and a legend where the curves bear no names; returns where the charts begin."""
    unit = faces.unit
    face, title = in_one_line(view.title, faces.label, rect.width())
    painter.setFont(face.font)
    painter.setPen(QColor(theme.text))
    y = rect.top() + faces.label.cap + unit
    painter.drawText(QPointF(rect.left(), y), title)
    x, y = rect.left(), y + faces.label.height + 8 * unit
    for name, colour in view.legend if legend else ():
        needed = 34 * unit + faces.tick.width(name)
        if x > rect.left() and x + needed > rect.right():
            x, y = rect.left(), y + faces.tick.height + 3 * unit
        _legend_entry(painter, QPointF(x, y), faces, name, colour, theme)
        x += needed + 18 * unit
    return y + faces.tick.height + 4 * unit


def _legend_entry(painter: QPainter, at: QPointF, faces: Fonts, name: str, colour: int, theme: Theme) -> None:
    unit = faces.unit
    painter.setPen(pen(device_colour(theme, colour), 2 * unit, colour))
    middle = at.y() - faces.tick.cap / 2
    painter.drawLine(QPointF(at.x(), middle), QPointF(at.x() + 28 * unit, middle))
    painter.setFont(faces.tick.font)
    painter.setPen(QColor(theme.text))
    painter.drawText(QPointF(at.x() + 34 * unit, at.y()), name)


def paint_decode_page(painter: QPainter, rect: QRectF, view: DecodeView, theme: Theme) -> None:
    """On paper."""
    paint_decode(painter, rect, view, theme, sans())


register_painter(DecodeView, paint_decode_page)
