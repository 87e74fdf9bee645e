"""Decode against batch on the simple streamed line: KV-half, ridge, fit and knee batch."""

from collections.abc import Mapping

import msgspec
import numpy as np

from explorer.analysis.ask.capacity import largest_batch
from explorer.analysis.step.costs import summed
from explorer.analysis.step.evaluate import Evaluation, Evaluator
from explorer.analysis.step.ledger import PER_SEQUENCE, WEIGHTS
from explorer.analysis.step.machines.peaks import WantedPeak
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.rows import Array, Step
from explorer.analysis.study.study import Workload

_LARGEST = 2.0**20
_GRID = np.geomspace(1.0, 2 * _LARGEST, 1261)  # 60 steps per doubling, so a doubling is a shift by 60


class Knees(msgspec.Struct, frozen=True):
    """Batches where the decode step changes its nature; None where it never does."""

    kv_half_batch: float | None
    ridge_batch: float | None
    fit_batch: int | None
    knee_batch: float | None


class DecodeLine(msgspec.Struct, frozen=True, eq=False):
    """The simple line of a decode step at one context: bytes and FLOPs against batch.

    W = weight bytes streamed (of the batch where experts are chosen, as the study routes them), K = KV bytes per
    sequence, F = FLOPs per sequence by the peak that judges them, `held` = bytes of cache and state per sequence,
    `resident` = weight bytes.
    """

    batches: Array
    weights: Array
    kv: float
    flops_by_peak: Mapping[WantedPeak, float]
    held: float
    resident: float

    @property
    def flops(self) -> float:
        """F of all rows."""
        return sum(self.flops_by_peak.values())

    def compute_s(self, machine: Machine) -> float | None:
        """Seconds of compute per sequence, each row by its own peak; None where no peak of theirs is known."""
        asked = [(machine.asked(wanted).ceiling, flops) for wanted, flops in self.flops_by_peak.items()]
        known = [flops / rate for rate, flops in asked if rate]
        return sum(known) if known else None

    def weights_at(self, batch: float) -> float:
        """W at a batch."""
        return float(np.interp(np.log(batch), np.log(self.batches), self.weights))

    def step_s(self, bandwidth: float, compute_s: float | None) -> Array:
        """Seconds per step against batch: the larger of streamed bytes and compute."""
        memory = (self.weights + self.batches * self.kv) / bandwidth
        return memory if compute_s is None else np.maximum(memory, self.batches * compute_s)

    def knees(self, machine: Machine, compute_s: float | None, work: Workload) -> Knees:
        """All four batches on one device (conventions: decode, where it stops paying).

        `compute_s` are the seconds of compute per sequence, None where compute is not judged.
        """
        bandwidth = machine.floor_bandwidth
        return Knees(
            kv_half_batch=self._solve(self.kv),
            ridge_batch=None if compute_s is None else self._solve(bandwidth * compute_s - self.kv),
            fit_batch=None if machine.capacity is None else self._most_held(machine.capacity, work.reserve),
            knee_batch=self._knee(self.step_s(bandwidth, compute_s), work.knee_factor),
        )

    def _solve(self, per_sequence: float) -> float | None:
        """The batch where W(B) = B x bytes per sequence; None when the bytes are not positive."""
        if per_sequence <= 0:
            return None
        if self.weights[0] == self.weights[-1]:
            return float(self.weights[0]) / per_sequence
        gap = self.weights - self.batches * per_sequence
        below = np.flatnonzero(gap <= 0)
        if below.size == 0:
            return float(self.weights[-1]) / per_sequence
        i = int(below[0])
        if i == 0:
            return float(self.weights[0]) / per_sequence
        return float(np.interp(0.0, [gap[i], gap[i - 1]], [self.batches[i], self.batches[i - 1]]))

    def _most_held(self, capacity: float, reserve: float) -> int | None:
        return largest_batch(capacity - self.resident - reserve, self.held)

    def _knee(self, step_s: Array, factor: float) -> float | None:
        """The largest batch whose doubling still gains at least the factor."""
        gain = 2 * step_s[:-60] / step_s[60:]
        enough = np.flatnonzero(gain >= factor)
        if enough.size == 0:
            return 1.0
        last = int(enough[-1])
        if last + 1 >= gain.size:
            return None
        return float(np.interp(factor, [gain[last + 1], gain[last]], [self.batches[last + 1], self.batches[last]]))


def knees(evaluation: Evaluation, entry_id: str) -> Knees | None:
    """KV-half, ridge, fit and knee batch on one device; None outside decode."""
    line, result = decode_line(evaluation), evaluation.device(entry_id)
    if line is None or result is None:
        return None
    judged = line.compute_s(result.machine) if result.main_peak.rate else None
    return line.knees(result.machine, judged, evaluation.study.workload)


def decode_line(evaluation: Evaluation) -> DecodeLine | None:
    """The decode line of a study's model, whatever its batch; None in prefill or without a model."""
    return evaluation.section(_decode_line)


def _flops_by_peak(evaluator: Evaluator, one: Step) -> dict[WantedPeak, float]:
    """FLOPs of a step of one sequence by the peak that they ask for."""
    rows = evaluator.model_rows(one)
    found: dict[WantedPeak, float] = {}
    for row, cost in zip(rows, evaluator.costs(rows, one), strict=True):
        if cost.flops:
            wanted = evaluator.asking.peak(row)
            found[wanted] = found.get(wanted, 0.0) + float(row.count * cost.flops)
    return found


def _decode_line(evaluation: Evaluation) -> DecodeLine | None:
    evaluator = evaluation.evaluator
    if evaluator.model is None or not evaluator.phase.has_batch_knees:
        return None
    step = evaluator.step(batch=_GRID)
    rows = evaluator.model_rows(step)
    costs = evaluator.costs(rows, step)
    one = evaluator.step(batch=1.0)
    memory = evaluator.memory(one)
    return DecodeLine(
        batches=_GRID,
        weights=np.broadcast_to(np.asarray(summed(rows, costs, "weight_bytes"), dtype=np.float64), _GRID.shape),
        kv=float(evaluator.kv_per_sequence(one)),
        flops_by_peak=_flops_by_peak(evaluator, one),
        held=float(memory.of(*PER_SEQUENCE)),
        resident=float(memory.of(WEIGHTS)),
    )
