"""A step on one machine, as views read it: points in row order, shares, the ledger of its seconds, totals."""

from functools import cached_property

import msgspec

from explorer.analysis.step.ledger import TimeLedger
from explorer.analysis.step.machines.peaks import PeakChoice
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.placement import Placed, Point
from explorer.analysis.step.resources import BOUNDS, Bound
from explorer.analysis.step.rows import Array
from explorer.analysis.step.schedule import Schedule, one_after_the_other, time_ledger
from explorer.analysis.step.totals import Totals
from explorer.analysis.step.work import Use
from explorer.analysis.study.study import HardwareEntry


class DeviceResult(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A study's step on one machine: the model's rows, then the user's, and totals."""

    entry: HardwareEntry
    machine: Machine
    main_peak: PeakChoice
    modelled: Placed
    own: Placed
    totals: Totals

    @property
    def _parts(self) -> tuple[Placed, ...]:
        return tuple([part for part in (self.modelled, self.own) if part.stack.rows])

    @property
    def placed(self) -> tuple[Point, ...]:
        """Points of the model's rows."""
        return self.modelled.points

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The model's rows, then the user's."""
        return (*self.modelled.points, *self.own.points)

    @property
    def is_ideal(self) -> bool:
        """Whether several devices work as one at no cost: none of the rows uses a link between them."""
        return self.machine.count > 1 and all(part.lane("link") is None for part in self._parts)

    @property
    def launches_unknown(self) -> bool:
        """Whether kernels are launched one by one and nobody published what a launch takes: times are at least."""
        lanes = (part.lane("launch") for part in self._parts)
        return any(lane is not None and not lane.known for lane in lanes)

    def uses_of(self, point: Point) -> tuple[Use, ...]:
        """All that a row uses of the machine, per call."""
        for part in self._parts:
            for i, row in enumerate(part.stack.rows):
                if row is point.row:
                    return part.uses(i)
        return ()

    @property
    def schedule(self) -> Schedule:
        """When the rows run: one after the other."""
        return one_after_the_other([work for part in self._parts for work in part.works])

    @property
    def ledger(self) -> TimeLedger:
        """The seconds of the step by row; they add up to `time_s`."""
        return time_ledger(self.schedule)

    @property
    def ridge(self) -> float | None:
        """FLOP/byte where the main peak meets the bandwidth."""
        bandwidth = self.machine.bandwidth
        return self.main_peak.rate / bandwidth if self.main_peak.rate and bandwidth else None

    @cached_property
    def fits(self) -> bool | None:
        """Whether the step has room at every place, worked out once; None where capacity is unknown."""
        return self.totals.fits

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Share of each row in the step's time."""
        total = float(self.totals.time_s) or 1.0
        return _by_row([part.total_s / total for part in self._parts])

    @cached_property
    def bound_shares(self) -> dict[Bound, float]:
        """Share of the step's time spent in rows of each bound."""
        total = float(self.totals.time_s) or 1.0
        sums = [part.bound_sums() for part in self._parts]
        return {b: sum([s[b] for s in sums]) / total for b in BOUNDS}

    @cached_property
    def flop_shares(self) -> tuple[float, ...]:
        """Share of each row in the step's FLOPs."""
        total = float(self.totals.traffic.flops) or 1.0
        return _by_row([part.stack.all_flops / total for part in self._parts])


def _by_row(figures: list[Array]) -> tuple[float, ...]:
    found: list[float] = []
    for part in figures:
        found += part.tolist()
    return tuple(found)
