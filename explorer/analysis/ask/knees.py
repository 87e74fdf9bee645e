"""Decode against batch on the simple streamed line: KV-half, ridge, fit and knee batch."""

import msgspec
import numpy as np

from explorer.analysis.ask.capacity import largest_batch
from explorer.analysis.step.costs import summed
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.ledger import PER_SEQUENCE, WEIGHTS
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.rows import Array
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

    W = weight bytes streamed (of the batch where experts are chosen), K = KV bytes per sequence,
    F = FLOPs per sequence, `held` = bytes of cache and state per sequence, `resident` = weight bytes.
    """

    batches: Array
    weights: Array
    kv: float
    flops: float
    held: float
    resident: float

    def weights_at(self, batch: float) -> float:
        """W at a batch."""
        return float(np.interp(np.log(batch), np.log(self.batches), self.weights))

    def step_s(self, bandwidth: float, peak: float | None) -> Array:
        """Seconds per step against batch: the larger of streamed bytes and FLOPs."""
        memory = (self.weights + self.batches * self.kv) / bandwidth
        return memory if peak is None else np.maximum(memory, self.batches * self.flops / peak)

    def knees(self, machine: Machine, peak: float | None, work: Workload) -> Knees:
        """All four batches on one device (conventions: decode, where it stops paying)."""
        bandwidth = machine.known_bandwidth
        return Knees(
            kv_half_batch=self._solve(self.kv),
            ridge_batch=None if peak is None else self._solve(bandwidth * self.flops / peak - self.kv),
            fit_batch=None if machine.capacity is None else self._most_held(machine.capacity, work.reserve),
            knee_batch=self._knee(self.step_s(bandwidth, peak), work.knee_factor),
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
    return line.knees(result.machine, result.main_peak.rate, evaluation.study.workload)


def decode_line(evaluation: Evaluation) -> DecodeLine | None:
    """The decode line of a study's model, whatever its batch; None in prefill or without a model."""
    return evaluation.section(_decode_line)


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
        flops=float(np.asarray(summed(rows, costs, "flops")).flat[0]) / float(_GRID[0]),
        held=float(memory.of(*PER_SEQUENCE)),
        resident=float(memory.of(WEIGHTS)),
    )
