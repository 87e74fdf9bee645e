"""Rows of a step stacked for arithmetic: figures lie as [row, ...], what they use of a machine as one lane each."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from itertools import chain
from math import nan, prod
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from explorer.analysis.step.costs import Costs
from explorer.analysis.step.machines.peaks import WantedPeak
from explorer.analysis.step.resources import Kind, Resource
from explorer.analysis.step.rows import Array, Number, Row
from explorer.analysis.step.work import Tier, Use

Places = npt.NDArray[np.intp]
Asked = Callable[[Row], WantedPeak]
MOST_AT_ONCE: Final = 100_000  # values of one figure; beyond, memory traffic costs more than the calls that are saved


class Layout:
    """What rows have in common with the same rows of other sizes: their calls, and the peaks that they ask for.

    `wanted` are the distinct peaks, `asks` which of them each row does; `heads` are the places of a model's heads.
    """

    def __init__(self, rows: Sequence[Row], asked: Asked) -> None:
        places: dict[WantedPeak, int] = {}
        self.asks: Places = np.array([places.setdefault(asked(r), len(places)) for r in rows], dtype=np.intp)
        self.wanted: tuple[WantedPeak, ...] = tuple(places)
        self.count: Array = np.array([r.count for r in rows], dtype=np.float64)
        self.heads = tuple([i for i, row in enumerate(rows) if row.group == "head"])
        tensor = np.array([w[0] == "tensor" for w in places], dtype=bool)
        self.of_tensor: npt.NDArray[np.bool_] = tensor[self.asks] if len(tensor) else np.zeros(0, dtype=bool)
        self.tensor_peaks: tuple[WantedPeak, ...] = tuple(w for w in places if w[0] == "tensor")


class RowStack:
    """Rows and their costs as arrays over [row, ...]: FLOPs, bytes and kernels of a call.

    `count` are the calls, shaped to broadcast over the figures.
    """

    def __init__(
        self, rows: Sequence[Row], costs: Sequence[Costs], layout: Layout, shape: tuple[int, ...] = ()
    ) -> None:
        self.rows, self.costs, self.layout = tuple(rows), tuple(costs), layout
        self.asks, self.wanted = layout.asks, layout.wanted
        self.count = layout.count.reshape(-1, *[1] * len(shape)) if shape else layout.count
        self._figures = _figures(costs, shape)
        flops, read, written, kernels, weight_bytes, kv_bytes = self._figures
        self.flops: Array = flops
        self.written: Array = written
        self.moved: Array = read + written
        self.kernels: Array = kernels
        self.weight_bytes: Array = weight_bytes
        self.kv_bytes: Array = kv_bytes

    def sums(self) -> Sequence[Number]:
        """Each figure of `Costs` over all calls of all rows."""
        figures = self._figures
        if not isinstance(figures, np.ndarray):
            return [added_up(self.count * figure) for figure in figures]
        weighted = self.count * figures
        if weighted.ndim > 2:
            return list(np.add.reduce(weighted, axis=1))
        sums: list[float] = weighted.cumsum(axis=1)[:, -1].tolist() if self.rows else [0.0] * len(figures)
        return sums

    @cached_property
    def all_flops(self) -> Array:
        """FLOPs of all calls of each row."""
        total: Array = self.count * self.flops
        return total

    @cached_property
    def flops_by_peak(self) -> dict[WantedPeak, float]:
        """FLOPs of all calls of the tensor rows, by the peak that they ask for."""
        found: dict[WantedPeak, float] = dict.fromkeys(self.layout.tensor_peaks, 0.0)
        for at, flops in zip(self.asks.tolist(), self.all_flops.tolist(), strict=True):
            wanted = self.wanted[at]
            if wanted in found:
                found[wanted] += flops
        return found

    def outputs(self) -> Number:
        """Bytes that the heads of a model write, over all calls."""
        total: Number = 0.0
        for at in self.layout.heads:
            total = total + self.rows[at].count * self.costs[at].bytes_written
        return total


def main_peak(stacks: Sequence[RowStack]) -> WantedPeak | None:
    """The peak that judges most of the work: of the tensor rows; without any, that of the first row."""
    asked = {wanted for stack in stacks for wanted in stack.layout.tensor_peaks}
    if len(asked) == 1:  # whatever they compute
        return asked.pop()
    flops: Counter[WantedPeak] = Counter()
    for stack in stacks:
        flops.update(stack.flops_by_peak)
    if flops:
        return max(flops, key=flops.__getitem__)
    return next((stack.wanted[int(stack.asks[0])] for stack in stacks if stack.rows), None)


def _figures(costs: Sequence[Costs], shape: tuple[int, ...]) -> Array | tuple[Array, ...]:
    """Costs as [figure, row, ...]; of a single row with a shape, each figure in its own."""
    width = len(Costs._fields)
    if not shape:
        return np.fromiter(chain.from_iterable(costs), np.float64, width * len(costs)).reshape(-1, width).T
    if len(costs) == 1:
        return tuple(_natural(figure, len(shape)) for figure in costs[0])
    numbers = [figure if isinstance(figure, float) else 0.0 for cost in costs for figure in cost]
    found = np.empty((width, len(costs), *shape))
    found[:] = np.array(numbers).reshape(-1, width, *[1] * len(shape)).swapaxes(0, 1)
    for i, cost in enumerate(costs):
        for j, figure in enumerate(cost):
            if not isinstance(figure, float):
                found[j, i] = figure
    return found


def _natural(figure: Number, dimensions: int) -> Array:
    """A figure of one row as [row, ...]."""
    plain: Array = np.asarray(figure, dtype=np.float64)
    return plain.reshape(1, *[1] * (dimensions - plain.ndim), *plain.shape)


def stacked(
    rows: Sequence[Row],
    costs: Sequence[Costs],
    asked: Asked,
    layout: Layout | None = None,
    most: int = MOST_AT_ONCE,
) -> tuple[RowStack, ...]:
    """All rows in one stack where that is small, else those of one shape in one; large ones stand alone.

    Parameters
    ----------
    asked
        Which peak a row asks for.
    layout
        The layout of the same rows, where it is known already.
    most
        Values of one figure that are laid side by side.
    """
    shapes = [_shape(cost) for cost in costs]
    every = np.broadcast_shapes(*set(shapes))
    if len(rows) * prod(every) <= most:
        return (RowStack(rows, costs, layout or Layout(rows, asked), every),)
    groups: dict[object, list[int]] = {}
    for i, shape in enumerate(shapes):
        groups.setdefault(shape if prod(shape) * len(rows) <= most else i, []).append(i)
    return tuple(_part(rows, costs, asked, places, shapes[places[0]]) for places in groups.values())


def _part(
    rows: Sequence[Row], costs: Sequence[Costs], asked: Asked, places: Sequence[int], shape: tuple[int, ...]
) -> RowStack:
    """The rows at some places, which have one shape, in a stack."""
    chosen = [rows[i] for i in places]
    return RowStack(chosen, [costs[i] for i in places], Layout(chosen, asked), shape)


def _shape(cost: Costs) -> tuple[int, ...]:
    arrays = [figure.shape for figure in cost if isinstance(figure, np.ndarray)]
    return np.broadcast_shapes(*arrays) if arrays else ()


class Lane(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One use of every row, stacked: `seconds` [row, ...] of a call, NaN where the resource lacks its figure.

    Each row uses one of `resources`, the first where `which` is None. `known`: no figure is missing.
    """

    resources: tuple[Resource, ...]
    seconds: Array
    amount: Array | None
    which: Places | None = None
    calls: Array | None = None
    tier: Tier = "step"
    rate_factor: float = 1.0
    known: bool = True

    @property
    def kind(self) -> Kind:
        """The kind of its resources."""
        return self.resources[0].kind if self.resources else "compute"

    def use(self, i: int) -> Use:
        """What the row at a place uses."""
        resource = self.resources[0 if self.which is None else int(self.which[i])]
        amount, calls = (0.0 if a is None else _plain(a[i]) for a in (self.amount, self.calls))
        return Use(resource, amount, calls, self.tier, self.rate_factor)

    @property
    def judged(self) -> Array:
        """`seconds`, 0 where the resource lacks its figure."""
        return self.seconds if self.known else np.nan_to_num(self.seconds, copy=True, nan=0.0, posinf=np.inf)

    @property
    def moving(self) -> Array:
        """Seconds by the fastest published rate alone, no latency; 0 where the resource lacks its figure."""
        latency = self.resources[0].latency if self.calls is not None and self.resources else None
        spent = self.judged if latency is None or self.calls is None else self.judged - self.calls * latency
        factors = [r.floor_factor for r in self.resources]
        if all(f == 1.0 for f in factors):
            return spent
        if self.which is None or len(factors) == 1:
            return spent * factors[0]
        each: Array = np.array(factors).take(self.which)
        return spent * (each if spent.ndim == 1 else each.reshape(-1, *[1] * (spent.ndim - 1)))


