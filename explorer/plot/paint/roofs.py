"""Roofs in device coordinates: lines edge to edge of the visible range, ridges, and names beside them."""

import math
from collections.abc import Iterator

import msgspec
import numpy as np

from explorer.plot.paint.fonts import Face, Fonts
from explorer.plot.paint.geometry import Frame, Plate, Segment, Text, background, level_box, level_plates, turned_boxes
from explorer.plot.paint.labels import Boxes, Space
from explorer.presentation.palette import Theme, device_ink
from explorer.presentation.roofline.figure import DrawnRoof, Figure

_ALONG = (0.78, 0.70, 0.84, 0.62, 0.54, 0.46, 0.38, 0.30, 0.92, 0.22, 0.14)  # places of a name on a slope
_WIDEST, _WIDEST_ACTIVE = 0.5, 0.72  # part of the plot that a name may take
_ROOMY = 0.4  # part of a slope that a name may take, if it is to find a place there
_LEAST_NAME = 5  # letters of a name that are worth a place
_APART = 5.0  # units between texts on one line
_FROM_RIGHT = (0.0, 0.14, 0.28, 0.42, 0.56, 0.7, 0.84)  # places of a name on a flat roof, right to left


class RoofLines(msgspec.Struct, frozen=True, eq=False):
    """One roof's visible lines; None where out of sight."""

    roof: DrawnRoof
    slope: Segment | None
    flat: Segment | None
    ridge: tuple[float, float] | None
    others: tuple[tuple[Segment, str], ...] = ()

    @property
    def segments(self) -> list[Segment]:
        """All lines."""
        return [s for s in (self.slope, self.flat, *(o[0] for o in self.others)) if s is not None]


def roof_lines(roof: DrawnRoof, frame: Frame, highest: float | None) -> RoofLines:
    """Lines of a roof; without a peak of its own the slope stops at the highest shown compute roof."""
    tops = [p for p in (roof.peak, *(p for p, _ in roof.lower_peaks)) if p is not None]
    top = max(tops) if tops else (highest if highest is not None else math.inf)
    steepest = roof.bandwidth if roof.reached_bandwidth is None else roof.reached_bandwidth
    others = tuple(
        (line, text) for peak, text in roof.lower_peaks if (line := _flat(peak, steepest, frame)) is not None
    )
    if roof.reached_bandwidth is not None and (line := _slope(roof.reached_bandwidth, top, frame)) is not None:
        others = (*others, (line, ""))  # named with the sheet's, which lies close below
    slope = _slope(roof.bandwidth, top, frame)
    return RoofLines(roof, slope, _flat(roof.peak, roof.bandwidth, frame), _ridge(roof, frame), others)


def _slope(bandwidth: float, top: float, frame: Frame) -> Segment | None:
    (x0, x1), (y0, y1) = frame.x_range, frame.y_range
    begin, end = max(x0, y0 - bandwidth), min(x1, y1 - bandwidth, top - bandwidth)
    if end <= begin:
        return None
    return frame.x(begin), frame.y(begin + bandwidth), frame.x(end), frame.y(end + bandwidth)


def _flat(peak: float | None, bandwidth: float, frame: Frame) -> Segment | None:
    if peak is None or not frame.y_range[0] <= peak <= frame.y_range[1]:
        return None
    begin = max(frame.x_range[0], peak - bandwidth)
    if begin >= frame.x_range[1]:
        return None
    y = frame.y(peak)
    return frame.x(begin), y, frame.x(frame.x_range[1]), y


def _ridge(roof: DrawnRoof, frame: Frame) -> tuple[float, float] | None:
    if roof.peak is None:
        return None
    ridge = roof.peak - roof.bandwidth
    (x0, x1), (y0, y1) = frame.x_range, frame.y_range
    if not (x0 <= ridge <= x1 and y0 <= roof.peak <= y1):
        return None
    return frame.x(ridge), frame.y(roof.peak)


