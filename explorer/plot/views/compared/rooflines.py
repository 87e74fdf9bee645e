"""Painter of small multiples of rooflines: a grid that suits count and room, each chart under its name and verdict."""

import math
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from explorer.plot.paint.brushes import pen
from explorer.plot.paint.figure import ChartLayout, paint
from explorer.plot.paint.fonts import Fonts, fonts, sans
from explorer.plot.paint.wrap import in_one_line
from explorer.plot.views.compared.marks import ComparedMark
from explorer.plot.views.compared.paper import note_lines, paint_head, paint_notes, paint_on_paper, write
from explorer.plot.views.page import paint_empty
from explorer.plot.views.registered import register_painter
from explorer.presentation.palette import Theme, device_colour
from explorer.presentation.roofline.figure import Figure
from explorer.presentation.views.compared.rooflines import RooflinePanel, RooflinesFigure

_SHAPE: Final = 1.35  # width of a chart over its height
_GAP: Final = 12.0
_SMALL: Final = 330.0  # units: a narrower chart names its largest point alone
_LEAST: Final = (118.0, 104.0)  # units of a chart with its heading; with less room there are fewer
_DENSE: Final = 190.0  # and this narrow none


def paint_rooflines(
    painter: QPainter, rect: QRectF, figure: RooflinesFigure, theme: Theme, font: QFont | None = None
) -> list[ComparedMark]:
    """Paint all charts; returns the places of their points."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faces = fonts(font)
    top = paint_head(painter, rect, figure.title, figure.finding, faces, theme)
    if figure.empty_text:
        paint_empty(painter, rect.adjusted(0, top - rect.top(), 0, 0), figure.empty_text, faces, theme)
        return []
    notes = note_lines(figure.notes, faces, rect)
    bottom = rect.bottom() - len(notes) * faces.tick.height - (4 * faces.unit if notes else 0.0)
    room = QRectF(rect.left(), top, rect.width(), max(1.0, bottom - top))
    count = len(figure.panels)
    line = faces.tick.height + 4 * faces.unit
    areas = panel_areas(room.adjusted(0, line, 0, 0), count, faces)
    while count > 1 and (areas[0].width() < _LEAST[0] * faces.unit or areas[0].height() < _LEAST[1] * faces.unit):
        count -= 1
        areas = panel_areas(room.adjusted(0, line, 0, 0), count, faces)
    said = f"{figure.beyond[count]} {figure.axes}".strip()
    if figure.beyond[count] and faces.tick.width(said) > room.width():
        said = figure.beyond[count]
    marks: list[ComparedMark] = []
    shown = list(zip(figure.panels, areas, strict=False))
    for panel, area in shown:  # charts cover what lies around them: their words come after
        marks += _chart(painter, area, panel, faces, theme, font)
    for panel, area in shown:
        _heading(painter, area, panel, faces, theme)
    face, said = in_one_line(said, faces.tick, room.width())
    write(painter, face, theme.muted, room.left(), top + faces.tick.cap, said)
    paint_notes(painter, rect, notes, faces, theme)
    return marks


def panel_areas(rect: QRectF, count: int, faces: Fonts) -> list[QRectF]:
    """Equal places in rows, as many beside each other as lets charts be largest."""
    gap = _GAP * faces.unit

    def size(columns: int) -> tuple[float, float]:
        rows = math.ceil(count / columns)
        return (rect.width() + gap) / columns - gap, (rect.height() + gap) / rows - gap

    def score(columns: int) -> float:
        width, height = size(columns)
        return min(width / _SHAPE, height - 2 * faces.tick.height)

    columns = max(range(1, count + 1), key=lambda c: (score(c), -c))
    width, height = size(columns)
    return [
        QRectF(
            rect.left() + (i % columns) * (width + gap),
            rect.top() + (i // columns) * (height + gap),
            max(1.0, width),
            max(1.0, height),
        )
        for i in range(count)
    ]


def shown_figure(figure: Figure, width: float, unit: float) -> Figure:
    """A chart as it is drawn in a width: in a narrow one fewer words, never fewer points."""
    if width >= _SMALL * unit:
        return figure
    first = max((m for m in figure.marks if m.label), key=lambda m: m.area, default=None)
    named = first if width >= _DENSE * unit else None
    marks = tuple(m if m is named else replace(m, label="", shorter=(), gain_text="") for m in figure.marks)
    return replace(figure, marks=marks, memory_zone_text="", compute_zone_text="")


def _heading(painter: QPainter, area: QRectF, panel: RooflinePanel, faces: Fonts, theme: Theme) -> None:
    unit, tick, name = faces.unit, faces.tick, faces.name
    y = area.top() + (name.height + name.cap) / 2
    painter.setPen(pen(device_colour(theme, panel.colour), 2.2 * unit, panel.colour))
    middle = y - name.cap / 2
    painter.drawLine(QPointF(area.left(), middle), QPointF(area.left() + 18 * unit, middle))
    left = area.left() + 24 * unit
    shown = name.fitting((panel.name, *panel.shorter), max(0.0, area.right() - left))
    write(painter, name, theme.text, left, y, shown)
    ridge = tick.width(panel.ridge)
    if left + name.width(shown) + 10 * unit + ridge <= area.right():
        write(painter, tick, theme.muted, area.right() - ridge, y, panel.ridge)
    verdict = panel.verdict if tick.width(panel.verdict) <= area.width() else panel.waits
    face, verdict = in_one_line(verdict, tick, area.width())
    write(painter, face, theme.muted, area.left(), y + tick.height, verdict)


def _chart(
    painter: QPainter, area: QRectF, panel: RooflinePanel, faces: Fonts, theme: Theme, font: QFont | None
) -> list[ComparedMark]:
    unit = faces.unit
    top = area.top() + faces.name.height + faces.tick.height + 2 * unit
    # what a chart keeps free for the titles of its axes, which are said once for all
    left, below = faces.title.height + 2 * unit, faces.title.height + 6 * unit
    chart = QRectF(area.left() - left, top, area.width() + left, max(1.0, area.bottom() + below - top))
    painter.save()
    painter.setClipRect(area, Qt.ClipOperation.IntersectClip)
    drawn = paint(painter, chart, shown_figure(panel.figure, area.width(), unit), theme, font)
    painter.restore()
    return _pointed(drawn, panel)


def _pointed(drawn: ChartLayout, panel: RooflinePanel) -> list[ComparedMark]:
    found = []
    for mark, (x, y), radius in zip(drawn.marks, drawn.positions.tolist(), drawn.radii.tolist(), strict=True):
        if drawn.plot.contains(QPointF(x, y)):
            full = next((m for m in panel.figure.every_mark if m.rows == mark.rows and m.x == mark.x), mark)
            text = f"{panel.name}\n{full.label or ', '.join(mark.rows)}"
            reach = max(radius, 4.0)
            area = QRectF(x - reach, y - reach, 2 * reach, 2 * reach)
            found.append(ComparedMark(area, text, mark.rows, key=panel.key))
    return found


def paint_rooflines_page(painter: QPainter, rect: QRectF, figure: RooflinesFigure, theme: Theme) -> None:
    """On paper, where the title of the page has the finding."""
    shown = replace(figure, finding="")
    paint_on_paper(painter, rect, lambda room: paint_rooflines(painter, room, shown, theme, sans()))


register_painter(RooflinesFigure, paint_rooflines_page)
