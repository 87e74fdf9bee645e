"""Throughput against the speed of one request: a step at growing batches, up to the largest that fits."""

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np

from explorer.analysis.ask.batch_sweep import LARGEST_BATCH
from explorer.analysis.ask.capacity import batch_held
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.resources import BOUND_OF, Bound
from explorer.analysis.step.rows import Array
from explorer.analysis.step.totals import Totals

MARKED: Final = (1, 8, 64)
_PER_DOUBLING: Final = 2


class Frontier(msgspec.Struct, frozen=True, eq=False):
    """A subject's step at growing batches; every figure is a bound, "at most" or "at least".

    Parameters
    ----------
    key
        The subject's.
    batches
        Sequences of a step, from 1 on; the current batch is among them where it fits.
    all_per_s, each_per_s
        1/s, what the step yields in all and for one request: tokens, or inputs and passes of a model that runs once.
    step_s
        s at least, experts as the study routes them.
    held
        Bytes of weights, cache, state and reserve.
    bounds
        What decides the step's bound.
    capacity
        Bytes; None where nobody published it.
    full
        The largest batch that fits: 0 for none, None where any does or the capacity is unknown.
    now
        The subject's batch.
    """

    key: str
    batches: Array
    all_per_s: Array
    each_per_s: Array
    step_s: Array
    held: Array
    bounds: tuple[Bound, ...]
    capacity: float | None
    full: int | None
    now: int

    def at(self, batch: int) -> int | None:
        """The place of a batch; None where it is not on the curve."""
        found = np.flatnonzero(self.batches == batch)
        return int(found[0]) if found.size else None


def frontiers(found: Sequence[Subject]) -> tuple[Frontier | None, ...]:
    """Each subject's curve, empty where not even one sequence fits; None without a model or a result.

    Machines that run the same step are swept together, over the batches of them all.
    """
    steps: dict[int, list[tuple[int, Evaluation, DeviceResult]]] = {}
    for place, subject in enumerate(found):
        evaluation, result = subject.evaluation, subject.result
        if evaluation is not None and result is not None and evaluation.model is not None:
            steps.setdefault(id(evaluation), []).append((place, evaluation, result))
    curves: dict[int, Frontier] = {}
    for group in steps.values():
        curves |= _swept(found, group)
    return tuple(curves.get(place) for place in range(len(found)))


def frontier(subject: Subject) -> Frontier | None:
    """The curve of one subject."""
    return frontiers((subject,))[0]


def _swept(found: Sequence[Subject], group: Sequence[tuple[int, Evaluation, DeviceResult]]) -> dict[int, Frontier]:
    """The curves of subjects that share an evaluation, by their places."""
    evaluation = group[0][1]
    now = evaluation.study.workload.batch
    full = [fitting_batch(evaluation, result) for _, _, result in group]
    batches = [_batches(LARGEST_BATCH if f is None else min(f, LARGEST_BATCH), now, f) for f in full]
    every = np.unique(np.concatenate([*batches, [1.0]]))
    evaluator = evaluation.evaluator
    machines = [result.machine for _, _, result in group]
    swept = evaluator.sweep(evaluator.step(batch=every), machines, evaluation.own)
    each = evaluation.tokens_per_input or 1.0
    curves = {}
    for (place, _, result), end, own, totals in zip(group, full, batches, swept, strict=True):
        at = np.searchsorted(every, own)
        pace = totals.routed
        bounds = _bounds(totals, every)
        curves[place] = Frontier(
            key=found[place].key,
            batches=own,
            all_per_s=_full(pace.tokens_per_s, every)[at] / each,
            each_per_s=_full(pace.tokens_per_s_per_request, every)[at] / each,
            step_s=_full(pace.seconds, every)[at],
            held=_full(totals.memory_bytes, every)[at],
            bounds=tuple(bounds[i] for i in at.tolist()),
            capacity=result.machine.capacity,
            full=end,
            now=now,
        )
    return curves


def fitting_batch(evaluation: Evaluation, result: DeviceResult) -> int | None:
    """The largest batch that a machine holds at the study's context: 0 for none, None for any or capacity unknown."""
    capacity = result.machine.capacity
    if capacity is None:
        return None
    return batch_held(evaluation, capacity)


def _batches(end: int, now: int, full: int | None) -> Array:
    """Whole batches up to the end: even steps on a log scale, those marked, the current one and the last."""
    if end < 1:
        return np.empty(0)
    steps = np.floor(2.0 ** (np.arange(_PER_DOUBLING * np.log2(end) + 1) / _PER_DOUBLING))
    fits = now <= end or full is None
    marked = [b for b in MARKED if b <= end]
    return np.unique([*steps[steps <= end], *marked, float(end), *([float(now)] if fits else [])])


def _full(values: object, batches: Array) -> Array:
    found = np.nan if values is None else np.asarray(values, dtype=np.float64)
    return np.broadcast_to(found, batches.shape)


def _bounds(totals: Totals, batches: Array) -> tuple[Bound, ...]:
    """The kind of resource whose floor is the largest; routing adds to what the memory takes."""
    kinds = list(totals.floor)
    each = np.array([_full(totals.floor[kind], batches) for kind in kinds])
    routed = _full(totals.routed.seconds, batches) > _full(totals.floor_s, batches)
    chosen = np.where(routed, kinds.index("memory"), each.argmax(axis=0))
    return tuple(BOUND_OF[kinds[i]] for i in chosen.tolist())


def throughput_ratios(found: Sequence[Frontier], base: str) -> dict[str, float | None]:
    """What each subject yields in all at its batch over what the baseline does; None where one of them has no room."""
    now = {f.key: _now(f) for f in found}
    to = now.get(base)
    return {key: rate / to if rate is not None and to else None for key, rate in now.items()}


def _now(found: Frontier) -> float | None:
    place = found.at(found.now)
    return None if place is None else float(found.all_per_s[place])
