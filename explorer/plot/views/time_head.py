"""Head of the time view: its sentences in as many lines as they need, what the colours mean, the step as one bar."""

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from explorer.plot.paint.fonts import Face, Fonts
from explorer.plot.paint.wrap import wrapped
from explorer.presentation.palette import Theme, bound_colour
from explorer.presentation.views.time import TimeView

_GAP, _KEY = 18.0, 16.0  # units between the words of the legend, and of a colour with its gap


class TimeHead(NamedTuple):
    """The lines of title and finding, and of the legend where it does not stand beside the title."""

    title: list[str]
    finding: list[str]
    legend: list[list[tuple[str, str]]]  # lines of (colour, text)
    beside: bool
    height: float


def head_of(faces: Fonts, view: TimeView, theme: Theme, width: float) -> TimeHead:
    """Lay the head out for a width."""
    unit, tick = faces.unit, faces.tick
    entries = [(bound_colour(theme, b), text) for b, text in view.bounds] + [(theme.flop, view.headers[3])]
    whole = sum(_wide(tick, text, unit) for _, text in entries) - _GAP * unit
    beside = faces.label.width(view.title) + 20 * unit + whole <= width
    title = wrapped(view.title, faces.label, width)
    finding = wrapped(view.finding, faces.note, width)
    legend = [entries] if beside else _lines(entries, tick, unit, width)
    lines = len(title) + len(finding)
    below = 0 if beside else len(legend)
    step = faces.note.height + 4 * unit
    height = lines * step + below * (tick.height + 6 * unit) + 2 * (tick.height + 10 * unit) + 16 * unit
    return TimeHead(title, finding, legend, beside, height)


def paint_head(
    painter: QPainter,
    rect: QRectF,
    head: TimeHead,
    bars: tuple[float, float],
    view: TimeView,
    faces: Fonts,
    theme: Theme,
) -> None:
    """Paint it; `bars` are the left edge and the width of the column of bars."""
    unit, step = faces.unit, faces.note.height + 4 * faces.unit
    y = rect.top() + faces.label.cap + unit
    if head.beside:
        entries = head.legend[0]
        left = rect.right() - sum(_wide(faces.tick, t, unit) for _, t in entries) + _GAP * unit
        _entries(painter, left, y, entries, faces, theme)
    for face, colour, lines in ((faces.label, theme.text, head.title), (faces.note, theme.muted, head.finding)):
        for line in lines:
            write(painter, face, colour, rect.left(), y, line)
            y += step
    y -= step
    if not head.beside:
        for entries in head.legend:
            y += faces.tick.height + 6 * unit
            _entries(painter, rect.left(), y, entries, faces, theme)
    y += 14 * unit
    for label, total, flops in ((view.headers[0], view.time_text, False), (view.headers[1], view.flops_text, True)):
        _whole(painter, y, bars, view, faces, theme, flops=flops)
        baseline = y + (faces.tick.height + faces.tick.cap) / 2
        write(painter, faces.name, theme.text, rect.left(), baseline, label)
        write(painter, faces.tick, theme.text, sum(bars) + 14 * unit, baseline, total)
        y += faces.tick.height + 8 * unit


def write(painter: QPainter, face: Face, colour: str, x: float, baseline: float, text: str) -> None:
    """Paint a text."""
    painter.setFont(face.font)
    painter.setPen(QColor(colour))
    painter.drawText(QPointF(x, baseline), text)


def bar(painter: QPainter, box: QRectF, colour: str) -> None:
    """Paint a bar with round corners."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    radius = min(2.5, box.width() / 2, box.height() / 2)
    painter.drawRoundedRect(box, radius, radius)


def _wide(tick: Face, text: str, unit: float) -> float:
    return tick.width(text) + (_KEY + _GAP) * unit


def _lines(entries: list[tuple[str, str]], tick: Face, unit: float, width: float) -> list[list[tuple[str, str]]]:
    lines: list[list[tuple[str, str]]] = [[]]
    left = 0.0
    for entry in entries:
        wide = _wide(tick, entry[1], unit)
        if lines[-1] and left + wide - _GAP * unit > width:
            lines.append([])
            left = 0.0
        lines[-1].append(entry)
        left += wide
    return lines


def _entries(painter: QPainter, x: float, y: float, entries: list[tuple[str, str]], faces: Fonts, theme: Theme) -> None:
    unit, tick = faces.unit, faces.tick
    for colour, text in entries:
        bar(painter, QRectF(x, y - tick.cap, 11 * unit, tick.cap), colour)
        write(painter, tick, theme.muted, x + _KEY * unit, y, text)
        x += _wide(tick, text, unit)


def _whole(
    painter: QPainter, y: float, bars: tuple[float, float], view: TimeView, faces: Fonts, theme: Theme, *, flops: bool
) -> None:
    """The whole step as one bar of segments."""
    x, gap = bars[0], faces.unit
    for one in view.bars:
        width = bars[1] * (one.flop_share if flops else one.time_share)
        if width >= 0.3:
            bar(painter, QRectF(x, y, max(0.3, width - gap), faces.tick.height), _colour(one.bound, theme, flops=flops))
            if width > faces.tick.width(one.name) + 10 * gap:
                baseline = y + (faces.tick.height + faces.tick.cap) / 2
                write(painter, faces.tick, theme.on_accent, x + 5 * gap, baseline, one.name)
        x += width


def _colour(bound: str, theme: Theme, *, flops: bool) -> str:
    return theme.flop if flops else bar_colour(theme, bound)


def bar_colour(theme: Theme, bound: str) -> str:
    """The colour of a bar of time: of what it waits for, or of what several wait for."""
    return bound_colour(theme, bound) if bound else theme.text
