"""What a chart's layout is made of: transforms between log10 units and device coordinates, and placed texts."""

import math
from functools import cached_property

import msgspec
import numpy as np
from PySide6.QtCore import QPointF, QRectF

from explorer.plot.paint.fonts import Face
from explorer.plot.paint.labels import Boxes, box
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Range

Segment = tuple[float, float, float, float]
Plate = tuple[float, float, str]  # from and to along the text, and the colour of the plot there


class Frame(msgspec.Struct, frozen=True, dict=True):
    """The plot's rectangle and its visible log10 ranges."""

    plot: QRectF
    x_range: Range
    y_range: Range

    @cached_property
    def left(self) -> float:
        """Device x of the left edge."""
        return self.plot.left()

    @cached_property
    def bottom(self) -> float:
        """Device y of the lower edge."""
        return self.plot.bottom()

    @cached_property
    def scale_x(self) -> float:
        """Pixels of a decade of intensity."""
        return self.plot.width() / (self.x_range[1] - self.x_range[0])

    @cached_property
    def scale_y(self) -> float:
        """Pixels of a decade of performance."""
        return self.plot.height() / (self.y_range[1] - self.y_range[0])

    def x(self, value: float) -> float:
        """Device x of a log10 intensity."""
        return self.left + (value - self.x_range[0]) * self.scale_x

    def y(self, value: float) -> float:
        """Device y of a log10 performance."""
        return self.bottom - (value - self.y_range[0]) * self.scale_y

    def to_log(self, pos: QPointF) -> tuple[float, float]:
        """Log10 intensity and performance at a device position."""
        return (
            self.x_range[0] + (pos.x() - self.plot.left()) / self.scale_x,
            self.y_range[0] + (self.plot.bottom() - pos.y()) / self.scale_y,
        )

    @property
    def slope(self) -> float:
        """Angle of a memory roof in radians, counter-clockwise."""
        return math.atan2(self.scale_y, self.scale_x)


class Text(msgspec.Struct, frozen=True, eq=False):
    """A placed text: left end of its baseline, angle in degrees clockwise, and the boxes it takes."""

    text: str
    x: float
    y: float
    face: Face
    colour: str
    boxes: Boxes
    angle: float = 0.0
    plates: tuple[Plate, ...] = ()
    leader: Segment | None = None

    @property
    def rects(self) -> list[QRectF]:
        """The boxes as rectangles."""
        return [QRectF(b[0], b[1], b[2] - b[0], b[3] - b[1]) for b in self.boxes.tolist()]


def background(theme: Theme, frame: Frame, zone: float | None, x: float) -> str:
    """The colour of the plot at a device x."""
    if zone is None:
        return theme.raised
    return theme.memory_zone if x < frame.x(zone) else theme.compute_zone


def level_plates(theme: Theme, frame: Frame, zone: float | None, x: float, width: float) -> tuple[Plate, ...]:
    """Plates for a level text from x on; two where it reaches over the edge of a zone."""
    left, right = -2.0, width + 2.0
    edge = math.inf if zone is None else frame.x(zone) - x
    if not left < edge < right:
        return ((left, right, background(theme, frame, zone, x)),)
    return (left, edge, theme.memory_zone), (edge, right, theme.compute_zone)


def level_box(face: Face, text: str, x: float, y: float) -> Boxes:
    """The box of a level text whose baseline begins at (x, y)."""
    return np.array([[x, y - face.up, x + face.width(text), y + face.down]])


def level_text(face: Face, text: str, x: float, y: float, colour: str, up: float | None = None) -> Text:
    """A level text at a fixed place; `up` is how far it reaches above its baseline where it has figures alone."""
    reach = (face.up, face.down) if up is None else (up, 0.0)
    return Text(text, x, y, face, colour, np.array([[x, y - reach[0], x + face.width(text), y + reach[1]]]))


def turned_boxes(face: Face, width: float, x: float, y: float, angle: float) -> Boxes:
    """Small boxes along a text whose baseline begins at (x, y) and climbs by `angle` radians."""
    cos, sin = math.cos(angle), math.sin(angle)
    height = face.up + face.down
    count = max(1, math.ceil(1.5 * width / height))
    part = width / count
    half_x = (part * cos + height * sin) / 2
    half_y = (part * sin + height * cos) / 2
    along = (np.arange(count) + 0.5) * part
    rise = (face.up - face.down) / 2
    centre_x = x + along * cos - rise * sin
    centre_y = y - along * sin - rise * cos
    return np.stack([centre_x - half_x, centre_y - half_y, centre_x + half_x, centre_y + half_y], axis=1)


def rect_boxes(*rects: QRectF) -> Boxes:
    """Rectangles as boxes."""
    return np.array([box(r) for r in rects], dtype=np.float64).reshape(-1, 4)
