"""The answer in words: what the work waits for, what the step costs, what stands in the way."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape

from msgspec.structs import replace

import explorer.presentation.answer.texts  # noqa: F401 - registers the sentences used here
from explorer.analysis.ask.shares import dominant_bound
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.resources import BOUNDS, Bound
from explorer.presentation.answer.beside import fastest, others_without_room, versus
from explorer.presentation.answer.counted import SpokenOf, spoken_of
from explorer.presentation.hardware.device_names import device_label, names_in
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity, percent, seconds, significant
from explorer.presentation.words.bounds import ALWAYS_COUNTED, TOLD_ALONE, bound_text, bound_word, has_form
from explorer.presentation.words.messages import Message, of_problem, render
from explorer.presentation.words.phases import phase_message
from explorer.presentation.words.said.launches import lead_text
from explorer.presentation.words.said.routing import pace_text, routing_text
from explorer.presentation.words.translated import fitting
from explorer.presentation.words.visible import middle_cut, shortened

_TAG = re.compile(r"</?b>")
_ALMOST_ALL = 0.9
_NAMED = 3
_TOLD_APART = 4  # bounds, each with its devices
_LONGEST_NAME = 40


class Clause(str):
    """A part of a sentence that has marks of its own; itself it is without."""

    __slots__ = ("message",)
    message: Message

    @classmethod
    def of(cls, message: Message, look: Look) -> "Clause":
        """The part in the reader's language."""
        clause = cls(without_marks(message, look))
        clause.message = message
        return clause


def without_marks(message: Message, look: Look = ENGLISH) -> str:
    """A message without marks, for a terminal or a file."""

    def unmarked(context: str, text: str) -> str:
        return _TAG.sub("", fitting(text, look.translate(context, text)))

    return render(message, replace(look, translate=unmarked))


def with_marks(message: Message, look: Look = ENGLISH) -> str:
    """A message as rich text: bold parts marked, values escaped."""
    values = {k: _marked(v, look) if isinstance(v, str) else v for k, v in message.values.items()}
    return render(Message(message.key, values), look)


def _marked(value: str, look: Look) -> str:
    return with_marks(value.message, look) if isinstance(value, Clause) else escape(value)


def plain_text(messages: Iterable[Message], look: Look = ENGLISH) -> str:
    """Sentences in a row, without marks."""
    return " ".join(without_marks(m, look) for m in messages)


def rich_text(messages: Iterable[Message], look: Look = ENGLISH) -> str:
    """Sentences in a row, as rich text."""
    return " ".join(with_marks(m, look) for m in messages)


def answer(evaluation: Evaluation, look: Look = ENGLISH) -> list[Message]:
    """Sentences of the answer line, the most important first; figures are those of the active device."""
    spoken, active = spoken_of(evaluation), evaluation.active
    if not evaluation.rows:
        return _no_rows(evaluation)
    if active is None:
        hidden = not any(e.visible for e in evaluation.study.hardware)
        return [Message("answer.no_hardware" if hidden else "answer.no_bandwidth")]
    return [
        _hedged(_waits(evaluation, spoken, look), evaluation, spoken.devices, look),
        *_that_is(evaluation, spoken, active, look),
        _figures(evaluation, active, look),
        *fastest(evaluation, active, lambda d: _called(evaluation, d, look)),
        *_room(evaluation, active, look),
        *_remarks(evaluation, active, look),
        *_left_out(evaluation),
    ]


def _called(evaluation: Evaluation, result: DeviceResult, look: Look) -> str:
    """A device in the answer, where the figures behind its name must find room."""
    label = device_label(evaluation, result, look)
    called = shortened(label, _LONGEST_NAME)
    if called == label:
        return label
    names = names_in(evaluation, look).values()
    others = (n.label for n in names if n.label != label)
    # of two long names the ends may tell them apart
    return middle_cut(label, _LONGEST_NAME) if called in {shortened(o, _LONGEST_NAME) for o in others} else called


def _where(evaluation: Evaluation, result: DeviceResult, look: Look) -> str:
    """The device that a time is of; where the step has no room, the time is that of one with more memory."""
    called = _called(evaluation, result, look)
    return Clause.of(Message("answer.supposed", {"device": called}), look) if result.totals.fits is False else called


