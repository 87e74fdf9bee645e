"""What stands side by side in a comparison: one subject for each thing that varies, each with its own step."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from explorer.analysis.ask.evaluation_set import EvaluationSet
from explorer.analysis.measured.gap import Gap, gaps
from explorer.analysis.problem import Note
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.study.choices import Vary
from explorer.analysis.study.study import HardwareEntry
from explorer.analysis.study.variant import Edit, ScaleDevice, SetFormats, UseModel, Variant

_WEIGHTS: Final = ("bf16", "fp8", "int8", "int4")
_KV: Final = ("bf16", "fp8", "int4")


class Subject(msgspec.Struct, frozen=True, eq=False):
    """One row of a comparison.

    `key` is unique among its siblings: a hardware entry's id, a model's, a variant's place. `name` is as the user has
    it, "" for a machine or a format, which views name by `entry` and `edit`. `result` is the step on its machine, None
    where it cannot be evaluated, `why` says why not. The subject that nothing was changed for has no `edit`. A
    `measured` subject is a whole step that was timed; its evaluation and result are those of its own conditions.
    """

    key: str
    entry: HardwareEntry
    evaluation: Evaluation | None
    result: DeviceResult | None
    name: str = ""
    edit: Edit | None = None
    measured: Gap | None = None
    why: Note | None = None


def subjects(evaluation: Evaluation, vary: Vary | None = None) -> tuple[Subject, ...]:
    """What stands side by side, in the study's order; `vary` of the study's view where none is given.

    Machines are the visible entries. Everything else varies on the device that ratios are to, the step as it is first,
    but for models, which stand in the study's order.
    """
    return evaluation.section(_subjects, vary or evaluation.study.view.vary, *_seen(evaluation))


def baseline_key(evaluation: Evaluation, found: tuple[Subject, ...], vary: Vary | None = None) -> str:
    """The key of the subject that the others are compared with, "" without any."""
    kind = vary or evaluation.study.view.vary
    wanted: tuple[str, ...] = ()
    if kind == "machines" and evaluation.baseline is not None:
        wanted = (evaluation.baseline.entry.id,)
    elif kind == "models":
        wanted = (evaluation.study.view.baseline_model, evaluation.study.active_model)
    keys = [s.key for s in found]
    return next((key for key in (*wanted, *keys) if key in keys), "")


def _seen(evaluation: Evaluation) -> tuple[str, ...]:
    """What the view decides of a comparison: a section of an evaluation outlives its view."""
    visible = tuple(e.id for e in evaluation.study.hardware if e.visible)
    return ("" if evaluation.baseline is None else evaluation.baseline.entry.id, *visible)


def _subjects(evaluation: Evaluation, vary: Vary, baseline: str, *visible: str) -> tuple[Subject, ...]:
    if vary == "machines":
        return tuple(_machine(evaluation, e) for e in evaluation.study.hardware if e.id in visible)
    if vary == "measurements":
        return tuple(_measurements(evaluation))
    result = evaluation.device(baseline)
    if result is None or vary not in _VARIANTS:
        return ()
    variants = list(_VARIANTS[vary](evaluation))
    found = EvaluationSet(evaluation, variants)
    others = [_variant(evaluation, v, other, result.entry, str(i)) for i, (v, other) in enumerate(found)]
    as_it_is = Subject("", result.entry, evaluation, result)
    return tuple(others) if vary == "models" else (as_it_is, *others)


def _machine(evaluation: Evaluation, entry: HardwareEntry) -> Subject:
    result = evaluation.device(entry.id)
    why = None if result is not None else Note("compare.why.no_bandwidth")
    return Subject(entry.id, entry, evaluation, result, why=why)


def _measurements(evaluation: Evaluation) -> Iterator[Subject]:
    """Whole steps that were timed, on devices of the study."""
    for gap in gaps(evaluation):
        if gap.entry is not None and gap.measurement.of_step:
            step = gap.prediction
            found, result = (None, None) if step is None else (step.evaluation, step.result)
            yield Subject(gap.measurement.id, gap.entry, found, result, gap.measurement.name, None, gap, gap.why)


def _variant(
    evaluation: Evaluation, variant: Variant, found: Evaluation | None, baseline: HardwareEntry, key: str
) -> Subject:
    edit = variant.edit
    name = edit.model if isinstance(edit, UseModel) else key
    entry = baseline
    if isinstance(edit, ScaleDevice):
        entry = next((e for e in evaluation.study.hardware if e.id == edit.device), baseline)
    if found is None or any(p not in evaluation.problems for p in found.problems):
        return Subject(name, entry, None, None, variant.label, edit, why=Note("compare.why.not_evaluated"))
    if isinstance(edit, UseModel) and found.study.workload.phase != evaluation.study.workload.phase:
        return Subject(name, entry, None, None, variant.label, edit, why=Note("compare.why.other_phase"))
    result = found.device(entry.id)
    why = None if result is not None else Note("compare.why.no_bandwidth")
    return Subject(name, entry, found, result, variant.label, edit, why=why)


def _models(evaluation: Evaluation) -> Iterator[Variant]:
    return (Variant(label=m.name, edit=UseModel(model=m.id)) for m in evaluation.study.models)


def _formats(evaluation: Evaluation) -> Iterator[Variant]:
    """Weights and KV cache in the formats that are common, each alone and both together; as they are left out."""
    model, work = evaluation.model, evaluation.study.workload
    if model is None:
        return
    weights, kv = work.weights or model.weights_format, work.kv or model.kv_format
    narrow = [w for w in _WEIGHTS if w != weights]
    yield from (Variant(label="", edit=SetFormats(weights=w)) for w in narrow)
    if model.has_cache:
        yield from (Variant(label="", edit=SetFormats(kv=k)) for k in _KV if k != kv)
        yield from (
            Variant(label="", edit=SetFormats(weights=w, kv="fp8")) for w in narrow if w != "bf16" and kv != "fp8"
        )


def _what_ifs(evaluation: Evaluation) -> Iterator[Variant]:
    return iter(evaluation.study.what_ifs)


_VARIANTS: Final[dict[Vary, Callable[[Evaluation], Iterator[Variant]]]] = {
    "models": _models,
    "formats": _formats,
    "what_ifs": _what_ifs,
}
