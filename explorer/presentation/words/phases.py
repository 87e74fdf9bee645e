"""Words of a phase: its name, its name in a list, and what its context is called."""

from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

register(
    {
        "phase.prefill": QT_TRANSLATE_NOOP("messages", "Prefill"),
        "phase.prefill.listed": QT_TRANSLATE_NOOP("messages", "prefill"),
        "phase.prefill.context": QT_TRANSLATE_NOOP("messages", "Prompt, tokens"),
        "phase.decode": QT_TRANSLATE_NOOP("messages", "Decode"),
        "phase.decode.listed": QT_TRANSLATE_NOOP("messages", "decode"),
        "phase.decode.context": QT_TRANSLATE_NOOP("messages", "Context, tokens"),
    }
)


def phase_word(phase: str, form: str = "", look: Look = ENGLISH) -> str:
    """A phase's name; as a `listed` one, or what its `context` is called."""
    return render(Message(f"phase.{phase}.{form}" if form else f"phase.{phase}"), look)
