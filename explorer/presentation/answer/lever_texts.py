"""Words of the levers: a chip with its gain, the change by itself, and what a click does."""

from collections.abc import Iterable

import explorer.presentation.answer.texts  # noqa: F401 - registers the comma of lists
from explorer.analysis.ask.levers import Gain, levers
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.study.variant import SetCount, Variant
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import factor
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render
from explorer.presentation.words.said.launches import gain_text

register(
    {
        "lever.useless": QT_TRANSLATE_NOOP("messages", "Of no use here: {changes}."),
        "lever.devices": QT_TRANSLATE_NOOP("messages", "{count} devices <b>have room</b>"),
        "lever.devices.change": QT_TRANSLATE_NOOP("messages", "{count} devices"),
        "lever.devices.tip": QT_TRANSLATE_NOOP(
            "messages", "The fewest of this device that hold the step together; click to take as many"
        ),
        "lever.weights8": QT_TRANSLATE_NOOP("messages", "8-bit weights <b>{gain}</b>"),
        "lever.weights8.change": QT_TRANSLATE_NOOP("messages", "8-bit weights"),
        "lever.weights8.tip": QT_TRANSLATE_NOOP(
            "messages", "How much faster the operators of the step get with 8-bit weights; click to use them"
        ),
        "lever.weights4": QT_TRANSLATE_NOOP("messages", "4-bit weights <b>{gain}</b>"),
        "lever.weights4.change": QT_TRANSLATE_NOOP("messages", "4-bit weights"),
        "lever.weights4.tip": QT_TRANSLATE_NOOP(
            "messages", "How much faster the operators of the step get with 4-bit weights; click to use them"
        ),
        "lever.kv4": QT_TRANSLATE_NOOP("messages", "4-bit KV <b>{gain}</b>"),
        "lever.kv4.change": QT_TRANSLATE_NOOP("messages", "4-bit KV cache"),
        "lever.kv4.tip": QT_TRANSLATE_NOOP(
            "messages", "How much faster the operators of the step get with a 4-bit KV cache; click to use it"
        ),
        "lever.kv8": QT_TRANSLATE_NOOP("messages", "8-bit KV <b>{gain}</b>"),
        "lever.kv8.change": QT_TRANSLATE_NOOP("messages", "8-bit KV cache"),
        "lever.kv8.tip": QT_TRANSLATE_NOOP(
            "messages", "How much faster the operators of the step get with an 8-bit KV cache; click to use it"
        ),
        "lever.bandwidth2": QT_TRANSLATE_NOOP("messages", "2× bandwidth <b>{gain}</b>"),
        "lever.bandwidth2.change": QT_TRANSLATE_NOOP("messages", "2× bandwidth"),
        "lever.bandwidth2.tip": QT_TRANSLATE_NOOP(
            "messages", "What twice the bandwidth would bring; click to put such a device beside this one"
        ),
        "lever.compute2": QT_TRANSLATE_NOOP("messages", "2× compute <b>{gain}</b>"),
        "lever.compute2.change": QT_TRANSLATE_NOOP("messages", "2× compute"),
        "lever.compute2.tip": QT_TRANSLATE_NOOP(
            "messages", "What twice the compute would bring; click to put such a device beside this one"
        ),
    }
)


def lever_texts(evaluation: Evaluation, entry_id: str, look: Look = ENGLISH) -> list[Message]:
    """What each change would bring on a device; changes that do not apply or bring nothing are left out."""
    result = evaluation.device(entry_id)
    return [lever_message(g, result, look) for g in levers(evaluation, entry_id) if g.useful]


def lever_message(found: Gain, result: DeviceResult | None, look: Look = ENGLISH, *, short: bool = False) -> Message:
    """A change and what it brings."""
    return Message(
        found.code, {**_named(found.variant), "gain": gain_text(result, factor(found.gain), look, short=short)}
    )


def change_text(variant: Variant, look: Look = ENGLISH) -> str:
    """A change by itself."""
    return render(Message(f"{variant.label}.change", _named(variant)), look)


def useless_text(found: Iterable[Gain], look: Look = ENGLISH) -> str:
    """The changes that apply and bring nothing, in one sentence; none where all help."""
    changes = [change_text(g.variant, look) for g in found if g.gain is not None and not g.useful]
    if not changes:
        return ""
    return render(Message("lever.useless", {"changes": render(Message("answer.list"), look).join(changes)}), look)


def _named(variant: Variant) -> dict[str, Value]:
    """What the words of a change name."""
    return {"count": f"{variant.edit.count:,}"} if isinstance(variant.edit, SetCount) else {}
