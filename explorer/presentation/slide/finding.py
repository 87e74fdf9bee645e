"""Title and subtitle of a slide: what the work waits for, under which conditions, and why."""

from collections.abc import Sequence

from explorer.analysis.ask.shares import dominant_bound
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.resources import BOUNDS, Bound
from explorer.presentation.answer.counted import spoken_of
from explorer.presentation.answer.nothing import is_refused, refused_text
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import percent
from explorer.presentation.slide.conditions import runs_once
from explorer.presentation.words.bounds import bound_text, bound_word, has_form
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.phases import phase_message
from explorer.presentation.words.said.launches import lead_text

_NEARLY = 0.98
_TWO = 2
_NAMED = 3  # devices that a title names before it counts


def finding(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """What the step waits for, on which devices, and where launches are unknown."""
    told = () if is_refused(evaluation) or not evaluation.rows else spoken_of(evaluation).devices
    return _verdict(evaluation, look) + lead_text(told, lambda d: device_label(evaluation, d, look), look)


def _verdict(evaluation: Evaluation, look: Look) -> str:
    about = subject(evaluation, look)
    told = spoken_of(evaluation)
    visible = told.devices
    if is_refused(evaluation):
        return render(Message("nothing.title", {"subject": about}), look)
    if not visible or not evaluation.rows:
        return render(Message("slide.no_hardware", {"subject": about}), look)
    bounds = [dominant_bound(d) for d in visible]
    if len(set(bounds)) == 1:
        values: dict[str, str | int | float] = {
            "subject": about,
            "device": device_label(evaluation, visible[0], look),
            "count": len(visible),
        }
        return render(Message(f"slide.waits.{told.counted}", {**values, "bound": bound_word(bounds[0], look)}), look)
    present = [b for b in BOUNDS if b in bounds]
    if len(present) > _TWO:
        return render(Message("slide.mixed_many", {"subject": about}), look)
    named: dict[str, str | int | float] = {"subject": about}
    for i, bound in enumerate(present, start=1):
        those = [d for d, own in zip(visible, bounds, strict=True) if own == bound]
        named[f"bound{i}"] = bound_word(bound, look)
        named[f"devices{i}"] = _named(evaluation, those, look)
    return render(Message("slide.mixed_2", named), look)


def subtitle(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """The conditions and the why."""
    work, model = evaluation.study.workload, evaluation.model
    if is_refused(evaluation):
        return refused_text(evaluation, look)
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
    if evaluation.tokens_per_input is not None:
        return render(Message("slide.inputs", values), look)
    if evaluation.phase.has_kv_growth:
        return render(Message("slide.decode_same" if weights == kv else "slide.decode", values), look)
    key = "slide.pass" if runs_once(evaluation) else "slide.prefill"
    return render(Message(f"{key}_one" if work.batch == 1 else key, values), look)


def subject(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """What a title speaks of: a model's phase, its one pass, or the study's own rows."""
    if evaluation.model is not None and runs_once(evaluation):
        return render(Message("slide.subject_pass", {"model": evaluation.model.name}), look)
    if evaluation.model is not None:
        named = phase_message(evaluation.study.workload.phase, "subject", {"model": evaluation.model.name})
        return render(named, look)
    if not evaluation.study.name:
        return render(Message("slide.unnamed"), look)
    return render(Message("slide.subject_rows", {"study": evaluation.study.name}), look)


def _named(evaluation: Evaluation, devices: Sequence[DeviceResult], look: Look) -> str:
    if len(devices) > _NAMED:
        return render(Message("answer.devices", {"count": len(devices)}), look)
    return render(Message("answer.list"), look).join(device_label(evaluation, d, look) for d in devices)


def _why(evaluation: Evaluation, look: Look) -> str:
    if evaluation.active is None or not evaluation.rows:
        return render(Message("why.nothing"), look)
    spoken = spoken_of(evaluation)
    visible, active = spoken.devices, spoken.one(evaluation.active)
    bound = dominant_bound(active)
    told = {"share": percent(active.bound_shares[bound]), "device": device_label(evaluation, active, look)}
    if active.launches_unknown:
        return render(Message("why.launches_unknown", {**told, "bound": bound_word(bound, look)}), look)
    if has_form(bound, "every") and all(_only(d, bound) for d in visible):
        return bound_text(bound, "every_one" if len(visible) == 1 else "every", look)
    if has_form(bound, "nearly") and len(visible) > 1 and all(_nearly(d, bound) for d in visible):
        return bound_text(bound, "nearly", look)
    return bound_text(bound, "why", look, **told)


def _only(result: DeviceResult, bound: Bound) -> bool:
    """Whether every operator waits for this, and compute was judged and launches were known."""
    return not result.launches_unknown and all(
        p.bound == bound and p.seconds("compute") is not None for p in result.points
    )


def _nearly(result: DeviceResult, bound: Bound) -> bool:
    return not result.launches_unknown and result.bound_shares[bound] >= _NEARLY
