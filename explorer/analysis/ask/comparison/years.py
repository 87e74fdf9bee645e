"""Bandwidth and ridge over the years: every device of the database that has a year, a bandwidth and a 16-bit peak."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import msgspec

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.machines.peaks import found_peak

_HALF: Final = ("bf16", "fp16")
_MAKER, _FORM = "NVIDIA", "SXM"  # whose modules a line is drawn through


class YearPoint(msgspec.Struct, frozen=True):
    """One device.

    Parameters
    ----------
    bandwidth
        B/s of the outermost memory.
    peak
        FLOP/s, the larger of bf16 and fp16, dense, of one device.
    ridge
        FLOP/byte where the two meet.
    """

    device: Device
    year: int
    bandwidth: float
    peak: float
    format: str

    @property
    def ridge(self) -> float:
        """FLOP/byte."""
        return self.peak / self.bandwidth


class Years(msgspec.Struct, frozen=True):
    """The devices by year, in each by bandwidth.

    Parameters
    ----------
    line
        Places of NVIDIA's SXM modules, without those that were made slower than what came before.
    without_year, without_peak, without_bandwidth
        How many devices lack what they are drawn by, each counted once.
    """

    points: tuple[YearPoint, ...]
    line: tuple[int, ...]
    without_year: int = 0
    without_peak: int = 0
    without_bandwidth: int = 0

    @property
    def ridges(self) -> tuple[float, ...]:
        """The ridges along the line, in order."""
        return tuple(self.points[i].ridge for i in self.line)

    @property
    def falls(self) -> bool:
        """Whether the ridge is lower somewhere along the line than just before."""
        return any(later < earlier for earlier, later in pairwise(self.ridges))


class _Found:
    """The years found last, with the devices they are of."""

    def __init__(self) -> None:
        self.catalogue: Catalogue | None = None
        self.own: tuple[Device, ...] = ()
        self.years = Years((), ())


def years(evaluation: Evaluation) -> Years:
    """The whole database, and devices of the study that are not in it; found once for each."""
    kept, catalogue = evaluation.carried(_Found), evaluation.catalogue
    known = {d.id for d in catalogue.devices}
    own = tuple({e.device.id: e.device for e in evaluation.study.hardware if e.device.id not in known}.values())
    if kept.catalogue is not catalogue or kept.own != own:
        kept.catalogue, kept.own, kept.years = catalogue, own, years_of((*catalogue.devices, *own))
    return kept.years


def years_of(devices: Iterable[Device]) -> Years:
    """Devices by year."""
    points: list[YearPoint] = []
    lacking = [0, 0, 0]
    for device in devices:
        peak = _half_peak(device)
        if device.year is None:
            lacking[0] += 1
        elif peak is None:
            lacking[1] += 1
        elif not device.bandwidth:
            lacking[2] += 1
        else:
            points.append(YearPoint(device, device.year, device.bandwidth, peak[0], peak[1]))
    points.sort(key=lambda p: (p.year, p.bandwidth, p.device.id))
    return Years(tuple(points), _line(points), *lacking)


def _half_peak(device: Device) -> tuple[float, str] | None:
    """The larger peak of a 16-bit format that the device has itself."""
    found = [found_peak(device, ("tensor", fmt, None), 1.0) for fmt in _HALF]
    known = [(c.rate, c.format) for c in found if c.rate and c.format in _HALF]
    return max(known, key=lambda each: each[0]) if known else None


def _line(points: list[YearPoint]) -> tuple[int, ...]:
    places, best = [], 0.0
    for place, point in enumerate(points):
        device = point.device
        if device.vendor == _MAKER and device.form.startswith(_FORM) and point.peak >= best:
            places.append(place)
            best = point.peak
    return tuple(places)
