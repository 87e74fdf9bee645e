"""Where everything of a figure stands in a rectangle: the part that rests, and the part that moves with a drag."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFont

from explorer.plot.paint.axes import Ticks, ticks
from explorer.plot.paint.axis_texts import axis_texts, fitting
from explorer.plot.paint.by_points.arrows import arrow_boxes
from explorer.plot.paint.by_points.placer import KeptPlace
from explorer.plot.paint.by_points.point_labels import Key, around, place_labels
from explorer.plot.paint.fonts import Fonts, fonts
from explorer.plot.paint.geometry import Frame, Segment, Text, rect_boxes
from explorer.plot.paint.labels import Boxes, Space, overlaps
from explorer.plot.paint.roofs import Namer, RoofLines, roof_lines
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Figure, Mark, Strip
from explorer.presentation.roofline.ranges import equal_decades

Positions = npt.NDArray[np.float64]

_LARGEST = 17.0  # radius of a point that takes all the time, in units
_SMALLEST = 3.2
_CROWD = 4.0  # measured points that have no label
_OTHER = 0.62  # points of devices that the answer does not speak of
_CLEAR = 2.0  # units that a name of a roof keeps away from other lines where it can
_REACH = 8.0  # a hit may miss a point by so many units


class StaticLayout(msgspec.Struct, frozen=True, eq=False):
    """What a drag leaves alone: frame, ticks, roofs and their names. Repaint it when this object changes."""

    rect: QRectF
    frame: Frame
    theme: Theme
    fonts: Fonts
    x_ticks: Ticks
    y_ticks: Ticks
    roofs: tuple[RoofLines, ...]
    names: tuple[Text, ...]
    zones: tuple[Text, ...]
    strip: QRectF | None
    key: tuple[object, ...]
    name_boxes: Boxes
    segments: tuple[Segment, ...]
    space: Space  # what names and ridges leave to the labels of points
    axes: tuple[Text, ...] = ()

    @property
    def plot(self) -> QRectF:
        """The plot's rectangle."""
        return self.frame.plot


class ChartLayout(msgspec.Struct, frozen=True, eq=False):
    """A figure laid out: device positions and radii of its visible marks, labels that found room."""

    figure: Figure
    static: StaticLayout
    marks: tuple[Mark, ...]
    positions: Positions
    radii: npt.NDArray[np.float64]
    labels: tuple[Text, ...]
    strips: tuple[tuple[Strip, QRectF], ...]
    held: Mapping[Key, KeptPlace] = msgspec.field(default_factory=dict)  # where labels stand, for the step that follows

    @property
    def plot(self) -> QRectF:
        """The plot's rectangle in device coordinates."""
        return self.static.frame.plot

    @property
    def frame(self) -> Frame:
        """Transforms between log10 units and device coordinates."""
        return self.static.frame

    @property
    def text_rects(self) -> list[list[QRectF]]:
        """Rectangles of every roof name, zone text and label, one list per text."""
        return [t.rects for t in (*self.static.names, *self.static.zones, *self.labels)]

    @property
    def axis_rects(self) -> list[QRectF]:
        """Rectangles of the ticks' texts, of both titles and of what stands in the strip."""
        strip = [r for _, r in self.strips] + [r for t in (self.strip_text,) if t is not None for r in t.rects]
        return [*(r for t in self.static.axes for r in t.rects), *strip]

    @property
    def strip_text(self) -> Text | None:
        """What the strip says above its squares, as far as there is room: all, or how many."""
        static, figure = self.static, self.figure
        if static.strip is None:
            return None
        face, unit, band = static.fonts.tick, static.fonts.unit, static.strip
        top = min((r.top() for _, r in self.strips), default=band.bottom())
        text = fitting(face, (figure.strip_text, figure.short_strip), top - band.top() - 12 * unit)
        if not text:
            return None
        x, y = band.center().x() + face.cap / 2, top - 6 * unit
        box = QRectF(x - face.cap, y - face.width(text), face.cap, face.width(text))
        return Text(text, x, y, face, static.theme.muted, rect_boxes(box), -90.0)

    @property
    def arrow_rects(self) -> list[QRectF]:
        """What the arrows from points to their roofs take."""
        return [QRectF(b[0], b[1], b[2] - b[0], b[3] - b[1]) for b in _arrow_boxes(self).tolist()]

    @property
    def mark_rects(self) -> list[QRectF]:
        """Rectangles of the visible marks."""
        return [
            QRectF(x - r, y - r, 2 * r, 2 * r)
            for (x, y), r in zip(self.positions.tolist(), self.radii.tolist(), strict=True)
        ]