def lane(
    resources: tuple[Resource, ...],
    amount: Array | None = None,
    which: Places | None = None,
    calls: Array | None = None,
    tier: Tier = "step",
    rate_factor: float = 1.0,
) -> Lane:
    """A use of every row: amount/(rate x factor), and calls x latency for launches and links alone.

    Parameters
    ----------
    amount
        FLOPs, or bytes, of a call of each row, [row, ...].
    which
        The place of each row's resource among `resources`.
    calls
        Kernels or messages of a call of each row.
    """
    if amount is None:
        latency = resources[0].latency
        seconds = (nan if latency is None else latency) * (np.zeros(0) if calls is None else calls)
        return Lane(resources, seconds, None, which, calls, tier, rate_factor, latency is not None)
    published = [r.rate for r in resources]
    known = None not in published
    rates = [nan if rate is None else rate for rate in published]
    if which is None or len(rates) == 1:
        seconds = amount / (rates[0] * rate_factor)
    elif not rates:
        seconds = amount
    else:
        each: Array = np.array(rates).take(which)
        each = each if rate_factor == 1.0 else each * rate_factor
        seconds = amount / (each if amount.ndim == 1 else each.reshape(-1, *[1] * (amount.ndim - 1)))
    if calls is not None and resources[0].kind == "link" and resources[0].latency is not None:
        seconds = seconds + calls * resources[0].latency
    return Lane(resources, seconds, amount, which, calls, tier, rate_factor, known)


def added_up(values: Array) -> Number:
    """The sum over rows, [row, ...], one after the other as a loop adds them."""
    if values.ndim > 1:
        if len(values) == 1:
            alone: Array = values[0]
            return alone
        total: Array = np.add.reduce(values, axis=0)
        return total
    return float(values.cumsum()[-1]) if len(values) else 0.0


def _plain(value: Number) -> Number:
    return value if isinstance(value, np.ndarray) and value.ndim else float(value)
