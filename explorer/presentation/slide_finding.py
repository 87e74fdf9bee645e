"""Title and subtitle of a slide: what the work waits for, under which conditions, and why."""

from collections.abc import Sequence

from explorer.analysis.evaluate import DeviceResult, Evaluation
from explorer.analysis.placement import Bound
from explorer.presentation.answer import bound_shares, dominant_bound
from explorer.presentation.device_names import device_label
from explorer.presentation.messages import Message, Translate, render, untranslated
from explorer.presentation.numbers import percent

_HOW_MANY = {1: "one", 2: "both", 3: "three"}
_NEARLY = 0.98
_NAMED = 3  # devices that a title names before it counts


def finding(evaluation: Evaluation, translate: Translate = untranslated) -> str:
    """What the step waits for, on which devices."""
    subject = _subject(evaluation, translate)
    visible = [d for d in evaluation.devices if d.entry.visible]
    if not visible or not evaluation.rows:
        return render(Message("slide.no_hardware", {"subject": subject}), translate)
    bounds = [dominant_bound(d) for d in visible]
    if len(set(bounds)) == 1:
        how_many = _HOW_MANY.get(len(visible), "all")
        values: dict[str, str | int | float] = {
            "subject": subject,
            "device": device_label(evaluation, visible[0], translate),
            "count": len(visible),
        }
        return render(Message(f"slide.waits.{how_many}.{bounds[0]}", values), translate)
    present = [b for b in ("memory", "compute", "overhead") if b in bounds]
    named: dict[str, str | int | float] = {
        b: _named(evaluation, [d for d, own in zip(visible, bounds, strict=True) if own == b], translate)
        for b in present
    }
    return render(Message("slide.mixed." + "_".join(present), {"subject": subject, **named}), translate)


def subtitle(evaluation: Evaluation, translate: Translate = untranslated) -> str:
    """The conditions and the why."""
    work, model = evaluation.study.workload, evaluation.model
    why = _why(evaluation, translate)
    if model is None:
        count = len(evaluation.rows)
        return render(
            Message("slide.rows_one" if count == 1 else "slide.rows", {"count": count, "why": why}), translate
        )
    weights, kv = work.weights or model.weights_format, work.kv or model.kv_format
    values: dict[str, str | int | float] = {
        "batch": f"{work.batch:,}",
        "context": f"{work.context:,}",
        "weights": weights,
        "kv": kv,
        "why": why,
    }
    if work.phase == "decode":
        return render(Message("slide.decode_same" if weights == kv else "slide.decode", values), translate)
    return render(Message("slide.prefill_one" if work.batch == 1 else "slide.prefill", values), translate)


def _subject(evaluation: Evaluation, translate: Translate) -> str:
    if evaluation.model is not None:
        key = f"slide.subject_{evaluation.study.workload.phase}"
        return render(Message(key, {"model": evaluation.model.name}), translate)
    name = evaluation.study.name or render(Message("slide.unnamed"), translate)
    return render(Message("slide.subject_rows", {"model": name}), translate)


def _named(evaluation: Evaluation, devices: Sequence[DeviceResult], translate: Translate) -> str:
    if len(devices) > _NAMED:
        return render(Message("answer.devices", {"count": len(devices)}), translate)
    return render(Message("answer.list"), translate).join(device_label(evaluation, d, translate) for d in devices)


def _why(evaluation: Evaluation, translate: Translate) -> str:
    visible = [d for d in evaluation.devices if d.entry.visible]
    active = evaluation.active
    if active is None or not evaluation.rows:
        return render(Message("why.nothing"), translate)
    if all(_only(d, "memory") for d in visible):
        return render(Message("why.memory_one" if len(visible) == 1 else "why.memory_all"), translate)
    if len(visible) > 1 and all(bound_shares(d)["memory"] >= _NEARLY for d in visible):
        return render(Message("why.memory_nearly"), translate)
    bound = dominant_bound(active)
    share = percent(bound_shares(active)[bound])
    return render(
        Message(f"why.{bound}", {"share": share, "device": device_label(evaluation, active, translate)}), translate
    )


def _only(result: DeviceResult, bound: Bound) -> bool:
    """Whether every operator waits for this, and compute was judged."""
    return all(p.bound == bound and p.compute_s is not None for p in result.points)
