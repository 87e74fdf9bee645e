"""Totals of a step: time, floor, expected band, the simple lines, tokens per second, memory; sums over ledgers."""

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from explorer.analysis.step.ledger import (
    INTERMEDIATES,
    KV,
    KV_READ,
    KV_WRITTEN,
    OUTPUTS,
    OWN,
    WEIGHTS,
    Entry,
    Ledger,
    Traffic,
    fits,
)
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.numbers import larger, smaller
from explorer.analysis.step.placement import Placed
from explorer.analysis.step.resources import DEVICE, Kind
from explorer.analysis.step.rows import Number
from explorer.analysis.step.stack import Stack, added_up
from explorer.analysis.study.study import FittedRoof


class Totals(msgspec.Struct, frozen=True, eq=False):
    """Totals of a step on one machine; every name as the conventions have it.

    `launched_s` is the step as launched: `time_s` with the uses of tier `detail`. `floor` has the seconds of the
    step's compulsory work on each kind of resource, of which `floor_s` is the largest. `rooms` are bytes by place.
    """

    traffic: Traffic
    memory: Ledger
    time_s: Number
    launched_s: Number
    floor_s: Number
    floor: Mapping[Kind, Number]
    expected_s: tuple[Number, Number]
    streamed_s: Number
    whole_file_s: Number
    tokens_per_s: Number | None
    tokens_per_s_per_request: Number | None
    memory_bytes: Number
    rooms: Mapping[str, float | None]

    @property
    def capacity(self) -> float | None:
        """Bytes of the machine's outermost memory."""
        return self.rooms.get(DEVICE)

    @property
    def fits(self) -> bool | None:
        """Whether weights, KV, state and reserve fit at every place (scalars only); None where capacity is unknown."""
        return None if self.capacity is None else fits(self.memory, self.rooms)


def traffic(stacks: Sequence[Stack], kv_written: Number) -> Traffic:
    """What the rows of a model compute and move; `kv_written` is the KV cache the step adds."""
    flops: Number = 0.0
    weights: Number = 0.0
    kv_read: Number = 0.0
    outputs: Number = 0.0
    rest: Number = 0.0
    for stack in stacks:
        sums = _sums(stack)
        written = _outputs(stack)
        flops, weights, kv_read = flops + sums[0], weights + sums[4], kv_read + sums[5]
        outputs = outputs + written
        rest = rest + (sums[1] + sums[2] - sums[4] - sums[5] - written)
    cached = smaller(kv_written, rest)  # an operator inside another's kernel writes nothing of its own
    read = (Entry(WEIGHTS, weights), Entry(KV_READ, kv_read))
    moved = (*read, Entry(KV_WRITTEN, cached), Entry(OUTPUTS, outputs), Entry(INTERMEDIATES, rest - cached))
    return Traffic(flops, Ledger(moved), Ledger((*read, Entry(KV_WRITTEN, kv_written), Entry(OUTPUTS, outputs))))


def own_traffic(stack: Stack) -> Traffic:
    """What the user's own rows compute and move; all of it is compulsory."""
    sums = _sums(stack)
    ledger = Ledger(
        (Entry(WEIGHTS, sums[4]), Entry(KV_READ, sums[5]), Entry(OWN, sums[1] + sums[2] - sums[4] - sums[5]))
    )
    return Traffic(sums[0], ledger, ledger)


def added(one: Traffic, other: Traffic) -> Traffic:
    """The traffic of two parts of a step."""
    return Traffic(
        one.flops + other.flops, one.moved.with_others(other.moved), one.compulsory.with_others(other.compulsory)
    )


def _sums(stack: Stack) -> Sequence[Number]:
    """Each figure of `Costs` over all calls of all rows."""
    weighted = stack.count * stack.table
    if weighted.ndim > 2:
        return list(np.add.reduce(weighted, axis=1))
    sums: list[float] = weighted.cumsum(axis=1)[:, -1].tolist() if stack.rows else [0.0] * len(weighted)
    return sums


def _outputs(stack: Stack) -> Number:
    """Bytes that the heads of a model write."""
    heads = [i for i, row in enumerate(stack.rows) if row.group == "head"]
    return added_up((stack.count * stack.written)[heads]) if heads else 0.0


def totals(
    placed: Sequence[Placed],
    moved: Traffic,
    memory: Ledger,
    machine: Machine,
    tokens: tuple[Number, Number] | None,
    expected: tuple[float, float],
) -> Totals:
    """Totals of placed rows.

    Parameters
    ----------
    placed
        All rows of the step on the machine.
    moved, memory
        Bytes that move and bytes that are held.
    tokens
        Tokens that the step yields in all and per request; None where the work has no tokens.
    expected
        Low and high efficiency of the expected band.
    """
    bandwidth = machine.bandwidth or 1.0
    time_s: Number = 0.0
    compute_s: Number = 0.0
    launched_s: Number = 0.0
    for part in placed:
        time_s, launched_s = time_s + part.sum_s, launched_s + part.launched_sum_s
        compute_s = compute_s + part.sum_of("compute")
    floor: dict[Kind, Number] = {"compute": compute_s, "memory": moved.compulsory_bytes / bandwidth}
    floor_s = larger(compute_s, floor["memory"])
    low, high = expected
    per_second = _rates(tokens, floor_s)
    band = (time_s / high, time_s / low) if machine.fitted is None else fitted_band(placed, machine, machine.fitted)
    kv, weights = memory.of(KV), memory.of(WEIGHTS)
    return Totals(
        traffic=moved,
        memory=memory,
        time_s=time_s,
        launched_s=launched_s,
        floor_s=floor_s,
        floor=floor,
        expected_s=band,
        streamed_s=(moved.weights_streamed + kv) / bandwidth,
        whole_file_s=(weights + kv) / bandwidth,
        tokens_per_s=per_second[0],
        tokens_per_s_per_request=per_second[1],
        memory_bytes=memory.total,
        rooms=machine.rooms,
    )


def fitted_band(placed: Sequence[Placed], machine: Machine, fitted: FittedRoof) -> tuple[Number, Number]:
    """Seconds of a step as a fit to measurements expects them, the band's low and high end.

    Each operator takes the longer of compute at the fitted share of its peak and bytes at the fitted bandwidth, and the
    fitted time per kernel; what the fit does not tell is as the device's figures have it.
    """
    sheet = machine.peak("tensor", fitted.format).rate if fitted.format else None
    slower = sheet / machine.times(fitted.peak) if fitted.peak and sheet else 1.0
    bandwidth = machine.times(fitted.bandwidth) if fitted.bandwidth else machine.bandwidth or 1.0
    found: Number = 0.0
    for part in placed:
        found = found + part.fitted_sum(slower, bandwidth, fitted)
    return found * (1 - fitted.spread), found * (1 + fitted.spread)


def _rates(tokens: tuple[Number, Number] | None, floor_s: Number) -> tuple[Number | None, Number | None]:
    if tokens is None or (not isinstance(floor_s, np.ndarray) and floor_s <= 0):
        return None, None
    return tokens[0] / floor_s, tokens[1] / floor_s
