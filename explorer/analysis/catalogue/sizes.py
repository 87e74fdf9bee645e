"""Devices that are sold with several sizes of memory: which was taken, and another in its place."""

import re
from typing import Final

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device

_SIZE: Final = re.compile(r"(?:^|\s)(\d{1,4})\s?g(?:i?b)?$", re.IGNORECASE)


def size_asked(text: str) -> tuple[float, str] | None:
    """The memory size in bytes that ends a text, `M4 Pro 24GB`, and the text before it; None where none does."""
    found = _SIZE.search(text.strip())
    return None if found is None else (float(found[1]) * 2**30, text.strip()[: found.start()])


def sizes_of(device: Device) -> tuple[float, ...]:
    """Bytes that the device is sold with, rising; its own capacity alone where no others are known."""
    level = device.outermost
    return level.sizes or (() if level.capacity is None else (level.capacity,))


def with_size(device: Device, capacity: float) -> Device:
    """The device with another of its sizes, in bytes."""
    return device.with_outermost(replace(device.outermost, capacity=capacity))


def same_but_size(device: Device, known: Device) -> bool:
    """Whether a device is the known one, with any of the sizes that it is sold with."""
    capacity = device.outermost.capacity
    if device == known:
        return True
    return capacity is not None and capacity in known.outermost.sizes and device == with_size(known, capacity)
