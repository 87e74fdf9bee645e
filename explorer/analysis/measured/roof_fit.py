"""Effective bandwidth, peak and fixed time per kernel from measured rows, by robust least squares.

Model: t = sum over operators of calls x (max(FLOPs/P, bytes/W) + c x kernels), as the roofline has it, with c added.
For a given ridge P/W each operator's regime is known and t is linear in 1/W and c, so the ridge is searched on a line
and the rest solved by non-negative least squares on relative residuals, reweighted after Huber (1964). Intervals are
of 95 %, from the covariance in the logarithms of the parameters.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.analysis.measured.predict import Prediction, TimedOperator
from explorer.analysis.measured.robust import Floats, robust_line, spread
from explorer.analysis.problem import Note, Problem, Refused
from explorer.analysis.study.study import FittedRoof, HardwareEntry

FEWEST: Final = 3
_LEAST_SIGMA: Final = 0.003  # relative; timings are no better than that
_ROUNDS: Final = 25
_RIDGES: Final = np.logspace(-2, 6, 241)
_NEAR_SHEET: Final = 6.0  # the fitted ridge is so near to the sheet's, for both figures are shares of the sheet's
_REGIMES: Final = 8.0  # without a sheet, intensities of rows must span this factor to tell compute from memory
_TOLD: Final = 0.15  # a regime is told where it makes so much of some row's time
_APART: Final = 1.3  # bytes per kernel must differ by this factor between rows for a fixed time to show
_WIDEST: Final = 3.0  # an interval wider than this factor each way tells nothing
_Z95: Final = 1.96


class Sample(NamedTuple):
    """What was timed: seconds of one call or step, and its operators."""

    time_s: float
    parts: tuple[TimedOperator, ...]


class Estimate(NamedTuple):
    """A figure with its interval of 95 %."""

    value: float
    low: float
    high: float

    def share_of(self, sheet: float) -> float:
        """The part that it is of what a data sheet says."""
        return self.value / sheet


class RoofFit(msgspec.Struct, frozen=True):
    """B/s, FLOP/s and seconds per kernel with their intervals; None where the rows do not tell, `notes` say why.

    `sigma` is the robust spread of measured against fitted, as a share; `residuals` are fitted / measured - 1.
    """

    bandwidth: Estimate | None
    peak: Estimate | None
    per_kernel_s: Estimate | None
    sigma: float
    residuals: tuple[float, ...]
    notes: tuple[Note, ...]

    @property
    def outliers(self) -> tuple[int, ...]:
        """Samples that hardly counted."""
        return tuple(i for i, r in enumerate(self.residuals) if abs(r) > 3 * self.sigma)

    def roof(self, fmt: str, source: str, count: int = 1) -> FittedRoof:
        """What a study keeps of it: rates of one of `count` devices, `fmt` the format of the peak."""
        return FittedRoof(
            bandwidth=None if self.bandwidth is None else self.bandwidth.value / count,
            peak=None if self.peak is None else self.peak.value / count,
            format="" if self.peak is None else fmt,
            per_kernel_s=0.0 if self.per_kernel_s is None else self.per_kernel_s.value,
            spread=min(0.5, max(0.05, 2 * self.sigma)),
            rows=len(self.residuals),
            source=source,
        )

    def seconds(self, parts: Sequence[TimedOperator]) -> float:
        """Seconds that other work is expected to take; what is not known costs nothing."""
        x = 0.0 if self.peak is None else 1.0 / self.peak.value
        y = 0.0 if self.bandwidth is None else 1.0 / self.bandwidth.value
        c = 0.0 if self.per_kernel_s is None else self.per_kernel_s.value
        return sum(p.calls * (max(p.flops / p.scale * x, p.bytes * y) + p.kernels * c) for p in parts)


def judging_format(predictions: Sequence[Prediction]) -> str:
    """The operand format whose peak judges most of what was timed."""
    formats = [p.peak.format for p in predictions]
    return max(formats, key=formats.count) if formats else "bf16"


def sheet_ridge(predictions: Sequence[Prediction], entry: HardwareEntry) -> float | None:
    """FLOP/byte of a device's ridge by its sheet, at the peak of what was timed first."""
    rate, bandwidth = (predictions[0].peak.rate if predictions else None), entry.device.bandwidth
    return rate / (bandwidth * entry.count) if rate and bandwidth else None


