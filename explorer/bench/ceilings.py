"""Measured ceilings as a hardware file: the best rates one machine showed, and what cannot be so."""

import re
from collections.abc import Sequence
from typing import Final

from explorer.analysis.catalogue.device import Device, DeviceClass, MemoryLevel, Peak, Source
from explorer.analysis.measured.imported import Ceiling
from explorer.analysis.problem import Note
from explorer.bench.jobs import device_name
from explorer.bench.protocol import CeilingFound, Hello

_SOURCE: Final = "measured"
_VECTOR: Final = frozenset({"fp32", "fp64"})  # matmuls of these run on the units that norms run on
_ACCUMULATE: Final = {"fp64": "fp64", "int8": "int32"}
_VENDORS: Final = ("NVIDIA", "AMD", "Intel", "Apple", "Qualcomm", "ARM")


def measured_ceilings(found: Sequence[CeilingFound], hello: Hello, torch_id: str) -> tuple[Ceiling, ...]:
    """Each ceiling as any tool's; one that cannot be so is marked doubtful."""
    doubtful = {name for name, _ in impossible(found)}
    return tuple(
        Ceiling(
            rate=c.rate,
            level=_level_name(c.level, torch_id),
            format=c.format,
            unit="vector" if c.format in _VECTOR or not c.format else "tensor",
            name=c.name,
            device=device_name(hello, torch_id),
            doubtful=c.name in doubtful,
        )
        for c in found
    )


def _level_name(level: str, torch_id: str) -> str:
    """Names that other tools use too: memory is the outermost level, the cache the last before it."""
    return {"memory": "DRAM", "cache": "L3" if torch_id == "cpu" else "L2"}.get(level, level)


def impossible(found: Sequence[CeilingFound]) -> tuple[tuple[str, Note], ...]:
    """Ceilings in an order that no machine has: a cache slower than memory, wide formats faster than narrow ones."""
    memory = max((c.rate for c in found if c.level == "memory"), default=0.0)
    peaks = {c.format: c.rate for c in found if c.format}
    wrong = [(c.name, _order(c.name, "memory")) for c in found if c.level == "cache" and c.rate < memory]
    if peaks.get("fp64", 0.0) > 1.1 * peaks.get("fp32", float("inf")):
        wrong.append(("matmul fp32", _order("matmul fp32", "matmul fp64")))
    return tuple(wrong)


def _order(slow: str, fast: str) -> Note:
    return Note("measure.order", {"slow": slow, "fast": fast})


def measured_device(
    found: Sequence[CeilingFound], hello: Hello, torch_id: str, day: str, threads: int
) -> Device | None:
    """A hardware file's device "measured on HOST, DATE, torch VERSION, threads"; None without a bandwidth.

    Rates in FLOP/s and B/s: of memory the best way of using it, of each format the best square matmul.
    """
    doubtful = {name for name, _ in impossible(found)}
    sound = [c for c in found if c.name not in doubtful]
    levels = tuple(_levels(sound, hello, torch_id))
    if not levels:
        return None
    host = hello.host or "this machine"
    name = device_name(hello, torch_id)
    title = f"Measured on {host}, {day}, torch {hello.torch}, {threads} threads"
    return Device(
        id=_id(f"measured-{host}-{torch_id}"),
        name=f"{name[:60]}, measured on {host[:30]}",
        short=f"{host[:20]} measured",
        vendor=next((v for v in _VENDORS if v.lower() in name.lower()), "Measured"),
        class_=_class(torch_id),
        peaks=tuple(_peak(c) for c in sound if c.format),
        memory=levels,
        note=title,
        sources={_SOURCE: Source(kind="measured", title=title, note=_machine(hello))},
    )


def _id(text: str) -> str:
    return re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-.")[:100]


def _class(torch_id: str) -> DeviceClass:
    return "cpu" if torch_id == "cpu" else "gpu"


def _machine(hello: Hello) -> str:
    return f"{hello.system}, Python {hello.python}"[:200]


def _levels(found: Sequence[CeilingFound], hello: Hello, torch_id: str) -> list[MemoryLevel]:
    torch_device = next((d for d in hello.devices if d.id == torch_id), None)
    levels = []
    for level in ("memory", "cache"):
        best = max((c for c in found if c.level == level), key=lambda c: c.rate, default=None)
        if best is None:
            continue
        held = None if torch_device is None else torch_device.memory if level == "memory" else torch_device.cache
        note = f"the best of its ways: {best.way}" if level == "memory" else best.way
        name = _level_name(level, torch_id)
        levels.append(
            MemoryLevel(level=name, capacity=held or None, bandwidth=_rounded(best.rate), source=_SOURCE, note=note)
        )
    return levels if levels and levels[0].level == "DRAM" else []


def _rounded(rate: float) -> float:
    """As many figures as a timing is good for."""
    return float(f"{rate:.4g}")


def _peak(found: CeilingFound) -> Peak:
    return Peak(
        format=found.format,
        accumulate=_ACCUMULATE.get(found.format, "fp32"),
        unit="vector" if found.format in _VECTOR else "tensor",
        rate=_rounded(found.rate),
        source=_SOURCE,
        note=f"square matmuls of {found.size}" if found.size else "",
    )
