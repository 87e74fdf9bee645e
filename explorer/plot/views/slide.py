"""Painter of the slide of any view, in the house layout of 1600 x 900 scaled to the size asked for."""

from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

import explorer.plot.views.slide_blocks  # noqa: F401 - registers the painters of blocks
from explorer.plot.paint.brushes import colour, pen
from explorer.plot.paint.fonts import Face, sans
from explorer.plot.paint.groups import group
from explorer.plot.paint.wrap import wrapped
from explorer.plot.views.heading import MARGIN, page_scale, paint_heading
from explorer.plot.views.page import EDGE
from explorer.plot.views.registered import painted
from explorer.plot.views.slide_layout import Sized, arranged
from explorer.presentation.palette import Theme
from explorer.presentation.slide.slide import Slide

_FOOT_LINE = 16.0
_LEAST_BLOCK = 250.0
_SOURCES = 2  # lines
_DAY_GAP = 24.0
_CLEAR = 1.0  # above the rule of the footer, into which nothing reaches


@dataclass(frozen=True, slots=True, eq=False)
class SlideLayout:
    """Rectangles of a slide's parts in its own units; `drawn` is what the view's painter returned."""

    rect: QRectF
    scale: float
    heading: QRectF
    view: QRectF
    blocks: tuple[tuple[str, QRectF], ...]
    foot: QRectF
    drawn: object
    left_out: tuple[str, ...] = ()


def paint_view(name: str, painter: QPainter, rect: QRectF, figure: object, theme: Theme) -> object:
    """Paint the slide of a view, or its figure alone, on paper."""
    if isinstance(figure, Slide):
        return paint_slide(painter, rect, figure, theme)
    painter.fillRect(rect, theme.panel)
    return painted(name, figure).paint(painter, rect.adjusted(EDGE, EDGE, -EDGE, -EDGE), figure, theme)


def paint_slide(painter: QPainter, rect: QRectF, slide: Slide, theme: Theme) -> SlideLayout:
    """Paint a slide; other proportions than 16:9 give the view and its blocks other places."""
    scale = page_scale(rect)
    page = QRectF(0, 0, rect.width() / scale, rect.height() / scale)
    painter.save()
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.fillRect(page, colour(theme.panel))
    with group(painter, "title"):
        top = paint_heading(painter, page, slide.title, slide.subtitle, theme)
    with group(painter, "footer"):
        foot = _foot(painter, page, slide, theme)
    room = QRectF(MARGIN, top, page.width() - 2 * MARGIN, foot.top() - top - 14)
    how = painted(slide.view, slide.figure)
    wanted = None if how.height is None else how.height(slide.figure, room.width())
    blocks = [(b, painted(b.name, b.content)) for b in slide.blocks]
    sizes = [
        Sized(
            p.least(b.content) if p.least else _LEAST_BLOCK,
            lambda width, b=b, p=p: p.height(b.content, width) if p.height else width * 0.6,  # type: ignore[misc]
        )
        for b, p in blocks
    ]
    placed = arranged(room, wanted, sizes)
    painter.setClipRect(QRectF(0, 0, page.width(), foot.top() - _CLEAR), Qt.ClipOperation.IntersectClip)
    with group(painter, "chart"):
        drawn = how.paint(painter, placed.view, slide.figure, theme)
    for (block, by), place, larger in zip(blocks, placed.blocks, placed.scales, strict=False):
        painter.save()
        painter.translate(place.topLeft())
        painter.scale(larger, larger)
        with group(painter, block.name):
            room = QRectF(0, 0, place.width() / larger, place.height() / larger)
            by.paint(painter, room, block.content, theme)
        painter.restore()
    painter.restore()
    names = [b.name for b in slide.blocks]
    shown = tuple(zip(names, placed.blocks, strict=False))
    heading = QRectF(MARGIN, 0, page.width() - 2 * MARGIN, top)
    return SlideLayout(page, scale, heading, placed.view, shown, foot, drawn, tuple(names[len(shown) :]))


def _foot(painter: QPainter, page: QRectF, slide: Slide, theme: Theme) -> QRectF:
    """Conditions on as many lines as they need, sources on two, the day at the right; returns their place."""
    face = Face(sans(), 12)
    width = page.width() - 2 * MARGIN
    day = face.width(slide.day) + _DAY_GAP if slide.day else 0.0
    lines = wrapped(slide.conditions, face, width) + wrapped(slide.footer, face, width - day, most=_SOURCES)
    if slide.day and not slide.footer:
        lines.append("")
    if not lines:
        return QRectF(MARGIN, page.bottom() - MARGIN / 2, width, 0.0)
    height = 14 + _FOOT_LINE * len(lines) + 8
    y = page.bottom() - height
    painter.setPen(pen(theme.border, 1.0))
    painter.drawLine(QLineF(MARGIN, y, page.right() - MARGIN, y))
    painter.setFont(face.font)
    painter.setPen(colour(theme.muted))
    for i, line in enumerate(lines):
        painter.drawText(QPointF(MARGIN, y + 20 + _FOOT_LINE * i), line)
    if slide.day:
        last = y + 20 + _FOOT_LINE * (len(lines) - 1)
        painter.drawText(QPointF(page.right() - MARGIN - face.width(slide.day), last), slide.day)
    return QRectF(MARGIN, y, width, height)