def layout(
    figure: Figure,
    rect: QRectF,
    theme: Theme,
    font: QFont | None = None,
    previous: ChartLayout | None = None,
    *,
    hold: bool = False,
) -> ChartLayout:
    """Lay a figure out in a rectangle of device coordinates.

    `font` is the window's font (None: that of exports). `previous` is the layout before an edit: its
    static part, and so the pixmap painted from it, is kept while it still holds:
    `layout.static is previous.static`. `hold` keeps it even where points have come to lie on its names,
    for the length of a drag, and labels where they stand beside their points.
    """
    faces = fonts(font)
    key = (figure.roofs, figure.x_range, figure.y_range, figure.fitted, figure.x_title, figure.y_title, figure.zone,
           figure.memory_zone_text, figure.compute_zone_text, bool(figure.strips), figure.keeps_strip,
           figure.empty_text, rect.getRect(), theme.name, faces)  # fmt: skip
    if previous is not None and previous.static.key == key:
        moved = _with_points(figure, previous.static)
        if hold or not overlaps(previous.static.name_boxes, _drawn_boxes(moved)):
            return _labelled(moved, previous.held if hold else {})
    frame, strip, x_ticks, y_ticks = _frame(figure, rect, faces)
    static = _static(figure, rect, theme, faces, key, frame, strip, (x_ticks, y_ticks))
    return _labelled(_with_points(figure, static), {})


def hit(chart: ChartLayout, pos: QPointF) -> Mark | None:
    """The mark nearest to a position, within reach of its edge."""
    if not len(chart.positions):
        return None
    distance = np.hypot(chart.positions[:, 0] - pos.x(), chart.positions[:, 1] - pos.y()) - chart.radii
    # the active device's marks win where marks of several devices lie together
    distance -= np.array([2.0 * m.active for m in chart.marks]) * chart.static.fonts.unit
    nearest = int(distance.argmin())
    return chart.marks[nearest] if distance[nearest] <= _REACH * chart.static.fonts.unit else None


def hit_strip(chart: ChartLayout, pos: QPointF) -> Strip | None:
    """The operator of the strip at a position."""
    reach = 3 * chart.static.fonts.unit
    return next((s for s, r in chart.strips if r.adjusted(-reach, -reach, reach, reach).contains(pos)), None)


def _frame(figure: Figure, rect: QRectF, faces: Fonts) -> tuple[Frame, QRectF | None, Ticks, Ticks]:
    """The plot's rectangle: what ticks, titles and the strip leave."""
    unit, tick = faces.unit, faces.tick
    bottom = rect.bottom() - faces.title.height - 10 * unit - tick.height - 8 * unit
    top, right = rect.top() + 6 * unit, rect.right() - max(16 * unit, tick.width("100 k") / 2 + 2 * unit)
    title = faces.title.height + 8 * unit
    strip = 18 * unit if figure.strips or figure.keeps_strip else 0.0
    left = rect.left() + title + tick.width("100 T") + 10 * unit + strip
    for _ in range(2):  # the widest tick text is known once the ranges are
        plot = QRectF(left, top, max(40 * unit, right - left), max(40 * unit, bottom - top))
        x_range, y_range = equal_decades(figure, plot.width(), plot.height(), faces.name.height + 8 * unit)
        y_ticks = ticks(*y_range, max(2, int(plot.height() / (tick.height * 2.2))))
        widest = max(tick.width(t) for _, t in y_ticks.major)
        left = rect.left() + title + widest + 10 * unit + strip
    x_ticks = ticks(*x_range, max(2, int(plot.width() / (tick.width("100 k") * 2.0))))
    band = QRectF(plot.left() - strip, plot.top(), 14 * unit, plot.height()) if figure.strips else None
    return Frame(plot, x_range, y_range), band, x_ticks, y_ticks


