"""What fits: bytes held against capacity, the fewest devices, the longest context and the largest batch."""

from typing import Final

import msgspec

from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.ledger import GROWING, PER_SEQUENCE, Ledger
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT

MOST_DEVICES: Final = 1_000_000


class CapacityFit(msgspec.Struct, frozen=True):
    """Whether a step fits on a device entry, and what would; N devices hold N times one's capacity, as if ideal.

    `devices` is the fewest that hold the step. `longest_context` (at the workload's batch, None: any that the program
    takes) and `largest_batch` (at its context) hold for `on` devices: those there are, or the fewest that do.
    `model_context` is the longest the model is made for, `at_model_context` what it takes, on `devices_there`.
    """

    held: Ledger
    capacity: float
    count: int
    devices: int | None
    on: int
    longest_context: int | None
    largest_batch: int | None
    model_context: int | None
    at_model_context: Ledger | None
    devices_there: int | None

    @property
    def fits(self) -> bool:
        """Whether what is held does not exceed the capacity."""
        return not exceeds(self.held, self.capacity)


def capacity_fit(evaluation: Evaluation, device: DeviceResult) -> CapacityFit | None:
    """Whether a study's step fits on one of its devices; None without a model or where the capacity is unknown."""
    model, machine = evaluation.model, device.machine
    capacity = machine.capacity
    if model is None or capacity is None or capacity <= 0:
        return None
    held = evaluation.memory
    devices = _fewest(held, machine)
    on = machine.of_many(devices) if devices and exceeds(held, capacity) else machine
    there = None
    if model.max_context is not None:
        there = held_at(evaluation, evaluation.study.workload.batch, model.max_context)
    return CapacityFit(
        held=held,
        capacity=capacity,
        count=machine.count,
        devices=devices,
        on=on.count,
        longest_context=longest_context(evaluation, on.capacity or 0.0),
        largest_batch=batch_that_fits(evaluation, on.capacity or 0.0),
        model_context=model.max_context,
        at_model_context=there,
        devices_there=None if there is None else _fewest(there, machine),
    )


def held_at(evaluation: Evaluation, batch: float, context: float) -> Ledger:
    """Bytes held at a batch and a context, in the study's formats."""
    evaluator = evaluation.evaluator
    return evaluator.memory(evaluator.step(float(batch), float(context)))


def exceeds(held: Ledger, capacity: float | None) -> bool:
    """Whether more is held than there is room for, as far as that is known."""
    return capacity is not None and float(held.total) > capacity


def left_over(device: DeviceResult) -> float | None:
    """Bytes of a device that the step leaves free, below zero where they are missing; None: capacity unknown."""
    totals = device.totals
    return None if totals.capacity is None else totals.capacity - float(totals.memory_bytes)


def fewest_devices(device: DeviceResult) -> int | None:
    """The fewest of its devices that hold a step without room; None where it has room, or no number of them does."""
    totals = device.totals
    return _fewest(totals.memory, device.machine) if totals.fits is False else None


def _fewest(held: Ledger, machine: Machine) -> int | None:
    """The fewest of a machine's devices that hold so much; None beyond any number of them."""
    needed = machine.fewest(float(held.total))
    return needed if needed is not None and needed <= MOST_DEVICES else None


def largest_batch(free: float, per_sequence: float) -> int | None:
    """How many sequences of so many bytes the free ones hold; None where they take nothing and there is room."""
    if per_sequence <= 0:
        return None if free >= 0 else 0
    return max(0, int(free // per_sequence))


def longest_context(evaluation: Evaluation, capacity: float, most: int = LARGEST_CONTEXT) -> int | None:
    """The longest context up to `most` that so many bytes hold at the study's batch: 0 for none, None for all."""
    model, evaluator = evaluation.model, evaluation.evaluator
    if model is None:
        return None
    batch, kv = float(evaluation.study.workload.batch), evaluator.formats[evaluation.step.kv or model.kv_format].bytes
    free = capacity - float(evaluation.memory.without(*GROWING))

    def fits(context: int) -> bool:
        return float(model.kv_bytes(batch, float(context), kv)) <= free

    if fits(most):
        return None
    low, high = 0, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def fitting_context(evaluation: Evaluation, device: DeviceResult, most: int) -> int | None:
    """The longest context up to `most` that one device entry holds; None where all of them fit, or none."""
    capacity = device.machine.capacity
    return None if capacity is None else longest_context(evaluation, capacity, most) or None


def batch_that_fits(evaluation: Evaluation, capacity: float) -> int | None:
    """The largest batch that so many bytes hold at the study's context: 0 for none, None for any."""
    found = batch_held(evaluation, capacity)
    return None if found is None or found >= LARGEST_BATCH else found


def batch_held(evaluation: Evaluation, capacity: float) -> int | None:
    """The same beyond what the program takes: None only where a sequence takes nothing."""
    one = held_at(evaluation, 1, evaluation.study.workload.context)
    return largest_batch(capacity - float(one.without(*PER_SEQUENCE)), float(one.of(*PER_SEQUENCE)))
