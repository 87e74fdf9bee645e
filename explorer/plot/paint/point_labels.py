"""Labels of points: beside their point or at the end of a leader, the biggest shares first, the rest dropped."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from explorer.plot.paint.fonts import Face, Fonts
from explorer.plot.paint.geometry import Frame, Plate, Segment, Text, level_plates
from explorer.plot.paint.labels import Space
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Figure, Mark

# direction of the label from its point, and which part of the label's box meets it: (dx, dy, ax, ay)
_DIRECTIONS = (
    (1.0, 0.0, 0.0, 0.5),
    (0.87, 0.5, 0.0, 0.5),
    (-0.87, -0.5, 1.0, 0.5),
    (0.87, -0.5, 0.0, 0.5),
    (-1.0, 0.0, 1.0, 0.5),
    (0.5, 0.87, 0.0, 0.5),
    (-0.5, -0.87, 1.0, 0.5),
    (0.5, -0.87, 0.0, 0.5),
    (-0.5, 0.87, 1.0, 0.5),
    (-0.87, 0.5, 1.0, 0.5),
    (0.0, 1.0, 0.5, 0.0),
    (0.0, -1.0, 0.5, 1.0),
)
_DISTANCES = (7.0, 30.0, 52.0, 78.0, 108.0)  # units from the edge of the point
_SMALL = 0.02  # shares under this speak softly
_WIDEST = 330.0  # units; longer labels end in an ellipsis
_LIST = tuple((*d, r) for r in _DISTANCES for d in _DIRECTIONS)
_TABLE = np.array([(*d, r) for r in _DISTANCES for d in _DIRECTIONS])
_COSTS = np.array([0.35 * i + 4.0 * j for j in range(len(_DISTANCES)) for i in range(len(_DIRECTIONS))])
RING = 3.5  # units from a mark to the ring around it
_NEAR = _TABLE[:, 4] == _DISTANCES[0]  # these labels need no leader
_AGAIN = 16.0  # units that a point moves until a label without room looks for some again
_ROUNDS = ((0, 4), (4, 24))  # candidates whose leaders are checked before a label is dropped; mostly the first will do


Written = tuple[str, Face, str]  # text, face, colour


class KeptPlace(NamedTuple):
    """Where a label stood in the layout before: its candidate (None: there was no room), and its point when chosen."""

    candidate: int | None
    x: float
    y: float


Key = tuple[str, str, int]  # device, leading row, which of its texts


def place_labels(
    figure: Figure,
    marks: Sequence[Mark],
    positions: npt.NDArray[np.float64],
    radii: npt.NDArray[np.float64],
    space: Space,
    first: int,
    frame: Frame,
    fonts: Fonts,
    theme: Theme,
    held: Mapping[Key, KeptPlace],
) -> tuple[list[Text], dict[Key, KeptPlace]]:
    """Labels that find room in `space`, and where they stand: selected points first, then faults, then by share.

    The boxes of the marks stand in `space` from place `first` on. A label keeps the place that it `held`, as long as
    that is free: nothing jumps during a drag.
    """
    places = positions.tolist()
    order = sorted(range(len(marks)), key=lambda i: _rank(marks[i], figure))
    placed: list[Text] = []
    places_held: dict[Key, KeptPlace] = {}
    placer = _Placer(
        space, first, fonts.unit, lambda x, width: level_plates(theme, frame, figure.zone, x, width), figure.clouded
    )
    for i in order:
        mark = marks[i]
        for n, text in enumerate(_texts(mark, figure)):
            face, colour = _look(mark, figure, fonts, theme)
            key = (mark.device, mark.rows[0], n)
            point = (*places[i], float(radii[i]))
            found, at = placer.place(
                text, face, colour, point, _touching(i, positions, radii, fonts.unit), held.get(key)
            )
            if found is not None:
                placed.append(found)
            places_held[key] = at
    return placed, places_held


def chosen(mark: Mark, figure: Figure) -> bool:
    """Whether a mark holds a selected row."""
    return bool(figure.selection) and not figure.selection.isdisjoint(mark.rows)


def around(mark: Mark, figure: Figure) -> float:
    """Units that the rings of a selection and of a fault add to a mark's radius."""
    return (RING + 1.0) * chosen(mark, figure) + (RING + 1.0) * mark.over


def _texts(mark: Mark, figure: Figure) -> list[str]:
    texts = [mark.label] if mark.label else []
    if not mark.label and chosen(mark, figure) and mark.active:
        texts = [", ".join(mark.rows[:3])]
    if mark.gain_text and chosen(mark, figure):
        texts.append(mark.gain_text)
    return texts


def _rank(mark: Mark, figure: Figure) -> tuple[bool, bool, float]:
    return not (chosen(mark, figure) and mark.active), not mark.over, -mark.area


def _look(mark: Mark, figure: Figure, fonts: Fonts, theme: Theme) -> tuple[Face, str]:
    if mark.over:
        return fonts.label, theme.warning
    if mark.measured or (mark.area < _SMALL and not chosen(mark, figure)):
        return fonts.note, theme.muted
    return fonts.label, theme.accent if chosen(mark, figure) else theme.text


def _touching(
    one: int, positions: npt.NDArray[np.float64], radii: npt.NDArray[np.float64], unit: float
) -> npt.NDArray[np.bool_]:
    """Which points touch one of them: its leader may leave through these."""
    apart = np.hypot(positions[:, 0] - positions[one, 0], positions[:, 1] - positions[one, 1])
    return np.asarray(apart < radii + (radii[one] + 4 * unit))


