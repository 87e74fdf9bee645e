"""Which peak judges a row: the one of its formats on a unit, else the next wider one's."""

from collections.abc import Mapping
from typing import NamedTuple

from explorer.analysis.catalogue.device import Device, Peak, Unit
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.step.costs import CompiledKind
from explorer.analysis.step.rows import Row

_WIDER = {
    "fp4": ("fp8", "bf16", "fp16", "fp32"),
    "fp8": ("bf16", "fp16", "fp32"),
    "mxfp8": ("fp8", "bf16", "fp16", "fp32"),
    "int4": ("int8", "bf16", "fp16", "fp32"),
    "int8": ("bf16", "fp16", "fp32"),
    "bf16": ("fp16", "fp32"),
    "fp16": ("bf16", "fp32"),
    "tf32": ("fp32",),
}


_HOLDS = {"fp16": ("fp32",), "bf16": ("fp32",), "fp8": ("bf16", "fp16", "fp32")}  # every value of a format
_BLOCK_SCALED = {"mxfp8", "fp4"}  # what block-scaled units take as a second operand
_CAST_TO = 16
_SAME_KIND = {"mxfp8": "fp8"}  # a format whose usual peak judges it where it has none of its own: no stand-in

WantedPeak = tuple[Unit, str, str | None]  # unit, operand format, accumulator


class PeakChoice(NamedTuple):
    """The peak that judges a row, FLOP/s by the sheet; `stands_in_for` names the format that the device lacks."""

    rate: float | None
    entry: Peak | None
    format: str
    stands_in_for: str = ""

    @property
    def ceiling(self) -> float | None:
        """FLOP/s that the floor divides by: the measured peak where it is published and above the sheet's."""
        entry = self.entry
        return self.rate if self.rate is None or entry is None else self.rate * (entry.ceiling / entry.rate)


def compute_format(activations: NumberFormat, partner: NumberFormat) -> str:
    """The operand format whose peak counts for a pair of stored formats.

    The activation format, unless both operands are 8 bit or both 4 bit of one kind; a narrow
    activation beside a wider partner is computed in the partner's format. A partner of more than
    16 bit is cast to 16: that it is stored so makes no operator an fp32 one.
    """
    if _width(partner) > _width(activations) and partner.compute != activations.compute:
        if _width(partner) > _CAST_TO:
            return activations.compute if _width(activations) >= _CAST_TO else "bf16"
        return partner.compute
    if activations.compute == "mxfp8" and partner.compute not in _BLOCK_SCALED:
        return _SAME_KIND["mxfp8"]
    return activations.compute


def _width(fmt: NumberFormat) -> int:
    return next((w for w in (4, 8, 16, 32) if fmt.bits < w * 1.2), 64)


def wanted_peak(row: Row, unit: Unit, partner: str, formats: Mapping[str, NumberFormat]) -> WantedPeak:
    """What a row asks of any machine, as `Machine.peak` takes it: unit, operand format, accumulator."""
    activations = formats[row.activations]
    if unit == "vector":
        return "vector", activations.compute, row.accumulate
    second = {"weights": row.weights, "kv": row.kv}.get(partner, row.activations)
    return "tensor", compute_format(activations, formats[second]), row.accumulate


class Asking:
    """What rows ask of any machine, found once for rows that look alike."""

    def __init__(self, kinds: Mapping[str, CompiledKind], formats: Mapping[str, NumberFormat]) -> None:
        self.kinds, self._formats = kinds, formats
        self._found: dict[tuple[object, ...], WantedPeak] = {}

    def peak(self, row: Row) -> WantedPeak:
        """The peak that a row asks for."""
        look = (row.kind, row.activations, row.weights, row.kv, row.accumulate)
        found = self._found.get(look)
        if found is None:
            kind = self.kinds[row.kind]
            found = self._found[look] = wanted_peak(row, kind.kind.unit, kind.partner, self._formats)
        return found


def found_peak(device: Device, wanted: WantedPeak, times: float) -> PeakChoice:
    """The peak of a device for what a row asks, its rate multiplied.

    Tensor work takes the tensor entry of the format, else its vector entry, else the next wider
    format, or one that holds all its values and is faster (fp16 at 1/64 of fp32 on Pascal); vector work takes the
    format's own vector entry, else fp32's.
    """
    unit, fmt, asked = wanted
    accumulate = asked or ("int32" if fmt.startswith("int") else "fp32")
    for candidate in (fmt, *(_WIDER.get(fmt, ()) if unit == "tensor" else ("fp32",))):
        # a stand-in format has the usual accumulator of its own
        entry = _entry(device, unit, candidate, accumulate if candidate == fmt else "fp32")
        if entry is not None:
            entry, chosen = _faster(device, unit, fmt, entry, candidate)
            usual = _SAME_KIND.get(fmt, fmt)
            stands_in = usual if unit == "tensor" and chosen not in {fmt, usual} else ""
            return PeakChoice(entry.rate * times, entry, chosen, stands_in)
    return PeakChoice(None, None, _SAME_KIND.get(fmt, fmt))


def lists(device: Device, fmt: str) -> bool:
    """Whether a device has a peak of a format, on whatever unit."""
    return any(p.format == fmt for p in device.peaks)


def _faster(device: Device, unit: str, fmt: str, entry: Peak, found: str) -> tuple[Peak, str]:
    """The entry, or a faster one of a format that holds every value of `fmt`: libraries convert to it."""
    for wider in _HOLDS.get(fmt, ()) if unit == "tensor" else ():
        other = _entry(device, unit, wider, "fp32")
        if other is not None and other.rate > entry.rate:
            entry, found = other, wider
    return entry, found


def _entry(device: Device, unit: str, fmt: str, accumulate: str) -> Peak | None:
    of_format = [p for p in device.peaks if p.format == fmt]
    for wanted in ("tensor", "vector") if unit == "tensor" else ("vector",):
        on_unit = [p for p in of_format if p.unit == wanted]
        exact = [p for p in on_unit if p.accumulate == accumulate]
        if exact or on_unit:
            return (exact or on_unit)[0]
    return None
