"""Default ranges of the roofline chart in log10 units, and equal decades on both axes."""

import math
from collections.abc import Iterable

from explorer.presentation.roofline.figure import Crowd, DrawnRoof, Figure, Mark, Range

_STEP = 0.25  # decades; coarse, so that a slider step seldom moves the axes
_LEAST = 3.0  # decades that an axis shows at least
_RIGHT = 0.75  # part of a widening that goes to high intensities, where the names of the roofs stand
_DOWN = 0.8  # part of a widening that goes below, where the memory roofs come from
_MOST_WIDENED = 1.5  # times its own span that an axis shows for equal decades
_MOST_HEAD = 0.25  # part of the plot that stays free for the name of the highest roof
_EMPTY: tuple[Range, Range] = ((-1.0, 4.0), (11.0, 15.5))


def default_ranges(
    roofs: Iterable[DrawnRoof], marks: Iterable[Mark], value_shift: float = 0.0, crowds: Iterable[Crowd] = ()
) -> tuple[Range, Range]:
    """Ranges that hold every point, ridge and peak with room around; 0.1 FLOP/byte is shown where that is near."""
    xs = [*(m.x for m in marks), *(x for c in crowds for x in c.x)]
    ys = [*(m.y for m in marks), *(y for c in crowds for y in c.y)]
    ceilings = [r.peak for r in roofs if r.peak is not None]
    ridges = [r.ridge for r in roofs if r.ridge is not None]
    if not xs and not ridges:
        return _EMPTY
    low_x = min([*xs, *ridges, value_shift - 0.8]) - 0.2
    high_x = max([*(x + 0.4 for x in xs), *(x + 1.0 for x in ridges)])
    high_y = max([*ys, *ceilings]) + 0.25
    low_y = min(ys, default=high_y - 3.5) - 0.15
    return _whole(low_x, high_x), _whole(low_y, high_y)


def _whole(low: float, high: float) -> Range:
    first, last = math.floor(low / _STEP) * _STEP, math.ceil(high / _STEP) * _STEP
    missing = max(0.0, _LEAST - (last - first))
    return first - missing / 2, last + missing / 2


def equal_decades(figure: Figure, width: float, height: float, head: float = 0.0) -> tuple[Range, Range]:
    """The figure's ranges for a plot of this size: own ranges widened until a decade is as long on both axes.

    Where that would leave much of the plot empty, decades differ: the points matter more than the angle of the roofs.
    Above the highest roof `head` stays free for its name.
    """
    x, y = figure.x_range, figure.y_range
    if not figure.fitted or width <= 0 or height <= 0:
        return x, y
    y = _with_head(figure, y, head / height)
    span_x, span_y = x[1] - x[0], y[1] - y[0]
    per_decade = min(width / span_x, height / span_y)
    more_x = min(width / per_decade, _MOST_WIDENED * span_x) - span_x
    more_y = min(height / per_decade, _MOST_WIDENED * span_y) - span_y
    return (
        (x[0] - more_x * (1 - _RIGHT), x[1] + more_x * _RIGHT),
        (y[0] - more_y * _DOWN, y[1] + more_y * (1 - _DOWN)),
    )


def _with_head(figure: Figure, y: Range, part: float) -> Range:
    """The range with a part of it free above the highest roof."""
    highest = max((r.peak for r in figure.roofs if r.peak is not None), default=None)
    part = min(part, _MOST_HEAD)
    if highest is None or (y[1] - highest) >= part * (y[1] - y[0]):
        return y
    return y[0], (highest - part * y[0]) / (1 - part)
