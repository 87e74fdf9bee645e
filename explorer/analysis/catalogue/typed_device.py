"""A device known by the figures that someone typed: bandwidth, bf16 peak, capacity."""

import re
from typing import Final

from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak, Source

TYPED: Final = "typed"
_PLAIN: Final = re.compile(r"[^a-z0-9]+")
_LONGEST_ID: Final = 80


def typed_device(name: str, bandwidth: float | None, peak: float | None, capacity: float | None) -> Device:
    """A device of a bandwidth (B/s), a dense bf16 peak accumulating in fp32 (FLOP/s) and a capacity (B).

    What is None is not known: nothing else of the device is, so no other rate is made up from these.
    """
    rates = () if peak is None else (Peak(format="bf16", accumulate="fp32", unit="tensor", rate=peak, source=TYPED),)
    words = _PLAIN.sub("-", name.lower()).strip("-")
    return Device(
        id=f"{TYPED}-{words}"[:_LONGEST_ID],
        name=name,
        vendor=TYPED,
        peaks=rates,
        memory=(MemoryLevel(level="memory", capacity=capacity, bandwidth=bandwidth, source=TYPED),),
        sources={TYPED: Source(kind="typed", title="Typed by the user")},
    )


def is_typed(device: Device) -> bool:
    """Whether a device is known by typed figures alone."""
    return device.vendor == TYPED and device.outermost.source == TYPED