def _no_rows(evaluation: Evaluation) -> list[Message]:
    if not evaluation.problems:
        return [Message("answer.nothing")]
    return [Message("answer.refused"), of_problem(evaluation.problems[0])]


def _waits(evaluation: Evaluation, spoken: SpokenOf, look: Look) -> Message:
    devices, form = spoken
    bounds = [dominant_bound(d) for d in devices]
    if len(set(bounds)) > 1:
        return _mixed(evaluation, devices, bounds, look)
    bound = bounds[0]
    values: dict[str, Value] = {"bound": bound_word(bound, look)}
    if len(devices) == 1 and form != ".fits":
        shares = devices[0].bound_shares
        if shares[bound] < _ALMOST_ALL:
            return _mostly(bound, shares, look)
        return Message("answer.one", values)
    if len(devices) == 1:
        return Message("answer.one.fits", {**values, "device": _called(evaluation, devices[0], look)})
    counted = {"count": len(devices)} if spoken.counted.startswith("all") else {}
    return Message(f"answer.{spoken.counted}", {**values, **counted})


def _hedged(verdict: Message, evaluation: Evaluation, visible: Sequence[DeviceResult], look: Look) -> Message:
    """A verdict, with the devices whose launches are unknown."""
    unknown = lead_text(visible, lambda d: _called(evaluation, d, look), look)
    return Message(verdict.key, {**verdict.values, "launches": unknown})


def _that_is(evaluation: Evaluation, spoken: SpokenOf, active: DeviceResult, look: Look) -> list[Message]:
    """How much of the time on the active device, where devices are counted that wait alike but not all of the time."""
    devices, form = spoken
    if (len(devices) == 1 and form != ".fits") or len({dominant_bound(d) for d in devices}) > 1:
        return []
    told = spoken.one(active)
    share = told.bound_shares[dominant_bound(told)]
    if share >= _ALMOST_ALL:
        return []
    return [Message("answer.that_is", {"device": _called(evaluation, told, look), "share": percent(share)})]


def _mostly(bound: Bound, shares: dict[Bound, float], look: Look) -> Message:
    values: dict[str, Value] = {"share": percent(shares[bound]), "bound": bound_word(bound, look)}
    if bound in TOLD_ALONE:
        return Message("answer.mostly_alone", values)
    other = max((b for b in BOUNDS if b != bound), key=lambda b: shares[b])
    return Message("answer.mostly", {**values, "other": bound_word(other, look)})


def _mixed(evaluation: Evaluation, visible: Sequence[DeviceResult], bounds: Sequence[Bound], look: Look) -> Message:
    present = [b for b in BOUNDS if b in bounds]
    values: dict[str, Value] = {}
    for i, bound in enumerate(present, start=1):
        those = [d for d, b in zip(visible, bounds, strict=True) if b == bound]
        values[f"bound{i}"] = bound_word(bound, look)
        values[f"devices{i}"] = _named(evaluation, those, look)
    return Message(f"answer.mixed_{len(present)}" if len(present) <= _TOLD_APART else "answer.mixed_many", values)


def _named(evaluation: Evaluation, devices: Sequence[DeviceResult], look: Look) -> str:
    if len(devices) > _NAMED:
        return without_marks(Message("answer.devices", {"count": len(devices)}), look)
    return without_marks(Message("answer.list"), look).join(_called(evaluation, d, look) for d in devices)


def _figures(evaluation: Evaluation, active: DeviceResult, look: Look) -> Message:
    model = evaluation.model
    if model is None:
        return _of_operators(evaluation, active, look)
    work = evaluation.study.workload
    totals = active.totals
    encodes = evaluation.phase.takes_prompt and model.encodes
    context = int(float(model.prompt_tokens(float(work.context)))) if encodes else work.context
    values: dict[str, str | int | float] = {
        "device": _where(evaluation, active, look),
        "floor": seconds(float(totals.floor_s)),
        "routed": seconds(float(totals.routed.seconds)),
        "routing": pace_text(evaluation, look),
        "per_request": _rate(totals.routed.tokens_per_s_per_request),
        "all": _rate(totals.routed.tokens_per_s),
        "batch": f"{work.batch:,}",
        "context": f"{context:,}",
        "versus": _versus(evaluation, active, look),
    }
    form = ("routed" if totals.routing_matters else "answer") + ("_one" if work.batch == 1 else "")
    if encodes and model.runs_once:
        floor = float(totals.floor_s)
        one_pass = "answer.one_pass_one" if work.batch == 1 else "answer.one_pass"
        return Message(one_pass, values | {"inputs": _rate(work.batch / floor if floor > 0 else None)})
    if encodes:
        return Message(f"answer.{form.replace('answer', 'encode')}", values)
    return phase_message(work.phase, form, values)


