"""Totals of a step: time, floor, expected band, the simple lines, tokens per second, memory; sums over ledgers."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

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
from explorer.analysis.step.routing import Beyond
from explorer.analysis.step.rows import Number
from explorer.analysis.step.stack import RowStack
from explorer.analysis.study.study import FittedRoof

_APART: Final = 1 + 1e-9  # beyond rounding
NO_FLOOR: Final = frozenset({"memory", "launch"})  # the floor has compulsory bytes of its own, and no launches


class Pace(NamedTuple):
    """Seconds of a step at least, and the tokens per second that follow, in all and per request."""

    seconds: Number
    tokens_per_s: Number | None
    tokens_per_s_per_request: Number | None


class Totals(msgspec.Struct, frozen=True, eq=False, gc=False):
    """Totals of a step on one machine; every name as the conventions have it.

    `launched_s` is the step as launched: `time_s` with the uses of tier `detail`. `floor` has the seconds of the
    step's compulsory work on each kind of resource, of which `floor_s` is the largest. `rooms` are bytes by place.
    The floor reads the fewest experts that the step can do with; `routed` is the same sum with those that it reads
    under its skew, `uniform` with those of random routing.
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
    routed: Pace
    uniform: Pace

    @property
    def uniform_s(self) -> Number:
        """Seconds of the step at least with the experts that random routing reads (conventions: MoE)."""
        return self.uniform.seconds

    @property
    def routing_matters(self) -> bool:
        """Whether the floor and the same sum under random routing are two figures (scalars only)."""
        return float(self.uniform.seconds) > float(self.floor_s) * _APART

    @property
    def capacity(self) -> float | None:
        """Bytes of the machine's outermost memory."""
        return self.rooms.get(DEVICE)

    @property
    def fits(self) -> bool | None:
        """Whether weights, KV, state and reserve fit at every place (scalars only); None where capacity is unknown."""
        return None if self.capacity is None else fits(self.memory, self.rooms)


def reads_beyond(moved: Traffic) -> bool:
    """Whether random routing reads more experts than the fewest, beyond rounding (scalars only)."""
    return float(moved.beyond.uniform) > (_APART - 1) * float(moved.compulsory_bytes)


def traffic(stacks: Sequence[RowStack], kv_written: Number, beyond: Beyond) -> Traffic:
    """What the rows of a model compute and move; `kv_written` is the KV cache the step adds."""
    flops: Number = 0.0
    weights: Number = 0.0
    kv_read: Number = 0.0
    outputs: Number = 0.0
    rest: Number = 0.0
    for stack in stacks:
        sums = stack.sums()
        written = stack.outputs()
        flops, weights, kv_read = flops + sums[0], weights + sums[4], kv_read + sums[5]
        outputs = outputs + written
        rest = rest + (sums[1] + sums[2] - sums[4] - sums[5] - written)
    cached = smaller(kv_written, rest)  # an operator inside another's kernel writes nothing of its own
    read = (Entry(WEIGHTS, weights), Entry(KV_READ, kv_read))
    moved = (*read, Entry(KV_WRITTEN, cached), Entry(OUTPUTS, outputs), Entry(INTERMEDIATES, rest - cached))
    least = (Entry(WEIGHTS, weights - beyond.chosen), read[1], Entry(KV_WRITTEN, kv_written), Entry(OUTPUTS, outputs))
    return Traffic(flops, Ledger(moved), Ledger(least), beyond)


def own_traffic(stack: RowStack, beyond: Beyond) -> Traffic:
    """What the user's own rows compute and move; all of it is compulsory."""
    sums = stack.sums()
    others = (Entry(KV_READ, sums[5]), Entry(OWN, sums[1] + sums[2] - sums[4] - sums[5]))
    least = Ledger((Entry(WEIGHTS, sums[4] - beyond.chosen), *others))
    return Traffic(sums[0], Ledger((Entry(WEIGHTS, sums[4]), *others)), least, beyond)


def added(one: Traffic, other: Traffic) -> Traffic:
    """The traffic of two parts of a step."""
    return Traffic(
        one.flops + other.flops,
        one.moved.with_others(other.moved),
        one.compulsory.with_others(other.compulsory),
        one.beyond.plus(other.beyond),
    )


class Amounts(NamedTuple):
    """What a step moves and holds on any machine, added up once for all of them."""

    traffic: Traffic
    memory: Ledger
    compulsory: Number
    streamed: Number
    whole_file: Number
    held: Number


