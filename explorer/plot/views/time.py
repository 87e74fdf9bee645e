"""Painter of the time view: every operator's share of the time beside its share of the FLOPs."""

from typing import NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from explorer.plot.paint.fonts import Fonts, fonts, sans
from explorer.plot.views.page import paint_empty, paint_fitted
from explorer.plot.views.registered import register_painter
from explorer.plot.views.time_head import TimeHead, bar, bar_colour, head_of, paint_head, write
from explorer.presentation.palette import LIGHT, Theme
from explorer.presentation.views.time import TimeBar, TimeView, folded

_LONGEST_NAME = 0.28  # of the width
_LEAST_BARS = 60.0  # units
_LEAST_SCALE = 1.0  # of the type of a page; rows beyond it are told together


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
    noted: bool = True


def columns(rect: QRectF, view: TimeView, faces: Fonts) -> TimeColumns:
    """Lay the columns of one bar or more out for a width: where it is small, notes and then names give way to bars."""
    found = _columns(rect, view, faces, noted=any(b.note for b in view.bars))
    least = _LEAST_BARS * faces.unit
    if found.bars_width < least:
        found = _columns(rect, view, faces, noted=False)
    missing = max(0.0, least - found.bars_width)
    return found._replace(
        name_width=max(0.0, found.name_width - missing),
        bars=found.bars - min(missing, found.name_width),
        bars_width=max(found.bars_width, least),
    )


def _columns(rect: QRectF, view: TimeView, faces: Fonts, *, noted: bool) -> TimeColumns:
    unit, tick = faces.unit, faces.tick
    longest = max(faces.name.width(text) for text in (*(b.name for b in view.bars), *view.headers[:2]))
    names = min(longest, rect.width() * _LONGEST_NAME)
    percents = max(tick.width(percent) for b in view.bars for percent in (b.time_percent, b.flop_percent))
    times = max(tick.width(b.time_text) for b in view.bars)
    gap = 14 * unit
    notes = max(tick.width(b.note) for b in view.bars) + gap if noted else 0.0
    right = rect.right() - notes
    # the totals of the head begin where the shares do
    totals = max(tick.width(view.time_text), tick.width(view.flops_text))
    shares = min(right - times - gap - percents, rect.right() - totals)
    bars = rect.left() + names + gap
    return TimeColumns(
        rect.left(), names, bars, shares - gap - bars, shares, right - times, right + gap, _row_height(faces), noted
    )


def _row_height(faces: Fonts) -> float:
    return faces.tick.height * 2 + 12 * faces.unit


def content_height(view: TimeView, width: float, font: QFont | None = None) -> float:
    """Height the whole view wants at a width."""
    faces = fonts(font)
    head = head_of(faces, view, LIGHT, width).height
    return head + len(view.bars) * _row_height(faces) + 12 * faces.unit


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
    head: TimeHead = head_of(faces, view, theme, rect.width())
    paint_head(painter, rect, head, (cols.bars, cols.bars_width), view, faces, theme)
    largest = max(max(b.time_share, b.flop_share) for b in view.bars) or 1.0
    rows = []
    y = rect.top() + head.height
    for one in view.bars:
        if y + cols.row > rect.bottom() + 1:
            break
        box = QRectF(rect.left(), y, rect.width(), cols.row)
        _row(painter, box, cols, one, largest, faces, theme, selected=one.name in view.selection)
        rows.append((box, one.name))
        y += cols.row
    return rows


def _row(
    painter: QPainter,
    box: QRectF,
    cols: TimeColumns,
    one: TimeBar,
    largest: float,
    faces: Fonts,
    theme: Theme,
    *,
    selected: bool,
) -> None:
    unit, tick = faces.unit, faces.tick
    if selected:
        bar(painter, box.adjusted(-6 * unit, 1.5 * unit, 6 * unit, -1.5 * unit), theme.selected)
    first = box.top() + 4 * unit
    second = first + tick.height + 2 * unit
    name = faces.name.elided(one.name, cols.name_width)
    write(painter, faces.name, theme.text, cols.name, box.center().y() + faces.name.cap / 2, name)
    thick = tick.height * 0.78
    for top, share, colour, text in (
        (first, one.time_share, bar_colour(theme, one.bound), one.time_percent),
        (second, one.flop_share, theme.flop, one.flop_percent),
    ):
        width = max(1.5 * unit, cols.bars_width * share / largest) if share > 0 else 0.0
        bar(painter, QRectF(cols.bars, top + (tick.height - thick) / 2, width, thick), colour)
        baseline = top + (tick.height + tick.cap) / 2
        right = cols.time - 14 * unit - tick.width(text)
        write(painter, tick, theme.text if top == first else theme.muted, right, baseline, text)
    baseline = first + (tick.height + tick.cap) / 2
    right = cols.note - 14 * unit - tick.width(one.time_text)
    write(painter, tick, theme.text, right, baseline, one.time_text)
    if one.note and cols.noted:
        write(painter, tick, theme.warning, cols.note, baseline, one.note)


def paint_time_page(painter: QPainter, rect: QRectF, view: TimeView, theme: Theme) -> None:
    """On paper every operator counts: those that there is no room for in type that can be read are told together."""
    width = rect.width() / _LEAST_SCALE
    whole = content_height(view, width, sans())
    rows = len(view.bars) + (rect.height() / _LEAST_SCALE - whole) / _row_height(fonts(sans()))
    shown = folded(view, max(2, int(rows)))
    height = content_height(shown, width, sans())
    paint_fitted(painter, rect, height, lambda at: paint_time(painter, at, shown, theme, sans()))


register_painter(TimeView, paint_time_page, lambda view, width: content_height(view, width, sans()))