def sheet_rates(entry: HardwareEntry, fmt: str) -> tuple[float | None, float | None]:
    """Bandwidth and peak of a format that a device entry has by its sheet."""
    device, count = entry.device, entry.count
    peak = next((p.rate for p in device.peaks if p.format == fmt), None)
    return device.bandwidth and device.bandwidth * count, peak and peak * count


def fitted_rates(entry: HardwareEntry, fitted: FittedRoof) -> tuple[float | None, float | None]:
    """Bandwidth and peak that measurements say all devices of an entry reach together."""
    count = entry.count
    return fitted.bandwidth and fitted.bandwidth * count, fitted.peak and fitted.peak * count


def fit_roof(samples: Sequence[Sample], ridge: float | None = None) -> RoofFit:
    """Fit the roof of one device; `ridge` is the device's by its sheet, FLOP/byte, which the fitted one is near to.

    Without it, and where all rows have much the same intensity, they are taken to wait for memory: a slower kernel of
    one format would else pass for a peak.

    Raises
    ------
    Refused
        Too few rows, rows too alike to tell one figure from another, or nothing that they agree on.
    """
    if len(samples) < FEWEST:
        raise Refused(Problem("fit_roof.few", values={"rows": len(samples), "needed": FEWEST}))
    data = _Data.of(samples)
    fixed = data.fixed_shows()
    best = data.best(data.ridges(ridge), fixed=fixed)
    return _judged(data, best, fixed=fixed)


class _Solution(NamedTuple):
    """At a ridge: 1/W, c, residuals fitted/measured - 1, and their robust loss."""

    ridge: float
    y: float
    c: float
    residuals: Floats
    loss: float


class _Data(msgspec.Struct, frozen=True):
    """Operators of all samples as flat arrays; `owner` is the sample of each."""

    times: Floats
    owner: npt.NDArray[np.intp]
    work: Floats  # calls x FLOPs, over the scale of the peak
    moved: Floats  # calls x bytes
    kernels: Floats  # of each sample

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> "_Data":
        owner = [i for i, s in enumerate(samples) for _ in s.parts]
        parts = [p for s in samples for p in s.parts]
        kernels = np.zeros(len(samples))
        for i, part in zip(owner, parts, strict=True):
            kernels[i] += part.calls * part.kernels
        return cls(
            np.array([s.time_s for s in samples], np.float64),
            np.array(owner, np.intp),
            np.array([p.calls * p.flops / p.scale for p in parts], np.float64),
            np.array([p.calls * p.bytes for p in parts], np.float64),
            kernels,
        )

    def load(self, ridge: float) -> Floats:
        """Bytes of each sample, and FLOPs as the bytes that would take as long."""
        each = np.maximum(self.work / ridge, self.moved)
        return _summed(self.owner, each, len(self.times))

    def fixed_shows(self) -> bool:
        """Whether work per kernel differs enough between samples for a fixed time to stand apart."""
        if not np.all(self.kernels > 0):
            return bool(np.any(self.kernels > 0))
        per_kernel = self.times / self.kernels
        return bool(per_kernel.max() >= _APART * per_kernel.min()) and len(self.times) > FEWEST

    def ridges(self, sheet: float | None) -> Floats:
        """Ridges worth trying; the last lies beyond every operator, so that nothing is compute-bound."""
        with np.errstate(divide="ignore", invalid="ignore"):
            each = np.nan_to_num(self.work / self.moved, nan=0.0, posinf=_RIDGES[-1])
        beyond = 2.0 * max(float(each.max(initial=0.0)), _RIDGES[0])
        if sheet is not None:
            near = np.geomspace(sheet / _NEAR_SHEET, sheet * _NEAR_SHEET, 81)
            return near if near[-1] < beyond else np.append(near[near < beyond], near[-1])
        count = len(self.times)
        work, moved = _summed(self.owner, self.work, count), _summed(self.owner, self.moved, count)
        whole = work / np.maximum(moved, 1e-30)
        if whole.max() < _REGIMES * whole.min():
            return np.array([beyond])
        return np.append(_RIDGES[beyond > _RIDGES], beyond)

    def best(self, ridges: Floats, *, fixed: bool) -> _Solution:
        """The ridge of least loss; where several are as good, the highest, for then least is compute-bound."""
        found = [self.at(float(r), fixed=fixed) for r in ridges]
        losses = np.array([s.loss for s in found])
        at = int(np.flatnonzero(losses <= losses.min() * (1 + 1e-6) + 1e-12)[-1])
        low, high = ridges[max(0, at - 1)], ridges[min(len(ridges) - 1, at + 1)]
        finer = [self.at(float(r), fixed=fixed) for r in np.geomspace(low, high, 21)] if low < high else []
        better = min(finer, key=lambda s: s.loss, default=found[at])
        return better if better.loss < found[at].loss * (1 - 1e-6) else found[at]

    def at(self, ridge: float, *, fixed: bool) -> _Solution:
        """Robust fit of 1/W and c at a ridge."""
        columns = np.column_stack([self.load(ridge), self.kernels]) / self.times[:, None]
        found = robust_line(columns, fixed=fixed, least_sigma=_LEAST_SIGMA, rounds=_ROUNDS, tolerance=1e-9)
        return _Solution(ridge, *found, _loss(found.residuals))