class Namer:
    """Places the texts of roofs in free room, those of the active device first."""

    def __init__(self, space: Space, frame: Frame, fonts: Fonts, theme: Theme, zone: float | None) -> None:
        self.zone = zone
        self.space = space
        self.frame = frame
        self.fonts = fonts
        self.theme = theme
        self._flats: list[float] = []

    def place(self, lines: list[RoofLines]) -> list[Text]:
        """The active ridge, names and peaks, bandwidths, then what is left."""
        order = sorted(lines, key=lambda r: (not r.roof.active, -(r.roof.peak or 0.0)))
        self._flats = [r.flat[1] for r in lines if r.flat is not None]
        peaks = [self._peak(r) for r in order]
        placed = [*peaks, *(self._ridge(r) for r in order if r.roof.active)]
        slopes = [self._slope(r, named=_names(r.roof, peak)) for r, peak in zip(order, peaks, strict=True)]
        placed += slopes
        placed += [
            self._beside(r, r.roof.name)
            for r, *texts in zip(order, peaks, slopes, strict=True)
            if not any(_names(r.roof, t) for t in texts)
        ]
        placed += [self._other(r.roof, line, text) for r in order for line, text in r.others if text]
        placed += [self._ridge(r) for r in order if not r.roof.active]
        return [t for t in placed if t is not None]

    def zones(self, figure: Figure) -> list[Text]:
        """Texts of the tinted zones, in corners that are free."""
        if figure.zone is None:
            return []
        plot, face, gap = self.frame.plot, self.fonts.tick, 10 * self.fonts.unit
        edge = min(max(self.frame.x(figure.zone), plot.left()), plot.right())
        high, low = plot.top() + gap + face.cap, plot.bottom() - gap
        found = []
        for text, left, right, corners in (
            (figure.memory_zone_text, plot.left(), edge, ((0, high), (1, high), (0, low), (1, low))),
            (figure.compute_zone_text, edge, plot.right(), ((1, low), (1, high), (0, low), (0, high))),
        ):
            width = face.width(text)
            if text and right - left > width + 2 * gap:
                places = [(left + gap if side == 0 else right - gap - width, y) for side, y in corners]
                found.append(self._level(face, text, places, self.theme.muted))
        return [t for t in found if t is not None]

    def _turned_plate(self, boxes: Boxes, width: float) -> tuple[Plate, ...]:
        """The background to put under a turned text that lies on a line."""
        if not self.space.crosses(boxes):
            return ()
        middle = float(boxes[:, 0].min() + boxes[:, 2].max()) / 2
        return ((-2.0, width + 2.0, background(self.theme, self.frame, self.zone, middle)),)

    def _colour(self, roof: DrawnRoof) -> str:
        return device_ink(self.theme, roof.colour)

    def _level(
        self, face: Face, text: str, places: list[tuple[float, float]], colour: str, *, crossing: bool = True
    ) -> Text | None:
        if not text or not places:
            return None
        boxes = np.concatenate([level_box(face, text, x, y) for x, y in places])
        boxes += _APART * self.fonts.unit * np.array([-1.0, 0.0, 1.0, 0.0])
        chosen = self.space.best(boxes, crossing=crossing)
        if chosen is None:
            return None
        own = boxes[chosen : chosen + 1]
        self.space.take(own)
        x, y = places[chosen]
        plates: tuple[Plate, ...] = ()
        if self.space.crosses(own):
            plates = level_plates(self.theme, self.frame, self.zone, x, face.width(text))
        return Text(text, x, y, face, colour, own, plates=plates)

    def _along_flat(self, line: Segment, face: Face, text: str, *, low: bool = False) -> list[tuple[float, float]]:
        """Places on a flat roof; `low` where it is short: also one below what stands under it."""
        unit = self.fonts.unit
        width = face.width(text)
        room = line[2] - line[0] - width - 16 * unit
        above, below = line[1] - 5 * unit, line[1] + 5 * unit + face.up
        higher = above - 19 * unit  # over points that sit on the roof
        lower = below + 19 * unit
        right = line[2] - 8 * unit - width
        if room < 0:  # there is room to the left of the ridge, too
            places = [(right, above), (right, below), (right, higher), *([(right, lower)] if low else ())]
        else:
            near = [(right - room * f, y) for f in _FROM_RIGHT for y in (above, below)]
            places = [*near, (right, lower), (right, higher)]
        return [p for p in places if not self._between(line[1], p[1] - face.cap / 2)]

    def _between(self, own: float, text: float) -> bool:
        """Whether another roof lies between a roof and a text, which would then seem to be the other's."""
        low, high = sorted((own, text))
        return any(low < y < high and abs(y - own) > 1.0 for y in self._flats)

    def _peak(self, lines: RoofLines) -> Text | None:
        if lines.flat is None:
            return None
        face, colour = self.fonts.name, self._colour(lines.roof)
        roof, flat = lines.roof, lines.flat[2] - lines.flat[0] - 16 * self.fonts.unit
        wide = max(flat, (_WIDEST_ACTIVE if roof.active else _WIDEST) * self.frame.plot.width())
        figures = [t for t in (roof.peak_text, roof.short_peak) if t]
        named = [_led_by(roof.name, figure, face, room) for figure in figures for room in (wide, flat)]
        alone = [roof.name] if face.width(roof.name) <= wide and not self._slope_has_room(lines) else []
        texts = list(dict.fromkeys(t for t in (*named, *alone) if t not in figures)) + figures[-1:]
        for crossing in (False, True):  # a shorter text is better than one on another roof's line
            for text in texts:
                places = self._along_flat(lines.flat, face, text, low=roof.active)
                found = self._level(face, text, places, colour, crossing=crossing)
                if found is not None:
                    return found
        return self._beside(lines, figures[-1]) if roof.active and figures else None

    def _slope_has_room(self, lines: RoofLines) -> bool:
        """Whether the slope could well take the name: the figures of both lines are told then."""
        if lines.slope is None:
            return False
        length = math.hypot(lines.slope[2] - lines.slope[0], lines.slope[3] - lines.slope[1])
        return self.fonts.name.width(f"{lines.roof.name} {lines.roof.bandwidth_text}") < _ROOMY * length

    def _other(self, roof: DrawnRoof, line: Segment, text: str) -> Text | None:
        return self._level(self.fonts.tick, text, self._along_flat(line, self.fonts.tick, text), self._colour(roof))

    def _ridge(self, lines: RoofLines) -> Text | None:
        if lines.ridge is None:
            return None
        (x, y), unit = lines.ridge, self.fonts.unit
        face = self.fonts.name if lines.roof.active else self.fonts.tick
        width = face.width(lines.roof.ridge_text)
        gap = 8 * unit
        places = [
            (x + gap, y + gap + face.up),
            (x - gap - width, y - gap),
            (x + gap, y - gap),
        ]
        if lines.roof.active:
            places += [
                *((x + gap, y + gap + face.up + more * unit) for more in (2, 5, 9, 14)),
                (x - width / 2, y - gap - 4 * unit),
                (x + gap * 2, y + gap * 2 + face.up),
                (x - gap * 2 - width, y - gap * 2),
            ]
        found = self._level(face, lines.roof.ridge_text, places, self._colour(lines.roof), crossing=False)
        # the ridges of other devices are in the table: where there is no clear place they are left out
        return found or (self._beside(lines, lines.roof.ridge_text) if lines.roof.active else None)

    def _beside(self, lines: RoofLines, text: str) -> Text | None:
        """What must stand and found no place along the roof: at the free place nearest to it, with a leader."""
        face, unit = self.fonts.name, self.fonts.unit
        at = lines.ridge or (lines.slope[2:] if lines.slope is not None else None)
        if at is None:
            return None
        pad = _APART * unit
        boxes, _ = self.space.spots(at, face.width(text) + 2 * pad, face.up + face.down)
        if not len(boxes):
            return None
        own = boxes[:1]
        self.space.take(own)
        x, y = float(own[0, 0]) + pad, float(own[0, 1]) + face.up
        plates = level_plates(self.theme, self.frame, self.zone, x, face.width(text))
        return Text(text, x, y, face, self._colour(lines.roof), own, plates=plates, leader=_leader(at, own[0], unit))

    def _slope(self, lines: RoofLines, *, named: bool) -> Text | None:
        if lines.slope is None:
            return None
        roof, face, angle = lines.roof, self.fonts.name, self.frame.slope
        # with its flat part out of sight or too crowded a roof would stand without a name
        length = math.hypot(lines.slope[2] - lines.slope[0], lines.slope[3] - lines.slope[1])
        text = roof.bandwidth_text if named else _led_by(roof.name, roof.bandwidth_text, face, 0.8 * length)
        width = face.width(text)
        places = list(self._along_slope(lines.slope, width, angle, face))
        if not places:
            return None
        boxes = _same_count([turned_boxes(face, width, x, y, angle) for x, y in places])
        chosen = self.space.best(boxes)
        if chosen is None:
            return None
        self.space.take(boxes[chosen])
        x, y = places[chosen]
        plates = self._turned_plate(boxes[chosen], width)
        return Text(text, x, y, face, self._colour(roof), boxes[chosen], -math.degrees(angle), plates)

    def _along_slope(self, line: Segment, width: float, angle: float, face: Face) -> Iterator[tuple[float, float]]:
        unit, cos, sin = self.fonts.unit, math.cos(angle), math.sin(angle)
        length = math.hypot(line[2] - line[0], line[3] - line[1])
        above, below = 5 * unit, -(5 * unit + face.cap)
        for part in _ALONG:
            start = (length - width) * part
            if start < 4 * unit or start + width > length - 4 * unit:
                continue
            for off in (above, below):
                yield line[0] + start * cos - off * sin, line[1] - start * sin - off * cos


def _leader(at: tuple[float, float], box: Boxes, unit: float) -> Segment | None:
    """From a ring to the nearest place of a text's box; none where they are close."""
    left, top, right, bottom = box.tolist()
    end = min(max(at[0], left), right), min(max(at[1], top), bottom)
    length = math.hypot(end[0] - at[0], end[1] - at[1])
    if length < 14 * unit:
        return None
    start = 5 * unit / length
    return at[0] + (end[0] - at[0]) * start, at[1] + (end[1] - at[1]) * start, *end


def _led_by(name: str, figure: str, face: Face, room: float) -> str:
    """A figure led by a name that is cut to the room; by nothing where too little of it would be left."""
    begun = face.elided(name, room - face.width(f" {figure}"))
    return f"{begun} {figure}" if begun == name or sum(map(str.isalpha, begun)) >= _LEAST_NAME else figure


def _names(roof: DrawnRoof, text: Text | None) -> bool:
    """Whether a placed text says the roof's name."""
    return text is not None and text.text not in {roof.peak_text, roof.short_peak, roof.bandwidth_text}


def _same_count(boxes: list[Boxes]) -> Boxes:
    return np.stack(boxes)
