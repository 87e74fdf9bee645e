"""What rests during a drag: background, zones, grid, axes, roofs and their names."""

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.plot.paint.brushes import LOWER, colour, draw_text, pen
from explorer.plot.paint.layout import ChartLayout, StaticLayout
from explorer.plot.paint.roofs import RoofLines
from explorer.presentation.palette import device_colour

_ACTIVE, _OTHER, _LOWER = 2.2, 1.8, 1.2  # widths of roofs in units


def paint_static(painter: QPainter, chart: ChartLayout) -> None:
    """Paint the resting part; it is the same picture as long as `chart.static` is the same object."""
    static = chart.static
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    painter.fillRect(static.rect, colour(static.theme.panel))
    _zones(painter, chart)
    _grid(painter, static)
    for text in static.axes:
        draw_text(painter, text)
    for lines in sorted(static.roofs, key=lambda r: r.roof.active):
        _roof(painter, static, lines)
    painter.setPen(pen(static.theme.muted, 1.0 * static.fonts.unit))
    painter.drawLines([QLineF(*t.leader) for t in static.names if t.leader is not None])
    for text in (*static.zones, *static.names):
        draw_text(painter, text)
    if chart.figure.empty_text:
        painter.setFont(static.fonts.title.font)
        painter.setPen(colour(static.theme.muted))
        painter.drawText(static.plot, Qt.AlignmentFlag.AlignCenter, chart.figure.empty_text)
    painter.restore()


def _zones(painter: QPainter, chart: ChartLayout) -> None:
    static, plot = chart.static, chart.plot
    zone = chart.figure.zone
    if zone is None:
        painter.fillRect(plot, colour(static.theme.raised))
        return
    edge = min(max(static.frame.x(zone), plot.left()), plot.right())
    painter.fillRect(
        QRectF(plot.left(), plot.top(), edge - plot.left(), plot.height()), colour(static.theme.memory_zone)
    )
    painter.fillRect(QRectF(edge, plot.top(), plot.right() - edge, plot.height()), colour(static.theme.compute_zone))


def _grid(painter: QPainter, static: StaticLayout) -> None:
    frame, plot, unit = static.frame, static.plot, static.fonts.unit
    painter.setPen(Qt.PenStyle.NoPen)
    # as rectangles: ten times faster than antialiased lines
    for alpha, xs, ys in (
        (0.35, static.x_ticks.minor, static.y_ticks.minor),
        (0.95, [v for v, _ in static.x_ticks.major], [v for v, _ in static.y_ticks.major]),
    ):
        painter.setBrush(colour(static.theme.border, alpha))
        rects = [QRectF(frame.x(v) - unit / 2, plot.top(), unit, plot.height()) for v in xs]
        rects += [QRectF(plot.left(), frame.y(v) - unit / 2, plot.width(), unit) for v in ys]
        painter.drawRects(rects)


def _roof(painter: QPainter, static: StaticLayout, lines: RoofLines) -> None:
    roof, unit = lines.roof, static.fonts.unit
    name = device_colour(static.theme, roof.colour)
    main = [QLineF(*s) for s in (lines.slope, lines.flat) if s is not None]
    if roof.measured:  # a soft band under a thin line: what was reached, not what a sheet promises
        painter.setPen(pen(name, 7 * unit, 0, 0.18))
        painter.drawLines(main)
    width = (_LOWER if roof.measured else _ACTIVE if roof.active else _OTHER) * unit
    painter.setPen(pen(name, width, roof.colour))
    painter.drawLines(main)
    painter.setPen(pen(name, _LOWER * unit, LOWER))
    painter.drawLines([QLineF(*segment) for segment, _ in lines.others])
    if lines.ridge is not None:
        radius = (4.0 if roof.active else 3.5) * unit
        painter.setPen(pen(name, 1.8 * unit))
        painter.setBrush(colour(static.theme.panel))
        painter.drawEllipse(QPointF(*lines.ridge), radius, radius)
