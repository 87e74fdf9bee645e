"""The time of a step's operators under an edit, without making the rows again where their times tell it."""

from explorer.analysis.ask.evaluation_set import EvaluationSet
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.placement import larger
from explorer.analysis.step.rows import Number
from explorer.analysis.study.apply import in_formats
from explorer.analysis.study.variant import Edit, ScaleDevice, SetFormats, Variant


def step_time(evaluation: Evaluation, result: DeviceResult, edit: Edit) -> float | None:
    """Seconds of all operators on a device under an edit; None where it cannot be evaluated."""
    match edit:
        case ScaleDevice():
            return _on_scaled(result, edit)
        case SetFormats():
            return _in_formats(evaluation, result, edit)
        case _:
            return EvaluationSet(evaluation, (Variant(label="", edit=edit),)).step_s(0, result.entry.id)


def _on_scaled(result: DeviceResult, edit: ScaleDevice) -> float:
    """Rates scale the times; capacity and links have no part in them."""
    if edit.device != result.entry.id or edit.figure not in {"bandwidth", "compute"}:
        return float(result.totals.time_s)
    bandwidth, compute = (edit.factor, 1.0) if edit.figure == "bandwidth" else (1.0, edit.factor)
    found: Number = 0.0
    for point in result.placed:
        each = point.memory_s / bandwidth
        if point.compute_s is not None:
            each = larger(point.compute_s / compute, each)
        found = found + point.row.count * larger(each, point.launch_s)
    return float(found + result.own.faster_sum(bandwidth, compute))


def _in_formats(evaluation: Evaluation, result: DeviceResult, edit: SetFormats) -> float:
    """The rows in other formats on this device alone."""
    changed = evaluation.evaluator.under(in_formats(evaluation.study.workload, edit))
    rows = changed.model_rows(changed.step())
    found: Number = 0.0
    for point in changed.place(rows, changed.costs(rows), result.roof):
        found = found + point.row.count * point.time_s
    return float(found + changed.own.on(result.roof, eager=changed.eager).sum_s)
