"""Painter of one chart against batch, for screen and paper: log2 batch, values from 0 or on a log axis."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from explorer.plot.paint.batch_marks import placed_marks
from explorer.plot.paint.fonts import Face, Fonts, fonts
from explorer.presentation.palette import Theme, device_colour, device_dash, device_ink
from explorer.presentation.views.batch_chart import BatchChart, Curve, Spot

_NAME_SHARE = 0.2  # of a chart's width that the names at the curves' ends may take
_NAME_LEAST = 84.0  # units that they may take in a small chart
_LABEL_GAP = 12.0  # units from the plot to them
_SLACK = 1e-6  # of sums of widths
_FLOOR = 1e-3  # of the axis' beginning: what lies lower stands there
_RATIO_GAP = 8.0  # units from a point to its ratio
_ABOVE = 0.8  # of its height that a ratio stands above its point, beside the curve
_VEIL = 215  # alpha of the ground behind it
_FADED = 90  # alpha of a curve past the memory wall


class EndLabel(NamedTuple):
    """The name at a curve's end: where the curve ends, the baseline of the name, its texts and its ink."""

    end: float
    baseline: float
    name: str
    figure: str
    colour: int
    active: bool


class BatchFrame(NamedTuple):
    """Where the plot lies in its rectangle, and how batch and value map to it."""

    plot: QRectF
    x_max: float
    y_max: float
    fonts: Fonts
    y_min: float = 0.0
    labels: tuple[EndLabel, ...] = ()
    taken: tuple[QRectF, ...] = ()  # by the names of marks

    def x(self, value: float) -> float:
        """Position of a log2 batch."""
        return self.plot.left() + self.plot.width() * value / (self.x_max or 1.0)

    def y(self, value: float) -> float:
        """Position of a value; above 0 the axis begins where it says, and is logarithmic."""
        if self.y_min > 0:
            share = math.log(max(value, self.y_min * _FLOOR) / self.y_min) / math.log(self.y_max / self.y_min)
        else:
            share = value / (self.y_max or 1.0)
        return self.plot.bottom() - self.plot.height() * share

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
    room = 0.0 if compact else _label_room(rect, chart, faces)
    plot = rect.adjusted(left, top, -max(right, room), -bottom)
    frame = BatchFrame(plot, chart.x_max, chart.y_max, faces, chart.y_min)
    return frame._replace(labels=_end_labels(frame, chart, room)) if room else frame


def _label_room(rect: QRectF, chart: BatchChart, faces: Fonts) -> float:
    """What names and figures at the curves' ends take; figures are whole, names no wider than a part of the chart."""
    if not chart.curves:
        return 0.0
    most = max(rect.width() * _NAME_SHARE, _NAME_LEAST * faces.unit)
    names = max(faces.name.width(faces.name.fitting((c.name, *c.shorter), most)) for c in chart.curves)
    figures = max(faces.tick.width(f" {c.figure}") if c.figure else 0.0 for c in chart.curves)
    return names + figures + _LABEL_GAP * faces.unit


def _end_labels(frame: BatchFrame, chart: BatchChart, room: float) -> tuple[EndLabel, ...]:
    """A name for each curve near its end, none over another; none at all where they have no room."""
    face, plot = frame.fonts.name, frame.plot
    step = face.height
    if len(chart.curves) * step > plot.height() + step:
        return ()
    found = []
    for curve in chart.curves:
        figure = f" {curve.figure}" if curve.figure else ""
        names = (curve.name, *curve.shorter)
        name = face.fitting(names, room - _LABEL_GAP * frame.fonts.unit - frame.fonts.tick.width(figure) + _SLACK)
        end = frame.y(chart.value_at(curve, chart.x_max))
        found.append(EndLabel(end, end + face.cap / 2, name, figure, curve.colour, curve.active))
    found.sort(key=lambda label: label.end)
    lowest = plot.bottom() + face.cap / 2
    placed: list[EndLabel] = []
    for i, label in enumerate(found):
        least = placed[-1].baseline + step if placed else plot.top() + face.cap / 2
        most = lowest - (len(found) - 1 - i) * step
        placed.append(label._replace(baseline=min(max(label.baseline, least), most)))
    return tuple(placed)


def _ends(painter: QPainter, frame: BatchFrame, theme: Theme) -> None:
    """Names at the curves' ends, led to them where they had to make way."""
    name, tick, unit = frame.fonts.name, frame.fonts.tick, frame.fonts.unit
    left = frame.plot.right() + _LABEL_GAP * unit
    for label in frame.labels:
        ink = device_ink(theme, label.colour)
        middle = label.baseline - name.cap / 2
        painter.setPen(QPen(QColor(ink), unit))
        painter.drawLine(QPointF(frame.plot.right() + 2 * unit, label.end), QPointF(left - 3 * unit, middle))
        _text(painter, name, ink, left, label.baseline, label.name)
        _text(painter, tick, theme.text, left + name.width(label.name), label.baseline, label.figure)


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
    frame = frame._replace(taken=_marks(painter, frame, chart, theme, compact=compact))
    for curve in chart.curves:
        _curve(painter, frame, curve, theme)
    _ends(painter, frame, theme)
    return frame