def _summed(owner: npt.NDArray[np.intp], each: Floats, count: int) -> Floats:
    return np.bincount(owner, each, count).astype(np.float64)


def _loss(residuals: Floats) -> float:
    """Sum of absolute residuals: outliers weigh little, and the scale of a fit's own residuals does not matter."""
    return float(np.sum(np.hypot(residuals, _LEAST_SIGMA)))


def _judged(data: _Data, best: _Solution, *, fixed: bool) -> RoofFit:
    """Which figures the rows tell, each with its interval."""
    sigma = spread(best.residuals, _LEAST_SIGMA)
    as_bytes, count = data.work / best.ridge, len(data.times)
    compute = _summed(data.owner, np.where(as_bytes > data.moved, as_bytes, 0.0), count)
    memory = _summed(data.owner, np.where(as_bytes > data.moved, 0.0, data.moved), count)
    told = {
        "peak": best.y > 0 and float(np.max(compute * best.y / data.times)) >= _TOLD,
        "bandwidth": best.y > 0 and float(np.max(memory * best.y / data.times)) >= _TOLD,
        "fixed": fixed and best.c > 0,
    }
    values = {"peak": best.ridge / best.y if best.y else 0.0, "bandwidth": 1 / best.y if best.y else 0.0}
    if not told["peak"] and not told["bandwidth"]:
        raise Refused(Problem("fit_roof.nothing", values={"rows": len(data.times)}))
    errors = _errors(data, {**values, "fixed": best.c}, told)
    notes = [] if fixed else [Note("fit_roof.no_fixed")]
    found: dict[str, Estimate | None] = {"peak": None, "bandwidth": None, "fixed": None}
    for name, value in {**values, "fixed": best.c}.items():
        if not told[name]:
            if name != "fixed":
                notes.append(Note(f"fit_roof.no_{name}"))
            continue
        factor = float(np.exp(min(700.0, _Z95 * sigma * errors[name])))
        if factor > _WIDEST and name != "fixed":
            notes.append(Note(f"fit_roof.wide_{name}", {"factor": min(factor, 1e6)}))
            continue
        found[name] = Estimate(value, value / factor, value * factor)
    if found["peak"] is None and found["bandwidth"] is None:
        raise Refused(Problem("fit_roof.nothing", values={"rows": len(data.times)}))
    return RoofFit(
        found["bandwidth"], found["peak"], found["fixed"], sigma, tuple(best.residuals.tolist()), tuple(notes)
    )


def _errors(data: _Data, values: dict[str, float], told: dict[str, bool]) -> dict[str, float]:
    """Standard errors of the logarithms for residuals of size 1, from numeric derivatives."""
    names = [n for n in told if told[n]]
    if not names:
        return {}
    step = 1e-4
    columns = []
    for name in names:
        up = _times(data, {**values, name: values[name] * np.exp(step)})
        down = _times(data, {**values, name: values[name] * np.exp(-step)})
        columns.append((up - down) / (2 * step) / data.times)
    jacobian = np.column_stack(columns)
    covariance = np.linalg.pinv(jacobian.T @ jacobian)
    spare = len(data.times) / max(1, len(data.times) - len(names))
    return {n: float(np.sqrt(max(0.0, covariance[i, i]) * spare)) for i, n in enumerate(names)}


def _times(data: _Data, values: dict[str, float]) -> Floats:
    each = np.maximum(data.work / values["peak"], data.moved / values["bandwidth"])
    return _summed(data.owner, each, len(data.times)) + values["fixed"] * data.kernels
