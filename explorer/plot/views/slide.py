"""Painter of the exported slide, in the house layout of 1600 x 900 scaled to the size asked for."""

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QPainter

from explorer.plot.paint.brushes import colour, pen
from explorer.plot.paint.figure import ChartLayout, paint
from explorer.plot.paint.fonts import Face, sans
from explorer.plot.paint.wrap import wrapped
from explorer.plot.views.heading import MARGIN, page_scale, paint_heading
from explorer.plot.views.slide_table import paint_table, table_width
from explorer.presentation.palette import Theme
from explorer.presentation.slide.slide import Box, Slide

_GAP = 24.0
_FOOT = 54.0


@dataclass(frozen=True, slots=True, eq=False)
class SlideLayout:
    """Rectangles of the slide's parts in its own units, and the chart's layout."""

    rect: QRectF
    scale: float
    chart: ChartLayout
    table: QRectF
    boxes: tuple[QRectF, ...]


def paint_slide(painter: QPainter, rect: QRectF, slide: Slide, theme: Theme) -> SlideLayout:
    """Paint a slide; other proportions than 16:9 give the chart and the side column other sizes."""
    scale = page_scale(rect)
    page = QRectF(0, 0, rect.width() / scale, rect.height() / scale)
    painter.save()
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.fillRect(page, colour(theme.panel))
    top = paint_heading(painter, page, slide.title, slide.subtitle, theme)
    side = _side_width(page, slide)
    bottom = page.bottom() - (_FOOT + 14 if slide.footer else MARGIN / 2)
    chart_right = page.right() - MARGIN - side - _GAP
    chart = paint(
        painter, QRectF(MARGIN - 12, top, chart_right - MARGIN + 12, bottom - top), slide.figure, theme, sans()
    )
    left = page.right() - MARGIN - side
    table_bottom = paint_table(painter, QPointF(left, top + 4), side, slide.table, theme)
    boxes = _boxes(painter, QRectF(left, table_bottom + 24, side, bottom - table_bottom - 24), slide, theme)
    _foot(painter, page, slide.footer, theme)
    painter.restore()
    return SlideLayout(page, scale, chart, QRectF(left, top, side, table_bottom - top), tuple(boxes))


def _side_width(page: QRectF, slide: Slide) -> float:
    """The column beside the chart: what the table needs, within a third of the page."""
    return min(max(table_width(slide.table), 0.24 * page.width()), 0.36 * page.width())


def _boxes(painter: QPainter, room: QRectF, slide: Slide, theme: Theme) -> list[QRectF]:
    """Blocks of text under the table, as many as there is room for."""
    found = []
    top = room.top()
    for box in (slide.help, slide.read):
        rect = _box(painter, QRectF(room.left(), top, room.width(), room.bottom() - top), box, theme)
        if rect is not None:
            found.append(rect)
            top = rect.bottom() + 24
    return found


def _box(painter: QPainter, room: QRectF, box: Box, theme: Theme) -> QRectF | None:
    head, body = Face(sans(), 16, QFont.Weight.DemiBold), Face(sans(), 16)
    pad, line = 17.0, 24.0
    if not box.lines and not box.title:
        return None
    lines = [part for text in box.lines for part in wrapped(text, body, room.width() - 2 * pad)]
    height = pad * 1.6 + line * (len(lines) + bool(box.title))
    if height > room.height():
        return None
    rect = QRectF(room.left(), room.top(), room.width(), height)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(theme.raised))
    painter.drawRoundedRect(rect, 12, 12)
    painter.setPen(colour(theme.text))
    y = rect.top() + pad * 0.8 + line / 2 + head.cap / 2
    for text, face in [*([(box.title, head)] if box.title else []), *((t, body) for t in lines)]:
        painter.setFont(face.font)
        painter.drawText(QPointF(rect.left() + pad, y), face.elided(text, rect.width() - 2 * pad))
        y += line
    return rect


def _foot(painter: QPainter, page: QRectF, text: str, theme: Theme) -> None:
    if not text:
        return
    face = Face(sans(), 12)
    width = page.width() - 2 * MARGIN
    lines = wrapped(text, face, width, most=2)
    y = page.bottom() - _FOOT
    painter.setPen(pen(theme.border, 1.0))
    painter.drawLine(QLineF(MARGIN, y, page.right() - MARGIN, y))
    painter.setFont(face.font)
    painter.setPen(colour(theme.muted))
    for i, line in enumerate(lines):
        painter.drawText(QPointF(MARGIN, y + 20 + 16 * i), line)
