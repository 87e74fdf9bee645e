"""Painter of the memory view: bars of what is held against the capacity of every device, and the answer in words."""

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPen

from explorer.plot.paint.fonts import Face, Fonts, fonts, sans
from explorer.plot.paint.wrap import in_one_line, wrapped
from explorer.plot.tables.text_table import least_width, paint_text_table, table_height
from explorer.plot.views.page import LARGEST, paint_empty, paint_fitted
from explorer.plot.views.registered import register_painter
from explorer.presentation.palette import Theme, part_colour
from explorer.presentation.views.held.tables import TextTable
from explorer.presentation.views.memory import Bar, DeviceBars, MemoryChart
from explorer.presentation.words.parts import PARTS

_LONGEST_NAME = 0.24  # of the width
_VEIL = 0.72  # over what does not fit
_THIN = 0.42  # of the main bar's height
_BETWEEN = 26.0  # units between the tables
_SMALLEST, _STEP = 0.25, 0.97  # times the usual size that is tried on paper


class MemoryColumns(NamedTuple):
    """Left edges and widths of names, bars and figures."""

    name: float
    name_width: float
    bars: float
    bars_width: float
    figures: float


def content_height(chart: MemoryChart, width: float, font: QFont | None = None) -> float:
    """Height the whole view wants at a width."""
    faces = fonts(font)
    bars = _head_height(faces) + sum(_row_height(d, faces) for d in chart.devices)
    return bars + _tables_height(chart, width, faces) + _words_height(chart, width, faces)


