"""How each view of the comparison is read, for the block on its slide."""

from collections.abc import Callable, Iterable

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.look import Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

register(
    {
        "read.paired": QT_TRANSLATE_NOOP(
            "messages", "An operator has a bar for each of those compared; the shorter bar is the faster one."
        ),
        "read.frontier": QT_TRANSLATE_NOOP(
            "messages",
            "A curve runs from batch 1 as far as memory holds: higher is more in all, further right is faster for one "
            "request.",
        ),
        "read.speedup": QT_TRANSLATE_NOOP(
            "messages", "A cell says how many times as fast one is as the other; beyond a dashed line there is no room."
        ),
        "read.rooflines": QT_TRANSLATE_NOOP(
            "messages", "All charts have the same axes: heights of roofs and places of points compare directly."
        ),
        "read.years": QT_TRANSLATE_NOOP(
            "messages", "The higher a ridge, the more FLOPs an operator needs for each byte before compute limits."
        ),
        "read.compare": QT_TRANSLATE_NOOP(
            "messages", "With each figure stands how it compares with the baseline; the best of a column is marked."
        ),
    }
)

Read = Callable[[Evaluation, object, Look], Iterable[str]]


def reading(view: str) -> Read:
    """The sentence that a view of the comparison is read with."""
    return lambda _evaluation, _figure, look: [render(Message(f"read.{view}"), look)]
