"""Arrows from points to their roofs: where they stand, so that no text comes to lie on them."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from explorer.plot.paint.by_points.point_labels import RING, chosen
from explorer.plot.paint.geometry import Frame
from explorer.plot.paint.labels import Boxes
from explorer.presentation.roofline.figure import Figure, Mark

_GAP = 1.5  # units between a point's outermost ring and its arrow
_HALF = 4.0  # units that are kept free on either side
SHORTEST = 3.0  # units

Arrow = tuple[float, float, float]  # x, and y from the point to the roof


def arrows_of(figure: Figure, mark: Mark, at: Sequence[float], radius: float, frame: Frame, unit: float) -> list[Arrow]:
    """Down to the roof that a measured point is above, and up to the one that a chosen or measured one is below."""
    picked = chosen(mark, figure)
    if mark.ceiling is None or not (mark.measured or mark.over or picked):
        return []
    x, y = at
    reach = radius + (RING * (picked + mark.over) + _GAP) * unit
    roof = frame.y(mark.ceiling)
    found = []
    if mark.measured and mark.over and mark.label:
        found.append((x, y + reach, min(roof, frame.plot.bottom())))
    if mark.gain_text:
        found.append((x, y - reach, max(roof, frame.plot.top())))
    return [arrow for arrow in found if abs(arrow[1] - arrow[2]) >= SHORTEST * unit]


def arrow_boxes(
    figure: Figure,
    marks: Sequence[Mark],
    positions: npt.NDArray[np.float64],
    radii: npt.NDArray[np.float64],
    frame: Frame,
    unit: float,
) -> Boxes:
    """What all arrows of a figure take of the plot."""
    pointed = [
        arrow
        for mark, at, radius in zip(marks, positions.tolist(), radii.tolist(), strict=True)
        if mark.measured or mark.over or (mark.gain_text and chosen(mark, figure))
        for arrow in arrows_of(figure, mark, at, radius, frame, unit)
    ]
    half = _HALF * unit
    boxes = [(x - half, min(one, other), x + half, max(one, other)) for x, one, other in pointed]
    return np.array(boxes, dtype=np.float64).reshape(-1, 4)
