"""Does it fit: bytes held against capacity, the fewest devices, the longest context and the largest batch."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import msgspec

from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT

if TYPE_CHECKING:
    from explorer.analysis.step.evaluate import DeviceResult, Evaluation

MOST_DEVICES: Final = 1_000_000


class Held(msgspec.Struct, frozen=True):
    """Bytes that a model needs at a batch and a context."""

    weights: float
    kv: float
    state: float
    reserve: float

    @property
    def total(self) -> float:
        """All of them."""
        return self.weights + self.kv + self.state + self.reserve


class Fit(msgspec.Struct, frozen=True):
    """Whether a step fits on a device entry, and what would; N devices hold N times one's capacity, as if ideal.

    `devices` is the fewest that hold the step. `longest_context` (at the workload's batch, None: any that the program
    takes) and `largest_batch` (at its context) hold for `on` devices: those there are, or the fewest that do.
    `model_context` is the longest the model is made for, `at_model_context` what it takes, on `devices_there`.
    """

    held: Held
    capacity: float
    count: int
    devices: int | None
    on: int
    longest_context: int | None
    largest_batch: int | None
    model_context: int | None
    at_model_context: Held | None
    devices_there: int | None

    @property
    def fits(self) -> bool:
        """Whether what is held does not exceed the capacity."""
        return self.held.total <= self.capacity


def fit(evaluation: "Evaluation", device: "DeviceResult") -> Fit | None:
    """Whether a study's step fits on one of its devices; None without a model or where the capacity is unknown."""
    model, each = evaluation.model, device.entry.device.capacity
    if model is None or each is None or each <= 0:
        return None
    work = evaluation.study.workload
    held = held_at(evaluation, work.batch, work.context)
    devices = fewest(held, each)
    count = device.entry.count
    on = count if held.total <= each * count else devices or count
    there = None if model.max_context is None else held_at(evaluation, work.batch, model.max_context)
    room = each * on
    return Fit(
        held=held,
        capacity=each * count,
        count=count,
        devices=devices,
        on=on,
        longest_context=_largest(lambda n: held_at(evaluation, work.batch, n).total <= room, LARGEST_CONTEXT),
        largest_batch=_largest(lambda n: held_at(evaluation, n, work.context).total <= room, LARGEST_BATCH),
        model_context=model.max_context,
        at_model_context=there,
        devices_there=None if there is None else fewest(there, each),
    )


def held_at(evaluation: "Evaluation", batch: float, context: float) -> Held:
    """Bytes held at a batch and a context, in the study's formats."""
    evaluator = evaluation.evaluator
    memory = evaluator.memory(evaluator.step(float(batch), float(context)))
    reserve = evaluation.study.workload.reserve
    return Held(float(memory.weights), float(memory.kv), float(memory.state), float(reserve))


def fewest(held: Held, each: float) -> int | None:
    """The fewest devices of a capacity that hold so much; None beyond any number of them."""
    needed = max(1, math.ceil(held.total / each))
    return needed if needed <= MOST_DEVICES else None


def _largest(holds: Callable[[int], bool], most: int) -> int | None:
    """The largest number up to `most` for which something that grows still holds: 0 for none, None for all."""
    if holds(most):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