def _static(
    figure: Figure,
    rect: QRectF,
    theme: Theme,
    faces: Fonts,
    key: tuple[object, ...],
    frame: Frame,
    strip: QRectF | None,
    both_ticks: tuple[Ticks, Ticks],
) -> StaticLayout:
    highest = max((r.peak for r in figure.roofs if r.peak is not None), default=None)
    roofs = tuple(roof_lines(r, frame, highest) for r in figure.roofs)
    segments = tuple(s for r in roofs for s in r.segments)
    empty = np.empty((0, 4))
    space = Space(frame.plot)
    static = StaticLayout(
        rect, frame, theme, faces, *both_ticks, roofs, (), (), strip, key, empty, segments, space,
        axis_texts(figure, rect, frame, faces, both_ticks, theme),
    )  # fmt: skip
    space.avoid_lines(segments, _CLEAR * faces.unit)
    bare = _with_points(figure, static)
    space.take(_mark_boxes(bare.positions, bare.radii + 2 * faces.unit))
    space.take(_arrow_boxes(bare))
    space.take(_ridge_boxes(roofs, faces.unit))
    namer = Namer(space, frame, faces, theme, figure.zone)
    names = tuple(namer.place(list(roofs)))
    zones = tuple(namer.zones(figure))
    boxes = np.concatenate([empty, *(t.boxes for t in (*names, *zones))])
    left = Space(frame.plot)
    left.avoid_lines(segments, _CLEAR * faces.unit)
    left.take(boxes)
    left.take(_ridge_boxes(roofs, faces.unit))
    return replace(static, names=names, zones=zones, name_boxes=boxes, space=left)


def _with_points(figure: Figure, static: StaticLayout) -> ChartLayout:
    frame, unit = static.frame, static.fonts.unit
    (x0, x1), (y0, y1) = frame.x_range, frame.y_range
    marks = tuple(m for m in figure.every_mark if x0 <= m.x <= x1 and y0 <= m.y <= y1)
    positions = np.array([(frame.x(m.x), frame.y(m.y)) for m in marks], dtype=np.float64).reshape(-1, 2)
    radii = np.array([radius(m, area_is_share=figure.area_is_share) for m in marks], dtype=np.float64) * unit
    return ChartLayout(figure, static, marks, positions, radii, (), _stacked(figure.strips, static))


def radius(mark: Mark, *, area_is_share: bool) -> float:
    """Radius of a mark in units: its area is its share of the time, clamped to what can be seen and hit."""
    if mark.measured:
        return 6.0 if mark.label else _CROWD
    size = 6.0 if not area_is_share else min(_LARGEST, max(_SMALLEST, _LARGEST * mark.area**0.5))
    if len(mark.rows) > 1 and mark.active:
        size = max(size, 5.0)
    return size if mark.active else max(_SMALLEST * 0.75, size * _OTHER)


def _mark_boxes(positions: Positions, radii: npt.NDArray[np.float64]) -> Boxes:
    return np.column_stack([positions - radii[:, None], positions + radii[:, None]]) if len(radii) else np.empty((0, 4))


def _arrow_boxes(chart: ChartLayout) -> Boxes:
    static = chart.static
    return arrow_boxes(chart.figure, chart.marks, chart.positions, chart.radii, static.frame, static.fonts.unit)


def _drawn_boxes(chart: ChartLayout) -> Boxes:
    """What points and arrows take of the plot."""
    return np.concatenate([_mark_boxes(chart.positions, chart.radii), _arrow_boxes(chart)])


def _ridge_boxes(roofs: Sequence[RoofLines], unit: float) -> Boxes:
    half = 4.5 * unit
    rings = [QRectF(r.ridge[0] - half, r.ridge[1] - half, 2 * half, 2 * half) for r in roofs if r.ridge is not None]
    return rect_boxes(*rings)


def _stacked(strips: Sequence[Strip], static: StaticLayout) -> tuple[tuple[Strip, QRectF], ...]:
    """Squares of the strip's operators, from the bottom up."""
    if static.strip is None:
        return ()
    unit, band = static.fonts.unit, static.strip
    y = band.bottom() - 4 * unit
    placed = []
    for strip in strips:
        side = min(12.0, max(5.0, 14 * strip.area**0.5)) * unit
        if y - side < band.top():
            break
        placed.append((strip, QRectF(band.center().x() - side / 2, y - side, side, side)))
        y -= side + 4 * unit
    return tuple(placed)


def _labelled(chart: ChartLayout, held: Mapping[Key, KeptPlace]) -> ChartLayout:
    static = chart.static
    space = static.space.copy()
    space.take(_arrow_boxes(chart))
    outer = chart.radii + static.fonts.unit * np.array([around(m, chart.figure) for m in chart.marks])
    first = space.take(_mark_boxes(chart.positions, outer + static.fonts.unit))
    labels, places = place_labels(
        chart.figure, chart.marks, chart.positions, outer, space, first, static.frame, static.fonts, static.theme, held
    )
    return replace(chart, labels=tuple(labels), held=places)
