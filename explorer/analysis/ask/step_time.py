"""The time of a step's operators under an edit, without making the rows again where their times tell it."""

from typing import Final

from msgspec import UNSET

from explorer.analysis.ask.evaluation_set import EvaluationSet
from explorer.analysis.catalogue.mixes import mix_of
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.placement import Placed
from explorer.analysis.step.resources import Kind
from explorer.analysis.step.stack import RowStack
from explorer.analysis.study.apply import in_formats
from explorer.analysis.study.choices import Figure
from explorer.analysis.study.variant import Edit, ScaleDevice, SetCount, SetFormats, Variant

_SCALED: Final[dict[Figure, Kind]] = {"bandwidth": "memory", "compute": "compute", "links": "link"}


def step_time(evaluation: Evaluation, result: DeviceResult, edit: Edit) -> float | None:
    """Seconds of all operators on a device under an edit; None where it cannot be evaluated."""
    match edit:
        case ScaleDevice():
            return _on_scaled(evaluation, result, edit)
        case SetCount():
            return _on_many(evaluation, result, edit)
        case SetFormats() if not _makes_another_file(evaluation, edit):
            return _in_formats(evaluation, result, edit)
        case _:
            return _evaluated(evaluation, result, edit)


def _makes_another_file(evaluation: Evaluation, edit: SetFormats) -> bool:
    """Whether weights are stored in a mix before or after: the rows then have formats of their own."""
    return edit.weights is not UNSET and any(mix_of(w) for w in (edit.weights, evaluation.study.workload.weights))


def _evaluated(evaluation: Evaluation, result: DeviceResult, edit: Edit) -> float | None:
    return EvaluationSet(evaluation, (Variant(label="", edit=edit),)).step_s(0, result.entry.id)


def _on_scaled(evaluation: Evaluation, result: DeviceResult, edit: ScaleDevice) -> float | None:
    """Rates scale the times; capacity has no part in them, and of links their latency stays as it is."""
    kind = _SCALED.get(edit.figure)
    parts = [part for part in (result.modelled, result.own) if part.stack.rows]
    if edit.device != result.entry.id or kind is None or all(part.lane(kind) is None for part in parts):
        return float(result.totals.time_s)
    if kind == "link":
        return _evaluated(evaluation, result, edit)
    return float(result.modelled.faster_sum({kind: edit.factor}) + result.own.faster_sum({kind: edit.factor}))


def _on_many(evaluation: Evaluation, result: DeviceResult, edit: SetCount) -> float:
    """The same rows on another number of the devices; links between them may add to what they take."""
    if edit.device != result.entry.id:
        return float(result.totals.time_s)
    _, _, summed = evaluation.on(result.machine.of_many(edit.count))
    return float(summed.time_s)


def _in_formats(evaluation: Evaluation, result: DeviceResult, edit: SetFormats) -> float:
    """The rows in other formats on this device alone."""
    changed = evaluation.evaluator.under(in_formats(evaluation.study.workload, edit))
    step = changed.step()
    rows = changed.model_rows(step)
    stack = RowStack(rows, changed.costs(rows, step), changed.layout(step, rows))
    modelled = Placed(stack, result.machine, eager=changed.eager)
    return float(modelled.sum_s + changed.own.on(result.machine, eager=changed.eager).sum_s)
