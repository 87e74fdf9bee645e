"""Painter of the time view: every operator's share of the time beside its share of the FLOPs."""

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from explorer.plot.paint.fonts import Face, Fonts, fonts, sans
from explorer.plot.views.page import paint_empty, paint_fitted
from explorer.plot.views.registered import register_painter
from explorer.presentation.palette import Theme, bound_colour
from explorer.presentation.views.time import TimeBar, TimeView

_LONGEST_NAME = 0.28  # of the width


class TimeColumns(NamedTuple):
    """Left edges and widths of the view's columns, and heights."""

    name: float
    name_width: float
    bars: float
    bars_width: float
    percent: float
    time: float
    note: float
    row: float
    head: float


def columns(rect: QRectF, view: TimeView, faces: Fonts) -> TimeColumns:
    """Lay the columns of one bar or more out for a width."""
    unit, tick = faces.unit, faces.tick
    names = min(max(faces.name.width(b.name) for b in view.bars), rect.width() * _LONGEST_NAME)
    percents = max(tick.width(percent) for b in view.bars for percent in (b.time_percent, b.flop_percent))
    times = max(tick.width(b.time_text) for b in view.bars)
    notes = max(tick.width(b.note) for b in view.bars)
    gap = 14 * unit
    right = rect.right() - (notes + gap if notes else 0.0)
    time_x = right - times
    percent_x = time_x - gap - percents
    bars_x = rect.left() + names + gap
    width = max(40 * unit, percent_x - gap - bars_x)
    row = tick.height * 2 + 12 * unit
    return TimeColumns(rect.left(), names, bars_x, width, percent_x, time_x, right + gap, row, head_height(faces, view))


def head_height(faces: Fonts, view: TimeView) -> float:
    """Height of title, finding, step bars and legend."""
    lines = 1 + bool(view.finding)
    return lines * (faces.note.height + 4 * faces.unit) + 2 * (faces.tick.height + 10 * faces.unit) + 16 * faces.unit


def content_height(view: TimeView, font: QFont | None = None) -> float:
    """Height the whole view wants."""
    faces = fonts(font)
    return head_height(faces, view) + len(view.bars) * (faces.tick.height * 2 + 12 * faces.unit) + 12 * faces.unit


