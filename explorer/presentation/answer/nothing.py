"""Why there is nothing to show: what was refused, or else what to choose."""

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, of_problem, register, render

register(
    {
        "nothing.refused": QT_TRANSLATE_NOOP("messages", "This cannot be evaluated. {reason}"),
        "nothing.title": QT_TRANSLATE_NOOP("messages", "{subject} cannot be evaluated"),
    }
)


def is_refused(evaluation: Evaluation) -> bool:
    """Whether faults left nothing to evaluate: figures are then unknown, not zero."""
    return not evaluation.rows and bool(evaluation.problems)


def refused_text(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """The first fault of work that was refused."""
    reason = render(of_problem(evaluation.problems[0]), look)
    return render(Message("nothing.refused", {"reason": reason}), look)


def nothing_text(evaluation: Evaluation, otherwise: str, look: Look = ENGLISH) -> str:
    """What was refused; the sentence of the code `otherwise` where nothing was."""
    return refused_text(evaluation, look) if is_refused(evaluation) else render(Message(otherwise), look)
