"""Which roof judges a row: the peak of its formats on a device, and the bandwidth."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import msgspec

from explorer.analysis.catalogue.device import Device, Peak, Unit
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.step.rows import Row
from explorer.analysis.study.study import FittedRoof

_WIDER = {
    "fp4": ("fp8", "bf16", "fp16", "fp32"),
    "fp8": ("bf16", "fp16", "fp32"),
    "int4": ("int8", "bf16", "fp16", "fp32"),
    "int8": ("bf16", "fp16", "fp32"),
    "bf16": ("fp16", "fp32"),
    "fp16": ("bf16", "fp32"),
    "tf32": ("fp32",),
}


WantedPeak = tuple[Unit, str, str | None]  # unit, operand format, accumulator


def compute_format(activations: NumberFormat, partner: NumberFormat) -> str:
    """The operand format whose peak counts for a pair of stored formats.

    The activation format, unless both operands are 8 bit or both 4 bit of one kind; a narrow
    activation beside a wider partner is computed in the partner's format.
    """
    if _width(partner) > _width(activations) and partner.compute != activations.compute:
        return partner.compute
    return activations.compute


def _width(fmt: NumberFormat) -> int:
    return next((w for w in (4, 8, 16, 32) if fmt.bits < w * 1.2), 64)


class PeakChoice(NamedTuple):
    """The peak that judges a row; `stands_in_for` names the format that the device lacks."""

    rate: float | None
    entry: Peak | None
    format: str
    stands_in_for: str = ""


class Roof(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A device (or `count` of them, ideal: rates and capacity times the count) ready to place rows on."""

    device: Device
    count: int = 1
    key: str = ""
    fitted: FittedRoof | None = None
    _found: dict[WantedPeak, PeakChoice] = msgspec.field(default_factory=dict)

    @cached_property
    def bandwidth(self) -> float | None:
        """B/s of the outermost memory over all devices."""
        return None if self.device.bandwidth is None else self.device.bandwidth * self.count

    @cached_property
    def capacity(self) -> float | None:
        """Bytes of the outermost memory over all devices."""
        return None if self.device.capacity is None else self.device.capacity * self.count

    @cached_property
    def launch_s(self) -> float | None:
        """Seconds per kernel launch, where known."""
        return None if self.device.launch_overhead is None else self.device.launch_overhead.seconds

    def peak(self, unit: Unit, fmt: str, accumulate: str | None = None) -> PeakChoice:
        """The peak for an operand format on a unit (FLOP/s over all devices).

        Tensor work takes the tensor entry of the format, else its vector entry, else the next wider
        format; vector work takes the format's own vector entry, else fp32's.
        """
        return self.asked((unit, fmt, accumulate))

    def asked(self, wanted: WantedPeak) -> PeakChoice:
        """The peak for what a row asks of any device."""
        found = self._found.get(wanted)
        if found is None:
            unit, fmt, accumulate = wanted
            found = self._find(unit, fmt, accumulate or ("int32" if fmt.startswith("int") else "fp32"))
            self._found[wanted] = found
        return found

    def _find(self, unit: str, fmt: str, accumulate: str) -> PeakChoice:
        formats = (fmt, *(_WIDER.get(fmt, ()) if unit == "tensor" else ("fp32",)))
        for candidate in formats:
            # a stand-in format has the usual accumulator of its own
            wanted = accumulate if candidate == fmt else "fp32"
            entry = self._entry(unit, candidate, wanted)
            if entry is not None:
                stands_in = fmt if unit == "tensor" and candidate != fmt else ""
                return PeakChoice(entry.rate * self.count, entry, candidate, stands_in)
        return PeakChoice(None, None, fmt)

    def _entry(self, unit: str, fmt: str, accumulate: str) -> Peak | None:
        of_format = [p for p in self.device.peaks if p.format == fmt]
        for wanted in ("tensor", "vector") if unit == "tensor" else ("vector",):
            on_unit = [p for p in of_format if p.unit == wanted]
            exact = [p for p in on_unit if p.accumulate == accumulate]
            if exact or on_unit:
                return (exact or on_unit)[0]
        return None


def wanted_peak(row: Row, unit: Unit, partner: str, formats: Mapping[str, NumberFormat]) -> WantedPeak:
    """What a row asks of any device, as `Roof.peak` takes it: unit, operand format, accumulator."""
    activations = formats[row.activations]
    if unit == "vector":
        return "vector", activations.compute, row.accumulate
    second = {"weights": row.weights, "kv": row.kv}.get(partner, row.activations)
    return "tensor", compute_format(activations, formats[second]), row.accumulate
