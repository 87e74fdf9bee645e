"""What a sweep's times follow: bytes, FLOPs, or neither; effective rate and fixed time by robust straight lines."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import numpy as np

from explorer.analysis.measured.robust import Floats, robust_line, spread
from explorer.analysis.problem import Problem, Refused

Finding = Literal["bytes", "flops", "fixed", "either"]
FEWEST: Final = 3
_FLAT: Final = 1.25  # times that differ by less than this factor follow nothing
_ALIKE: Final = 1.3  # FLOPs per byte that differ by less cannot be told apart
_LEAST_SIGMA: Final = 1e-3
_ROUNDS: Final = 20


class SweepLine(NamedTuple):
    """t = fixed + x / rate; `sigma` is the robust relative spread about it."""

    rate: float
    fixed_s: float
    sigma: float

    def seconds(self, amount: float) -> float:
        """Seconds that so many bytes or FLOPs take on the line."""
        return self.fixed_s + amount / self.rate


class SweepFit(NamedTuple):
    """What the times follow, the line along it, and the line along the other where there is one."""

    finding: Finding
    line: SweepLine
    other: SweepLine | None


def fit_sweep(times: Sequence[float], flops: Sequence[float], moved: Sequence[float]) -> SweepFit:
    """Fit seconds against bytes and against FLOPs and say which they follow.

    Raises
    ------
    Refused
        There are fewer than three points.
    """
    if len(times) < FEWEST:
        raise Refused(Problem("fit_roof.few", values={"rows": len(times), "needed": FEWEST}))
    t, f, b = (np.array(x, np.float64) for x in (times, flops, moved))
    by_bytes, by_flops = _line(t, b), _line(t, f)
    flat = SweepLine(float("inf"), float(np.median(t)), 0.0)
    if t.max() < _FLAT * t.min():
        return SweepFit("fixed", flat, None)
    if by_bytes is None or by_flops is None:
        found: Finding = "bytes" if by_bytes is not None else "flops" if by_flops is not None else "fixed"
        return SweepFit(found, by_bytes or by_flops or flat, None)
    ratio = f / np.maximum(b, 1e-30)
    if ratio.max() < _ALIKE * ratio.min():
        return SweepFit("either", by_bytes, by_flops)
    first, second = sorted((by_bytes, by_flops), key=lambda line: line.sigma)
    return SweepFit("bytes" if first is by_bytes else "flops", first, second)


def _line(times: Floats, x: Floats) -> SweepLine | None:
    """A robust line with a rate over zero and a fixed time of at least zero, on relative residuals."""
    if x.max() <= 0 or x.max() < _ALIKE * max(float(x.min()), 1e-30):
        return None
    columns = np.column_stack([x, np.ones_like(x)]) / times[:, None]
    found = robust_line(columns, fixed=True, least_sigma=_LEAST_SIGMA, rounds=_ROUNDS)
    if found.slope <= 0:
        return None
    return SweepLine(1.0 / found.slope, found.fixed, spread(found.residuals, _LEAST_SIGMA))
