"""Paints one panel of a sweep: points, fitted curve, log axes."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPolygonF

from explorer.plot.paint.axes import ticks
from explorer.plot.paint.brushes import colour, pen
from explorer.plot.paint.fonts import fonts
from explorer.plot.paint.geometry import Frame
from explorer.presentation.measured.sweep import SweepPanel
from explorer.presentation.palette import Theme, device_colour
from explorer.presentation.quantities.numbers import seconds

_POINT = 3.5  # units
_PER_LABEL = 60.0  # units of width that an x label needs


def paint_sweep(painter: QPainter, rect: QRectF, panel: SweepPanel, theme: Theme, font: QFont) -> None:
    """Paint a panel into a rectangle of device coordinates."""
    faces = fonts(font)
    unit, tick, title = faces.unit, faces.tick, faces.label
    y_ticks = ticks(*panel.y_range, 4).major
    texts = [seconds(10**v) for v, _ in y_ticks]
    left = max(tick.width(t) for t in texts) + 8 * unit
    plot = QRectF(
        rect.left() + left,
        rect.top() + title.height + 6 * unit,
        max(1.0, rect.width() - left - 8 * unit),
        max(1.0, rect.height() - title.height - tick.height - 14 * unit),
    )
    frame = Frame(plot, panel.x_range, panel.y_range)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(plot, colour(theme.raised))
    painter.setFont(title.font)
    painter.setPen(colour(theme.text if panel.followed else theme.muted))
    painter.drawText(QPointF(plot.left(), rect.top() + title.up), title.elided(panel.title, plot.width()))
    painter.setFont(tick.font)
    painter.setPen(colour(theme.muted))
    for (value, _), text in zip(y_ticks, texts, strict=True):
        y = frame.y(value)
        painter.fillRect(QRectF(plot.left(), y, plot.width(), unit), colour(theme.border, 0.7))
        painter.drawText(QPointF(plot.left() - 5 * unit - tick.width(text), y + tick.cap / 2), text)
    for value, text in ticks(*panel.x_range, max(2, int(plot.width() / (_PER_LABEL * unit)))).major:
        x = frame.x(value)
        painter.fillRect(QRectF(x, plot.top(), unit, plot.height()), colour(theme.border, 0.7))
        painter.drawText(QPointF(x - tick.width(text) / 2, plot.bottom() + 5 * unit + tick.cap), text)
    ink = device_colour(theme, 0) if panel.followed else theme.muted
    painter.setPen(pen(ink, 1.6 * unit))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    places = [QPointF(frame.x(x), frame.y(y)) for x, y in panel.curve]
    painter.drawPolyline(QPolygonF([p for p in places if plot.contains(p)]))
    painter.setPen(pen(theme.panel, 1.0 * unit))
    painter.setBrush(colour(ink))
    for x, y in panel.points:
        painter.drawEllipse(QPointF(frame.x(x), frame.y(y)), _POINT * unit, _POINT * unit)
