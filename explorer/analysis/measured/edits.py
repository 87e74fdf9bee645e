"""What measurements become: points in a study, ceilings as a device. Pure functions."""

import re
from collections.abc import Iterable
from typing import Final, Literal

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, Link, MemoryLevel, Peak, Source
from explorer.analysis.catalogue.device_check import OPERANDS
from explorer.analysis.measured.imported import Ceiling, Imported, MeasuredPoint
from explorer.analysis.measured.match import device_candidates, how_many, sure
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT
from explorer.analysis.study.edits import unique_id
from explorer.analysis.study.study import Measurement, Study

_LONGEST: Final = 200
_SHORT: Final = 100
_MOST: Final = 1e30
_MEMORIES: Final = ("DRAM", "HBM", "MCDRAM", "MALL")
_ON_CHIP: Final = ("LDS", "SHARED")
_ACCUMULATE: Final = {"fp64": "fp64", "int8": "int32", "int4": "int32"}
_NAMED: Final = re.compile(r"(?<![a-z0-9])(q[45]_[01]|q8_0|bf16|f16)(?![a-z0-9_])", re.IGNORECASE)  # no mix of formats
_STORED: Final = {"bf16": "bf16", "f16": "fp16"}
_ON_GPU: Final = re.compile(r"nvidia|geforce|tesla|quadro|radeon|instinct|\b[ah]100|rtx|gtx|gpu|arc\b", re.IGNORECASE)


def add_measurements(study: Study, imported: Imported, device: str | None = None, model: str = "") -> Study:
    """Add an import's points to a study's measurements; `device` and `model` are ids that the user confirmed.

    Without a device each point takes the one of the study's that its tool's device name surely means, or none.
    """
    known = {name: _device_in(study, name) for name in {p.device for p in imported.points}} if device is None else {}
    chosen = ((p, known.get(p.device, "") if device is None else device, model) for p in imported.points)
    return add_placed(study, imported.tool, chosen)


def add_placed(study: Study, tool: str, placed: Iterable[tuple[MeasuredPoint, str, str]]) -> Study:
    """Add points of a tool, each with the ids of its device and model, or none."""
    taken = {m.id for m in study.measurements}
    base = re.sub(r"[^a-z0-9]+", "-", tool.lower()).strip("-") or "import"
    added = []
    number = len(taken)
    for point, device, model in placed:
        number += 1
        while f"{base}-{number}" in taken:
            number += 1
        added.append(_measurement(point, f"{base}-{number}", device, model, tool))
    return replace(study, measurements=(*study.measurements, *added))


def _device_in(study: Study, name: str) -> str:
    if not name:
        return ""
    count = how_many(name)[0]
    found = sure(device_candidates(name, (e.device for e in study.hardware)))
    alike = (e.id for e in study.hardware if found is not None and e.device.id == found.id and e.count == count)
    return next(alike, "")


def _measurement(point: MeasuredPoint, ident: str, device: str, model: str, tool: str) -> Measurement:
    return Measurement(
        id=ident,
        name=_line(point.name, _LONGEST) or ident,
        device=device,
        model=model,
        time_s=_within(point.time_s, 1e9),
        tokens_per_s=_within(point.tokens_per_s, 1e18),
        quartiles_s=point.quartiles_s if point.quartiles_s and min(point.quartiles_s) > 0 else None,
        calls=point.calls if point.calls >= 1 else None,
        total_s=_within(point.total_s, 1e9),
        flops=_counted(point.flops),
        bytes=_counted(point.bytes),
        format=point.format if point.phase is None else "",
        weights=_weights(point),
        size_bytes=_within(point.size_bytes, 1e18),
        memory_busy=_share(point.memory_busy),
        compute_busy=_share(point.compute_busy),
        batch=point.batch if point.batch and point.batch <= LARGEST_BATCH else None,
        context=point.context if point.context and point.context <= LARGEST_CONTEXT else None,
        depth=point.depth if point.depth is None or point.depth <= LARGEST_CONTEXT else None,
        phase=point.phase,
        source=_line(point.device, _LONGEST),
        tool=tool,
    )


def _weights(point: MeasuredPoint) -> str | None:
    """The weights' format that the name of a step's model says where no file size tells their bytes."""
    if point.phase is None or point.size_bytes:
        return None
    found = _NAMED.search(f"{point.model} {point.file}")
    return None if found is None else _STORED.get(found[1].lower(), found[1].upper())


