"""Labels of points: beside their point or at the end of a leader, the biggest shares first, the rest dropped."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from explorer.plot.fonts import Face, Fonts
from explorer.plot.geometry import Frame, Plate, Segment, Text, level_plates
from explorer.plot.labels import Space
from explorer.presentation.figure import Figure, Mark
from explorer.presentation.palette import Theme

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
_LEADER_FROM = 12.0  # units; nearer labels need no leader
_TABLE = np.array([(*d, r) for r in _DISTANCES for d in _DIRECTIONS])
_COSTS = np.array([0.35 * i + 4.0 * j for j in range(len(_DISTANCES)) for i in range(len(_DIRECTIONS))])
RING = 3.5  # units from a mark to the ring around it
_NEAR = _TABLE[:, 4] <= _LEADER_FROM
_ROUNDS = ((0, 4), (4, 24))  # candidates whose leaders are checked before a label is dropped; mostly the first will do


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
) -> list[Text]:
    """Labels that find room in `space`: selected points first, then faults, then by share.

    The boxes of the marks stand in `space` from place `first` on.
    """
    places = positions.tolist()
    order = sorted(range(len(marks)), key=lambda i: _rank(marks[i], figure))
    placed: list[Text] = []
    touching = _touching(positions, radii, fonts.unit)
    placer = _Placer(space, first, fonts.unit, lambda x, width: level_plates(theme, frame, figure.zone, x, width))
    for i in order:
        mark = marks[i]
        face, colour = _look(mark, figure, fonts, theme)
        for text in _texts(mark, figure):
            found = placer.place(text, face, colour, (*places[i], float(radii[i])), touching[i])
            if found is not None:
                placed.append(found)
    return placed


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


def _touching(positions: npt.NDArray[np.float64], radii: npt.NDArray[np.float64], unit: float) -> npt.NDArray[np.bool_]:
    """Which points touch which: a leader may leave through the points that its own one touches."""
    grown = radii + 2 * unit
    apart = np.hypot(*(positions[:, None, :] - positions[None, :, :]).transpose(2, 0, 1))
    return np.asarray(apart < grown[:, None] + grown[None, :])


class _Placer:
    """Finds a place for one label after the other."""

    def __init__(
        self,
        space: Space,
        first: int,
        unit: float,
        plates: Callable[[float, float], tuple[Plate, ...]],
    ) -> None:
        self._space = space
        self._first = first
        self._unit = unit
        self._plates = plates

    def place(
        self, text: str, face: Face, colour: str, point: tuple[float, float, float], touching: npt.NDArray[np.bool_]
    ) -> Text | None:
        """The cheapest place whose leader, if it needs one, runs over nothing."""
        x, y, radius = point
        unit, pad = self._unit, 3 * self._unit
        text = face.elided(text, min(_WIDEST * unit, 0.72 * self._space.width))
        width, height = face.width(text), face.up + face.down
        reach = radius + _TABLE[:, 4] * unit
        left = x + _TABLE[:, 0] * reach - _TABLE[:, 2] * width
        top = y + _TABLE[:, 1] * reach - _TABLE[:, 3] * height
        boxes = np.stack([left - pad, top, left + width + pad, top + height], axis=1)
        order, crossed = self._space.by_cost(boxes[:, None, :], _COSTS)
        if not len(order):
            return None
        chosen_at, leader = 0, None
        if not _NEAR[order[0]]:
            for begin, end in _ROUNDS:
                part = order[begin:end]
                leaders = self._leaders(point, left[part], top[part], width, height, _TABLE[part])
                usable = np.flatnonzero(_NEAR[part] | ~self._space.blocked(leaders, unit, touching, self._first))
                if len(usable):
                    break
            else:
                return None
            chosen_at = begin + int(usable[0])
            if not _NEAR[order[chosen_at]]:
                leader = tuple(leaders[usable[0]].tolist())
                self._space.take(_beads(leader, unit))
        best = int(order[chosen_at])
        self._space.take(boxes[best : best + 1])
        plates = self._plates(float(left[best]), width) if crossed[chosen_at] else ()
        return Text(text, float(left[best]), float(top[best]) + face.up, face, colour, boxes[best : best + 1],
                    plates=plates, leader=leader)  # fmt: skip

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