def paint_batch(painter: QPainter, frame: BatchFrame, chart: BatchChart, at: float, theme: Theme) -> None:
    """Mark a batch: a line, and the curves' values on it."""
    x, unit = frame.x(at), frame.fonts.unit
    painter.setPen(QPen(QColor(theme.muted), unit))
    painter.drawLine(QPointF(x, frame.plot.top()), QPointF(x, frame.plot.bottom()))
    paint_spots(painter, frame, [Spot(at, chart.value_at(c, at), c.colour) for c in chart.curves], theme)


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


def _marks(
    painter: QPainter, frame: BatchFrame, chart: BatchChart, theme: Theme, *, compact: bool
) -> tuple[QRectF, ...]:
    """Vertical lines at batches of note, with their names; returns where those stand."""
    plot, face, unit = frame.plot, frame.fonts.tick, frame.fonts.unit
    top = plot.top() + unit if compact else plot.top() - face.height - unit
    placed = placed_marks(chart.marks, [frame.x(m.x) for m in chart.marks], plot, top, face, unit)
    for mark, x, begin, text, box in placed:
        ink = theme.text if mark.wall else theme.muted
        pen = QPen(QColor(ink), (1.3 if mark.wall else 1.0) * unit)
        pen.setDashPattern([3.0, 2.5] if mark.wall else [1.0, 3.0])
        painter.setPen(pen)
        painter.drawLine(QPointF(x, begin), QPointF(x, plot.bottom()))
        if text:
            _text(painter, face, ink, box.left(), box.top() + face.cap, text)
    return tuple(p.box for p in placed if p.text)


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


def ratio_labels(frame: BatchFrame, spots: Iterable[Spot]) -> list[tuple[QRectF, Spot]]:
    """Where the ratios stand: left of their points, or right where the axis begins, none over another or outside."""
    face, plot, unit = frame.fonts.tick, frame.plot, frame.fonts.unit
    told = sorted((s for s in spots if s.ratio and s.x <= frame.x_max + 1e-9), key=lambda s: frame.y(s.y))
    step = face.height
    if len(told) * step > plot.height():
        return []
    found: list[tuple[QRectF, Spot]] = []
    for i, spot in enumerate(told):
        width, x = face.width(spot.ratio), frame.x(spot.x)
        left = x - _RATIO_GAP * unit - width
        top = frame.y(spot.y) - step * _ABOVE
        least = found[-1][0].bottom() if found else plot.top()
        most = plot.bottom() - (len(told) - i) * step
        box = QRectF(left, max(least, min(top, most)), width, step)
        right = x + _RATIO_GAP * unit
        covers = bool(frame.taken) and _covers(frame, box)
        if left < plot.left() or (covers and right + width <= plot.right()):
            box.moveLeft(right)
            covers = bool(frame.taken) and _covers(frame, box)
        while covers and box.bottom() < plot.bottom():
            box.translate(0, unit)
            covers = _covers(frame, box)
        found.append((box, spot))
    return [(box, spot) for box, spot in found if box.bottom() <= plot.bottom() + 1]


def _covers(frame: BatchFrame, box: QRectF) -> bool:
    return any(box.intersects(other) for other in frame.taken)


def _ratios(painter: QPainter, frame: BatchFrame, spots: Sequence[Spot], theme: Theme) -> None:
    face, unit = frame.fonts.tick, frame.fonts.unit
    ground = QColor(theme.panel)
    ground.setAlpha(_VEIL)
    for box, spot in ratio_labels(frame, spots):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(box.adjusted(-2 * unit, 0, 2 * unit, 0), 2 * unit, 2 * unit)
        baseline = box.center().y() + face.cap / 2
        _text(painter, face, device_ink(theme, spot.colour), box.left(), baseline, spot.ratio)


def paint_spots(painter: QPainter, frame: BatchFrame, spots: Iterable[Spot], theme: Theme) -> None:
    """Paint the current point of every device, and its ratio to the baseline's."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    spots = list(spots)
    _ratios(painter, frame, spots, theme)
    for spot in spots:
        if spot.x > frame.x_max + 1e-9:
            continue
        radius = (4.5 if spot.active else 3.2) * frame.fonts.unit
        painter.setPen(QPen(QColor(theme.panel), 1.2 * frame.fonts.unit))
        painter.setBrush(QColor(device_colour(theme, spot.colour)))
        painter.drawEllipse(QPointF(frame.x(spot.x), frame.y(spot.y)), radius, radius)
