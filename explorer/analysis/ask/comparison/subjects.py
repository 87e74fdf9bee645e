"""What stands side by side in a comparison: one subject for each thing that varies, each with its own step."""

from collections.abc import Callable, Iterator
from typing import Final

import msgspec

from explorer.analysis.ask.evaluation_set import EvaluationSet
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.study.choices import Vary
from explorer.analysis.study.study import HardwareEntry
from explorer.analysis.study.variant import Edit, SetFormats, UseModel, Variant

_WEIGHTS: Final = ("bf16", "fp8", "int8", "int4")
_KV: Final = ("bf16", "fp8", "int4")


class Subject(msgspec.Struct, frozen=True, eq=False):
    """One row of a comparison.

    `key` is unique among its siblings: a hardware entry's id, a model's, a variant's place. `name` is as the user has
    it, "" for a machine or a format, which views name by `entry` and `edit`. `result` is the step on its machine, None
    where it cannot be evaluated. The subject that nothing was changed for has no `edit`.
    """

    key: str
    entry: HardwareEntry
    evaluation: Evaluation | None
    result: DeviceResult | None
    name: str = ""
    edit: Edit | None = None


def subjects(evaluation: Evaluation, vary: Vary | None = None) -> tuple[Subject, ...]:
    """What stands side by side, in the study's order; `vary` of the study's view where none is given.

    Machines are the visible entries. Everything else varies on the device that ratios are to, the step as it is first,
    but for models, which stand in the study's order.
    """
    return evaluation.section(_subjects, vary or evaluation.study.view.vary, *_seen(evaluation))


def baseline_key(evaluation: Evaluation, found: tuple[Subject, ...], vary: Vary | None = None) -> str:
    """The key of the subject that the others are compared with, "" without any."""
    kind = vary or evaluation.study.view.vary
    own = evaluation.baseline.entry.id if kind == "machines" and evaluation.baseline is not None else ""
    wanted = own or (evaluation.study.active_model if kind == "models" else "")
    return wanted if any(s.key == wanted for s in found) else next((s.key for s in found), "")


def _seen(evaluation: Evaluation) -> tuple[str, ...]:
    """What the view decides of a comparison: a section of an evaluation outlives its view."""
    visible = tuple(e.id for e in evaluation.study.hardware if e.visible)
    return ("" if evaluation.baseline is None else evaluation.baseline.entry.id, *visible)


def _subjects(evaluation: Evaluation, vary: Vary, baseline: str, *visible: str) -> tuple[Subject, ...]:
    if vary == "machines":
        entries = [e for e in evaluation.study.hardware if e.id in visible]
        return tuple(Subject(e.id, e, evaluation, evaluation.device(e.id)) for e in entries)
    result = evaluation.device(baseline)
    if result is None or vary not in _VARIANTS:
        return ()
    variants = list(_VARIANTS[vary](evaluation))
    found = EvaluationSet(evaluation, variants)
    others = [_subject(variant, other, result.entry, str(i)) for i, (variant, other) in enumerate(found)]
    as_it_is = Subject("", result.entry, evaluation, result)
    return tuple(others) if vary == "models" else (as_it_is, *others)


def _subject(variant: Variant, found: Evaluation | None, entry: HardwareEntry, key: str) -> Subject:
    edit = variant.edit
    usable = found if found is not None and not found.problems else None
    result = None if usable is None else usable.device(entry.id)
    return Subject(edit.model if isinstance(edit, UseModel) else key, entry, usable, result, variant.label, edit)


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
