"""Hardware as data: one frozen value per device, the shape of a hardware file."""

from typing import Literal

import msgspec
from msgspec.structs import replace

Confidence = Literal["high", "medium", "low"]
Unit = Literal["tensor", "vector"]
DeviceClass = Literal["gpu", "cpu", "apu", "tpu", "npu"]
Provenance = Literal["datasheet", "derived", "paper", "measured", "recalled", "typed"]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of the parts of a device: unknown keys are refused."""


class Source(_Part, frozen=True, kw_only=True):
    """Where figures come from; parts name it by its key in `Device.sources`."""

    kind: Provenance
    title: str = ""
    url: str = ""
    note: str = ""


class Origin(_Part, frozen=True, kw_only=True):
    """Where one figure comes from, where it is another place than its part's, or the part is the device itself."""

    source: str = ""
    confidence: Confidence = "high"
    note: str = ""


class MeasuredRate(_Part, frozen=True, kw_only=True):
    """The best published measurement of a peak, FLOP/s (OP/s for integers); it may lie above the sheet's."""

    rate: float
    source: str = ""
    confidence: Confidence = "medium"
    note: str = ""


class MeasuredBandwidth(_Part, frozen=True, kw_only=True):
    """The best published measurement of a level's bandwidth, B/s."""

    bandwidth: float
    source: str = ""
    confidence: Confidence = "medium"
    note: str = ""


class Peak(_Part, frozen=True, kw_only=True):
    """Dense peak rate in FLOP/s (OP/s for integers) of one operand format, accumulator and unit.

    `rate` is the sheet's; `measured` stands beside it where someone published what the unit reaches.
    """

    format: str
    accumulate: str
    unit: Unit
    rate: float
    source: str = ""
    confidence: Confidence = "high"
    note: str = ""
    measured: MeasuredRate | None = None

    @property
    def ceiling(self) -> float:
        """FLOP/s that nothing published passes: a sheet's boost clock is no ceiling."""
        return self.rate if self.measured is None else max(self.rate, self.measured.rate)


class MemoryLevel(_Part, frozen=True, kw_only=True):
    """One memory level: bytes, B/s, seconds; a missing figure is None, never 0.

    `source` is the bandwidth's (else the capacity's); `origins` names others by figure. `bandwidth` is the sheet's,
    `sizes` the capacities in bytes that the device is sold with, where there are several.
    """

    level: str
    capacity: float | None = None
    sizes: tuple[float, ...] = ()
    bandwidth: float | None = None
    latency: float | None = None
    source: str = ""
    confidence: Confidence = "high"
    note: str = ""
    origins: dict[str, Origin] = {}
    measured: MeasuredBandwidth | None = None

    @property
    def ceiling(self) -> float | None:
        """B/s that nothing published passes."""
        if self.bandwidth is None or self.measured is None:
            return self.bandwidth
        return max(self.bandwidth, self.measured.bandwidth)

    def origin(self, figure: str) -> Origin:
        """Where `capacity`, `bandwidth` or `latency` comes from."""
        return self.origins.get(figure) or Origin(source=self.source, confidence=self.confidence, note=self.note)


class Link(_Part, frozen=True, kw_only=True):
    """One link between devices; B/s in one direction; `island` is how many devices reach each other at that rate."""

    name: str
    per_direction: float
    island: int | None = None
    source: str = ""
    confidence: Confidence = "high"
    note: str = ""


class LaunchOverhead(_Part, frozen=True, kw_only=True):
    """Seconds from one kernel's launch to the next in a stream."""

    seconds: float
    source: str = ""
    confidence: Confidence = "high"
    note: str = ""


class Device(_Part, frozen=True, kw_only=True, rename={"class_": "class"}):
    """One device; its memory levels stand outermost first.

    `short` labels charts; `on_chip_per_core` is the shared memory one core's kernel may use;
    `origins` names the source of the plain figures by field name.
    """

    format: int = 1
    id: str
    name: str
    short: str = ""
    vendor: str
    class_: DeviceClass = "gpu"
    form: str = ""
    year: int | None = None
    peaks: tuple[Peak, ...] = ()
    memory: tuple[MemoryLevel, ...]
    links: tuple[Link, ...] = ()
    launch_overhead: LaunchOverhead | None = None
    cores: int | None = None
    on_chip_per_core: int | None = None
    tdp_w: float | None = None
    price_per_hour: float | None = None
    note: str = ""
    origins: dict[str, Origin] = {}
    sources: dict[str, Source] = {}

    @property
    def outermost(self) -> MemoryLevel:
        """The level that weights and KV cache live in; without any memory, one that has no figures."""
        return self.memory[0] if self.memory else MemoryLevel(level="")

    @property
    def inner(self) -> tuple[MemoryLevel, ...]:
        """The levels inside the outermost one: caches and what a core has of its own."""
        return self.memory[1:]

    def with_outermost(self, level: MemoryLevel) -> "Device":
        """A copy with another outermost level."""
        return replace(self, memory=(level, *self.inner))

    @property
    def bandwidth(self) -> float | None:
        """B/s of the outermost memory."""
        return self.outermost.bandwidth

    @property
    def capacity(self) -> float | None:
        """Bytes of the outermost memory."""
        return self.outermost.capacity
