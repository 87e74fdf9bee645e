"""Figures of one row beside its costs: what its formulas read, and work that is shown and not counted."""

from typing import Final, NamedTuple

from explorer.analysis.catalogue.formula import value_of
from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.machines.peaks import compute_format
from explorer.analysis.step.placement import Point

PER_VALUE: Final = ("a", "w", "o", "kv")
_SOFTMAX: Final = 5.0  # operations for each score


class Uncounted(NamedTuple):
    """Work that no time is charged for: of the softmax inside attention, of turning stored weights into operands."""

    softmax_flops: float | None
    dequantised_weights: float | None
    dequantise_ops: float | None


def formula_values(evaluation: Evaluation, point: Point, kind: OperatorKind) -> dict[str, float]:
    """Every name a formula of the row may read: dims, bytes per value, derived figures in order."""
    formats, row = evaluation.evaluator.formats, point.row
    per = (row.activations, row.weights, row.output, row.kv)
    values = {d.name: float(row.dims.get(d.name, d.default)) for d in kind.dims}
    values |= {name: formats[f].bytes for name, f in zip(PER_VALUE, per, strict=True)}
    for derived in kind.derived:
        values[derived.name] = value_of(derived.formula, values)
    return values


def uncounted(evaluation: Evaluation, point: Point, kind: OperatorKind, values: dict[str, float]) -> Uncounted:
    """What a row does beside its counted work; None where it does not."""
    softmax = None
    if kind.id.startswith("attention") and "pairs" in values:
        softmax = _SOFTMAX * (values["b"] * values["heads"] * values["pairs"])
    weights = (float(point.costs.weight_bytes) - values.get("bias", 0.0)) / values["w"]
    if not weights or not _weight_only(evaluation, point):
        return Uncounted(softmax, None, None)
    return Uncounted(softmax, weights, 2 * weights)


def _weight_only(evaluation: Evaluation, point: Point) -> bool:
    """Whether the weights are stored narrower than the operands that are multiplied."""
    formats, row = evaluation.evaluator.formats, point.row
    weights, activations = formats[row.weights], formats[row.activations]
    return weights.bits < activations.bits and compute_format(activations, weights) != weights.compute
