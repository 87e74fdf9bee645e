"""What a machine offers to work: resources with a rate and a latency, and what waiting for each is called."""

from collections.abc import Hashable
from typing import Final, Literal

import msgspec

Kind = Literal["memory", "compute", "launch", "link"]
Bound = Literal["memory", "compute", "overhead"]

# What waiting for a kind of resource is called. The order settles ties: of equally slow ones the first is the bound.
BOUND_OF: Final[dict[Kind, Bound]] = {"memory": "memory", "compute": "compute", "launch": "overhead"}
BOUNDS: Final[tuple[Bound, ...]] = tuple(BOUND_OF.values())

DEVICE: Final = "device"  # the place where a machine's outermost memory is


class Resource(msgspec.Struct, frozen=True, gc=False):
    """One thing that work can wait for.

    Attributes
    ----------
    kind
        What it is; it decides what the bound is called.
    key
        Which one of its kind: format, accumulator and unit of a peak, the name of a memory level or of a link.
    place
        Where it is.
    rate
        FLOP/s, or B/s; None where nobody published it. A resource without its figure bounds nothing.
    ceiling
        The rate that the floor divides by, where it is another than `rate`: a measured one above the sheet's.
    latency
        Seconds per call. It adds to the time of launches and links alone, never to that of memory.
    """

    kind: Kind
    key: Hashable
    place: str = DEVICE
    rate: float | None = None
    latency: float | None = None
    ceiling: float | None = None

    @property
    def floor_factor(self) -> float:
        """Seconds at the ceiling over seconds at the rate, 1 or less."""
        return 1.0 if self.rate is None or self.ceiling is None else self.rate / self.ceiling
