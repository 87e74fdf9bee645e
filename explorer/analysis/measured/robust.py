"""Robust straight lines through timings: least squares on relative residuals, reweighted after Huber (1964)."""

import math
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
_HUBER: Final = 1.345  # 95 % as efficient as plain least squares where errors are normal
_NORMAL: Final = 1.4826  # a normal spread's standard deviation, in medians of what it deviates


class RobustLine(NamedTuple):
    """Factors of the two columns, neither below 0, and fitted / measured - 1 of each timing."""

    slope: float
    fixed: float
    residuals: Floats


def robust_line(columns: Floats, *, fixed: bool, least_sigma: float, rounds: int, tolerance: float = 0.0) -> RobustLine:
    """Fit two columns, each over the time measured, to 1; without `fixed` the second counts for nothing.

    Ends after `rounds`, or when a round changes neither factor by more than the tolerance.
    """
    weights = np.ones(len(columns))
    solution, residuals = (0.0, 0.0), np.full(len(columns), -1.0)
    for _ in range(rounds):
        before = solution
        solution = _non_negative(columns, weights, fixed=fixed)
        residuals = columns @ np.array(solution) - 1.0
        size = np.abs(residuals) / spread(residuals, least_sigma)
        weights = np.minimum(1.0, _HUBER / np.maximum(size, 1e-12))
        if all(math.isclose(new, old, rel_tol=tolerance) for new, old in zip(solution, before, strict=True)):
            break
    return RobustLine(*solution, residuals)


def spread(residuals: Floats, least: float) -> float:
    """The robust spread of residuals; timings are no better than `least`."""
    return max(least, _NORMAL * float(np.median(np.abs(residuals))))


def _non_negative(columns: Floats, weights: Floats, *, fixed: bool) -> tuple[float, float]:
    """Weighted least squares to 1 with both figures at least 0; of two unknowns, by the normal equations."""
    u, v = columns.T
    uu, uv, vv = float(weights @ (u * u)), float(weights @ (u * v)), float(weights @ (v * v))
    u1, v1 = float(weights @ u), float(weights @ v)
    alone = (u1 / uu if uu else 0.0, 0.0)
    if not fixed or vv <= 0:
        return alone
    determinant = uu * vv - uv * uv
    if determinant > 1e-12 * uu * vv:
        y, c = (u1 * vv - v1 * uv) / determinant, (v1 * uu - u1 * uv) / determinant
        if y >= 0 and c >= 0:
            return y, c
    # one of them is 0: what a figure alone explains of the sum of squares tells which
    return alone if uu and u1 * u1 / uu >= v1 * v1 / vv else (0.0, v1 / vv)
