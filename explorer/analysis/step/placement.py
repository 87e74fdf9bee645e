"""Where a row stands on a device: operator time = max(FLOPs/peak, bytes/bandwidth, launch)."""

from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np

from explorer.analysis.step.costs import Costs
from explorer.analysis.step.roofs import PeakChoice, Roof
from explorer.analysis.step.rows import Number, Row

Bound = Literal["compute", "memory", "overhead"]
BOUNDS: tuple[Bound, ...] = ("compute", "memory", "overhead")


def larger(x: Number, y: Number) -> Number:
    """The larger of two numbers or arrays."""
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return np.maximum(x, y)
    return x if x >= y else y


class Point(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One row on one device, per call: seconds by compute (None: not judged), memory and launch."""

    row: Row
    costs: Costs
    peak: PeakChoice
    bandwidth: float
    compute_s: Number | None
    memory_s: Number
    launch_s: Number
    time_s: Number

    @property
    def bytes(self) -> Number:
        """Bytes read and written."""
        return self.costs.bytes_read + self.costs.bytes_written

    @property
    def total_s(self) -> Number:
        """Seconds of all calls of a step."""
        return self.row.count * self.time_s

    @property
    def intensity(self) -> Number | None:
        """FLOP per byte; None where no byte moves."""
        moved = self.bytes
        if isinstance(moved, np.ndarray):
            return self.costs.flops / moved
        return self.costs.flops / moved if moved > 0 else None

    @property
    def performance(self) -> float:
        """FLOP/s at the operator time (scalars only)."""
        return float(self.costs.flops / self.time_s) if self.time_s else 0.0

    @property
    def attainable(self) -> float | None:
        """FLOP/s under both roofs, min(peak, bandwidth x intensity) (scalars only)."""
        intensity = self.intensity
        if intensity is None:
            return self.peak.rate
        slope = self.bandwidth * float(intensity)
        return slope if self.peak.rate is None else min(self.peak.rate, slope)

    @property
    def bound(self) -> Bound:
        """What the operator waits for (scalars only)."""
        compute = self.compute_s or 0.0
        if self.launch_s > compute and self.launch_s > self.memory_s:
            return "overhead"
        return "compute" if compute > self.memory_s else "memory"


def place(
    rows: Sequence[Row], costs: Sequence[Costs], peaks: Sequence[PeakChoice], roof: Roof, *, eager: bool
) -> tuple[Point, ...]:
    """Place rows on one device; `eager` pays the device's launch overhead for each kernel.

    Operator time by the operational roofline (Williams, Waterman, Patterson 2009), with launch as a third bound.
    """
    bandwidth, launch = roof.bandwidth, (roof.launch_s or 0.0) if eager else 0.0
    if bandwidth is None:
        raise ValueError(roof.device.id)
    placed = []
    for row, cost, peak in zip(rows, costs, peaks, strict=True):
        memory_s = (cost.bytes_read + cost.bytes_written) / bandwidth
        compute_s = None if peak.rate is None else cost.flops / peak.rate
        launch_s: Number = cost.kernels * launch if eager else 0.0
        time_s = memory_s if compute_s is None else larger(compute_s, memory_s)
        if eager:
            time_s = larger(time_s, launch_s)
        placed.append(Point(row, cost, peak, bandwidth, compute_s, memory_s, launch_s, time_s))
    return tuple(placed)
