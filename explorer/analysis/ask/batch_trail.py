"""The way of a step's rows from batch 1 to the study's batch."""

from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np

from explorer.analysis.ask.evaluation_set import EvaluationSet
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.rows import Array
from explorer.analysis.study.variant import SetBatch, Variant

STEPS: Final = 12


class RowTrail(NamedTuple):
    """A row's FLOP/byte and FLOP/s at every batch of a set."""

    row: str
    intensity: Array
    performance: Array


def batch_trail(evaluation: Evaluation) -> EvaluationSet:
    """A study's step at growing batches, its own last; none at batch 1 or without a model."""
    batch = float(evaluation.study.workload.batch)
    grown = np.geomspace(1.0, batch, STEPS).tolist() if evaluation.model is not None and batch > 1 else []
    return EvaluationSet(evaluation, [Variant(label=f"{b:g}", edit=SetBatch(batch=b)) for b in grown])


def row_trails(trail: EvaluationSet, result: DeviceResult, names: Collection[str]) -> tuple[RowTrail, ...]:
    """The model's rows of these names on a device, at the batches of all variants at once."""
    batches = np.array([[v.edit.batch] for v in trail.variants if isinstance(v.edit, SetBatch)])
    if not len(batches):
        return ()
    evaluator = trail.baseline.evaluator
    rows = [r for r in evaluator.model_rows(evaluator.step(batch=batches)) if r.name in names]
    found = []
    for point in evaluator.place(rows, evaluator.costs(rows), result.machine):
        flops = np.broadcast_to(np.asarray(point.costs.flops, dtype=np.float64), batches.shape)
        found.append(RowTrail(point.row.name, (flops / point.bytes).ravel(), (flops / point.time_s).ravel()))
    return tuple(found)
