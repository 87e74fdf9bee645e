"""Painter of the comparison on paper: the table, the verdicts that flip, two charts below."""

from collections.abc import Sequence
from typing import Final

import msgspec
from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QPainter

from explorer.plot.compare.flips import flips_height, paint_flips
from explorer.plot.compare.layout import ComparedLayout, table_height
from explorer.plot.compare.style import TableStyle, paper_style
from explorer.plot.compare.table import paint_compare_table
from explorer.plot.paint.fonts import fonts, sans
from explorer.plot.paint.groups import group
from explorer.plot.views.compared.paired import height_on_paper
from explorer.plot.views.page import paint_empty
from explorer.plot.views.registered import painted, register_painter
from explorer.presentation.palette import Theme
from explorer.presentation.views.compare import ComparedChart, ComparedPage
from explorer.presentation.views.compared.paired import PairedFigure

_GAP: Final = 18.0
_LEAST_CHART: Final = 330.0
_LARGEST_CHART: Final = 2.8
_CHART_SCALE: Final = 1.45  # their type is that of a window; 12 units at least on a page
_LEAST_SCALE: Final = 0.62  # of a table beside charts
_SMALLEST: Final = 0.2


class PageLayout(msgspec.Struct, frozen=True):
    """Where the parts of a page stand, in its own units."""

    table: ComparedLayout
    flips: tuple[tuple[QRectF, str], ...]
    charts: tuple[QRectF, ...]


def paint_compare(painter: QPainter, rect: QRectF, page: ComparedPage, theme: Theme) -> PageLayout | None:
    """Table, flips and charts within a rectangle of the house layout's units."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    table = page.table
    if not table.lines:
        paint_empty(painter, rect, table.empty_text, fonts(sans()), theme)
        return None
    style, charted = _fitting(rect, page)
    with group(painter, "comparison"):
        layout = paint_compare_table(painter, rect, table, theme, style)
    below = QRectF(rect.left(), layout.bottom + 12, rect.width(), rect.bottom() - layout.bottom - 12)
    with group(painter, "flips"):
        flips = paint_flips(painter, below, table.flips, theme, style) if _fits_flips(below, page, style) else []
    top = below.top() + flips_height(table.flips, rect.width(), style) + _GAP
    charts = _chart_rects(QRectF(rect.left(), top, rect.width(), rect.bottom() - top), page) if charted else ()
    scale = _chart_scale(charts, page)
    charts = tuple(_no_higher(box, scale, chart) for box, chart in zip(charts, page.charts, strict=False))
    with group(painter, "charts"):
        for chart, box in zip(page.charts, charts, strict=False):
            painter.save()
            painter.translate(box.topLeft())
            painter.scale(scale, scale)
            size = QRectF(0, 0, box.width() / scale, box.height() / scale)
            painted(chart.view, chart.figure).paint(painter, size, chart.figure, theme)
            painter.restore()
    return PageLayout(layout, tuple(flips), charts)


def _fitting(rect: QRectF, page: ComparedPage) -> tuple[TableStyle, bool]:
    """The largest table beside which charts have room; where it leaves none, the largest that fits without them."""
    passes = [(_LEAST_CHART, _LEAST_SCALE)] if page.charts else []
    for least, smallest in (*passes, (0.0, _SMALLEST)):
        for percent in range(100, int(100 * smallest) - 1, -4):
            style = paper_style(percent / 100)
            wanted = table_height(page.table, style) + flips_height(page.table.flips, rect.width(), style)
            if wanted + 12 + (least + _GAP if least else 0.0) <= rect.height():
                return style, bool(least)
    return paper_style(_SMALLEST), False


def _fits_flips(below: QRectF, page: ComparedPage, style: TableStyle) -> bool:
    return flips_height(page.table.flips, below.width(), style) <= below.height() + 1


def _chart_scale(rects: Sequence[QRectF], page: ComparedPage) -> float:
    """How large charts are drawn; where they are but a few bars, as large as they find room."""
    heights = [_height(chart, box.width() / _CHART_SCALE) for chart, box in zip(page.charts, rects, strict=False)]
    found = [box.height() / high for high, box in zip(heights, rects, strict=False) if high is not None]
    return min(_LARGEST_CHART, max(_CHART_SCALE, min(found))) if found and len(found) == len(heights) else _CHART_SCALE


def _no_higher(box: QRectF, scale: float, chart: ComparedChart) -> QRectF:
    """The place of a chart that would not fill all of it."""
    high = _height(chart, box.width() / scale)
    return box if high is None else QRectF(box.topLeft(), QSizeF(box.width(), min(box.height(), high * scale)))


def _height(chart: ComparedChart, width: float) -> float | None:
    """What bars of whole steps want; other charts fill what they get."""
    if isinstance(chart.figure, PairedFigure) and not chart.figure.whole_text:
        return height_on_paper(chart.figure, width)
    return None


def _chart_rects(room: QRectF, page: ComparedPage) -> tuple[QRectF, ...]:
    """Charts side by side, as wide as each other."""
    count = len(page.charts)
    width = (room.width() - (count - 1) * 2 * _GAP) / max(1, count)
    size = QRectF(0, 0, width, room.height())
    return tuple(size.translated(room.topLeft() + QPointF(i * (width + 2 * _GAP), 0)) for i in range(count))


register_painter(ComparedPage, paint_compare)
