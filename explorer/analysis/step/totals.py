"""Totals of a step: time, floor, expected band, the simple lines, tokens per second, memory."""

from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np

from explorer.analysis.step.costs import Costs
from explorer.analysis.step.placement import Point, larger
from explorer.analysis.step.roofs import Roof
from explorer.analysis.step.rows import Number, Row
from explorer.analysis.study.study import FittedRoof


class Traffic(msgspec.Struct, frozen=True, eq=False):
    """What a step computes and moves, on any device.

    FLOPs, bytes of all rows, bytes of weights and KV cache read, and `compulsory` bytes: weights
    streamed, KV read and written, the step's outputs (of the user's own rows: everything).
    """

    flops: Number
    bytes: Number
    weights_streamed: Number
    kv_read: Number
    compulsory: Number


def added(one: Traffic, other: Traffic) -> Traffic:
    """The traffic of two parts of a step."""
    return Traffic(
        one.flops + other.flops,
        one.bytes + other.bytes,
        one.weights_streamed + other.weights_streamed,
        one.kv_read + other.kv_read,
        one.compulsory + other.compulsory,
    )


class Summed(Protocol):
    """Rows on a device that are summed already."""

    sum_s: float
    compute_sum_s: float

    def fitted_sum(self, slower: float, bandwidth: float, fitted: FittedRoof) -> float:
        """Seconds as a fit to measurements expects them."""


class Memory(msgspec.Struct, frozen=True, eq=False):
    """Bytes held: resident weights, KV cache and state at this batch and context."""

    weights: float = 0.0
    kv: Number = 0.0
    state: Number = 0.0
    kv_per_sequence: Number = 0.0


class Totals(msgspec.Struct, frozen=True, eq=False):
    """Totals of a step on one device; every name as the conventions have it."""

    traffic: Traffic
    memory: Memory
    time_s: Number
    floor_s: Number
    floor_compute_s: Number
    floor_memory_s: Number
    expected_s: tuple[Number, Number]
    streamed_s: Number
    whole_file_s: Number
    tokens_per_s: Number | None
    tokens_per_s_per_request: Number | None
    memory_bytes: Number
    capacity: float | None

    @property
    def fits(self) -> bool | None:
        """Whether weights, KV, state and reserve fit (scalars only); None where capacity is unknown."""
        return None if self.capacity is None else bool(self.memory_bytes <= self.capacity)


def traffic(rows: Sequence[Row], costs: Sequence[Costs], kv_written: Number) -> Traffic:
    """Sum the traffic of a step; `kv_written` is the KV cache the step adds."""
    flops: Number = 0.0
    moved: Number = 0.0
    weights: Number = 0.0
    kv_read: Number = 0.0
    compulsory: Number = kv_written
    for row, cost in zip(rows, costs, strict=True):
        count = row.count
        all_bytes = cost.bytes_read + cost.bytes_written
        flops = flops + count * cost.flops
        moved = moved + count * all_bytes
        weights = weights + count * cost.weight_bytes
        kv_read = kv_read + count * cost.kv_bytes
        if row.own:
            compulsory = compulsory + count * all_bytes
        elif row.group == "head":
            compulsory = compulsory + count * (cost.weight_bytes + cost.bytes_written)
        else:
            compulsory = compulsory + count * (cost.weight_bytes + cost.kv_bytes)
    return Traffic(flops, moved, weights, kv_read, compulsory)


def totals(
    points: Sequence[Point],
    moved: Traffic,
    memory: Memory,
    roof: Roof,
    tokens: tuple[Number, Number] | None,
    expected: tuple[float, float],
    reserve: float,
    own: Summed | None = None,
) -> Totals:
    """Totals of placed rows, and of `own` ones that come behind them.

    Parameters
    ----------
    tokens
        Tokens that the step yields in all and per request; None where the work has no tokens.
    expected
        Low and high efficiency of the expected band.
    """
    bandwidth = roof.bandwidth or 1.0
    time_s: Number = 0.0
    compute_s: Number = 0.0
    for point in points:
        time_s = time_s + point.row.count * point.time_s
        if point.compute_s is not None:
            compute_s = compute_s + point.row.count * point.compute_s
    if own is not None:
        time_s, compute_s = time_s + own.sum_s, compute_s + own.compute_sum_s
    memory_s = moved.compulsory / bandwidth
    floor_s = larger(compute_s, memory_s)
    low, high = expected
    per_second = _rates(tokens, floor_s)
    band = (time_s / high, time_s / low) if roof.fitted is None else fitted_band(points, roof, roof.fitted, own)
    return Totals(
        traffic=moved,
        memory=memory,
        time_s=time_s,
        floor_s=floor_s,
        floor_compute_s=compute_s,
        floor_memory_s=memory_s,
        expected_s=band,
        streamed_s=(moved.weights_streamed + memory.kv) / bandwidth,
        whole_file_s=(memory.weights + memory.kv) / bandwidth,
        tokens_per_s=per_second[0],
        tokens_per_s_per_request=per_second[1],
        memory_bytes=memory.weights + memory.kv + memory.state + reserve,
        capacity=roof.capacity,
    )


def fitted_band(
    points: Sequence[Point], roof: Roof, fitted: FittedRoof, own: Summed | None = None
) -> tuple[Number, Number]:
    """Seconds of a step as a fit to measurements expects them, the band's low and high end.

    Each operator takes the longer of compute at the fitted share of its peak and bytes at the fitted bandwidth, and the
    fitted time per kernel; what the fit does not tell is as the device's figures have it.
    """
    sheet = roof.peak("tensor", fitted.format).rate if fitted.format else None
    slower = sheet / (fitted.peak * roof.count) if fitted.peak and sheet else 1.0
    bandwidth = fitted.bandwidth * roof.count if fitted.bandwidth else roof.bandwidth or 1.0
    found: Number = 0.0
    for point in points:
        each: Number = point.bytes / bandwidth
        if point.compute_s is not None:
            each = larger(point.compute_s * slower, each)
        found = found + point.row.count * (each + point.costs.kernels * fitted.per_kernel_s)
    if own is not None:
        found = found + own.fitted_sum(slower, bandwidth, fitted)
    return found * (1 - fitted.spread), found * (1 + fitted.spread)


def _rates(tokens: tuple[Number, Number] | None, floor_s: Number) -> tuple[Number | None, Number | None]:
    if tokens is None or (not isinstance(floor_s, np.ndarray) and floor_s <= 0):
        return None, None
    return tokens[0] / floor_s, tokens[1] / floor_s
