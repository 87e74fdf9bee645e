"""Title and subtitle of a slide: what the work waits for, under which conditions, and why."""

from collections.abc import Sequence

from explorer.analysis.ask.shares import dominant_bound
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.resources import BOUNDS, Bound
from explorer.presentation.answer.answer import bound_word
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import percent
from explorer.presentation.words.messages import Message, render

_HOW_MANY = {1: "one", 2: "both", 3: "three"}
_NEARLY = 0.98
_TWO = 2
_NAMED = 3  # devices that a title names before it counts


def finding(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """What the step waits for, on which devices."""
    subject = _subject(evaluation, look)
    visible = [d for d in evaluation.devices if d.entry.visible]
    if not visible or not evaluation.rows:
        return render(Message("slide.no_hardware", {"subject": subject}), look)
    bounds = [dominant_bound(d) for d in visible]
    if len(set(bounds)) == 1:
        how_many = _HOW_MANY.get(len(visible), "all")
        values: dict[str, str | int | float] = {
            "subject": subject,
            "device": device_label(evaluation, visible[0], look),
            "count": len(visible),
        }
        return render(Message(f"slide.waits.{how_many}", {**values, "bound": bound_word(bounds[0], look)}), look)
    present = [b for b in BOUNDS if b in bounds]
    if len(present) > _TWO:
        return render(Message("slide.mixed_many", {"subject": subject}), look)
    named: dict[str, str | int | float] = {"subject": subject}
    for i, bound in enumerate(present, start=1):
        those = [d for d, own in zip(visible, bounds, strict=True) if own == bound]
        named[f"bound{i}"] = bound_word(bound, look)
        named[f"devices{i}"] = _named(evaluation, those, look)
    return render(Message("slide.mixed_2", named), look)


def subtitle(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """The conditions and the why."""
    work, model = evaluation.study.workload, evaluation.model
    why = _why(evaluation, look)
    if model is None:
        count = len(evaluation.rows)
        return render(Message("slide.rows_one" if count == 1 else "slide.rows", {"count": count, "why": why}), look)
    weights, kv = work.weights or model.weights_format, work.kv or model.kv_format
    values: dict[str, str | int | float] = {
        "batch": f"{work.batch:,}",
        "context": f"{work.context:,}",
        "weights": weights,
        "kv": kv,
        "why": why,
    }
    if evaluation.phase.has_kv_growth:
        return render(Message("slide.decode_same" if weights == kv else "slide.decode", values), look)
    return render(Message("slide.prefill_one" if work.batch == 1 else "slide.prefill", values), look)


def _subject(evaluation: Evaluation, look: Look) -> str:
    if evaluation.model is not None:
        key = f"slide.subject_{evaluation.study.workload.phase}"
        return render(Message(key, {"model": evaluation.model.name}), look)
    name = evaluation.study.name or render(Message("slide.unnamed"), look)
    return render(Message("slide.subject_rows", {"model": name}), look)


def _named(evaluation: Evaluation, devices: Sequence[DeviceResult], look: Look) -> str:
    if len(devices) > _NAMED:
        return render(Message("answer.devices", {"count": len(devices)}), look)
    return render(Message("answer.list"), look).join(device_label(evaluation, d, look) for d in devices)


def _why(evaluation: Evaluation, look: Look) -> str:
    visible = [d for d in evaluation.devices if d.entry.visible]
    active = evaluation.active
    if active is None or not evaluation.rows:
        return render(Message("why.nothing"), look)
    if all(_only(d, "memory") for d in visible):
        return render(Message("why.memory_one" if len(visible) == 1 else "why.memory_all"), look)
    if len(visible) > 1 and all(d.bound_shares["memory"] >= _NEARLY for d in visible):
        return render(Message("why.memory_nearly"), look)
    bound = dominant_bound(active)
    values = {"share": percent(active.bound_shares[bound]), "device": device_label(evaluation, active, look)}
    return render(Message(f"bound.{bound}.why", values), look)


def _only(result: DeviceResult, bound: Bound) -> bool:
    """Whether every operator waits for this, and compute was judged."""
    return all(p.bound == bound and p.seconds("compute") is not None for p in result.points)