def _versus(evaluation: Evaluation, active: DeviceResult, look: Look) -> str:
    """What stands behind the active device's time: how fast that is beside the baseline."""
    said = versus(evaluation, active, lambda d: _called(evaluation, d, look))
    return "" if said is None else Clause.of(said, look)


def _rate(value: object) -> str:
    return significant(float(value)) if isinstance(value, int | float) else "–"


def _routing(evaluation: Evaluation, active: DeviceResult, look: Look) -> str:
    """How experts are chosen, beside a time that has launches in it where they are known."""
    return (pace_text if active.launches_unknown else routing_text)(evaluation, look)


def _of_operators(evaluation: Evaluation, active: DeviceResult, look: Look) -> Message:
    device, versus = _where(evaluation, active, look), _versus(evaluation, active, look)
    values: dict[str, str | int | float]
    if len(active.points) > 1:
        bounds = Counter(p.bound for p in active.points)
        named = [b for b in BOUNDS if bounds[b] or b in ALWAYS_COUNTED]
        told = [bound_text(b, "counted", look, count=bounds[b]) for b in named]
        counts = without_marks(Message("answer.list"), look).join(told)
        time = seconds(float(active.totals.time_s))
        values = {"device": device, "count": len(active.points), "time": time, "bounds": counts, "versus": versus}
        if active.totals.routing_matters:
            return Message("answer.operators_routed", {**values, "routing": _routing(evaluation, active, look)})
        return Message("answer.operators", values)
    point = active.points[0]
    values = {
        "device": device,
        "name": shortened(point.row.name or point.row.kind, _LONGEST_NAME),
        "versus": versus,
        "time": seconds(float(point.total_s)),
        "intensity": "–" if point.intensity is None else significant(float(point.intensity)),
    }
    if active.totals.routing_matters:
        least = seconds(float(active.totals.floor_s))
        return Message(
            "answer.operator_routed", {**values, "floor": least, "routing": _routing(evaluation, active, look)}
        )
    if active.ridge is None:
        return Message("answer.operator_no_ridge", values)
    return Message("answer.operator", values | {"ridge": significant(active.ridge)})


def _room(evaluation: Evaluation, active: DeviceResult, look: Look) -> list[Message]:
    """Which devices the step does not fit on, the active one first."""
    totals, found = active.totals, []
    if totals.fits is False:
        needed, held = capacity(float(totals.memory_bytes), look.unit), capacity(totals.capacity, look.unit)
        values = {"needed": needed, "device": _called(evaluation, active, look), "capacity": held}
        found.append(Message("answer.does_not_fit", values))
    return found + others_without_room(evaluation, active, lambda d: _called(evaluation, d, look), look)


def _remarks(evaluation: Evaluation, active: DeviceResult, look: Look) -> list[Message]:
    found: list[Message] = []
    device = _called(evaluation, active, look)
    totals = active.totals
    bound = dominant_bound(active)
    if evaluation.model is not None and has_form(bound, "remark"):
        found.append(Message(f"bound.{bound}.remark", {"time": seconds(float(totals.time_s))}))
    if active.launches_unknown:
        found.append(Message("answer.launches_unknown", {"device": device}))
    if active.main_peak.rate is None:
        found.append(Message("answer.not_judged", {"device": device, "format": active.main_peak.format}))
    if evaluation.model is not None and evaluation.model.rough:
        found.append(Message("answer.rough"))
    return found


def _left_out(evaluation: Evaluation) -> list[Message]:
    faults = len({p.path.partition(".")[0] for p in evaluation.problems})
    if faults == 0:
        return []
    return [Message("answer.left_out_one") if faults == 1 else Message("answer.left_out", {"count": faults})]
