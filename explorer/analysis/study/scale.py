"""A device with one kind of figure times a factor."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, Link, MemoryLevel, Origin, Peak
from explorer.analysis.study.choices import Figure

UNNAMED: Final = Origin(confidence="low")


def scaled(device: Device, figure: Figure, factor: float, origin: Origin = UNNAMED) -> Device:
    """A copy whose figures of this kind come from `origin`; all others keep the place they came from."""
    if figure == "compute":
        return replace(device, peaks=tuple(_peak(p, factor, origin) for p in device.peaks))
    if figure == "links":
        return replace(device, links=tuple(_link(link, factor, origin) for link in device.links))
    return device.with_outermost(_level(device.outermost, figure, factor, origin))


def _peak(peak: Peak, factor: float, origin: Origin) -> Peak:
    said = {"source": origin.source, "confidence": origin.confidence, "note": origin.note}
    measured = peak.measured
    if measured is not None:
        measured = replace(measured, rate=measured.rate * factor, **said)
    return replace(peak, rate=peak.rate * factor, measured=measured, **said)


def _link(link: Link, factor: float, origin: Origin) -> Link:
    per_direction = link.per_direction * factor
    return replace(
        link, per_direction=per_direction, source=origin.source, confidence=origin.confidence, note=origin.note
    )


def _level(level: MemoryLevel, figure: str, factor: float, origin: Origin) -> MemoryLevel:
    value = getattr(level, figure)
    if value is None:
        return level
    if figure == "bandwidth" and level.measured is not None:
        said = {"source": origin.source, "confidence": origin.confidence, "note": origin.note}
        faster = replace(level.measured, bandwidth=level.measured.bandwidth * factor, **said)
        level = replace(level, measured=faster)
    return with_figure(level, figure, value * factor, origin)


def with_figure(level: MemoryLevel, figure: str, value: float | None, origin: Origin) -> MemoryLevel:
    """Change one figure of a memory level; every other figure keeps the place it came from."""
    leading = "bandwidth" if level.bandwidth is not None else "capacity"
    if figure != leading:
        return replace(level, **{figure: value}, origins={**level.origins, figure: origin})
    others = {f: level.origin(f) for f in ("capacity", "bandwidth", "latency") if getattr(level, f) is not None}
    kept = {f: o for f, o in others.items() if f != figure and o.source}
    return replace(
        level,
        **{figure: value},
        source=origin.source,
        confidence=origin.confidence,
        note=origin.note,
        origins=kept,
    )