def _within(value: float | None, high: float) -> float | None:
    return value if value is not None and 0 < value <= high else None


def _counted(value: float | None) -> float | None:
    return value if value is not None and 0 < value <= _MOST else None


def _share(value: float | None) -> float | None:
    return value if value is not None and 0 <= value <= 1 else None


def _line(text: str, longest: int) -> str:
    clean = "".join(c if c.isprintable() else " " for c in text[: 2 * longest]).strip()
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"


def device_of_ceilings(imported: Imported, name: str, taken: Iterable[str] = ()) -> Device:
    """A device with the best of the measured ceilings as its figures, each marked as measured by the tool.

    Memory levels stand outermost first; a level that is slower than one outside it, and a ceiling that the tool's
    own figures make doubtful, are of low confidence. Formats that a device cannot list (int32, int64) are left out.

    Raises
    ------
    Refused
        No memory's bandwidth was measured.
    """
    levels = _best(c for c in imported.ceilings if c.level)
    if not levels:
        raise Refused(Problem("import.no_memory", values={"tool": imported.tool}))
    peaks = _best(c for c in imported.ceilings if c.format in OPERANDS)
    links = _best(c for c in imported.ceilings if c.link and "local" not in c.link)  # a copy inside is no link
    ordered = sorted(levels, key=_depth)
    key = "measured"
    return Device(
        id=unique_id(name, taken)[:_SHORT].strip("-._") or "measured",
        name=_line(name, _SHORT) or "measured",
        vendor=_line(imported.device, _SHORT) or imported.tool,
        class_=_class(imported),
        peaks=tuple(_peak(c, key) for c in peaks),
        memory=tuple(_level(c, ordered[:i], key) for i, c in enumerate(ordered)),
        links=tuple(Link(name=_line(c.link, _SHORT), per_direction=c.rate, source=key) for c in links),
        sources={key: Source(kind="measured", title=imported.tool, note=_line(imported.device, _SHORT))},
    )


def impossible(levels: Iterable[Ceiling]) -> tuple[tuple[Ceiling, Ceiling], ...]:
    """Pairs of an inner level and an outer one that was measured faster, which cannot be."""
    ordered = sorted(_best(c for c in levels if c.level), key=_depth)
    return tuple((inner, outer) for i, inner in enumerate(ordered) for outer in ordered[:i] if inner.rate < outer.rate)


def _best(ceilings: Iterable[Ceiling]) -> list[Ceiling]:
    """The highest of each level, link, or format and unit; a doubtful one only where there is no other."""
    found: dict[tuple[str, str, str, str], Ceiling] = {}
    for ceiling in ceilings:
        key = (ceiling.level.upper(), ceiling.link, ceiling.format, ceiling.unit)
        old = found.get(key)
        if old is None or (ceiling.doubtful, -ceiling.rate) < (old.doubtful, -old.rate):
            found[key] = ceiling
    return list(found.values())


def _depth(ceiling: Ceiling) -> tuple[int, int]:
    """Outermost first: memory, then caches from the last level to the first, then what a core holds."""
    level = ceiling.level.upper()
    if level in _MEMORIES:
        return 0, _MEMORIES.index(level)
    if level in _ON_CHIP:
        return 2, 0
    number = re.search(r"\d+", level)
    return 1, -int(number[0]) if number else -99


def _level(ceiling: Ceiling, outside: list[Ceiling], key: str) -> MemoryLevel:
    doubtful = ceiling.doubtful or any(ceiling.rate < outer.rate for outer in outside)
    confidence: Literal["high", "low"] = "low" if doubtful else "high"
    return MemoryLevel(
        level=_line(ceiling.level, _SHORT), bandwidth=ceiling.rate, source=key, confidence=confidence,
        note=_line(ceiling.name, _SHORT),
    )  # fmt: skip


def _peak(ceiling: Ceiling, key: str) -> Peak:
    return Peak(
        format=ceiling.format, accumulate=_ACCUMULATE.get(ceiling.format, "fp32"), unit=ceiling.unit,
        rate=ceiling.rate, source=key, confidence="low" if ceiling.doubtful else "high",
        note=_line(ceiling.name, _SHORT),
    )  # fmt: skip


def _class(imported: Imported) -> Literal["gpu", "cpu"]:
    told = f"{imported.device} {imported.tool}"
    tensor = any(c.unit == "tensor" or c.level.upper() in {"HBM", "LDS"} for c in imported.ceilings)
    return "gpu" if tensor or _ON_GPU.search(told) else "cpu"
