"""Under which conditions a figure holds: of the study shown, on every slide, whatever its texts say."""

import explorer.presentation.slide.conditions_texts  # noqa: F401 - registers its sentences
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.hardware.device_names import device_label, names_in
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.phases import phase_word
from explorer.presentation.words.said.routing import routes, routing_text

_BETWEEN = " · "
_NAMED = 6  # devices named before they are counted
_FINER = 5  # digits of sizes that come close


def conditions(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """Model, batch, context, formats, attention, logits, launch, devices, memory kept free, and what has no room."""
    parts = [_work(evaluation, look), _formats(evaluation, look), *_counted(evaluation, look)]
    work = evaluation.study.workload
    parts.append(_say(f"condition.{work.launch}", look))
    if routes(evaluation):
        parts.append(_say("condition.routing", look, routing=routing_text(evaluation, look)))
    parts.append(_devices(evaluation, look))
    if work.reserve:
        parts.append(_say("condition.reserve", look, bytes=capacity(work.reserve, look.unit)))
    if evaluation.model is not None and evaluation.model.rough:
        parts.append(_say("condition.rough", look))
    parts.append(without_room(evaluation, look))
    return _BETWEEN.join(p for p in parts if p)


def without_room(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """The devices that the step does not fit on, with what it needs and what they hold; empty where it fits on all."""
    short = [d for d in _visible(evaluation) if d.totals.fits is False]
    if not short:
        return ""
    return _say("condition.no_room", look, devices=_list([_short_by(evaluation, d, look) for d in short], look))


def _short_by(evaluation: Evaluation, result: DeviceResult, look: Look) -> str:
    """A device, what the step needs there, with more digits where fewer say the same, and what it holds."""
    needed, room = float(result.totals.memory_bytes), result.totals.capacity
    needs, holds = capacity(needed, look.unit), capacity(room, look.unit)
    if needs == holds:
        needs, holds = capacity(needed, look.unit, _FINER), capacity(room, look.unit, _FINER)
    return _say("condition.holds", look, device=device_label(evaluation, result, look), needed=needs, held=holds)


def runs_once(evaluation: Evaluation) -> bool:
    """Whether the model has one pass over its input and no other phase, so that none is named."""
    model = evaluation.model
    return model is not None and (evaluation.tokens_per_input is not None or len(model.phases) == 1)


def _work(evaluation: Evaluation, look: Look) -> str:
    model, work, count = evaluation.model, evaluation.study.workload, len(evaluation.rows)
    if model is None:
        named = evaluation.study.name
        rows = _say("condition.row_one" if count == 1 else "condition.rows", look, count=count)
        return f"{named}{_BETWEEN}{rows}" if named else rows
    key = "condition.inputs" if evaluation.tokens_per_input is not None else "condition.model"
    if key == "condition.model" and runs_once(evaluation):
        key = "condition.pass"
    said = _say(
        key,
        look,
        model=model.name,
        phase=phase_word(work.phase, "listed", look),
        batch=f"{work.batch:,}",
        context=f"{work.context:,}",
    )
    own = sum(o.enabled for o in evaluation.study.operators)
    if own:
        said += _BETWEEN + _say("condition.own_one" if own == 1 else "condition.own", look, count=own)
    return said


def _formats(evaluation: Evaluation, look: Look) -> str:
    """Weights, activations and KV cache, those of one format told together."""
    model, work = evaluation.model, evaluation.study.workload
    if model is None:
        found = list(dict.fromkeys(f for r in evaluation.rows for f in (r.weights, r.activations)))
        return _say("condition.operands", look, formats=_list(found, look)) if found else ""
    told = {
        "weights": work.weights or model.weights_format,
        "activations": work.activations or model.activations_format,
    }
    if evaluation.tokens_per_input is None and not runs_once(evaluation):
        told["kv"] = work.kv or model.kv_format
    by_format: dict[str, list[str]] = {}
    for part, name in told.items():
        by_format.setdefault(name, []).append(part)
    texts = [_say(f"condition.of.{'_'.join(those)}", look, format=name) for name, those in by_format.items()]
    changed = len(evaluation.study.overrides)
    if changed:
        texts.append(_say("condition.changed_one" if changed == 1 else "condition.changed", look, count=changed))
    return _list(texts, look)


def _counted(evaluation: Evaluation, look: Look) -> list[str]:
    """How attention and logits are counted, where some tokens see only those before them."""
    model, work = evaluation.model, evaluation.study.workload
    if model is None or (model.encodes and evaluation.phase.takes_prompt):
        return []
    return [_say(f"condition.{work.attention_count}", look) + _comma(look) + _say(f"condition.{work.logits}", look)]


def _devices(evaluation: Evaluation, look: Look) -> str:
    visible = _visible(evaluation)
    if not visible:
        return ""
    many = len(visible) > _NAMED
    names = [names_in(evaluation, look)[d.entry.id] for d in visible]
    named = [name.label for name in names if not many or name.label != name.bare]  # led by their number
    if many:
        named.insert(0, _say("condition.devices", look, count=len(visible)))
    return _say("condition.on", look, devices=_list(named, look))


def _visible(evaluation: Evaluation) -> list[DeviceResult]:
    return [d for d in evaluation.devices if d.entry.visible]


def _comma(look: Look) -> str:
    return render(Message("chart.list"), look)


def _list(texts: list[str], look: Look) -> str:
    return _comma(look).join(texts)


def _say(key: str, look: Look, **values: Value) -> str:
    return render(Message(key, values), look)
