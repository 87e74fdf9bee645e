"""Painter of throughput against the speed of one request: curves, marks along them, a legend where there is room."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter, QPolygonF

from explorer.plot.paint.brushes import colour, pen, ring
from explorer.plot.paint.fonts import Fonts, fonts, sans
from explorer.plot.paint.labels import Space
from explorer.plot.views.compared.curve_frame import CurveFrame, curve_frame, paint_axes
from explorer.plot.views.compared.marks import ComparedMark
from explorer.plot.views.compared.paper import note_lines, paint_head, paint_notes, paint_on_paper, write
from explorer.plot.views.page import paint_empty
from explorer.plot.views.registered import register_painter
from explorer.presentation.palette import Theme, device_colour
from explorer.presentation.views.compared.frontier import FrontierCurve, FrontierFigure, FrontierPoint

_SAMPLE: Final = 26.0  # units of line in the legend
# how much longer the axes are, and how much narrower the legend, so that it goes into the plot; the mildest first
_INSIDE: Final = (
    (1.0, 1.0), (1.15, 1.0), (1.0, 0.88), (1.3, 1.0), (1.15, 0.88), (1.3, 0.88), (1.45, 0.8), (1.6, 0.7),
)  # fmt: skip
_LARGEST_LEGEND: Final = 0.62  # of the width of the plot that it lies in
_LEAST_PLOT, _LEAST_LOW = 0.55, 0.4  # of the width, left of a legend beside it; in a low room
_NARROWEST: Final = 0.75  # of its width, a legend in a low room
_LOWEST_LEGEND: Final = 0.42  # of the height, where it lies below
_TALL: Final = 16.0  # lines: with less the marks are named along the curve alone
_POINTED: Final = 7.0  # units around a point
_NOW, _MARK = 5.0, 3.0  # radii, units


class _Room(NamedTuple):
    """The parts of a chart: curves, and the legend inside them, beside or below."""

    frame: CurveFrame
    rect: QRectF
    legend: QRectF
    space: Space


def paint_frontier(
    painter: QPainter, rect: QRectF, figure: FrontierFigure, theme: Theme, font: QFont | None = None
) -> list[ComparedMark]:
    """Paint curves, marks and legend; returns the place of every batch on every curve, marked ones first."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faces = fonts(font)
    top = paint_head(painter, rect, figure.title, figure.finding, faces, theme)
    if figure.empty_text:
        paint_empty(painter, rect.adjusted(0, top - rect.top(), 0, 0), figure.empty_text, faces, theme)
        return []
    bottom = paint_notes(painter, rect, note_lines(figure.notes, faces, rect), faces, theme)
    found = _arranged(QRectF(rect.left(), top, rect.width(), max(1.0, bottom - top)), figure, faces)
    titles = (figure.x_title, figure.y_title)
    last = figure.marks_text if _is_tall(found.rect, faces) else ""
    paint_axes(painter, found.rect, found.frame, titles, faces, theme, last)
    for curve in reversed(figure.curves):
        _curve(painter, found.frame, curve, faces, theme)
    for curve in reversed(figure.curves):
        _marks(painter, found.frame, curve, faces, theme)
    _legend(painter, found.legend, figure, faces, theme)
    for text, at in direct_labels(found.frame, figure, faces, found.space):
        write(painter, faces.tick, theme.muted, at.left(), at.top() + (faces.tick.height + faces.tick.cap) / 2, text)
    return _pointed(found.frame, figure, faces)


def legend_size(figure: FrontierFigure, faces: Fonts) -> tuple[float, float]:
    """Width and height of the legend in one column."""
    unit = faces.unit
    names = max(faces.tick.width(c.name) for c in figure.curves)
    ratios = max(faces.name.width(c.ratio_text) for c in figure.curves)
    line = faces.tick.height + 2 * unit
    return _SAMPLE * unit + 7 * unit + names + 14 * unit + ratios, (len(figure.curves) + 1) * line


