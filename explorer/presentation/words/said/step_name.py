"""What one run of the work is called beside its lower bound: a step, the first token of prompts, a pass."""

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

register(
    {
        "floor.step": QT_TRANSLATE_NOOP("messages", "step, at least"),
        "floor.prompt": QT_TRANSLATE_NOOP("messages", "first token, at least"),
        "floor.pass": QT_TRANSLATE_NOOP("messages", "pass, at least"),
    }
)


def floor_name(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """How the lower bound of the study's phase is called."""
    model = evaluation.model
    kind = "step"
    if evaluation.tokens_per_input is not None or (model is not None and len(model.phases) == 1):
        kind = "pass"
    elif model is not None and evaluation.phase.takes_prompt:
        kind = "prompt"
    return render(Message(f"floor.{kind}"), look)
