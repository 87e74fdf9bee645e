"""The way of the biggest points from batch 1 to the study's batch."""

import math

import numpy as np
from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.rows import Array
from explorer.presentation.roofline.figure import Figure, Mark

_STEPS = 12
_SHARE = 0.05  # smaller points leave no trail


def batch_trail(evaluation: Evaluation, figure: Figure, shift: float = 0.0) -> tuple[tuple[Mark, ...], ...]:
    """Places of the active device's biggest marks at growing batches; empty at batch 1 or without a model."""
    result, batch = evaluation.active, evaluation.study.workload.batch
    if result is None or evaluation.model is None or batch <= 1:
        return ()
    marks = {m.rows[0]: m for m in figure.marks if m.active and not m.measured and m.area >= _SHARE}
    evaluator = evaluation.evaluator
    batches = np.geomspace(1.0, float(batch), _STEPS)[:, None]
    rows = evaluator.model_rows(evaluator.step(batch=batches))
    kept = [r for r in rows if r.name in marks]
    points = evaluator.place(kept, evaluator.costs(kept), result.machine)
    found: list[tuple[Mark, Array, Array]] = []
    for point in points:
        flops = np.broadcast_to(np.asarray(point.costs.flops, dtype=np.float64), batches.shape)
        x = np.log10(flops / point.bytes) + shift
        y = np.log10(flops / point.time_s)
        found.append((marks[point.row.name], x.ravel(), y.ravel()))
    return tuple(
        tuple(replace(m, x=float(x[i]), y=float(y[i]), label="") for m, x, y in found if math.isfinite(x[i]))
        for i in range(_STEPS - 1)
    )