def _arranged(rect: QRectF, figure: FrontierFigure, faces: Fonts) -> _Room:
    """The legend goes into a free corner of the plot, else beside it where that leaves enough, else below."""
    width, height = legend_size(figure, faces)
    gap = 8 * faces.unit
    for stretch, part in _INSIDE:
        frame = _framed(rect, figure, faces, stretch)
        if part * width > _LARGEST_LEGEND * frame.plot.width():
            continue
        space = _space(frame, figure, faces)
        box = _corner(frame.plot, part * width, height, space, gap)
        if box is not None:
            return _Room(frame, rect, box, space)
    if not _is_tall(rect, faces) and rect.width() - width - 2 * gap < _LEAST_PLOT * rect.width():
        width *= _NARROWEST
    if rect.width() - width - 2 * gap >= (_LEAST_PLOT if _is_tall(rect, faces) else _LEAST_LOW) * rect.width():
        height = min(height, max(3, int(rect.height() // (line := height / (len(figure.curves) + 1)))) * line)
        left = rect.adjusted(0, 0, -width - 2 * gap, 0)
        frame = _framed(left, figure, faces)
        legend = QRectF(rect.right() - width, frame.plot.top(), width, height)
        return _Room(frame, left, legend, _space(frame, figure, faces))
    line = height / (len(figure.curves) + 1)
    height = min(height, line * max(3, int((rect.height() * _LOWEST_LEGEND) // line)))
    upper = rect.adjusted(0, 0, 0, -height - gap / 2)
    frame = _framed(upper, figure, faces)
    legend = QRectF(rect.left(), upper.bottom() + gap / 2, min(width, rect.width()), height)
    return _Room(frame, upper, legend, _space(frame, figure, faces))


def _corner(plot: QRectF, width: float, height: float, space: Space, gap: float) -> QRectF | None:
    """A free corner of the plot, taken."""
    right, low = plot.right() - width - gap / 2, plot.bottom() - height - gap
    for left, top in ((right, plot.top() + gap / 4), (right, low), (plot.left() + gap, low)):
        box = np.array([[left, top, left + width, top + height]])
        if space.best(box, crossing=False) is not None:
            space.take(box)
            return QRectF(left, top, width, height)
    return None


def _framed(rect: QRectF, figure: FrontierFigure, faces: Fonts, stretch: float = 1.0) -> CurveFrame:
    """The plot, its axes longer by a factor."""
    x, y = (replace(axis, high=axis.low + stretch * (axis.high - axis.low)) for axis in (figure.x, figure.y))
    return curve_frame(rect, x, y, faces, 2 if _is_tall(rect, faces) else 1)


def _is_tall(rect: QRectF, faces: Fonts) -> bool:
    return rect.height() >= _TALL * faces.tick.height


def _space(frame: CurveFrame, figure: FrontierFigure, faces: Fonts) -> Space:
    """The free room of a plot: no text may lie on a mark, nor, where there is another place, on a curve."""
    space = Space(frame.plot)
    lines: list[tuple[float, float, float, float]] = []
    boxes: list[tuple[float, float, float, float]] = []
    for curve in figure.curves:
        places = [frame.place(p.x, p.y) for p in curve.points]
        lines += [(a.x(), a.y(), b.x(), b.y()) for a, b in pairwise(places)]
        for point, at in zip(curve.points, places, strict=True):
            if point.mark or point.now:
                radius = ((_NOW if point.now else _MARK) + 1) * faces.unit
                boxes.append((at.x() - radius, at.y() - radius, at.x() + radius, at.y() + radius))
    space.avoid_lines(lines, 2 * faces.unit)
    space.take(np.array(boxes).reshape(-1, 4))
    return space


def direct_labels(frame: CurveFrame, figure: FrontierFigure, faces: Fonts, space: Space) -> list[tuple[str, QRectF]]:
    """Batches named beside the marks of the first curve, those that find a place where they cover nothing."""
    unit, face = faces.unit, faces.tick
    found = []
    for point in figure.curves[0].points:
        if not point.mark:
            continue
        width, height, near = face.width(point.mark), face.height, 6 * unit
        at = frame.place(point.x, point.y)
        lefts = ((near, -height - 1), (near, 1.0), (-near - width, 1.0), (-near - width, -height - 1))
        boxes = np.array([[at.x() + x, at.y() + y, at.x() + x + width, at.y() + y + height] for x, y in lefts])
        best = space.best(boxes, crossing=False)
        if best is not None:
            space.take(boxes[best : best + 1])
            found.append((point.mark, QRectF(boxes[best][0], boxes[best][1], width, height)))
    return found


def _curve(painter: QPainter, frame: CurveFrame, curve: FrontierCurve, faces: Fonts, theme: Theme) -> None:
    if len(curve.points) < 2:
        return
    name = device_colour(theme, curve.colour)
    painter.setPen(pen(name, (2.2 if curve.baseline else 1.6) * faces.unit, curve.colour))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([frame.place(p.x, p.y) for p in curve.points]))


def _marks(painter: QPainter, frame: CurveFrame, curve: FrontierCurve, faces: Fonts, theme: Theme) -> None:
    unit, name = faces.unit, device_colour(theme, curve.colour)
    for point in sorted(curve.points, key=lambda p: p.now):
        at = frame.place(point.x, point.y)
        if point.now:
            painter.setPen(ring(theme.panel, 1.4 * unit))
            painter.setBrush(colour(name))
            painter.drawEllipse(at, _NOW * unit, _NOW * unit)
        elif point.mark:
            painter.setPen(ring(name, 1.4 * unit))
            painter.setBrush(colour(theme.panel))
            painter.drawEllipse(at, _MARK * unit, _MARK * unit)


def _legend(painter: QPainter, rect: QRectF, figure: FrontierFigure, faces: Fonts, theme: Theme) -> None:
    """A line for each curve, the highest first: its dash, its name, its ratio flush right."""
    unit, tick = faces.unit, faces.tick
    line = tick.height + 2 * unit
    baseline = rect.top() + (line + tick.cap) / 2
    rows = round(rect.height() / line) - 1
    curves = figure.curves if rows >= len(figure.curves) else figure.curves[: max(1, rows - 1)]
    if any(curve.ratio_text for curve in figure.curves):
        text = figure.legend_title
        write(painter, tick, theme.muted, rect.right() - tick.width(text), baseline, text)
    for curve in sorted(curves, key=lambda c: -max(p.y for p in c.points)):
        baseline += line
        _legend_row(painter, rect, baseline, curve, faces, theme)
    left = rect.left() + (_SAMPLE + 7) * unit
    write(painter, tick, theme.muted, left, baseline + line, figure.beyond[len(curves)])


def _legend_row(
    painter: QPainter, rect: QRectF, baseline: float, curve: FrontierCurve, faces: Fonts, theme: Theme
) -> None:
    unit, tick, name = faces.unit, faces.tick, faces.name
    middle = baseline - tick.cap / 2
    painter.setPen(pen(device_colour(theme, curve.colour), (2.2 if curve.baseline else 1.6) * unit, curve.colour))
    painter.drawLine(QPointF(rect.left(), middle), QPointF(rect.left() + _SAMPLE * unit, middle))
    ratio = name.width(curve.ratio_text)
    left = rect.left() + (_SAMPLE + 7) * unit
    shown = tick.fitting((curve.name, *curve.shorter), max(0.0, rect.right() - ratio - 8 * unit - left))
    write(painter, tick, theme.text, left, baseline, shown)
    write(painter, name, theme.text, rect.right() - ratio, baseline, curve.ratio_text)


def _pointed(frame: CurveFrame, figure: FrontierFigure, faces: Fonts) -> list[ComparedMark]:
    around = _POINTED * faces.unit
    every: Sequence[tuple[FrontierCurve, FrontierPoint]] = [(c, p) for c in figure.curves for p in c.points]
    found = []
    for curve, point in sorted(every, key=lambda each: (not each[1].now, not each[1].mark)):
        at = frame.place(point.x, point.y)
        area = QRectF(at.x() - around, at.y() - around, 2 * around, 2 * around)
        found.append(ComparedMark(area, point.tip, batch=point.batch, key=curve.key))
    return found


def paint_frontier_page(painter: QPainter, rect: QRectF, figure: FrontierFigure, theme: Theme) -> None:
    """On paper, where the title of the page has the finding."""
    shown = replace(figure, finding="")
    paint_on_paper(painter, rect, lambda room: paint_frontier(painter, room, shown, theme, sans()))


register_painter(FrontierFigure, paint_frontier_page)
