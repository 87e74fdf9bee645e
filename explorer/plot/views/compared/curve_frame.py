"""Where the curves of a comparison lie: plot, ticks, titles, and the places of a value."""

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from explorer.plot.paint.brushes import pen
from explorer.plot.paint.fonts import Fonts
from explorer.plot.views.compared.paper import write
from explorer.presentation.palette import Theme
from explorer.presentation.views.compared.axis import CurveAxis


class CurveFrame(NamedTuple):
    """A plot and its axes."""

    plot: QRectF
    x: CurveAxis
    y: CurveAxis

    def place(self, x: float, y: float) -> QPointF:
        """Where a point of the figure lies."""
        across = (x - self.x.low) / ((self.x.high - self.x.low) or 1.0)
        up = (y - self.y.low) / ((self.y.high - self.y.low) or 1.0)
        return QPointF(self.plot.left() + self.plot.width() * across, self.plot.bottom() - self.plot.height() * up)


def curve_frame(rect: QRectF, x: CurveAxis, y: CurveAxis, faces: Fonts, lines_below: int) -> CurveFrame:
    """The plot in a rectangle: a line for the upper title, ticks left, ticks and some lines below."""
    unit, tick = faces.unit, faces.tick
    left = max((tick.width(text) for _, text in y.ticks), default=0.0) + 8 * unit
    below = 6 * unit + tick.height * (1 + lines_below)
    right = 4 * unit + max((tick.width(text) / 2 for _, text in x.ticks[-1:]), default=0.0)
    plot = rect.adjusted(left, tick.height + 6 * unit, -right, -below)
    return CurveFrame(QRectF(plot.left(), plot.top(), max(1.0, plot.width()), max(1.0, plot.height())), x, y)


def paint_axes(
    painter: QPainter,
    rect: QRectF,
    frame: CurveFrame,
    titles: tuple[str, str],
    faces: Fonts,
    theme: Theme,
    last: str = "",
) -> None:
    """Grid, ticks and titles; `last` stands below the lower title."""
    plot, tick, unit = frame.plot, faces.tick, faces.unit
    painter.setPen(pen(theme.grid, unit))
    for value, _ in frame.y.ticks:
        y = frame.place(frame.x.low, value).y()
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y))
    for value, _ in frame.x.ticks:
        x = frame.place(value, frame.y.low).x()
        painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()))
    taken = 1e9
    for value, text in frame.y.ticks:
        y = frame.place(frame.x.low, value).y() + tick.cap / 2
        if y > taken:
            continue
        taken = y - tick.height
        write(painter, tick, theme.muted, plot.left() - 6 * unit - tick.width(text), y, text)
    baseline = plot.bottom() + 6 * unit + tick.cap
    taken = -1e9
    for value, text in frame.x.ticks:
        x = frame.place(value, frame.y.low).x() - tick.width(text) / 2
        if x > taken:
            write(painter, tick, theme.muted, x, baseline, text)
            taken = x + tick.width(text) + 6 * unit
    write(
        painter, tick, theme.muted, rect.left(), rect.top() + tick.cap + 2 * unit, tick.elided(titles[1], rect.width())
    )
    for text in (titles[0], last):
        baseline += tick.height
        shown = tick.elided(text, rect.width())
        middle = plot.center().x() - tick.width(shown) / 2
        left = max(rect.left(), min(middle, rect.right() - tick.width(shown)))
        write(painter, tick, theme.muted, left, baseline, shown)
