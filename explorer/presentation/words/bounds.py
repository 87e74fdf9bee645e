"""Words of a bound, in the order in which lists and legends name them.

`bound.NAME` is the one line that a bound must have; a form that it lacks is said by `bound.any` with that word.
"""

from typing import Final

from explorer.analysis.problem import Value
from explorer.analysis.step.resources import Bound
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, TEMPLATES, Message, register, render

BOUND_ORDER: Final[tuple[Bound, ...]] = ("compute", "memory", "overhead")
ALWAYS_COUNTED: Final[tuple[Bound, ...]] = ("memory", "compute")  # others only where an operator waits for them
TOLD_ALONE: Final[tuple[Bound, ...]] = ("overhead",)  # nobody asks what else a step waits for

# codes that stand in cells; the delegate and the tables of figures translate them
BOUND_CELLS: Final[dict[str, str]] = {
    "compute": QT_TRANSLATE_NOOP("columns", "compute"),
    "memory": QT_TRANSLATE_NOOP("columns", "memory"),
    "overhead": QT_TRANSLATE_NOOP("columns", "overhead"),
}
BOUND_CELLS_UNKNOWN: Final[dict[str, str]] = {  # of a device whose launches nobody published
    "compute": QT_TRANSLATE_NOOP("columns", "compute, launches unknown"),
    "memory": QT_TRANSLATE_NOOP("columns", "memory, launches unknown"),
    "overhead": QT_TRANSLATE_NOOP("columns", "overhead, launches unknown"),
}

register(
    {
        # what it is
        "bound.compute": QT_TRANSLATE_NOOP("messages", "compute"),
        "bound.memory": QT_TRANSLATE_NOOP("messages", "memory"),
        "bound.overhead": QT_TRANSLATE_NOOP("messages", "kernel launches"),
        # at the head of a sentence
        "bound.compute.first": QT_TRANSLATE_NOOP("messages", "Compute"),
        "bound.memory.first": QT_TRANSLATE_NOOP("messages", "Memory"),
        "bound.overhead.first": QT_TRANSLATE_NOOP("messages", "Kernel launches"),
        # what an operator does
        "bound.compute.waits": QT_TRANSLATE_NOOP("messages", "waits for compute"),
        "bound.memory.waits": QT_TRANSLATE_NOOP("messages", "waits for memory"),
        "bound.overhead.waits": QT_TRANSLATE_NOOP("messages", "waits for launches"),
        # how many operators it holds back
        "bound.compute.counted": QT_TRANSLATE_NOOP("messages", "compute-bound {count}"),
        "bound.memory.counted": QT_TRANSLATE_NOOP("messages", "memory-bound {count}"),
        "bound.overhead.counted": QT_TRANSLATE_NOOP("messages", "overhead-bound {count}"),
        # the same as a sentence
        "bound.compute.sentence": QT_TRANSLATE_NOOP("messages", "Waits for compute."),
        "bound.memory.sentence": QT_TRANSLATE_NOOP("messages", "Waits for memory."),
        "bound.overhead.sentence": QT_TRANSLATE_NOOP("messages", "Waits for kernel launches."),
        # what follows from it, in a slide's subtitle
        "bound.compute.why": QT_TRANSLATE_NOOP(
            "messages", "{share} of the time waits for compute on {device}, so TFLOP/s decide before bandwidth"
        ),
        "bound.memory.why": QT_TRANSLATE_NOOP(
            "messages", "{share} of the time waits for memory on {device}, so bandwidth decides before TFLOP/s"
        ),
        "bound.overhead.why": QT_TRANSLATE_NOOP(
            "messages", "{share} of the time goes to kernel launches on {device}, so graphs or fewer kernels help first"
        ),
        # and where everything waits for it, on one device or on all, or nearly everything
        "bound.memory.every": QT_TRANSLATE_NOOP(
            "messages", "every operator sits left of every ridge, so bandwidth decides the ranking, not TFLOP/s"
        ),
        "bound.memory.every_one": QT_TRANSLATE_NOOP(
            "messages", "every operator sits left of the ridge, so bandwidth decides, not TFLOP/s"
        ),
        "bound.memory.nearly": QT_TRANSLATE_NOOP(
            "messages", "nearly all of the time waits for memory, so bandwidth decides the ranking, not TFLOP/s"
        ),
        # what is worth saying beside the answer
        "bound.overhead.remark": QT_TRANSLATE_NOOP(
            "messages",
            "With every kernel launched by itself the step takes {time}, operator by operator; "
            "graphs or fewer kernels help, a faster device does not.",
        ),
        # any other bound
        "bound.any.first": QT_TRANSLATE_NOOP("messages", "Waiting for {bound}"),
        "bound.any.waits": QT_TRANSLATE_NOOP("messages", "waits for {bound}"),
        "bound.any.counted": QT_TRANSLATE_NOOP("messages", "waiting for {bound} {count}"),
        "bound.any.sentence": QT_TRANSLATE_NOOP("messages", "Waits for {bound}."),
        "bound.any.why": QT_TRANSLATE_NOOP("messages", "{share} of the time waits for {bound} on {device}"),
    }
)


def bound_word(bound: Bound, look: Look = ENGLISH) -> str:
    """What is waited for, in a word."""
    return render(Message(f"bound.{bound}"), look)


def bound_text(bound: Bound, form: str, look: Look = ENGLISH, **values: Value) -> str:
    """What is said of a bound in a form that every bound has."""
    if has_form(bound, form):
        return render(Message(f"bound.{bound}.{form}", values), look)
    return render(Message(f"bound.any.{form}", {**values, "bound": bound_word(bound, look)}), look)


def has_form(bound: Bound, form: str) -> bool:
    """Whether a bound has a text of its own in a form."""
    return f"bound.{bound}.{form}" in TEMPLATES
