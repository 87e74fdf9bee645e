"""Painter of bandwidth and ridge over the years: two charts beside each other or one above the other."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

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
from explorer.presentation.views.compared.years import YearMark, YearsFigure

_BESIDE: Final = 560.0  # units of width from which the charts stand beside each other
_GAP: Final = 24.0
_DOT, _LINE, _CHOSEN = 2.3, 3.2, 5.0  # radii, units
_SEEN: Final = 0.55


def paint_years(
    painter: QPainter, rect: QRectF, figure: YearsFigure, theme: Theme, font: QFont | None = None
) -> list[ComparedMark]:
    """Paint both charts; returns the place of every device in each, those of the study first."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faces = fonts(font)
    top = paint_head(painter, rect, figure.title, figure.finding, faces, theme)
    if figure.empty_text:
        paint_empty(painter, rect.adjusted(0, top - rect.top(), 0, 0), figure.empty_text, faces, theme)
        return []
    bottom = paint_notes(painter, rect, note_lines(figure.notes, faces, rect), faces, theme)
    top = _kinds(painter, QRectF(rect.left(), top, rect.width(), 0.0), figure, faces, theme)
    room = QRectF(rect.left(), top, rect.width(), max(1.0, bottom - top))
    marks: list[ComparedMark] = []
    for place, area in enumerate(chart_areas(room, faces)):
        marks += _chart(painter, area, figure, place, faces, theme)
    return marks


def chart_areas(rect: QRectF, faces: Fonts) -> tuple[QRectF, QRectF]:
    """Places of both charts: beside each other where it is wide, else one above the other."""
    gap = _GAP * faces.unit
    if rect.width() >= _BESIDE * faces.unit:
        width = (rect.width() - gap) / 2
        return QRectF(rect.left(), rect.top(), width, rect.height()), QRectF(
            rect.left() + width + gap, rect.top(), width, rect.height()
        )
    height = max(1.0, (rect.height() - gap / 3) / 2)
    upper = QRectF(rect.left(), rect.top(), rect.width(), height)
    return upper, upper.translated(0.0, height + gap / 3)


def _chart(
    painter: QPainter, area: QRectF, figure: YearsFigure, place: int, faces: Fonts, theme: Theme
) -> list[ComparedMark]:
    title, axis = figure.charts[place]
    frame = curve_frame(area, figure.x, axis, faces, 0)
    paint_axes(painter, area, frame, ("", title), faces, theme)
    unit = faces.unit
    every = [(mark, frame.place(mark.x, mark.ys[place])) for mark in figure.marks]
    for mark, at in every:
        if mark.colour is None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour(theme.muted, _SEEN))
            _shape(painter, mark.kind, at, _DOT * unit)
    line = [every[i] for i in figure.line]
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if len(line) > 1:
        painter.setPen(pen(theme.text, 1.3 * unit))
        painter.drawPolyline(QPolygonF([at for _, at in line]))
    for mark, at in line:
        if mark.colour is None:
            painter.setPen(ring(theme.text, 1.3 * unit))
            painter.setBrush(colour(theme.panel))
            _shape(painter, mark.kind, at, _LINE * unit)
    chosen = [(mark, at) for mark, at in every if mark.colour is not None]
    for mark, at in chosen:
        painter.setPen(ring(theme.panel, 1.3 * unit))
        painter.setBrush(colour(device_colour(theme, mark.colour or 0)))
        _shape(painter, mark.kind, at, _CHOSEN * unit)
    stops = [at for _, at in line]
    told = [*reversed(chosen), *(each for each in line if each[0].colour is None)]
    for text, box in named(frame, told, faces, stops):
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(theme.panel, 0.8))
        painter.drawRect(box)
        write(painter, faces.tick, theme.text, box.left(), box.top() + (faces.tick.height + faces.tick.cap) / 2, text)
    first = {id(mark) for mark, _ in (*chosen, *line)}
    ordered = sorted(every, key=lambda each: (each[0].colour is None, id(each[0]) not in first))
    return [ComparedMark(_around(at, 6 * unit), mark.tip) for mark, at in ordered]


