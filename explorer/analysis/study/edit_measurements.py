"""Edits of measurements and of what is fitted to them, as pure functions."""

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, LaunchOverhead, MemoryLevel, Peak, Source
from explorer.analysis.measured.roof_fit import RoofFit
from explorer.analysis.study.edits import change_hardware, unique_id
from explorer.analysis.study.study import FittedRoof, HardwareEntry, Measurement, Study

FIT: Final = "fit"


def add_measured(study: Study, found: Iterable[Measurement]) -> Study:
    """Measurements added at the end under unique ids."""
    ids = {m.id for m in study.measurements}
    added: list[Measurement] = []
    for measurement in found:
        named = measurement if measurement.id not in ids else replace(measurement, id=unique_id(measurement.id, ids))
        ids.add(named.id)
        added.append(named)
    return replace(study, measurements=(*study.measurements, *added))


def change_measurement(study: Study, ident: str, **fields: object) -> Study:
    """Fields of one measurement changed."""
    changed = tuple(replace(m, **fields) if m.id == ident else m for m in study.measurements)
    return replace(study, measurements=changed)


def remove_measurements(study: Study, ids: Collection[str]) -> Study:
    """Measurements taken out."""
    return replace(study, measurements=tuple(m for m in study.measurements if m.id not in ids))


def place_measurements(study: Study, placed: Mapping[str, tuple[str, str]]) -> Study:
    """Measurements given to a device and a model, by the measurement's id; ids as the study's entries have them."""
    found = tuple(
        replace(m, device=placed[m.id][0], model=placed[m.id][1]) if m.id in placed else m for m in study.measurements
    )
    return replace(study, measurements=found)


def set_roof_fit(study: Study, entry_id: str, fitted: FittedRoof | None) -> Study:
    """A device's expected band from a fit, or, with None, from the workload's efficiencies again."""
    return change_hardware(study, entry_id, fitted=fitted)


def fitted_device(entry: HardwareEntry, fit: RoofFit, fmt: str, title: str, name: str) -> Device:
    """The device as measured: fitted figures in place of the sheet's, which stay where the fit tells nothing."""
    device, count = entry.device, entry.count
    first, faster = device.outermost, device
    if fit.bandwidth is not None:
        level = MemoryLevel(
            level=first.level, capacity=first.capacity, bandwidth=fit.bandwidth.value / count, latency=first.latency,
            source=FIT,
        )  # fmt: skip
        faster = device.with_outermost(level)
    peaks = device.peaks
    if fit.peak is not None:
        fitted = Peak(format=fmt, accumulate=_accumulate(device, fmt), unit="tensor", rate=fit.peak.value / count)
        peaks = (replace(fitted, source=FIT), *(p for p in peaks if (p.format, p.unit) != (fmt, "tensor")))
    launch = device.launch_overhead
    if fit.per_kernel_s is not None:
        launch = LaunchOverhead(seconds=fit.per_kernel_s.value, source=FIT)
    return replace(
        faster,
        id=f"{device.id}-fitted",
        name=name,
        short=name,
        peaks=peaks,
        launch_overhead=launch,
        sources={**device.sources, FIT: Source(kind="measured", title=title)},
    )


def _accumulate(device: Device, fmt: str) -> str:
    return next((p.accumulate for p in device.peaks if p.format == fmt), "int32" if fmt.startswith("int") else "fp32")
