"""Words of a phase: its names, what its context is called, and what is said of a step; the same forms for each."""

from collections.abc import Mapping

from explorer.analysis.problem import Value
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

register(
    {
        "phase.prefill": QT_TRANSLATE_NOOP("messages", "Prefill"),
        "phase.prefill.listed": QT_TRANSLATE_NOOP("messages", "prefill"),
        "phase.prefill.context": QT_TRANSLATE_NOOP("messages", "Prompt, tokens"),
        "phase.prefill.subject": QT_TRANSLATE_NOOP("messages", "{model} prefill"),
        "phase.prefill.title": QT_TRANSLATE_NOOP(
            "messages", "{model}, prompts of {context} tokens: what a larger batch brings"
        ),
        "phase.prefill.answer_one": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} a prompt of {context} tokens takes at least <b>{floor}</b> to the first token{versus}: "
            "at most <b>{all} tokens/s</b>.",
        ),
        "phase.prefill.answer": QT_TRANSLATE_NOOP(
            "messages",
            "On {device}, {batch} prompts of {context} tokens take at least <b>{floor}</b> to the first token{versus}: "
            "at most <b>{all} tokens/s</b> in all.",
        ),
        "phase.prefill.routed_one": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} a prompt of {context} tokens takes about <b>{routed}</b> to the first token {routing}{versus} "
            "(<b>{all} tokens/s</b>); no less than <b>{floor}</b>, if all tokens chose alike.",
        ),
        "phase.prefill.routed": QT_TRANSLATE_NOOP(
            "messages",
            "On {device}, {batch} prompts of {context} tokens take about <b>{routed}</b> to the first token "
            "{routing}{versus} (<b>{all} tokens/s</b> in all); no less than <b>{floor}</b>, if all tokens chose alike.",
        ),
        "phase.inputs.title": QT_TRANSLATE_NOOP("messages", "{model}: what a larger batch brings"),
        "phase.decode": QT_TRANSLATE_NOOP("messages", "Decode"),
        "phase.decode.listed": QT_TRANSLATE_NOOP("messages", "decode"),
        "phase.decode.context": QT_TRANSLATE_NOOP("messages", "Context, tokens"),
        "phase.decode.subject": QT_TRANSLATE_NOOP("messages", "{model} decode"),
        "phase.decode.title": QT_TRANSLATE_NOOP(
            "messages", "{model}, decode at context {context}: what a larger batch brings"
        ),
        "phase.decode.answer_one": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} a step takes at least <b>{floor}</b>{versus}: at most <b>{per_request} tokens/s</b>.",
        ),
        "phase.decode.answer": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} a step takes at least <b>{floor}</b>{versus}: "
            "at most <b>{per_request} tokens/s</b> per request, {all} in all.",
        ),
        "phase.decode.routed_one": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} a step takes about <b>{routed}</b> {routing}{versus} (<b>{per_request} tokens/s</b>); "
            "no less than <b>{floor}</b>, if all tokens chose alike.",
        ),
        "phase.decode.routed": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} a step takes about <b>{routed}</b> {routing}{versus} "
            "(<b>{per_request} tokens/s</b> per request, {all} in all); "
            "no less than <b>{floor}</b>, if all requests chose alike.",
        ),
    }
)


def phase_word(phase: str, form: str = "", look: Look = ENGLISH) -> str:
    """A phase's name; as a `listed` one, or what its `context` is called."""
    return render(phase_message(phase, form, {}), look)


def phase_message(phase: str, form: str, values: Mapping[str, Value]) -> Message:
    """What is said of a phase's step: `subject` and `title` of a figure, `answer`, of one request `answer_one`.

    Where the routing of experts decides, `routed` and `routed_one` in place of the answers.
    """
    return Message(f"phase.{phase}.{form}" if form else f"phase.{phase}", values)
