"""The live chart's base, the one module that imports pyqtgraph: its view, its coordinates and its clouds.

pyqtgraph's grid, axes, menus and SI prefixes stay off: a cached picture lies under the points instead.
"""

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRect, QRectF, QTimer
from PySide6.QtGui import QBrush, QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QGraphicsView, QWidget

from explorer.plot.live.mark_index import MarkIndex
from explorer.plot.live.picture import Picture
from explorer.plot.live.ranges import LIMITS, NARROWEST, Ranges
from explorer.plot.paint.fonts import fonts
from explorer.plot.paint.geometry import Frame
from explorer.plot.paint.layout import hit_strip, radius
from explorer.presentation.palette import LIGHT, Theme, device_colour
from explorer.presentation.roofline.figure import Crowd, Figure, Mark, Strip

if TYPE_CHECKING:
    Base = QGraphicsView  # pyqtgraph has no types
else:
    Base = pg.GraphicsView

CLOUD = 500  # marks beyond which most are drawn by one scatter
TIDY_MS = 200  # a drag rests when nothing moved for so long
FRONT = 40  # of these the biggest keep their rings and labels
_UNIT = Frame(QRectF(0, 0, 1, 1), (0.0, 1.0), (0.0, 1.0))


class Chart(Base):
    """Shows a figure and knows what lies where; has no gestures of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # drop pyqtgraph's empty layout item: nothing of ours lives in it, and Qt stumbles over it when a window dies
        self.setCentralWidget(None)  # type: ignore[attr-defined]
        self.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.theme: Theme = LIGHT
        self.figure = Figure((0.0, 1.0), (0.0, 1.0), "", "")
        self.picture = Picture()
        self._front = self.figure  # what the painter draws; the rest is the cloud
        self._index: MarkIndex | None = None
        self._crowd: tuple[Mark, ...] = ()  # what the cloud holds
        self._crowds: tuple[tuple[Crowd, ...], tuple[Mark, ...]] = ((), ())
        self._box = self._make_box()
        self._cloud: Any = pg.ScatterPlotItem(pxMode=True, pen=None)
        self._cloud.setVisible(False)
        self._tidy = QTimer(self)
        self._tidy.setSingleShot(True)
        self._tidy.setInterval(TIDY_MS)
        self._tidy.timeout.connect(self._lay_out)
        self._box.addItem(self._cloud, ignoreBounds=True)

    def _make_box(self) -> Any:
        box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        box.setAcceptHoverEvents(False)
        box.disableAutoRange()
        (low_x, high_x), (low_y, high_y) = LIMITS
        box.setLimits(xMin=low_x, xMax=high_x, yMin=low_y, yMax=high_y, minXRange=NARROWEST, minYRange=NARROWEST)
        self.scene().addItem(box)
        return box

    # what is shown

    def show_figure(self, figure: Figure, theme: Theme, *, dragging: bool = False) -> None:
        """Draw a figure; the picture under the points is redrawn only where it differs.

        While `dragging`, points may pass over the names of roofs; the names make room once the drag rests.
        """
        same_marks = figure.marks is self.figure.marks and figure.crowds is self.figure.crowds
        marks_differ = not same_marks or figure.selection != self.figure.selection
        look_differs = theme is not self.theme or _cloud_look(figure) != _cloud_look(self.figure)
        self.figure, self.theme = figure, theme
        cloudy = len(figure.marks) > CLOUD or bool(figure.crowds)
        if cloudy and (marks_differ or look_differs):
            front, rest = split(figure, self._joined(figure))
            self._front = replace(figure, marks=front, crowds=(), clouded=True)
            if not _same(rest, self._crowd) or look_differs:
                self._crowd = rest
                self._fill_cloud(rest)
        elif cloudy:
            self._front = replace(figure, marks=self._front.marks, crowds=(), clouded=True)
        else:
            self._front = figure
        self._cloud.setVisible(cloudy)
        if marks_differ:
            self._index = None
        self._lay_out(hold=dragging)
        if dragging:
            self._tidy.start()
        else:
            self._tidy.stop()

    def _joined(self, figure: Figure) -> tuple[Mark, ...]:
        """The marks of all crowds; the very same as before while the crowds are."""
        if not _same(figure.crowds, self._crowds[0]):
            self._crowds = (figure.crowds, tuple(m for c in figure.crowds for m in c.marks))
        return self._crowds[1]

    def _lay_out(self, *, hold: bool = False) -> None:
        frame = QRectF(self.viewport().rect())
        if frame.isEmpty():
            return
        shown = self.picture.lay_out(self._front, frame, self.theme, self.font(), hold=hold)
        if self._cloud.isVisible():
            self._box.setGeometry(shown.plot)
            self._box.setRange(xRange=shown.frame.x_range, yRange=shown.frame.y_range, padding=0)
        self.viewport().update()

    def _fill_cloud(self, marks: Sequence[Mark]) -> None:
        count = len(marks)
        brushes = self._brushes()
        kinds = self._brush_keys(marks)
        self._cloud.setData(
            x=np.fromiter((m.x for m in marks), np.float64, count),
            y=np.fromiter((m.y for m in marks), np.float64, count),
            size=2.0 * self._radii(marks),
            brush=[brushes[k] for k in kinds],
            symbol=["d" if m.measured else "o" for m in marks],
        )

    def _brush_keys(self, marks: Sequence[Mark]) -> list[int]:
        if self.figure.colour_by_bound:
            place = {bound: -1 - i for i, (bound, _) in enumerate(self.theme.bounds)}
            return [place.get(m.bound, m.colour) for m in marks]
        return [m.colour for m in marks]

    def colour(self, target: Mark | Strip) -> QColor:
        """A mark's colour, by hardware or by bound."""
        key = self._brush_keys((target,))[0] if isinstance(target, Mark) else target.colour
        return QColor(self.theme.bounds[-1 - key][1] if key < 0 else device_colour(self.theme, key))

    def _brushes(self) -> dict[int, QBrush]:
        colours = {i: device_colour(self.theme, i) for i in {m.colour for m in self.figure.every_mark}}
        colours |= {-1 - i: colour for i, (_, colour) in enumerate(self.theme.bounds)}
        return {key: QBrush(_translucent(colour)) for key, colour in colours.items()}

    # what lies where

    @property
    def frame_shown(self) -> Frame:
        """The transform of the picture on screen, one truth for painter, mouse and cloud."""
        shown = self.picture.layout
        return _UNIT if shown is None else shown.frame

    @property
    def visible(self) -> Ranges:
        """The ranges on screen."""
        return Ranges(self.frame_shown.x_range, self.frame_shown.y_range)

    def plot_rect(self) -> QRectF:
        """Where the plot lies within the viewport, in logical pixels."""
        return QRectF(self.frame_shown.plot)

    def to_log(self, pos: QPointF) -> tuple[float, float]:
        """Log10 units of a pixel."""
        return self.frame_shown.to_log(pos)

    def to_pixels(self, x: float, y: float) -> QPointF:
        """Pixel of a place in log10 units."""
        return QPointF(self.frame_shown.x(x), self.frame_shown.y(y))

    def per_decade(self) -> tuple[float, float]:
        """Logical pixels per decade."""
        return self.frame_shown.scale_x, self.frame_shown.scale_y

    def mark_at(self, pos: QPointF, reach: float) -> Mark | None:
        """The mark under the pointer or at most `reach` pixels from it."""
        marks = self._index.marks if self._index is not None else self.figure.every_mark
        if not self.plot_rect().contains(pos):
            return None
        if self._index is None:
            self._index = MarkIndex(marks, self._radii(marks))
        found = self._index.nearest(self.to_log(pos), self.per_decade(), reach)
        return None if found is None else marks[found]

    def strip_at(self, pos: QPointF) -> tuple[Strip, QRectF] | None:
        """The operator without FLOPs under the pointer, and where it stands."""
        shown = self.picture.layout
        found = None if shown is None else hit_strip(shown, pos)
        return None if shown is None or found is None else next(s for s in shown.strips if s[0] is found)

    def radius(self, mark: Mark) -> float:
        """Pixels from a mark's middle to its edge."""
        return float(self._radii((mark,))[0])

    def _radii(self, marks: Sequence[Mark]) -> Any:
        shares, unit = self.figure.area_is_share, fonts(self.font()).unit
        return unit * np.fromiter((radius(m, area_is_share=shares) for m in marks), np.float64, len(marks))

    # painting

    def drawBackground(self, painter: QPainter, _rect: QRectF | QRect) -> None:
        self.picture.paint_under(painter, self.viewport().devicePixelRatioF())

    def drawForeground(self, painter: QPainter, _rect: QRectF | QRect) -> None:
        self.picture.paint_over(painter)

    def close(self) -> bool:
        """Close as any widget: pyqtgraph's own way takes the viewport away from under its children."""
        return QGraphicsView.close(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if hasattr(self, "picture"):  # pyqtgraph resizes while it is being made
            self._lay_out()


def split(figure: Figure, joined: tuple[Mark, ...] = ()) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
    """Marks worth a ring and a label of their own, and the crowd; `joined` are those of the figure's crowds.

    A crowd of measured points lies still while the others move: it is the cloud alone, where the others are few.
    """
    chosen = figure.selection
    crowd = [m for m in figure.marks if m.measured and not m.label]
    others = [m for m in figure.marks if not m.measured or m.label]
    if len(others) > CLOUD:
        biggest = sorted(range(len(figure.marks)), key=lambda i: -figure.marks[i].area)[:FRONT]
        keep = {id(figure.marks[i]) for i in biggest}
        others = [m for m in figure.marks if id(m) in keep or (m.over and m.label)]
        left = {id(m) for m in others}
        crowd = [m for m in figure.marks if id(m) not in left]
    if joined and not crowd and not chosen:
        return tuple(others), joined
    crowd = [*joined, *crowd]
    if chosen:
        picked = [m for m in crowd if not chosen.isdisjoint(m.rows)]
        apart = {id(m) for m in picked}
        others, crowd = [*others, *picked], [m for m in crowd if id(m) not in apart]
    return tuple(others), tuple(crowd)


def _same(one: Sequence[object], other: Sequence[object]) -> bool:
    return one is other or (len(one) == len(other) and all(map(operator.is_, one, other)))


def _cloud_look(figure: Figure) -> object:
    return figure.colour_by_bound, figure.area_is_share


def _translucent(colour: str) -> QColor:
    paint = QColor(colour)
    paint.setAlphaF(0.6)
    return paint
