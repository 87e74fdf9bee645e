"""Visible ranges in log10 units: zoom and pan that keep within sane limits."""

import math
from typing import NamedTuple

Span = tuple[float, float]

LIMITS: tuple[Span, Span] = ((-9.0, 15.0), (-3.0, 24.0))
NARROWEST = 0.01  # decades; below it tick texts repeat


class Ranges(NamedTuple):
    """What is visible, in log10 FLOP/byte and log10 FLOP/s."""

    x: Span
    y: Span

    def zoomed(self, factors: tuple[float, float], centre: tuple[float, float]) -> "Ranges":
        """Scale both widths about a point that stays where it is."""
        return Ranges(
            _scaled(self.x, factors[0], centre[0], LIMITS[0]),
            _scaled(self.y, factors[1], centre[1], LIMITS[1]),
        )

    def moved(self, dx: float, dy: float) -> "Ranges":
        """Shift by decades, stopping at the limits."""
        return Ranges(_shifted(self.x, dx, LIMITS[0]), _shifted(self.y, dy, LIMITS[1]))

    def holds(self, x: float, y: float) -> bool:
        """Whether a point is visible."""
        return self.x[0] <= x <= self.x[1] and self.y[0] <= y <= self.y[1]

    @property
    def centre(self) -> tuple[float, float]:
        """The middle of both ranges."""
        return (self.x[0] + self.x[1]) / 2, (self.y[0] + self.y[1]) / 2


def sane(x: Span | None, y: Span | None) -> Ranges | None:
    """Ranges from a file or a rubber band: ordered, finite, within the limits; None where unusable."""
    if x is None or y is None or not all(math.isfinite(v) for v in (*x, *y)):
        return None
    return Ranges(_widened(x, LIMITS[0]), _widened(y, LIMITS[1]))


def _widened(span: Span, limits: Span) -> Span:
    low, high = (min(max(v, limits[0]), limits[1]) for v in sorted(span))
    if high - low >= NARROWEST:
        return low, high
    middle = (low + high) / 2
    return _within((middle - NARROWEST / 2, middle + NARROWEST / 2), limits)


def _shifted(span: Span, by: float, limits: Span) -> Span:
    if not math.isfinite(by):
        return span
    by = min(max(by, limits[0] - span[0]), limits[1] - span[1])
    return span[0] + by, span[1] + by


def _scaled(span: Span, factor: float, centre: float, limits: Span) -> Span:
    if not (math.isfinite(factor) and math.isfinite(centre)):
        return span
    width, centre = span[1] - span[0], min(max(centre, limits[0]), limits[1])
    factor = min(max(factor, NARROWEST / width), (limits[1] - limits[0]) / width)
    return _within((centre + (span[0] - centre) * factor, centre + (span[1] - centre) * factor), limits)


def _within(span: Span, limits: Span) -> Span:
    width = span[1] - span[0]
    if width >= limits[1] - limits[0]:
        return limits
    if span[0] < limits[0]:
        return limits[0], limits[0] + width
    if span[1] > limits[1]:
        return limits[1] - width, limits[1]
    return span
