"""The logarithmic scale of sliders, and counts as people type them."""

import math
from decimal import Decimal

import msgspec

from explorer.analysis.problem import Problem
from explorer.presentation.quantities.typed_figure import Spelling, Unread, read_figure
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

_MANTISSA = 16  # stops per doubling, so that powers of two and their simple multiples are hit
_COUNTS = Spelling(
    {"": Decimal(1), **dict.fromkeys("kK", Decimal(1024)), **dict.fromkeys("mM", Decimal(1024**2))},
    grouped=True, signed=False, powers=False, longest=40,
)  # fmt: skip

register(
    {
        "count.syntax": QT_TRANSLATE_NOOP("messages", "Type a whole number such as 4096, 4k or 128k."),
        "count.range": QT_TRANSLATE_NOOP("messages", "Type a number from {low} to {high}."),
    }
)


class LogScale(msgspec.Struct, frozen=True):
    """Whole numbers `low`..`high` on a log axis of length 1."""

    low: int
    high: int

    def fraction(self, value: float) -> float:
        """Where a value stands, 0..1, clamped."""
        if self.high <= self.low:
            return 0.0
        clamped = min(max(value, self.low), self.high)
        return math.log(clamped / self.low) / math.log(self.high / self.low)

    def value(self, fraction: float) -> int:
        """The stop nearest to a place: 16 per doubling."""
        exact = self.low * (self.high / self.low) ** min(max(fraction, 0.0), 1.0)
        return self.clamp(snapped(exact))

    def clamp(self, value: float) -> int:
        """A whole number within the scale."""
        return int(min(max(round(value), self.low), self.high))

    def doubled(self, value: int, steps: int) -> int:
        """`value` doubled (or halved, negative steps), within the scale."""
        return self.clamp(math.floor(value * 2.0**steps))

    def stepped(self, value: int, steps: int) -> int:
        """The next stops up or down."""
        stop, up = float(value), steps > 0
        for _ in range(abs(steps)):
            width = _stop_width(stop if up else stop - 1)
            stop = width * (math.floor(stop / width) + 1 if up else math.ceil(stop / width) - 1)
        return self.clamp(stop)


def _stop_width(value: float) -> float:
    return max(1.0, 2.0 ** math.floor(math.log2(max(value, 1.0))) / _MANTISSA)


def snapped(value: float) -> int:
    """The nearest stop, 16 per doubling, whole numbers below 32."""
    width = _stop_width(value)
    return max(1, round(round(value / width) * width))


def parse_count(text: str, low: int, high: int) -> int | Problem:
    """A count as typed: 4096, 4,096, 4k (4096), 128k (131072), 1M; or what is wrong with it."""
    try:
        value = read_figure(text, _COUNTS)
    except Unread:
        return Problem("count.syntax")
    if value != math.floor(value):
        return Problem("count.syntax")
    if not low <= value <= high:
        return Problem("count.range", values={"low": f"{low:,}", "high": f"{high:,}"})
    return int(value)