def named(
    frame: CurveFrame, marks: list[tuple[YearMark, QPointF]], faces: Fonts, line: Sequence[QPointF] = ()
) -> list[tuple[str, QRectF]]:
    """Names beside their marks, the first ones first, none on another mark or name.

    One that finds no place off the line is left out, but never one of the study's.
    """
    unit, face = faces.unit, faces.tick
    space = Space(frame.plot)
    radius = _CHOSEN * unit
    boxes = [(at.x() - radius, at.y() - radius, at.x() + radius, at.y() + radius) for _, at in marks]
    space.take(np.array(boxes).reshape(-1, 4))
    space.avoid_lines([(a.x(), a.y(), b.x(), b.y()) for a, b in pairwise(line)])
    found = []
    for mark, at in marks:
        if not mark.name:
            continue
        width, height = face.width(mark.name), face.height
        lefts = _places(width, height, radius + 2 * unit)
        places = np.array([[at.x() + x, at.y() + y, at.x() + x + width, at.y() + y + height] for x, y in lefts])
        best = space.best(places, crossing=mark.colour is not None)
        if best is not None:
            space.take(places[best : best + 1])
            found.append((mark.name, QRectF(places[best][0], places[best][1], width, height)))
    return found


def _places(width: float, height: float, near: float) -> list[tuple[float, float]]:
    """Corners of a name from its mark: beside, above and below it, then above and below towards either side."""
    return [
        (-width - near, -height / 2), (near, -height / 2), (-width / 2, -height - near), (-width / 2, near),
        (-width - near, -height), (near, -height), (-width - near, 0.0), (near, 0.0),
        *((-width * part, y) for part in (0.8, 0.2, 1.0, 0.0) for y in (-height - near, near)),
    ]  # fmt: skip


def _around(at: QPointF, reach: float) -> QRectF:
    return QRectF(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach)


def _shape(painter: QPainter, kind: str, at: QPointF, radius: float) -> None:
    """A disc for GPUs, a diamond for chips with one, a square for CPUs, triangles for the others."""
    if kind == "gpu":
        painter.drawEllipse(at, radius, radius)
        return
    corners = {"cpu": (4, 45.0), "apu": (4, 0.0), "tpu": (3, -90.0), "npu": (3, 90.0)}[kind]
    reach = radius * 1.25
    angles = [math.radians(corners[1] + 360 * i / corners[0]) for i in range(corners[0])]
    painter.drawPolygon(
        QPolygonF([QPointF(at.x() + reach * math.cos(a), at.y() + reach * math.sin(a)) for a in angles])
    )


def _kinds(painter: QPainter, rect: QRectF, figure: YearsFigure, faces: Fonts, theme: Theme) -> float:
    """What the shapes mean, in as many lines as it takes; returns where the charts begin."""
    unit, tick = faces.unit, faces.tick
    x, y = rect.left(), rect.top()
    for kind, text in figure.kinds:
        width = 12 * unit + tick.width(text) + 14 * unit
        if x + width > rect.right() + 14 * unit and x > rect.left():
            x, y = rect.left(), y + tick.height
        baseline = y + (tick.height + tick.cap) / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour(theme.muted))
        _shape(painter, kind, QPointF(x + 4 * unit, baseline - tick.cap / 2), 3.2 * unit)
        write(painter, tick, theme.muted, x + 12 * unit, baseline, text)
        x += width
    return y + tick.height + 6 * unit


def paint_years_page(painter: QPainter, rect: QRectF, figure: YearsFigure, theme: Theme) -> None:
    """On paper, where the title of the page has the finding."""
    shown = replace(figure, finding="")
    paint_on_paper(painter, rect, lambda room: paint_years(painter, room, shown, theme, sans()))


register_painter(YearsFigure, paint_years_page)
