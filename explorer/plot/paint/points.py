"""What moves with a drag: trail, points, rings, arrows, labels and the strip; quick, it is painted every step."""

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF

from explorer.plot.paint.brushes import colour, draw_text, pen, ring
from explorer.plot.paint.by_points.arrows import arrows_of
from explorer.plot.paint.by_points.point_labels import RING, chosen
from explorer.plot.paint.groups import group
from explorer.plot.paint.layout import ChartLayout
from explorer.presentation.palette import bound_colour, device_colour
from explorer.presentation.roofline.figure import Mark

_DOT = 0.1  # shorter lines are left out: a PDF reader stumbles over a stroke without length
_ARROW = 4.0  # half width of an arrow's head, in units


def paint_points(painter: QPainter, chart: ChartLayout) -> None:
    """Paint the moving part over the resting one."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _trail(painter, chart)
    places = chart.positions.tolist()
    radii = chart.radii.tolist()
    for mark, (x, y), radius in zip(chart.marks, places, radii, strict=True):
        _mark(painter, chart, mark, x, y, radius)
    for mark, (x, y), radius in zip(chart.marks, places, radii, strict=True):
        if mark.measured or mark.over or chosen(mark, chart.figure):
            _beside(painter, chart, mark, x, y, radius)
    _strip(painter, chart)
    with group(painter, "labels"):
        _labels(painter, chart)
    painter.restore()


def mark_colour(chart: ChartLayout, mark: Mark) -> str:
    """By device, or by bound where the figure says so."""
    theme = chart.static.theme
    if chart.figure.colour_by_bound and mark.bound:
        return bound_colour(theme, mark.bound)
    return device_colour(theme, mark.colour)


def _mark(painter: QPainter, chart: ChartLayout, mark: Mark, x: float, y: float, radius: float) -> None:
    name = mark_colour(chart, mark)
    unit, centre = chart.static.fonts.unit, QPointF(x, y)
    paper = chart.static.theme.panel
    if mark.measured:
        if mark.spread is not None:
            _whisker(painter, chart, mark.spread, x, y, radius, name)
        # a rim of paper keeps it apart from a ring of its own colour
        painter.setPen(pen(paper, 5.0 * unit))
        painter.setBrush(colour(paper))
        painter.drawPolygon(_diamond(x, y, radius))
        painter.setPen(pen(chart.static.theme.warning if mark.over else name, 1.8 * unit))
        painter.drawPolygon(_diamond(x, y, radius))
        return
    rim = paper if mark.active else name  # a point that is seen through has an edge that is not
    painter.setPen((ring if mark.shape == "circle" else pen)(rim, 1.3 * unit))
    painter.setBrush(colour(name, 1.0 if mark.active else 0.55))
    _shape(painter, mark, centre, radius)
    if len(mark.rows) > 1 and mark.active:
        painter.setPen(ring(paper, max(1.2 * unit, radius * 0.14)))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawEllipse(centre, radius * 0.58, radius * 0.58)


def _shape(painter: QPainter, mark: Mark, centre: QPointF, radius: float) -> None:
    if mark.shape == "circle":
        painter.drawEllipse(centre, radius, radius)
    elif mark.shape == "square":
        side = radius * 0.886  # half the side of the square of the same area
        painter.drawRect(QRectF(centre.x() - side, centre.y() - side, 2 * side, 2 * side))
    elif mark.shape == "triangle":
        size = radius * 1.35
        corners = [QPointF(centre.x() + size * dx, centre.y() + size * dy) for dx, dy in _TRIANGLE]
        painter.drawPolygon(QPolygonF(corners))
    else:
        painter.drawPolygon(_diamond(centre.x(), centre.y(), radius))


_TRIANGLE = ((0.0, -1.0), (0.87, 0.5), (-0.87, 0.5))


def _diamond(x: float, y: float, radius: float) -> QPolygonF:
    return QPolygonF([QPointF(x, y - radius), QPointF(x + radius, y), QPointF(x, y + radius), QPointF(x - radius, y)])


def _beside(painter: QPainter, chart: ChartLayout, mark: Mark, x: float, y: float, radius: float) -> None:
    """Highlight of the selection, flag of a point above its roof, arrow up to the roof."""
    static, unit = chart.static, chart.static.fonts.unit
    arrows = arrows_of(chart.figure, mark, (x, y), radius, static.frame, unit)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if chosen(mark, chart.figure):
        painter.setPen(pen(static.theme.accent, (2.0 if mark.active else 1.2) * unit))
        radius += RING * unit
        painter.drawEllipse(QPointF(x, y), radius, radius)
    if mark.over:
        painter.setPen(pen(static.theme.warning, 1.6 * unit))
        radius += RING * unit
        painter.drawEllipse(QPointF(x, y), radius, radius)
    above = mark_colour(chart, mark)
    for at, start, end in arrows:
        _arrow(painter, at, start, end, static.theme.warning if end > start else above, unit)


def _arrow(painter: QPainter, x: float, start: float, end: float, name: str, unit: float) -> None:
    """An arrow up or down to where it ends."""
    room = abs(start - end)
    up = 1.0 if end < start else -1.0
    head = min(2 * _ARROW * unit, room)
    painter.setPen(pen(name, 1.3 * unit))
    painter.drawLine(QLineF(x, start, x, end + up * head * 0.6))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(name))
    width, foot = head * 0.45, end + up * head
    painter.drawPolygon(QPolygonF([QPointF(x, end), QPointF(x + width, foot), QPointF(x - width, foot)]))


def _whisker(
    painter: QPainter, chart: ChartLayout, spread: tuple[float, float], x: float, y: float, radius: float, name: str
) -> None:
    """The middle half of the runs as a line through the diamond, where it reaches beyond it."""
    frame, unit = chart.frame, chart.static.fonts.unit
    low, high = frame.y(spread[0]), frame.y(spread[1])
    if low - y < radius and y - high < radius:
        return
    painter.setPen(pen(name, 1.3 * unit))
    width = radius * 0.7
    painter.drawLines(
        [QLineF(x, low, x, high), QLineF(x - width, low, x + width, low), QLineF(x - width, high, x + width, high)]
    )


def _trail(painter: QPainter, chart: ChartLayout) -> None:
    """A faint band from where the marks were to where they are."""
    if not chart.figure.trail:
        return
    frame, unit, plot = chart.frame, chart.static.fonts.unit, chart.plot
    left, top, right, bottom = plot.left(), plot.top(), plot.right(), plot.bottom()
    # rings may split and join on the way: follow the row that leads the ring now
    leads: dict[str, set[str]] = {}
    for mark in chart.figure.marks:
        leads.setdefault(mark.device, set()).add(mark.rows[0])
    been: dict[tuple[str, str], list[Mark]] = {}
    for step in chart.figure.trail:
        for mark in step:
            for row in leads.get(mark.device, set()).intersection(mark.rows):
                been.setdefault((mark.device, row), []).append(mark)
    for mark in chart.figure.marks:
        steps = None if mark.measured else been.get((mark.device, mark.rows[0]))
        if steps is None:
            continue
        xs = [frame.x(m.x) for m in (*steps, mark)]
        ys = [frame.y(m.y) for m in (*steps, mark)]
        name, width, count = mark_colour(chart, mark), (6.5 if mark.active else 3.5) * unit, len(xs)
        within = left <= min(xs) and max(xs) <= right and top <= min(ys) and max(ys) <= bottom
        for i, (x0, y0, x1, y1) in enumerate(zip(xs, ys, xs[1:], ys[1:], strict=False)):
            if abs(x1 - x0) < _DOT and abs(y1 - y0) < _DOT:
                continue
            line = QLineF(x0, y0, x1, y1) if within else clipped(QPointF(x0, y0), QPointF(x1, y1), plot)
            if line is not None:
                painter.setPen(pen(name, width, 0, round(0.2 + 0.45 * (i + 1) / count, 2)))
                painter.drawLine(line)


def clipped(one: QPointF, other: QPointF, box: QRectF) -> QLineF | None:
    """The part of a line inside a box (Liang and Barsky 1984); SVG viewers differ on clip paths, so none are used."""
    dx, dy = other.x() - one.x(), other.y() - one.y()
    begin, end = 0.0, 1.0
    for towards, room in (
        (-dx, one.x() - box.left()),
        (dx, box.right() - one.x()),
        (-dy, one.y() - box.top()),
        (dy, box.bottom() - one.y()),
    ):
        if towards == 0:
            if room < 0:
                return None
            continue
        at = room / towards
        if towards < 0:
            begin = max(begin, at)
        else:
            end = min(end, at)
    if begin >= end or (abs(dx) < _DOT and abs(dy) < _DOT):
        return None
    return QLineF(one.x() + begin * dx, one.y() + begin * dy, one.x() + end * dx, one.y() + end * dy)


def _strip(painter: QPainter, chart: ChartLayout) -> None:
    static = chart.static
    if static.strip is None:
        return
    theme, unit, band = static.theme, static.fonts.unit, static.strip
    painter.fillRect(band, colour(theme.raised if theme.name == "light" else theme.border, 1.0))
    for strip, rect in chart.strips:
        picked = not chart.figure.selection.isdisjoint(strip.rows)
        painter.setPen(pen(theme.accent if picked else theme.panel, (2.0 if picked else 1.0) * unit))
        painter.setBrush(colour(device_colour(theme, strip.colour)))
        painter.drawRect(rect)
    if (text := chart.strip_text) is not None:
        draw_text(painter, text)


def _labels(painter: QPainter, chart: ChartLayout) -> None:
    theme, unit = chart.static.theme, chart.static.fonts.unit
    painter.setPen(pen(theme.muted, 1.0 * unit))
    painter.drawLines([QLineF(*t.leader) for t in chart.labels if t.leader is not None])
    for text in chart.labels:
        draw_text(painter, text)
