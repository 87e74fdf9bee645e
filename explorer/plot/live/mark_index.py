"""The nearest mark to the pointer, in pixels, for any number of marks."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from explorer.presentation.roofline.figure import Mark

Floats = npt.NDArray[np.float64]


class MarkIndex:
    """Places of marks as arrays; `radius` holds what each one covers, in pixels."""

    def __init__(self, marks: Sequence[Mark], radius: Sequence[float] | Floats) -> None:
        self.marks = marks
        count = len(marks)
        self.x: Floats = np.fromiter((m.x for m in marks), np.float64, count)
        self.y: Floats = np.fromiter((m.y for m in marks), np.float64, count)
        self.radius: Floats = np.asarray(radius, dtype=np.float64)

    def nearest(self, at: tuple[float, float], per_decade: tuple[float, float], reach: float) -> int | None:
        """The mark whose edge is nearest to a point in log10 units, at most `reach` pixels away.

        `per_decade` is pixels per decade; of marks that cover the point the smallest wins, for it lies on top.
        """
        if not len(self.marks):
            return None
        distance = np.hypot((self.x - at[0]) * per_decade[0], (self.y - at[1]) * per_decade[1])
        outside = np.maximum(distance - self.radius, 0.0)
        best = int(np.argmin(outside))
        covering = np.flatnonzero(outside == 0.0)
        if covering.size:
            best = int(covering[np.argmin(self.radius[covering] + 1e-3 * distance[covering])])
        return best if outside[best] <= reach else None
