"""The time of a step's operators under an edit, without making the rows again where their times tell it."""

from explorer.analysis.ask.evaluation_set import EvaluationSet
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.placement import Placed
from explorer.analysis.step.resources import Kind
from explorer.analysis.step.stack import RowStack
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
    kind: Kind = "memory" if edit.figure == "bandwidth" else "compute"
    factors = {kind: edit.factor}
    return float(result.modelled.faster_sum(factors) + result.own.faster_sum(factors))


def _in_formats(evaluation: Evaluation, result: DeviceResult, edit: SetFormats) -> float:
    """The rows in other formats on this device alone."""
    changed = evaluation.evaluator.under(in_formats(evaluation.study.workload, edit))
    step = changed.step()
    rows = changed.model_rows(step)
    stack = RowStack(rows, changed.costs(rows, step), changed.layout(step, rows))
    modelled = Placed(stack, result.machine, eager=changed.eager)
    return float(modelled.sum_s + changed.own.on(result.machine, eager=changed.eager).sum_s)
