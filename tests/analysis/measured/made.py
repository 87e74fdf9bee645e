"""Small values that tests of this folder are made of."""

from typing import Any

from explorer.analysis.catalogue.device import Device, MemoryLevel
from explorer.analysis.measured.imported import Ceiling, Imported, MeasuredPoint
from explorer.analysis.study.study import ModelEntry, QuickModel


def point(**fields: Any) -> MeasuredPoint:
    return MeasuredPoint(**{"name": "p", **fields})


def imported(*points: MeasuredPoint, ceilings: tuple[Ceiling, ...] = (), **fields: Any) -> Imported:
    return Imported(**{"tool": "My Tool!", "kind": "points", "points": points, "ceilings": ceilings, **fields})


def level(name: str, rate: float, **fields: Any) -> Ceiling:
    return Ceiling(rate=rate, level=name, **fields)


def entry(params: float, name: str, ident: str = "m") -> ModelEntry:
    return ModelEntry(id=ident, name=name, quick=QuickModel(params=params, layers=2, kv_heads=2, head_dim=2))


def named(name: str, ident: str = "x", short: str = "", vendor: str = "NVIDIA", kind: str = "gpu") -> Device:
    memory = (MemoryLevel(level="HBM", bandwidth=1.0),)
    return Device(id=ident, name=name, short=short, vendor=vendor, class_=kind, memory=memory)  # type: ignore[arg-type]
