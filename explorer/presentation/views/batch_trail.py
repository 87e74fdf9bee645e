"""The way of the biggest points from batch 1 to the study's batch."""

import math

import numpy as np
from msgspec.structs import replace

from explorer.analysis.ask.batch_trail import STEPS, row_trails
from explorer.analysis.ask.batch_trail import batch_trail as trail_of
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.roofline.figure import Figure, Mark

_SHARE = 0.05  # smaller points leave no trail


def batch_trail(evaluation: Evaluation, figure: Figure, shift: float = 0.0) -> tuple[tuple[Mark, ...], ...]:
    """Places of the active device's biggest marks at growing batches; empty at batch 1 or without a model."""
    result, trail = evaluation.active, trail_of(evaluation)
    if result is None or not len(trail):
        return ()
    marks = {m.rows[0]: m for m in figure.marks if m.active and not m.measured and m.area >= _SHARE}
    found = [
        (marks[t.row], np.log10(t.intensity) + shift, np.log10(t.performance))
        for t in row_trails(trail, result, marks.keys())
    ]
    return tuple(
        tuple(replace(m, x=float(x[i]), y=float(y[i]), label="") for m, x, y in found if math.isfinite(x[i]))
        for i in range(STEPS - 1)
    )
