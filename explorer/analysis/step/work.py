"""Work: a row's calls at one place, and what each of them uses of the resources there."""

from typing import Literal

import msgspec

from explorer.analysis.step.numbers import larger
from explorer.analysis.step.resources import BOUND_OF, DEVICE, Bound, Resource
from explorer.analysis.step.rows import Number, Row

Tier = Literal["step", "detail"]
Part = Literal["forward", "dX", "dW", "recompute", "optimizer", "collective"]


class Use(msgspec.Struct, frozen=True, eq=False, gc=False):
    """What one call of a row takes of a resource.

    Attributes
    ----------
    amount
        FLOPs, or bytes.
    calls
        Kernels, or messages: each pays the latency of a launch or a link.
    tier
        `step` uses make the time of a step; `detail` uses (inner memory levels, waves, bytes in flight) stand beside
        it and make the third total, "as launched".
    rate_factor
        The share of the rate that this work reaches.
    """

    resource: Resource
    amount: Number
    calls: Number = 0.0
    tier: Tier = "step"
    rate_factor: float = 1.0

    @property
    def seconds(self) -> Number | None:
        """Seconds of a call: amount/(rate x factor), + calls x latency for launches and links alone.

        None where the resource lacks its figure, which then bounds nothing.
        """
        kind, rate, latency = self.resource.kind, self.resource.rate, self.resource.latency
        if kind == "launch":
            return None if latency is None else self.calls * latency
        if rate is None:
            return None
        moving = self.amount / (rate * self.rate_factor)
        return moving + self.calls * latency if kind == "link" and latency is not None else moving


class Work(msgspec.Struct, frozen=True, eq=False):
    """`count` calls of a row at a place of a machine, in one stage of a pipeline."""

    row: Row
    part: Part = "forward"
    place: str = DEVICE
    stage: int = 0
    count: Number = 1.0
    uses: tuple[Use, ...] = ()

    @property
    def time_s(self) -> Number:
        """Seconds of a call: its slowest use of tier `step` (the operational roofline, Williams et al. 2009)."""
        return slowest(tuple(u for u in self.uses if u.tier == "step"))

    @property
    def launched_s(self) -> Number:
        """Seconds of a call as launched: the slowest of all its uses."""
        return slowest(self.uses)

    @property
    def bound(self) -> Bound:
        """What a call waits for (scalars only)."""
        found = [(kind, seconds_of(self.uses, kind)) for kind in BOUND_OF]
        return bound_of([(BOUND_OF[kind], s) for kind, s in found])


def slowest(uses: tuple[Use, ...]) -> Number:
    """Seconds of the slowest of some uses; 0 where none of them can be judged."""
    found: Number = 0.0
    for use in uses:
        seconds = use.seconds
        if seconds is not None:
            found = larger(found, seconds)
    return found


def seconds_of(uses: tuple[Use, ...], kind: str) -> Number | None:
    """Seconds of the slowest use of one kind of resource in tier `step`; None where none can be judged."""
    found: Number | None = None
    for use in uses:
        seconds = use.seconds if use.resource.kind == kind and use.tier == "step" else None
        if seconds is not None:
            found = seconds if found is None else larger(found, seconds)
    return found


def bound_of(times: list[tuple[Bound, Number | None]]) -> Bound:
    """The bound whose time is the longest, the first of equals, in the order of `BOUNDS`."""
    found, longest = times[0][0], -1.0
    for bound, seconds in times:
        if seconds is not None and seconds > longest:
            found, longest = bound, float(seconds)
    return found
