"""What a device must fulfil beyond its shape: figures in sane bounds, names in one line, sources that exist."""

import math
import re
from collections.abc import Iterator
from typing import Final

from explorer.analysis.catalogue.device import Device, MemoryLevel, Origin
from explorer.analysis.problem import Problem

FORMAT: Final = 1
OPERANDS: Final = ("fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "mxfp8", "fp6", "fp4", "int8", "int4")
ACCUMULATORS: Final = ("fp64", "fp32", "fp16", "bf16", "int32")
PLAIN_FIGURES: Final = ("year", "cores", "on_chip_per_core", "tdp_w", "price_per_hour")
LEVEL_FIGURES: Final = ("capacity", "sizes", "bandwidth", "latency")

_RATE: Final = (1.0, 1e24)
_SECONDS: Final = (1e-12, 1e3)
_COUNT: Final = (1.0, 1e12)
_MONEY: Final = (1e-9, 1e9)
_ID: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
LONGEST_SHORT: Final = 15  # characters of a short name in the labels of the chart
_LONGEST: Final = 100

Figure = tuple[str, float | None, tuple[float, float]]


def device_problems(device: Device) -> tuple[Problem, ...]:
    """Return every fault of a device's values, with field paths as in its file; none means it can be evaluated.

    Rates in FLOP/s or B/s, capacities in bytes, times in seconds, power in watts.
    """
    return (
        *_identity(device),
        *_figures(device),
        *_choices(device),
        *_repeats(device),
        *_origins(device),
        *_origin_names(device),
    )


def _identity(device: Device) -> Iterator[Problem]:
    if device.format != FORMAT:
        yield Problem("device.format", "format", {"got": device.format, "known": FORMAT})
    if not _ID.fullmatch(device.id):
        yield Problem("device.id", "id")
    lines = {"name": device.name, "vendor": device.vendor}
    lines |= {f"memory[{i}].level": m.level for i, m in enumerate(device.memory)}
    lines |= {f"links[{i}].name": k.name for i, k in enumerate(device.links)}
    yield from (Problem("field.line", path) for path, text in lines.items() if not _is_line(text))
    if device.short and not _is_line(device.short):
        yield Problem("field.line", "short")
    if not device.memory:
        yield Problem("device.no_memory", "memory")
    elif device.bandwidth is None:
        yield Problem("device.no_bandwidth", "memory[0].bandwidth")


def _is_line(text: str) -> bool:
    return bool(text.strip()) and text.isprintable() and len(text) <= _LONGEST


def _figures(device: Device) -> Iterator[Problem]:
    for path, value, (low, high) in _bounded(device):
        if value is None:
            continue
        if not math.isfinite(value):
            yield Problem("field.not_finite", path)
        elif value <= 0:
            yield Problem("field.not_positive", path, {"got": value})
        elif not low <= value <= high:
            yield Problem("field.out_of_range", path, {"got": value, "low": low, "high": high})


def _bounded(device: Device) -> Iterator[Figure]:
    for index, peak in enumerate(device.peaks):
        yield f"peaks[{index}].rate", peak.rate, _RATE
        if peak.measured is not None:
            yield f"peaks[{index}].measured.rate", peak.measured.rate, _RATE
    for index, level in enumerate(device.memory):
        yield from _of_level(f"memory[{index}]", level)
    yield from ((f"links[{i}].per_direction", link.per_direction, _RATE) for i, link in enumerate(device.links))
    yield from ((f"links[{i}].island", link.island, _COUNT) for i, link in enumerate(device.links))
    if device.launch_overhead:
        yield "launch_overhead.seconds", device.launch_overhead.seconds, _SECONDS
    yield "year", device.year, (1940, 2200)
    yield "cores", device.cores, _COUNT
    yield "on_chip_per_core", device.on_chip_per_core, _COUNT
    yield "tdp_w", device.tdp_w, _MONEY
    yield "price_per_hour", device.price_per_hour, _MONEY


def _of_level(path: str, level: MemoryLevel) -> Iterator[Figure]:
    yield f"{path}.capacity", level.capacity, _RATE
    yield from ((f"{path}.sizes[{i}]", size, _RATE) for i, size in enumerate(level.sizes))
    yield f"{path}.bandwidth", level.bandwidth, _RATE
    yield f"{path}.latency", level.latency, _SECONDS
    if level.measured is not None:
        yield f"{path}.measured.bandwidth", level.measured.bandwidth, _RATE


def _choices(device: Device) -> Iterator[Problem]:
    for index, peak in enumerate(device.peaks):
        for name, value, allowed in (
            ("format", peak.format, OPERANDS),
            ("accumulate", peak.accumulate, ACCUMULATORS),
        ):
            if value not in allowed:
                values = {"got": value[:_LONGEST], "allowed": ", ".join(allowed)}
                yield Problem("field.choice", f"peaks[{index}].{name}", values)


def _repeats(device: Device) -> Iterator[Problem]:
    seen: set[tuple[str, ...]] = set()
    named: list[tuple[str, tuple[str, ...]]]
    named = [(f"peaks[{i}]", ("peak", p.format, p.accumulate, p.unit)) for i, p in enumerate(device.peaks)]
    named += [(f"memory[{i}].level", ("level", m.level)) for i, m in enumerate(device.memory)]
    named += [(f"links[{i}].name", ("link", k.name)) for i, k in enumerate(device.links)]
    for path, key in named:
        if key in seen:
            yield Problem("device.repeated", path, {"what": " ".join(key[1:])[:_LONGEST]})
        seen.add(key)


def device_remarks(device: Device) -> Iterator[Problem]:
    """What a device may lack and is still read: figures without a source, a name longer than labels have room for."""
    if len(device.short) > LONGEST_SHORT:
        yield Problem("hardware.short_long", "short", {"length": len(device.short), "most": LONGEST_SHORT})
    for path, source in _cited(device):
        if not source:
            yield Problem("hardware.no_source", "", {"part": path})


def _origins(device: Device) -> Iterator[Problem]:
    for path, source in _cited(device):
        if source and source not in device.sources:
            yield Problem("device.source", f"{path}.source", {"got": source[:_LONGEST]})


def _cited(device: Device) -> list[tuple[str, str]]:
    """The parts that name a source, with its key."""
    parts = [(f"peaks[{i}]", p.source) for i, p in enumerate(device.peaks)]
    parts += [(f"memory[{i}]", m.source) for i, m in enumerate(device.memory)]
    parts += [(f"links[{i}]", k.source) for i, k in enumerate(device.links)]
    parts += [(f"peaks[{i}].measured", p.measured.source) for i, p in enumerate(device.peaks) if p.measured]
    parts += [(f"memory[{i}].measured", m.measured.source) for i, m in enumerate(device.memory) if m.measured]
    parts += [(f"memory[{i}].origins.{n}", o.source) for i, m in enumerate(device.memory) for n, o in m.origins.items()]
    parts += [(f"origins.{name}", o.source) for name, o in device.origins.items()]
    if device.launch_overhead:
        parts.append(("launch_overhead", device.launch_overhead.source))
    return parts


def _origin_names(device: Device) -> Iterator[Problem]:
    groups: list[tuple[str, dict[str, Origin], tuple[str, ...]]]
    groups = [("origins", device.origins, PLAIN_FIGURES)]
    groups += [(f"memory[{i}].origins", m.origins, LEVEL_FIGURES) for i, m in enumerate(device.memory)]
    for path, origins, allowed in groups:
        for name in origins:
            if name not in allowed:
                yield Problem("field.choice", path, {"got": name[:_LONGEST], "allowed": ", ".join(allowed)})
