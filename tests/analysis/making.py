"""Devices and studies made by hand."""

from explorer.analysis.catalogue.device import Device, LaunchOverhead, MemoryLevel, Peak
from explorer.analysis.study.study import HardwareEntry, OwnRow, Study, Workload


def device(
    rate: float = 300e12,
    bandwidth: float = 2e12,
    capacity: float | None = 80e9,
    fmt: str = "bf16",
    vector: float | None = 20e12,
    launch: float | None = None,
    ident: str = "dev",
) -> Device:
    peaks = [Peak(format=fmt, accumulate="fp32", unit="tensor", rate=rate)]
    if vector is not None:
        peaks.append(Peak(format="fp32", accumulate="fp32", unit="vector", rate=vector))
    return Device(
        id=ident,
        name=ident.upper(),
        vendor="Test",
        peaks=tuple(peaks),
        memory=(MemoryLevel(level="HBM", capacity=capacity, bandwidth=bandwidth),),
        launch_overhead=None if launch is None else LaunchOverhead(seconds=launch),
    )


def study(*rows: OwnRow, on: tuple[Device, ...] = (), count: int = 1, **workload: object) -> Study:
    return Study(
        hardware=tuple(HardwareEntry(id=d.id, device=d, count=count) for d in on or (device(),)),
        operators=rows,
        workload=Workload(**workload),  # type: ignore[arg-type]
    )


def own(name: str, kind: str, count: float = 1.0, **dims: float) -> OwnRow:
    return OwnRow(id=name, name=name, kind=kind, dims=dims, count=count)