def paint_time(
    painter: QPainter, rect: QRectF, view: TimeView, theme: Theme, font: QFont | None = None
) -> list[tuple[QRectF, str]]:
    """Paint the view; returns the rectangle and name of each operator's row. Rows that do not fit are left out."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faces = fonts(font)
    if not view.bars:
        paint_empty(painter, rect, view.empty_text, faces, theme)
        return []
    cols = columns(rect, view, faces)
    _head(painter, rect, cols, view, faces, theme)
    largest = max(max(b.time_share, b.flop_share) for b in view.bars) or 1.0
    rows = []
    y = rect.top() + cols.head
    for bar in view.bars:
        if y + cols.row > rect.bottom() + 1:
            break
        box = QRectF(rect.left(), y, rect.width(), cols.row)
        _row(painter, box, cols, bar, largest, faces, theme, selected=bar.name in view.selection)
        rows.append((box, bar.name))
        y += cols.row
    return rows


def flop_colour(theme: Theme) -> QColor:
    """FLOP bars are neutral: they say nothing of time."""
    colour = QColor(theme.muted)
    colour.setAlpha(150)
    return colour


def _write(painter: QPainter, face: Face, colour: str, x: float, baseline: float, text: str) -> None:
    painter.setFont(face.font)
    painter.setPen(QColor(colour))
    painter.drawText(QPointF(x, baseline), text)


def _bar(painter: QPainter, box: QRectF, colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    radius = min(2.5, box.width() / 2, box.height() / 2)
    painter.drawRoundedRect(box, radius, radius)


def _row(
    painter: QPainter,
    box: QRectF,
    cols: TimeColumns,
    bar: TimeBar,
    largest: float,
    faces: Fonts,
    theme: Theme,
    *,
    selected: bool,
) -> None:
    unit, tick = faces.unit, faces.tick
    if selected:
        _bar(painter, box.adjusted(-6 * unit, 1.5 * unit, 6 * unit, -1.5 * unit), QColor(theme.selected))
    first = box.top() + 4 * unit
    second = first + tick.height + 2 * unit
    _write(
        painter,
        faces.name,
        theme.text,
        cols.name,
        box.center().y() + faces.name.cap / 2,
        faces.name.elided(bar.name, cols.name_width),
    )
    thick = tick.height * 0.78
    for top, share, colour, text in (
        (first, bar.time_share, QColor(bound_colour(theme, bar.bound)), bar.time_percent),
        (second, bar.flop_share, flop_colour(theme), bar.flop_percent),
    ):
        width = max(1.5 * unit, cols.bars_width * share / largest) if share > 0 else 0.0
        _bar(painter, QRectF(cols.bars, top + (tick.height - thick) / 2, width, thick), colour)
        baseline = top + (tick.height + tick.cap) / 2
        right = cols.time - 14 * unit - tick.width(text)
        _write(painter, tick, theme.text if top == first else theme.muted, right, baseline, text)
    baseline = first + (tick.height + tick.cap) / 2
    right = cols.note - 14 * unit - tick.width(bar.time_text)
    _write(painter, tick, theme.text, right, baseline, bar.time_text)
    if bar.note:
        _write(painter, tick, theme.warning, cols.note, baseline, bar.note)


def _head(painter: QPainter, rect: QRectF, cols: TimeColumns, view: TimeView, faces: Fonts, theme: Theme) -> None:
    unit = faces.unit
    y = rect.top() + faces.label.cap + unit
    _write(painter, faces.label, theme.text, rect.left(), y, faces.label.elided(view.title, rect.width()))
    _legend(painter, rect, view, faces, theme, y, rect.left() + faces.label.width(view.title))
    if view.finding:
        y += faces.note.height + 4 * unit
        _write(painter, faces.note, theme.muted, rect.left(), y, faces.note.elided(view.finding, rect.width()))
    y += 14 * unit
    for label, total, flops in ((view.headers[0], view.time_text, False), (view.headers[1], view.flops_text, True)):
        _whole(painter, y, cols, view, faces, theme, flops=flops)
        baseline = y + (faces.tick.height + faces.tick.cap) / 2
        _write(painter, faces.name, theme.text, rect.left(), baseline, label)
        _write(painter, faces.tick, theme.text, cols.percent, baseline, total)
        y += faces.tick.height + 8 * unit


def _whole(
    painter: QPainter, y: float, cols: TimeColumns, view: TimeView, faces: Fonts, theme: Theme, *, flops: bool
) -> None:
    """The whole step as one bar of segments."""
    x, gap = cols.bars, faces.unit
    for bar in view.bars:
        width = cols.bars_width * (bar.flop_share if flops else bar.time_share)
        if width >= 0.3:
            colour = flop_colour(theme) if flops else QColor(bound_colour(theme, bar.bound))
            _bar(painter, QRectF(x, y, max(0.3, width - gap), faces.tick.height), colour)
            if width > faces.tick.width(bar.name) + 10 * gap:
                text = theme.text if flops else theme.on_accent
                baseline = y + (faces.tick.height + faces.tick.cap) / 2
                _write(painter, faces.tick, text, x + 5 * gap, baseline, bar.name)
        x += width


def _legend(
    painter: QPainter, rect: QRectF, view: TimeView, faces: Fonts, theme: Theme, y: float, taken: float
) -> None:
    """What the colours mean, right of the title."""
    unit, tick = faces.unit, faces.tick
    entries = [(QColor(bound_colour(theme, b)), text) for b, text in view.bounds] + [
        (flop_colour(theme), view.headers[3])
    ]
    x = rect.right() - sum(tick.width(t) + 34 * unit for _, t in entries) + 18 * unit
    if x < taken + 20 * unit:
        return
    for colour, text in entries:
        _bar(painter, QRectF(x, y - tick.cap, 11 * unit, tick.cap), colour)
        _write(painter, tick, theme.muted, x + 16 * unit, y, text)
        x += tick.width(text) + 34 * unit


def paint_time_page(painter: QPainter, rect: QRectF, view: TimeView, theme: Theme) -> None:
    """On paper every row is shown; those of a model seldom fit at their usual size."""
    height = content_height(view, sans())
    paint_fitted(painter, rect, height, lambda room: paint_time(painter, room, view, theme, sans()))


register_painter(TimeView, paint_time_page, lambda view, _width: content_height(view, sans()))
