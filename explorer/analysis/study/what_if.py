"""A device with rates multiplied, as a device of its own whose figures say where they come from."""

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak, Source

WHAT_IF = "what-if"


def faster_device(
    device: Device, *, id_: str, name: str, short: str, title: str, bandwidth: float = 1.0, compute: float = 1.0
) -> Device:
    """A copy with the outermost bandwidth and all peaks multiplied; `title` names the source of what changed."""
    peaks = device.peaks if compute == 1.0 else tuple(_peak(p, compute) for p in device.peaks)
    faster = device if bandwidth == 1.0 else device.with_outermost(_level(device.outermost, bandwidth))
    sources = {**device.sources, WHAT_IF: Source(kind="derived", title=title)}
    return replace(faster, id=id_, name=name, short=short, peaks=peaks, sources=sources)


def _peak(peak: Peak, times: float) -> Peak:
    return replace(peak, rate=peak.rate * times, source=WHAT_IF, confidence="low", note="")


def _level(level: MemoryLevel, times: float) -> MemoryLevel:
    faster = None if level.bandwidth is None else level.bandwidth * times
    return replace(level, bandwidth=faster, source=WHAT_IF, confidence="low", note="")
