"""One device, or several that work as one: rates and capacity times their number, as if that cost nothing."""

import math
from functools import cached_property

import msgspec

from explorer.analysis.catalogue.device import Device, Unit
from explorer.analysis.step.machines.peaks import PeakChoice, WantedPeak, found_peak
from explorer.analysis.step.resources import DEVICE, Resource
from explorer.analysis.step.stack import Lane, RowStack, lane
from explorer.analysis.study.study import FittedRoof, HardwareEntry


class Machine(msgspec.Struct, frozen=True, eq=False, dict=True):
    """What rows are placed on: a device, or `count` of them, and what they offer.

    `fitted` says what measurements on it reach, where there are any. Rates and capacities are over all devices.
    """

    device: Device
    count: int = 1
    key: str = ""
    fitted: FittedRoof | None = None
    _found: dict[WantedPeak, tuple[PeakChoice, Resource]] = msgspec.field(default_factory=dict)
    _judges: dict[tuple[WantedPeak, ...], tuple[Resource, ...]] = msgspec.field(default_factory=dict)

    @classmethod
    def of(cls, entry: HardwareEntry) -> "Machine":
        """The machine of a study's device entry."""
        return cls(entry.device, entry.count, entry.id, entry.fitted)

    @cached_property
    def memories(self) -> tuple[Resource, ...]:
        """The memory levels, B/s and seconds."""
        return tuple(
            Resource(
                "memory",
                level.level,
                DEVICE,
                self._over_all(level.bandwidth),
                level.latency,
                self._over_all(level.ceiling),
            )
            for level in self.device.memory
        )

    @cached_property
    def outermost(self) -> Resource:
        """The memory that weights and KV cache are held in, and that every roof is drawn for."""
        level = self.device.outermost
        rate, ceiling = self._over_all(level.bandwidth), self._over_all(level.ceiling)
        return Resource("memory", level.level, DEVICE, rate, level.latency, ceiling)

    def memory(self, level: str) -> Resource | None:
        """A memory level by its name."""
        return next((m for m in self.memories if m.key == level), None)

    @cached_property
    def links(self) -> tuple[Resource, ...]:
        """The links between devices, B/s of one device in one direction."""
        return tuple(Resource("link", link.name, DEVICE, link.per_direction) for link in self.device.links)

    @cached_property
    def launch(self) -> Resource:
        """What the launch of a kernel waits for, seconds a kernel where known."""
        overhead = self.device.launch_overhead
        return Resource("launch", "", DEVICE, None, None if overhead is None else overhead.seconds)

    @cached_property
    def peaks(self) -> tuple[Resource, ...]:
        """The compute peaks, FLOP/s."""
        return tuple(
            Resource(
                "compute",
                (p.format, p.accumulate, p.unit),
                DEVICE,
                self._over_all(p.rate),
                None,
                self._over_all(p.ceiling),
            )
            for p in self.device.peaks
        )

    @property
    def resources(self) -> tuple[Resource, ...]:
        """All that the machine offers."""
        return (*self.memories, *self.peaks, self.launch, *self.links)

    @cached_property
    def bandwidth(self) -> float | None:
        """B/s of the outermost memory."""
        return self.outermost.rate

    @property
    def known_bandwidth(self) -> float:
        """B/s of the outermost memory of a machine that has results: they are of machines whose bandwidth is known."""
        return self.outermost.rate or 1.0

    @property
    def floor_bandwidth(self) -> float:
        """B/s that the floor divides by: the measured bandwidth where it is above the sheet's."""
        return self.outermost.ceiling or self.known_bandwidth

    @cached_property
    def capacity(self) -> float | None:
        """Bytes of the outermost memory."""
        return self._over_all(self.device.capacity)

    @cached_property
    def rooms(self) -> dict[str, float | None]:
        """Bytes that there is room for, by place; None where nobody published it."""
        return {DEVICE: self.capacity}

    @property
    def launch_s(self) -> float | None:
        """Seconds per kernel launch, where known."""
        return self.launch.latency

    def peak(self, unit: Unit, fmt: str, accumulate: str | None = None) -> PeakChoice:
        """The peak for an operand format on a unit (see `found_peak`)."""
        return self.asked((unit, fmt, accumulate))

    def asked(self, wanted: WantedPeak) -> PeakChoice:
        """The peak for what a row asks of any machine."""
        return self._judge(wanted)[0]

    def _judge(self, wanted: WantedPeak) -> tuple[PeakChoice, Resource]:
        found = self._found.get(wanted)
        if found is None:
            choice = found_peak(self.device, wanted, self.count)
            entry = choice.entry
            key = wanted if entry is None else (entry.format, entry.accumulate, entry.unit)
            found = self._found[wanted] = choice, Resource("compute", key, DEVICE, choice.rate, None, choice.ceiling)
        return found

    def lanes(self, stack: RowStack, *, eager: bool) -> tuple[Lane, ...]:
        """What each row uses here; `eager` pays the launch of every kernel.

        Bytes go through the outermost memory, FLOPs through the peak that judges the row.
        """
        peaks = self._judges.get(stack.wanted)
        if peaks is None:
            peaks = self._judges[stack.wanted] = tuple([self._judge(w)[1] for w in stack.wanted])
        found: tuple[Lane, ...] = (lane((self.outermost,), stack.moved), lane(peaks, stack.flops, stack.asks))
        return (*found, lane((self.launch,), calls=stack.kernels)) if eager else found

    def times(self, figure: float) -> float:
        """A rate or a capacity of one device, over all devices."""
        return figure * self.count

    def each(self, figure: float) -> float:
        """A rate or a capacity over all devices, of one of them."""
        return figure / self.count

    def of_many(self, count: int) -> "Machine":
        """The machine of another number of the same devices."""
        return self if count == self.count else Machine(self.device, count, self.key, self.fitted)

    def fewest(self, held: float) -> int | None:
        """The fewest devices that hold so many bytes together; None where one's capacity is unknown."""
        capacity = self.device.capacity
        return max(1, math.ceil(held / capacity)) if capacity else None

    def _over_all(self, figure: float | None) -> float | None:
        return None if figure is None else self.times(figure)
