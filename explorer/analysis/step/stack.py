"""Rows of a step stacked for arithmetic: figures lie as [row, ...], what they use of a machine as one lane each."""

from collections.abc import Callable, Sequence
from functools import cached_property
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


class Stack:
    """Rows and their costs as arrays over [row, ...]: FLOPs, bytes and kernels of a call.

    `wanted` are the distinct peaks that the rows ask for, `asks` which of them each row does; `count` are the calls,
    shaped to broadcast over the figures.
    """

    def __init__(self, rows: Sequence[Row], costs: Sequence[Costs], asked: Asked, shape: tuple[int, ...] = ()) -> None:
        self.rows, self.costs = tuple(rows), tuple(costs)
        places: dict[WantedPeak, int] = {}
        self.asks: Places = np.array([places.setdefault(asked(r), len(places)) for r in rows], dtype=np.intp)
        self.wanted: tuple[WantedPeak, ...] = tuple(places)
        calls: Array = np.array([r.count for r in rows], dtype=np.float64)
        self.count = calls.reshape(-1, *[1] * len(shape)) if shape else calls
        self.table = _table(costs, shape)
        self.flops, self.read, self.written, self.kernels, self.weight_bytes, self.kv_bytes = self.table
        self.moved: Array = self.read + self.written

    @cached_property
    def all_flops(self) -> Array:
        """FLOPs of all calls of each row."""
        total: Array = self.count * self.flops
        return total

    @cached_property
    def heaviest(self) -> int | None:
        """Place of the tensor row that computes most, the first of equals; None where there is none."""
        tensor = [w[0] == "tensor" for w in self.wanted]
        if not any(tensor):
            return None
        flops = self.all_flops
        return int((flops if all(tensor) else np.where(np.array(tensor)[self.asks], flops, -1.0)).argmax())


def _table(costs: Sequence[Costs], shape: tuple[int, ...]) -> Array:
    """Costs as [figure, row, ...]."""
    if not shape:
        return np.array(costs, dtype=np.float64).reshape(-1, len(Costs._fields)).T.copy()
    found = np.empty((len(Costs._fields), len(costs), *shape))
    for i, cost in enumerate(costs):
        for j, figure in enumerate(cost):
            found[j, i] = figure
    return found


def stacked(rows: Sequence[Row], costs: Sequence[Costs], asked: Asked, most: int = MOST_AT_ONCE) -> tuple[Stack, ...]:
    """All rows in one stack where that is small, else each in a stack of its own and of its natural shape.

    Parameters
    ----------
    asked
        Which peak a row asks for.
    most
        Values of one figure that are laid side by side.
    """
    shapes = [_shape(cost) for cost in costs]
    every = np.broadcast_shapes(*set(shapes))
    if len(rows) * prod(every) <= most:
        return (Stack(rows, costs, asked, every),)
    return tuple(Stack((r,), (c,), asked, shape) for r, c, shape in zip(rows, costs, shapes, strict=True))


def _shape(cost: Costs) -> tuple[int, ...]:
    arrays = [figure.shape for figure in cost if isinstance(figure, np.ndarray)]
    return np.broadcast_shapes(*arrays) if arrays else ()


class Lane(msgspec.Struct, frozen=True, eq=False):
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
    rates = [nan if r.rate is None else r.rate for r in resources]
    known = all(r.rate is not None for r in resources)
    if which is None or len(rates) == 1:
        seconds = amount / (rates[0] * rate_factor)
    elif not rates:
        seconds = amount
    else:
        each = np.array(rates)[which] * rate_factor if rate_factor != 1.0 else np.array(rates)[which]
        seconds = amount / (each if amount.ndim == 1 else each.reshape(-1, *[1] * (amount.ndim - 1)))
    if calls is not None and resources[0].kind == "link" and resources[0].latency is not None:
        seconds = seconds + calls * resources[0].latency
    return Lane(resources, seconds, amount, which, calls, tier, rate_factor, known)


def added_up(values: Array) -> Number:
    """The sum over rows, [row, ...], one after the other as a loop adds them."""
    if values.ndim > 1:
        total: Array = np.add.reduce(values, axis=0)
        return total
    return float(values.cumsum()[-1]) if len(values) else 0.0


def _plain(value: Number) -> Number:
    return value if isinstance(value, np.ndarray) and value.ndim else float(value)
