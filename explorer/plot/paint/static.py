"""What rests during a drag: background, zones, grid, axes, roofs and their names."""

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.plot.paint.brushes import colour, draw_text, pen
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
    _axes(painter, chart)
    for lines in sorted(static.roofs, key=lambda r: r.roof.active):
        _roof(painter, static, lines)
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


def _axes(painter: QPainter, chart: ChartLayout) -> None:
    static, plot = chart.static, chart.plot
    frame, unit, tick, title = static.frame, static.fonts.unit, static.fonts.tick, static.fonts.title
    painter.setFont(tick.font)
    painter.setPen(colour(static.theme.muted))
    base = plot.bottom() + 7 * unit + tick.cap
    for value, text in static.x_ticks.major:
        painter.drawText(QPointF(frame.x(value) - tick.width(text) / 2, base), text)
    right = plot.left() - 7 * unit - (18 * unit if static.strip is not None else 0)
    for value, text in static.y_ticks.major:
        painter.drawText(QPointF(right - tick.width(text), frame.y(value) + tick.cap / 2), text)
    painter.setFont(title.font)
    painter.setPen(colour(static.theme.text))
    x_title = title.elided(chart.figure.x_title, static.rect.width())
    left = plot.center().x() - title.width(x_title) / 2
    left = min(max(left, static.rect.left()), static.rect.right() - title.width(x_title))
    painter.drawText(QPointF(left, base + 10 * unit + title.up), x_title)
    y_title = title.elided(chart.figure.y_title, static.rect.height())
    painter.save()
    painter.translate(static.rect.left() + title.up, plot.center().y() + title.width(y_title) / 2)
    painter.rotate(-90)
    painter.drawText(QPointF(0, 0), y_title)
    painter.restore()


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
    painter.setPen(pen(name, _LOWER * unit, 4, 0.85))
    painter.drawLines([QLineF(*segment) for segment, _ in lines.others])
    if lines.ridge is not None:
        radius = (4.0 if roof.active else 3.5) * unit
        painter.setPen(pen(name, 1.8 * unit))
        painter.setBrush(colour(static.theme.panel))
        painter.drawEllipse(QPointF(*lines.ridge), radius, radius)
