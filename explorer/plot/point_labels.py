"""Labels of points: beside their point or at the end of a leader, the biggest shares first, the rest dropped."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from explorer.plot.fonts import Face, Fonts
from explorer.plot.geometry import Frame, Segment, Text, background
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
_TRIES = 12  # candidates whose leader is checked before a label is dropped


def place_labels(
    figure: Figure,
    marks: Sequence[Mark],
    positions: npt.NDArray[np.float64],
    radii: npt.NDArray[np.float64],
    space: Space,
    frame: Frame,
    fonts: Fonts,
    theme: Theme,
) -> list[Text]:
    """Labels that find room in `space`: selected points first, then faults, then by share."""
    places = positions.tolist()
    order = sorted(range(len(marks)), key=lambda i: _rank(marks[i], figure))
    placed: list[Text] = []
    touching = _touching(positions, radii, fonts.unit)
    for i in order:
        mark = marks[i]
        face, colour = _look(mark, figure, fonts, theme)
        for text in _texts(mark, figure):
            found = _place(text, face, colour, (*places[i], float(radii[i])), touching[i], space, fonts.unit)
            if found is not None:
                placed.append(_plated(found, space, frame, figure, theme))
    return placed


def _plated(text: Text, space: Space, frame: Frame, figure: Figure, theme: Theme) -> Text:
    """The text on a plate where it lies on a line."""
    if not space.crosses(text.boxes):
        return text
    middle = float(text.boxes[0, 0] + text.boxes[0, 2]) / 2
    return replace(text, plate=background(theme, frame, figure.zone, middle))


def chosen(mark: Mark, figure: Figure) -> bool:
    """Whether a mark holds a selected row."""
    return bool(figure.selection) and not figure.selection.isdisjoint(mark.rows)


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
    positions: npt.NDArray[np.float64], radii: npt.NDArray[np.float64], unit: float
) -> list[npt.NDArray[np.float64]]:
    """For each point the boxes of itself and of those that it touches: a leader may leave through them."""
    if not len(radii):
        return []
    grown = radii + 2 * unit
    apart = np.hypot(*(positions[:, None, :] - positions[None, :, :]).transpose(2, 0, 1))
    boxes = np.column_stack([positions - grown[:, None], positions + grown[:, None]])
    return [boxes[row] for row in apart < grown[:, None] + grown[None, :]]


def _place(
    text: str,
    face: Face,
    colour: str,
    point: tuple[float, float, float],
    own: npt.NDArray[np.float64],
    space: Space,
    unit: float,
) -> Text | None:
    x, y, radius = point
    text = face.elided(text, _WIDEST * unit)
    width, height = face.width(text), face.up + face.down
    pad = 3 * unit
    reach = radius + _TABLE[:, 4] * unit
    left = x + _TABLE[:, 0] * reach - _TABLE[:, 2] * width
    top = y + _TABLE[:, 1] * reach - _TABLE[:, 3] * height
    boxes = np.stack([left - pad, top, left + width + pad, top + height], axis=1)
    for best in space.by_cost(boxes[:, None, :], _COSTS)[:_TRIES].tolist():
        at_left, at_top = float(left[best]), float(top[best])
        leader = None
        if _TABLE[best, 4] > _LEADER_FROM:
            end = _end(at_left, at_top, width, height, float(_TABLE[best, 2]), float(_TABLE[best, 3]), 4 * unit)
            leader = _from_edge(x, y, radius + 2 * unit, *end)
            beads = _beads(leader, unit, own)
            if space.covers(beads):
                continue
            space.take(beads)
        space.take(boxes[best : best + 1])
        return Text(text, at_left, at_top + face.up, face, colour, boxes[best : best + 1], leader=leader)
    return None


def _end(left: float, top: float, width: float, height: float, ax: float, ay: float, gap: float) -> tuple[float, float]:
    """Where a leader ends: at the middle of the side that faces the point."""
    outward = {0.0: -gap, 1.0: gap}
    return left + ax * width + outward.get(ax, 0.0), top + ay * height + (outward.get(ay, 0.0) if ax == 0.5 else 0.0)


def _from_edge(x: float, y: float, radius: float, end_x: float, end_y: float) -> Segment:
    length = math.hypot(end_x - x, end_y - y) or 1.0
    return x + (end_x - x) / length * radius, y + (end_y - y) / length * radius, end_x, end_y


def _beads(line: Segment, unit: float, own: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Boxes along a leader outside the boxes of its own point, so that no label covers it and it covers none."""
    count = max(2, int(math.hypot(line[2] - line[0], line[3] - line[1]) / (4 * unit)))
    xs, ys = np.linspace(line[0], line[2], count), np.linspace(line[1], line[3], count)
    inside = (
        (xs[:, None] > own[:, 0]) & (xs[:, None] < own[:, 2]) & (ys[:, None] > own[:, 1]) & (ys[:, None] < own[:, 3])
    )
    xs, ys = xs[~inside.any(axis=1)], ys[~inside.any(axis=1)]
    return np.column_stack([xs - unit, ys - unit, xs + unit, ys + unit])
