"""One label after the other finds its place: beside its point, or at the end of a leader; a figure is never cut."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from explorer.plot.paint.fonts import Face
from explorer.plot.paint.geometry import Plate, Segment, Text
from explorer.plot.paint.labels import Boxes, Space

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
_WIDEST = 330.0  # units; of longer labels a shorter wording is taken
_MOST = 0.94  # of the plot's width that a label which must stand may take
_LIST = tuple((*d, r) for r in _DISTANCES for d in _DIRECTIONS)
_TABLE = np.array([(*d, r) for r in _DISTANCES for d in _DIRECTIONS])
_COSTS = np.array([0.35 * i + 4.0 * j for j in range(len(_DISTANCES)) for i in range(len(_DIRECTIONS))])
_NEAR = _TABLE[:, 4] == _DISTANCES[0]  # these labels need no leader
_AGAIN = 16.0  # units that a point moves until a label without room looks for some again
_ROUNDS = ((0, 4), (4, 24))  # candidates whose leaders are checked before a label is dropped; mostly the first will do
_ANYWHERE = 160  # of all the free places, those nearest to the point, whose leaders are checked

Point = tuple[float, float, float]  # middle and radius
Flags = npt.NDArray[np.bool_]


class Wording(NamedTuple):
    """What a label may say, the fullest first, and how; one that `must` stand is placed wherever there is room."""

    texts: Sequence[str]
    face: Face
    colour: str
    must: bool = False


class KeptPlace(NamedTuple):
    """Where a label stood in the layout before, and its point when that was chosen.

    `candidate` None: there was no room. `wording` counts the texts it could have had.
    """

    candidate: int | None
    x: float
    y: float
    wording: int = 0


class Placer:
    """Finds a place for one label after the other; the boxes of marks stand in `space` from place `first` on."""

    def __init__(
        self,
        space: Space,
        first: int,
        unit: float,
        plates: Callable[[float, float], tuple[Plate, ...]],
        *,
        plated: bool,
    ) -> None:
        self._space = space
        self._first = first
        self._unit = unit
        self._plates = plates
        self._plated = plated

    def place(
        self, said: Wording, point: Point, touching: Flags, held: KeptPlace | None
    ) -> tuple[Text | None, KeptPlace]:
        """The place held before where it is still free, else the cheapest whose leader runs over nothing.

        A shorter wording is better than none, and no label lies on a roof's line where there is another place.
        """
        texts = self._fitting(said)
        if held is not None and held.candidate is not None:
            found = self._at(held.candidate, said, texts[min(held.wording, len(texts) - 1)], point, touching)
            if found is not None:
                return found, held
        elif held is not None and not said.must and self._still(point, held):
            return None, held
        for n, text in enumerate(texts):
            if said.must and n and n == len(texts) - 1:  # the figure alone: its name stands farther off sooner
                found = self._anywhere(said, texts[-2], point, touching, clear=True)
                if found is not None:
                    return found, KeptPlace(None, *point[:2])
            found, candidate = self._best(said, text, point, touching)
            if found is not None:
                return found, KeptPlace(candidate, point[0], point[1], n)
        return self._anywhere(said, texts[-1], point, touching) if said.must else None, KeptPlace(None, *point[:2])

    def _still(self, point: Point, held: KeptPlace) -> bool:
        return math.hypot(point[0] - held.x, point[1] - held.y) < _AGAIN * self._unit

    def _fitting(self, said: Wording) -> list[str]:
        """The wordings that are not too wide; of a single name that is, its beginning."""
        room = min(_WIDEST * self._unit, 0.72 * self._space.width)
        fitting = [text for text in said.texts if said.face.width(text) <= room]
        if said.must and len(said.texts) > 1 and len(fitting) < 2:  # in a small chart a name may take more of it
            widest = _MOST * self._space.width
            fitting = [text for text in said.texts[-2:] if said.face.width(text) <= widest]
        return fitting or [said.texts[-1] if len(said.texts) > 1 else said.face.elided(said.texts[0], room)]

    def _at(self, candidate: int, said: Wording, text: str, point: Point, touching: Flags) -> Text | None:
        """The label at one place, if that is free."""
        x, y, radius = point
        face, unit, pad = said.face, self._unit, 3 * self._unit
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
            leader = lines[0]
        boxes = np.array([box])
        return self._written(said, text, boxes, leader, crossed=self._space.crosses(boxes))

    def _best(self, said: Wording, text: str, point: Point, touching: Flags) -> tuple[Text | None, int | None]:
        x, y, radius = point
        face, unit = said.face, self._unit
        width, height = face.width(text), face.up + face.down
        reach = radius + _TABLE[:, 4] * unit
        left = x + _TABLE[:, 0] * reach - _TABLE[:, 2] * width
        top = y + _TABLE[:, 1] * reach - _TABLE[:, 3] * height
        boxes = self._boxes(left, top, width, height)
        order, crossed = self._space.by_cost(boxes[:, None, :], _COSTS)
        order = order[crossed == 0]
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
                leader = leaders[usable[0]]
        best = int(order[chosen_at])
        return self._written(said, text, boxes[best : best + 1], leader, crossed=False), best

    def _anywhere(self, said: Wording, text: str, point: Point, touching: Flags, *, clear: bool = False) -> Text | None:
        """The free place nearest to the point in all the plot, with a leader over as little as can be.

        `clear`: only one off the lines, whose leader runs over nothing.
        """
        face, unit = said.face, self._unit
        width, height = face.width(text), face.up + face.down
        boxes, crossed = self._space.spots(point[:2], width + 6 * unit, height)
        boxes, crossed = boxes[:_ANYWHERE], crossed[:_ANYWHERE]
        if not len(boxes) or (clear and crossed[0]):
            return None
        left = boxes[:, 0] + 3 * unit
        table = np.zeros((len(boxes), 5))
        table[:, 2], table[:, 3] = np.where(left + width / 2 < point[0], 1.0, 0.0), 0.5
        leaders = self._leaders(point, left, boxes[:, 1], width, height, table)
        usable = np.flatnonzero(~self._space.blocked(leaders, unit, touching, self._first))
        if clear and not len(usable):
            return None
        best = int(usable[0]) if len(usable) else 0
        return self._written(said, text, boxes[best : best + 1], leaders[best], crossed=bool(crossed[best]))

    def _boxes(self, left: npt.NDArray[np.float64], top: npt.NDArray[np.float64], width: float, height: float) -> Boxes:
        pad = 3 * self._unit
        return np.stack([left - pad, top, left + width + pad, top + height], axis=1)

    def _written(
        self, said: Wording, text: str, boxes: Boxes, line: npt.NDArray[np.float64] | None, *, crossed: bool
    ) -> Text:
        """A placed label, which takes its room."""
        leader: Segment | None = None if line is None else tuple(line.tolist())
        if leader is not None:
            self._space.take(_beads(leader, self._unit))
        self._space.take(boxes)
        left, top = float(boxes[0, 0]) + 3 * self._unit, float(boxes[0, 1])
        plates = self._plates(left, said.face.width(text)) if self._plated or crossed else ()
        return Text(text, left, top + said.face.up, said.face, said.colour, boxes, plates=plates, leader=leader)

    def _leaders(
        self,
        point: Point,
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


def _beads(line: Segment, unit: float) -> Boxes:
    """Boxes along a leader, so that no later label covers it."""
    count = max(2, int(math.hypot(line[2] - line[0], line[3] - line[1]) / (4 * unit)))
    part = np.arange(count) / (count - 1)
    xs, ys = line[0] + part * (line[2] - line[0]), line[1] + part * (line[3] - line[1])
    return np.stack([xs - unit, ys - unit, xs + unit, ys + unit], axis=1)