class _Placer:
    """Finds a place for one label after the other."""

    def __init__(
        self,
        space: Space,
        first: int,
        unit: float,
        plates: Callable[[float, float], tuple[Plate, ...]],
        always: bool,
    ) -> None:
        self._space = space
        self._first = first
        self._unit = unit
        self._plates = plates
        self._always = always

    def place(
        self,
        text: str,
        face: Face,
        colour: str,
        point: tuple[float, float, float],
        touching: npt.NDArray[np.bool_],
        held: KeptPlace | None,
    ) -> tuple[Text | None, KeptPlace]:
        """The place held before where it is still free, else the cheapest whose leader runs over nothing."""
        text = face.elided(text, min(_WIDEST * self._unit, 0.72 * self._space.width))
        written = (text, face, colour)
        if held is not None and held.candidate is not None:
            found = self._at(held.candidate, written, point, touching)
            if found is not None:
                return found, held
        elif held is not None and math.hypot(point[0] - held.x, point[1] - held.y) < _AGAIN * self._unit:
            return None, held
        found, candidate = self._best(written, point, touching)
        return found, KeptPlace(candidate, point[0], point[1])

    def _at(
        self, candidate: int, written: Written, point: tuple[float, float, float], touching: npt.NDArray[np.bool_]
    ) -> Text | None:
        """The label at one place, if that is free."""
        text, face, colour = written
        x, y, radius = point
        unit, pad = self._unit, 3 * self._unit
        across, down, part_x, part_y, distance = _LIST[candidate]
        width, height, reach = face.width(text), face.up + face.down, radius + distance * unit
        left, top = x + across * reach - part_x * width, y + down * reach - part_y * height
        box = (left - pad, top, left + width + pad, top + height)
        if not self._space.is_free(box):
            return None
        leader = None
        if not _NEAR[candidate]:
            table = _TABLE[candidate : candidate + 1]
            lines = self._leaders(point, np.array([left]), np.array([top]), width, height, table)
            if self._space.blocked(lines, unit, touching, self._first)[0]:
                return None
            leader = tuple(lines[0].tolist())
            self._space.take(_beads(leader, unit))
        boxes = np.array([box])
        self._space.take(boxes)
        plates = self._plates(left, width) if self._always or self._space.crosses(boxes) else ()
        return Text(text, left, top + face.up, face, colour, boxes, plates=plates, leader=leader)

    def _best(
        self, written: Written, point: tuple[float, float, float], touching: npt.NDArray[np.bool_]
    ) -> tuple[Text | None, int | None]:
        text, face, colour = written
        x, y, radius = point
        unit, pad = self._unit, 3 * self._unit
        width, height = face.width(text), face.up + face.down
        reach = radius + _TABLE[:, 4] * unit
        left = x + _TABLE[:, 0] * reach - _TABLE[:, 2] * width
        top = y + _TABLE[:, 1] * reach - _TABLE[:, 3] * height
        boxes = np.stack([left - pad, top, left + width + pad, top + height], axis=1)
        order, crossed = self._space.by_cost(boxes[:, None, :], _COSTS)
        if not len(order):
            return None, None
        chosen_at, leader = 0, None
        if not _NEAR[order[0]]:
            for begin, end in _ROUNDS:
                part = order[begin:end]
                leaders = self._leaders(point, left[part], top[part], width, height, _TABLE[part])
                usable = np.flatnonzero(_NEAR[part] | ~self._space.blocked(leaders, unit, touching, self._first))
                if len(usable):
                    break
            else:
                return None, None
            chosen_at = begin + int(usable[0])
            if not _NEAR[order[chosen_at]]:
                leader = tuple(leaders[usable[0]].tolist())
                self._space.take(_beads(leader, unit))
        best = int(order[chosen_at])
        self._space.take(boxes[best : best + 1])
        plates = self._plates(float(left[best]), width) if self._always or crossed[chosen_at] else ()
        box = boxes[best : best + 1]
        placed = Text(
            text, float(left[best]), float(top[best]) + face.up, face, colour, box, plates=plates, leader=leader
        )
        return placed, best

    def _leaders(
        self,
        point: tuple[float, float, float],
        left: npt.NDArray[np.float64],
        top: npt.NDArray[np.float64],
        width: float,
        height: float,
        table: npt.NDArray[np.float64],
    ) -> npt.NDArray[np.float64]:
        """Lines from the point's edge to the middle of the label's side that faces it."""
        x, y, radius = point
        gap = 4 * self._unit
        end_x = left + table[:, 2] * width + gap * (2 * table[:, 2] - 1)
        end_y = top + table[:, 3] * height + gap * (2 * table[:, 3] - 1)
        length = np.maximum(np.hypot(end_x - x, end_y - y), 1e-9)
        start = (radius + 2 * self._unit) / length
        return np.column_stack([x + (end_x - x) * start, y + (end_y - y) * start, end_x, end_y])


def _beads(line: Segment, unit: float) -> npt.NDArray[np.float64]:
    """Boxes along a leader, so that no later label covers it."""
    count = max(2, int(math.hypot(line[2] - line[0], line[3] - line[1]) / (4 * unit)))
    part = np.arange(count) / (count - 1)
    xs, ys = line[0] + part * (line[2] - line[0]), line[1] + part * (line[3] - line[1])
    return np.stack([xs - unit, ys - unit, xs + unit, ys + unit], axis=1)
