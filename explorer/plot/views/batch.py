"""Painter of one chart against batch, for screen and paper: log2 batch, linear values from 0."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from explorer.plot.paint.fonts import Face, Fonts, fonts
from explorer.presentation.palette import Theme, device_colour, device_dash
from explorer.presentation.views.batch_chart import BatchChart, BatchMark, Curve, Spot

_FADED = 90  # alpha of a curve past the memory wall


class BatchFrame(NamedTuple):
    """Where the plot lies in its rectangle, and how batch and value map to it."""

    plot: QRectF
    x_max: float
    y_max: float
    fonts: Fonts

    def x(self, value: float) -> float:
        """Position of a log2 batch."""
        return self.plot.left() + self.plot.width() * value / (self.x_max or 1.0)

    def y(self, value: float) -> float:
        """Position of a value."""
        return self.plot.bottom() - self.plot.height() * value / (self.y_max or 1.0)

    def batch_at(self, x: float) -> float:
        """The log2 batch at a position, within the axis."""
        return min(max((x - self.plot.left()) / (self.plot.width() or 1.0), 0.0), 1.0) * self.x_max


def frame_of(rect: QRectF, chart: BatchChart, font: QFont | None = None, *, compact: bool = False) -> BatchFrame:
    """Lay the chart out: title above, ticks left and below, room for mark names on top."""
    faces = fonts(font)
    unit = faces.unit
    left = max((faces.tick.width(t) for _, t in chart.y_ticks), default=0.0) + 8 * unit
    top = faces.name.height + (4 if compact else 10) * unit
    if chart.marks and not compact:  # their names stand above the curves
        top += faces.tick.height
    bottom = faces.tick.height * (2.3 if chart.x_title else 1.0) + 4 * unit
    right = faces.tick.width(chart.x_ticks[-1][1]) / 2 + 2 * unit if chart.x_ticks else 4 * unit
    return BatchFrame(rect.adjusted(left, top, -right, -bottom), chart.x_max, chart.y_max, faces)


def paint_batch_chart(
    painter: QPainter,
    rect: QRectF,
    chart: BatchChart,
    spots: Iterable[Spot],
    theme: Theme,
    font: QFont | None = None,
    *,
    compact: bool = False,
) -> BatchFrame:
    """Paint everything; returns the frame for hit tests."""
    frame = paint_static(painter, rect, chart, theme, font, compact=compact)
    paint_spots(painter, frame, spots, theme)
    return frame


def paint_static(
    painter: QPainter,
    rect: QRectF,
    chart: BatchChart,
    theme: Theme,
    font: QFont | None = None,
    *,
    compact: bool = False,
) -> BatchFrame:
    """Paint what does not follow the current batch: title, axes, marks, curves."""
    frame = frame_of(rect, chart, font, compact=compact)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _title(painter, rect, frame, chart, theme, compact=compact)
    _axes(painter, frame, chart, theme)
    _marks(painter, frame, chart, theme, compact=compact)
    for curve in chart.curves:
        _curve(painter, frame, curve, theme)
    return frame


def _text(painter: QPainter, face: Face, colour: str, x: float, baseline: float, text: str) -> None:
    painter.setFont(face.font)
    painter.setPen(QColor(colour))
    painter.drawText(QPointF(x, baseline), text)


def _title(
    painter: QPainter, rect: QRectF, frame: BatchFrame, chart: BatchChart, theme: Theme, *, compact: bool
) -> None:
    face = frame.fonts.tick if compact else frame.fonts.name
    colour = theme.muted if compact else theme.text
    title = face.elided(chart.title, rect.width())
    _text(painter, face, colour, rect.left(), rect.top() + face.cap + frame.fonts.unit, title)


def _axes(painter: QPainter, frame: BatchFrame, chart: BatchChart, theme: Theme) -> None:
    plot, tick, unit = frame.plot, frame.fonts.tick, frame.fonts.unit
    painter.setPen(QPen(QColor(theme.grid), unit))
    for value, _ in chart.y_ticks:
        painter.drawLine(QPointF(plot.left(), frame.y(value)), QPointF(plot.right(), frame.y(value)))
    for value, text in chart.y_ticks:
        x = plot.left() - tick.width(text) - 6 * unit
        _text(painter, tick, theme.muted, x, frame.y(value) + tick.cap / 2, text)
    baseline = plot.bottom() + 5 * unit + tick.cap
    for x, text in spaced_ticks(frame, chart.x_ticks):
        _text(painter, tick, theme.muted, x, baseline, text)
    x = plot.center().x() - tick.width(chart.x_title) / 2
    _text(painter, tick, theme.muted, x, baseline + tick.height, chart.x_title)


def spaced_ticks(frame: BatchFrame, ticks: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
    """Left edges of the names that do not touch; the largest batch is always named."""
    found: list[tuple[float, str]] = []
    for value, text in reversed(ticks):
        width = frame.fonts.tick.width(text)
        x = frame.x(value) - width / 2
        if not found or x + width + 6 * frame.fonts.unit <= found[-1][0]:
            found.append((x, text))
    return found


def _marks(painter: QPainter, frame: BatchFrame, chart: BatchChart, theme: Theme, *, compact: bool) -> None:
    """Vertical lines at batches of note; names to their left, or right or lower where two would collide."""
    plot, face, unit = frame.plot, frame.fonts.tick, frame.fonts.unit
    taken: list[QRectF] = []
    for mark in sorted(chart.marks, key=lambda m: (not m.wall, m.x)):
        x = frame.x(mark.x)
        pen = QPen(QColor(theme.text if mark.wall else theme.muted), (1.3 if mark.wall else 1.0) * unit)
        pen.setDashPattern([3.0, 2.5] if mark.wall else [1.0, 3.0])
        box = _name_box(frame, mark, x, face, taken, compact=compact)
        taken.append(box)
        painter.setPen(pen)
        painter.drawLine(QPointF(x, box.top()), QPointF(x, plot.bottom()))
        _text(painter, face, theme.text if mark.wall else theme.muted, box.left(), box.top() + face.cap, mark.text)


def _name_box(
    frame: BatchFrame, mark: BatchMark, x: float, face: Face, taken: list[QRectF], *, compact: bool
) -> QRectF:
    unit, width, plot = frame.fonts.unit, face.width(mark.text), frame.plot
    top = plot.top() + unit if compact else plot.top() - face.height - unit
    sides = [left for left in (x - width - 4 * unit, x + 4 * unit) if plot.left() <= left <= plot.right() - width]
    boxes = [QRectF(left, top, width, face.height) for left in sides or [max(plot.left(), x - width - 4 * unit)]]
    while True:
        for box in boxes:
            if not any(box.intersects(other) for other in taken):
                return box
        boxes = [box.translated(0.0, face.height) for box in boxes]


def _curve(painter: QPainter, frame: BatchFrame, curve: Curve, theme: Theme) -> None:
    """The curve up to the memory wall, and faded beyond it."""
    inside = curve.xs <= frame.x_max + 1e-9
    xs, ys = curve.xs[inside], curve.ys[inside]
    colour = QColor(device_colour(theme, curve.colour))
    wall = frame.x_max if curve.full_at is None else curve.full_at
    edge = float(np.interp(wall, xs, ys))
    fits = xs < wall
    solid_x, solid_y = np.append(xs[fits], min(wall, frame.x_max)), np.append(ys[fits], edge)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if wall < frame.x_max:
        beyond_x, beyond_y = np.insert(xs[~fits], 0, max(wall, 0.0)), np.insert(ys[~fits], 0, edge)
        faded = QColor(colour)
        faded.setAlpha(_FADED)
        painter.setPen(_pen(faded, curve, frame, 1.2))
        painter.drawPolyline(_polygon(frame, beyond_x, beyond_y))
    if wall > 0:
        painter.setPen(_pen(colour, curve, frame, 2.0 if curve.active else 1.6))
        painter.drawPolyline(_polygon(frame, solid_x, solid_y))


def _pen(colour: QColor, curve: Curve, frame: BatchFrame, width: float) -> QPen:
    pen = QPen(colour, width * frame.fonts.unit)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    dash = device_dash(curve.colour)
    if dash:
        pen.setDashPattern(list(dash))
    return pen


def _polygon(frame: BatchFrame, xs: np.ndarray, ys: np.ndarray) -> QPolygonF:
    return QPolygonF([QPointF(frame.x(float(x)), frame.y(float(y))) for x, y in zip(xs, ys, strict=True)])


def paint_spots(painter: QPainter, frame: BatchFrame, spots: Iterable[Spot], theme: Theme) -> None:
    """Paint the current point of every device."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for spot in spots:
        if spot.x > frame.x_max + 1e-9:
            continue
        radius = (4.5 if spot.active else 3.2) * frame.fonts.unit
        painter.setPen(QPen(QColor(theme.panel), 1.2 * frame.fonts.unit))
        painter.setBrush(QColor(device_colour(theme, spot.colour)))
        painter.drawEllipse(QPointF(frame.x(spot.x), frame.y(spot.y)), radius, radius)
