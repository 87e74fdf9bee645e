"""The even scale of a slider over whole numbers."""

from typing import Final

import msgspec

_DOUBLING: Final = 10  # stops of a Page key


class LinearScale(msgspec.Struct, frozen=True):
    """Whole numbers `low`..`high` on an even axis of length 1; the same questions as `LogScale` answers."""

    low: int
    high: int

    def fraction(self, value: float) -> float:
        """Where a value stands, 0..1, clamped."""
        if self.high <= self.low:
            return 0.0
        return (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)

    def value(self, fraction: float) -> int:
        """The stop nearest to a place."""
        return self.clamp(self.low + (self.high - self.low) * min(max(fraction, 0.0), 1.0))

    def clamp(self, value: float) -> int:
        """A whole number within the scale."""
        return int(min(max(round(value), self.low), self.high))

    def doubled(self, value: int, steps: int) -> int:
        """A Page key's way: ten stops up or down."""
        return self.clamp(value + _DOUBLING * steps)

    def stepped(self, value: int, steps: int) -> int:
        """The next stops up or down."""
        return self.clamp(value + steps)