def amounts(moved: Traffic, memory: Ledger) -> Amounts:
    """The sums over the ledgers that every machine asks for."""
    kv = memory.of(KV)
    return Amounts(
        moved, memory, moved.compulsory.total, moved.moved.of(WEIGHTS) + kv, memory.of(WEIGHTS) + kv, memory.total
    )


def totals(
    placed: Iterable[Placed],
    step: Amounts,
    machine: Machine,
    tokens: tuple[Number, Number] | None,
    expected: tuple[float, float],
) -> Totals:
    """Totals of placed rows.

    Parameters
    ----------
    placed
        All rows of the step on the machine.
    step
        What the step moves and holds.
    tokens
        Tokens that the step yields in all and per request; None where the work has no tokens.
    expected
        Low and high efficiency of the expected band.
    """
    bandwidth = machine.known_bandwidth
    time_s: Number = 0.0
    details_s: Number = 0.0
    floor: dict[Kind, Number] = {"compute": 0.0, "memory": step.compulsory / machine.floor_bandwidth}
    fitted = None if machine.fitted is None else Fitted.of(machine, machine.fitted)
    fitted_s: Number = 0.0
    for part in placed:
        time_s, details_s = time_s + part.sum_s, details_s + part.details_s
        if fitted is not None:
            fitted_s = fitted_s + part.fitted_sum(*fitted)
        for lane in part.lanes:
            if lane.kind not in NO_FLOOR:
                floor[lane.kind] = floor.get(lane.kind, 0.0) + part.moving_sum(lane)
    floor_s: Number = 0.0
    for seconds in floor.values():
        floor_s = larger(seconds, floor_s)
    low, high = expected
    per_second = _rates(tokens, floor_s)
    beyond = step.traffic.beyond
    least = Pace(floor_s, *per_second)
    paces = [_pace(least, more, step.compulsory, machine.floor_bandwidth, tokens) for more in beyond]
    band = (time_s / high, time_s / low) if machine.fitted is None else _spread(fitted_s, machine.fitted.spread)
    return Totals(
        traffic=step.traffic,
        memory=step.memory,
        time_s=time_s,
        launched_s=time_s + details_s,
        floor_s=floor_s,
        floor=floor,
        expected_s=band,
        streamed_s=step.streamed / bandwidth,
        whole_file_s=step.whole_file / bandwidth,
        tokens_per_s=per_second[0],
        tokens_per_s_per_request=per_second[1],
        memory_bytes=step.held,
        rooms=machine.rooms,
        routed=paces[0],
        uniform=paces[1],
    )


def _pace(
    least: Pace, more: Number, compulsory: Number, bandwidth: float, tokens: tuple[Number, Number] | None
) -> Pace:
    """The pace of a step that reads more than its compulsory bytes."""
    if not isinstance(more, np.ndarray) and not more:
        return least
    seconds = larger(least.seconds, (compulsory + more) / bandwidth)
    return Pace(seconds, *_rates(tokens, seconds))


class Fitted(NamedTuple):
    """How a fit to measurements expects rows to run.

    Each operator takes the longer of compute at the fitted share of its peak and bytes at the fitted bandwidth, and the
    fitted time per kernel; what the fit does not tell is as the device's figures have it.
    """

    slower: float  # than the peak, times
    bandwidth: float  # B/s over all devices
    per_kernel_s: float

    @classmethod
    def of(cls, machine: Machine, fitted: FittedRoof) -> "Fitted":
        """What a machine's fit says."""
        sheet = machine.peak("tensor", fitted.format).rate if fitted.format else None
        slower = sheet / machine.times(fitted.peak) if fitted.peak and sheet else 1.0
        bandwidth = machine.times(fitted.bandwidth) if fitted.bandwidth else machine.known_bandwidth
        return cls(slower, bandwidth, fitted.per_kernel_s)


def _spread(seconds: Number, spread: float) -> tuple[Number, Number]:
    """The low and the high end of what a fit expects."""
    return seconds * (1 - spread), seconds * (1 + spread)


def _rates(tokens: tuple[Number, Number] | None, floor_s: Number) -> tuple[Number | None, Number | None]:
    if tokens is None or (not isinstance(floor_s, np.ndarray) and floor_s <= 0):
        return None, None
    return tokens[0] / floor_s, tokens[1] / floor_s
