"""How experts are chosen, in words: at random, or under the skew that the user sets."""

from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.routing import EXPERTS
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import percent
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

register(
    {
        "routing.bare": QT_TRANSLATE_NOOP("messages", "{routing}, without launches"),
        "routing.random": QT_TRANSLATE_NOOP("messages", "by random routing"),
        "routing.skewed": QT_TRANSLATE_NOOP("messages", "at skew {skew}"),
        "routing.random.short": QT_TRANSLATE_NOOP("messages", "random routing"),
        "routing.skewed.short": QT_TRANSLATE_NOOP("messages", "skew {skew}"),
        "routing.random.mark": QT_TRANSLATE_NOOP("messages", "random"),
        "routing.skewed.mark": QT_TRANSLATE_NOOP("messages", "skew {skew}"),
    }
)


def routes(evaluation: Evaluation) -> bool:
    """Whether some operator of the step reads the experts that its tokens choose."""
    return any(row.kind == EXPERTS for row in evaluation.rows)


def routing_text(evaluation: Evaluation, look: Look = ENGLISH, form: str = "") -> str:
    """How the study routes: `by random routing`, `at skew 50 %`; in a header `short`, as a `mark` shorter."""
    skew = evaluation.study.workload.skew
    key = f"routing.{'skewed' if skew else 'random'}" + (f".{form}" if form else "")
    return render(Message(key, {"skew": percent(skew)} if skew else {}), look)


def pace_text(evaluation: Evaluation, look: Look = ENGLISH, form: str = "") -> str:
    """The same beside a figure that no launch is in, where every kernel is launched by itself."""
    routing = routing_text(evaluation, look, form)
    if evaluation.study.workload.launch != "eager":
        return routing
    return render(Message("routing.bare", {"routing": routing}), look)
