"""Words of a bound: a line in each group for every bound, in the order in which lists and legends name them."""

from typing import Final

from explorer.analysis.step.resources import Bound
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

BOUND_ORDER: Final[tuple[Bound, ...]] = ("compute", "memory", "overhead")
ALWAYS_COUNTED: Final[tuple[Bound, ...]] = ("memory", "compute")  # others only where an operator waits for them

# codes that stand in cells; the delegate and the tables of figures translate them
BOUND_CELLS: Final[dict[str, str]] = {
    "compute": QT_TRANSLATE_NOOP("columns", "compute"),
    "memory": QT_TRANSLATE_NOOP("columns", "memory"),
    "overhead": QT_TRANSLATE_NOOP("columns", "overhead"),
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
    }
)