def paint_memory(painter: QPainter, rect: QRectF, chart: MemoryChart, theme: Theme, font: QFont | None = None) -> None:
    """Paint the view."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faces = fonts(font)
    if not chart.devices:
        paint_empty(painter, rect, chart.empty_text, faces, theme)
        return
    _head(painter, rect, chart, faces, theme)
    columns = _columns(rect, chart, faces)
    y = rect.top() + _head_height(faces)
    for device in chart.devices:
        _device(painter, y, columns, device, chart.largest, faces, theme)
        y += _row_height(device, faces)
    for table, corner, room in _placed(chart, rect.left(), y, rect.width(), faces):
        paint_text_table(painter, corner, room, table, faces, theme)
    y += _tables_height(chart, rect.width(), faces)
    _words(painter, QRectF(rect.left(), y, rect.width(), rect.bottom() - y), chart, faces, theme)


def _head_height(faces: Fonts) -> float:
    return faces.label.height + faces.tick.height + 30 * faces.unit


def _row_height(device: DeviceBars, faces: Fonts) -> float:
    lines = 1 + (device.longest is not None)
    return lines * faces.tick.height + 18 * faces.unit


def _placed(
    chart: MemoryChart, left: float, top: float, width: float, faces: Fonts
) -> list[tuple[TextTable, QPointF, float]]:
    """The tables with their corners and rooms: beside each other where all of their texts have room, else below."""
    gap = _BETWEEN * faces.unit
    needed = [least_width(t, faces) for t in chart.tables]
    y = top + gap / 2
    if sum(needed) + gap * (len(needed) - 1) <= width:
        rooms = [n + (width - sum(needed) - gap * (len(needed) - 1)) / len(needed) for n in needed]
        lefts = [left + sum(rooms[:i]) + i * gap for i in range(len(rooms))]
        return [(t, QPointF(x, y), room) for t, x, room in zip(chart.tables, lefts, rooms, strict=True)]
    placed = []
    for table in chart.tables:
        placed.append((table, QPointF(left, y), width))
        y += table_height(table, width, faces) + gap
    return placed


def _tables_height(chart: MemoryChart, width: float, faces: Fonts) -> float:
    placed = _placed(chart, 0.0, 0.0, width, faces)
    bottoms = [corner.y() + table_height(table, room, faces) for table, corner, room in placed]
    return max(bottoms, default=0.0) + _BETWEEN / 2 * faces.unit


def _columns(rect: QRectF, chart: MemoryChart, faces: Fonts) -> MemoryColumns:
    names = min(max(faces.name.width(d.name) for d in chart.devices), rect.width() * _LONGEST_NAME)
    bars = [b for d in chart.devices for b in (d.now, d.longest) if b is not None]
    figures = max(faces.tick.width(f"{b.text}  {b.caption}") for b in bars)
    gap = 16 * faces.unit
    left = rect.left() + names + gap
    width = max(60 * faces.unit, rect.right() - figures - gap - left)
    return MemoryColumns(rect.left(), names, left, width, left + width + gap)


def _write(painter: QPainter, face: Face, colour: str, x: float, baseline: float, text: str) -> None:
    painter.setFont(face.font)
    painter.setPen(QColor(colour))
    painter.drawText(QPointF(x, baseline), text)


def _head(painter: QPainter, rect: QRectF, chart: MemoryChart, faces: Fonts, theme: Theme) -> None:
    baseline = rect.top() + faces.label.cap + faces.unit
    face, title = in_one_line(chart.title, faces.label, rect.width())
    _write(painter, face, theme.text, rect.left(), baseline, title)
    x, y = rect.left(), baseline + faces.tick.height + 8 * faces.unit
    side = faces.tick.cap
    for part, text in chart.legend:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(part_colour(theme, part)))
        painter.drawRoundedRect(QRectF(x, y - side, side, side), 2, 2)
        _write(painter, faces.tick, theme.muted, x + side + 5 * faces.unit, y, text)
        x += side + 22 * faces.unit + faces.tick.width(text)


def _device(
    painter: QPainter, y: float, columns: MemoryColumns, device: DeviceBars, largest: float, faces: Fonts, theme: Theme
) -> None:
    tick, unit = faces.tick, faces.unit
    thick = tick.height
    colour = theme.text if device.active else theme.muted
    baseline = y + (thick + tick.cap) / 2
    _write(painter, faces.name, colour, columns.name, baseline, faces.name.elided(device.name, columns.name_width))
    _bar(painter, QRectF(columns.bars, y, columns.bars_width, thick), device.now, device, largest, theme)
    _write(painter, tick, theme.warning if device.now.over else theme.text, columns.figures, baseline, device.now.text)
    bottom = y + thick
    if device.longest is not None:
        thin = QRectF(columns.bars, bottom + 5 * unit, columns.bars_width, thick * _THIN)
        _bar(painter, thin, device.longest, device, largest, theme)
        text = f"{device.longest.text}  {device.longest.caption}"
        _write(painter, tick, theme.muted, columns.figures, bottom + tick.height, text)
        bottom = thin.bottom()
    _capacity(painter, y - 3 * unit, bottom + 3 * unit, columns, device, largest, theme)


def _bar(painter: QPainter, box: QRectF, bar: Bar, device: DeviceBars, largest: float, theme: Theme) -> None:
    """Parts side by side on a rail as long as the capacity; beyond it they are hatched."""
    rail = QRectF(box.left(), box.top(), box.width() * (device.capacity or 0.0) / largest, box.height())
    painter.fillRect(rail, QColor(theme.raised if theme.name == "light" else theme.grid))
    x = box.left()
    for part, size in zip(PARTS, bar.sizes, strict=True):
        width = box.width() * size / largest
        left = min(x, box.right())
        shown = min(width, box.right() - left)
        painter.fillRect(QRectF(left, box.top(), shown, box.height()), QColor(part_colour(theme, part)))
        x += width
    if bar.over and x > rail.right():
        beyond = QRectF(rail.right(), box.top(), min(x, box.right()) - rail.right(), box.height())
        veil = QColor(theme.panel)
        veil.setAlphaF(_VEIL)
        painter.fillRect(beyond, veil)
        painter.fillRect(beyond, QBrush(QColor(theme.warning), Qt.BrushStyle.BDiagPattern))
    if x > box.right() + 1.0:
        _torn(painter, box, theme)


def _torn(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """A bar that goes on behind the edge ends in teeth."""
    tooth = box.height() / 2
    edge = [QPointF(box.right() - (i % 2) * tooth, box.top() + i * tooth) for i in range(3)]
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(theme.panel))
    painter.drawPolygon([QPointF(box.right() + 1, box.top() - 1), *edge, QPointF(box.right() + 1, box.bottom() + 1)])


def _capacity(
    painter: QPainter,
    top: float,
    bottom: float,
    columns: MemoryColumns,
    device: DeviceBars,
    largest: float,
    theme: Theme,
) -> None:
    if device.capacity is None:
        return
    x = columns.bars + columns.bars_width * device.capacity / largest
    painter.setPen(QPen(QColor(theme.warning if device.now.over else theme.text), 1.5))
    painter.drawLine(QPointF(x, top), QPointF(x, bottom))


def _words_height(chart: MemoryChart, width: float, faces: Fonts) -> float:
    lines = sum(len(wrapped(s, faces.note, width)) for s in chart.sentences)
    return lines * (faces.note.height + 3 * faces.unit) + 20 * faces.unit


def _words(painter: QPainter, rect: QRectF, chart: MemoryChart, faces: Fonts, theme: Theme) -> None:
    y = rect.top() + 8 * faces.unit + faces.note.cap
    for i, sentence in enumerate(chart.sentences):
        for line in wrapped(sentence, faces.note, rect.width()):
            _write(painter, faces.note, theme.text if i == 0 else theme.muted, rect.left(), y, line)
            y += faces.note.height + 3 * faces.unit


def paint_memory_page(painter: QPainter, rect: QRectF, chart: MemoryChart, theme: Theme) -> None:
    """On paper every device and sentence is shown."""
    height = rect.height() / page_scale_of(chart, rect)
    paint_fitted(painter, rect, height, lambda room: paint_memory(painter, room, chart, theme, sans()))


def page_scale_of(chart: MemoryChart, rect: QRectF) -> float:
    """The largest scale at which all of it fits: a smaller one is a wider page, on which tables stand side by side."""
    scale = LARGEST
    while scale > _SMALLEST and content_height(chart, rect.width() / scale, sans()) * scale > rect.height():
        scale *= _STEP
    if scale > _SMALLEST:
        return scale
    return min(LARGEST, rect.height() / content_height(chart, rect.width() / LARGEST, sans()))


register_painter(MemoryChart, paint_memory_page, lambda chart, width: content_height(chart, width, sans()))
