"""A device as the texts of a form, and back: every fault with its field path; changed figures become the user's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec.structs import replace

import explorer.presentation.hardware.texts  # noqa: F401 - registers its sentences
from explorer.analysis.catalogue.device import (
    Device,
    LaunchOverhead,
    Link,
    MeasuredBandwidth,
    MeasuredRate,
    MemoryLevel,
    Origin,
    Peak,
    Source,
)
from explorer.analysis.catalogue.device_check import device_problems
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.edit_hardware import user_source
from explorer.analysis.study.scale import with_figure
from explorer.presentation.quantities.bare import USUAL, completed, ending_of
from explorer.presentation.quantities.quantity import Unit, quantity_text, read_optional, read_quantity

Cells = dict[str, str]
T = TypeVar("T")

TEXTS: Final = ("id", "name", "short", "vendor", "class", "form", "note")
WHOLE: Final = ("year", "cores")
FIGURES: Final[Mapping[str, Unit]] = {"on_chip_per_core": "B", "tdp_w": "W", "price_per_hour": ""}
LEVEL_FIGURES: Final[Mapping[str, Unit]] = {"capacity": "B", "bandwidth": "B/s", "latency": "s"}
EMPTY: Final[Mapping[str, str]] = {"latency": "ns", "on_chip_per_core": "KiB"}  # what bare figures there are in
PLAIN_FIGURES: Final = ("year", "cores", "on_chip_per_core", "tdp_w", "price_per_hour")
PEAK_COLUMNS: Final = ("format", "accumulate", "unit", "rate", "source", "confidence", "note")
MEMORY_COLUMNS: Final = ("level", "capacity", "bandwidth", "latency", "source", "confidence", "note")
LINK_COLUMNS: Final = ("name", "per_direction", "source", "confidence", "note")
SOURCE_COLUMNS: Final = ("key", "kind", "title", "url", "note")


@dataclass
class Part:
    """One line of a table: its cells, and the part it was before (None for a new one)."""

    cells: Cells
    original: Any = None


@dataclass
class Form:
    """Everything typed: plain fields by name, and the lines of each table."""

    fields: Cells
    peaks: list[Part] = field(default_factory=list)
    memory: list[Part] = field(default_factory=list)
    links: list[Part] = field(default_factory=list)
    sources: list[Part] = field(default_factory=list)


@dataclass(frozen=True)
class Author:
    """How figures that the user changes are marked: the kind and the title of their source."""

    kind: str = "typed"
    title: str = "Entered by the user"


def form_of(device: Device) -> Form:
    """The texts of a device; figures in full, so that an untouched form gives the same device back."""
    fields = {name: str(getattr(device, "class_" if name == "class" else name)) for name in TEXTS}
    fields |= {name: "" if (v := getattr(device, name)) is None else str(v) for name in WHOLE}
    fields |= {name: quantity_text(getattr(device, name), unit) for name, unit in FIGURES.items()}
    overhead = device.launch_overhead
    fields["launch_overhead"] = "" if overhead is None else quantity_text(overhead.seconds, "s")
    return Form(
        fields=fields,
        peaks=[Part(peak_cells(p), p) for p in device.peaks],
        memory=[Part(_level_cells(m), m) for m in device.memory],
        links=[
            Part({**_cells(k, LINK_COLUMNS), "per_direction": quantity_text(k.per_direction, "B/s")}, k)
            for k in device.links
        ],
        sources=[Part({"key": key, **_cells(s, SOURCE_COLUMNS[1:])}, s) for key, s in device.sources.items()],
    )


def figure_unit(name: str, fmt: str = "") -> Unit | None:
    """The unit of a field's or cell's figure, of a peak by its format; None where it holds none."""
    known = {**FIGURES, **LEVEL_FIGURES, "per_direction": "B/s", "launch_overhead": "s"}
    return rate_unit(fmt) if name == "rate" else known.get(name)


def bare_ending(name: str, shown: str, unit: Unit) -> str:
    """What a bare number in a field is in: the unit that the field showed, else that of datasheets."""
    return ending_of(shown, unit) or EMPTY.get(name, USUAL[unit])


def rate_unit(fmt: str) -> Unit:
    """OP/s for integers, FLOP/s for the rest."""
    return "OP/s" if fmt.startswith("int") else "FLOP/s"


def peak_cells(peak: Peak) -> Cells:
    """The texts of one peak."""
    unit = rate_unit(peak.format)
    reached = None if peak.measured is None else peak.measured.rate
    figures = {"rate": quantity_text(peak.rate, unit), "measured": quantity_text(reached, unit)}
    return {**_cells(peak, PEAK_COLUMNS), **figures}


def _level_cells(level: MemoryLevel) -> Cells:
    figures = {name: quantity_text(getattr(level, name), unit) for name, unit in LEVEL_FIGURES.items()}
    reached = None if level.measured is None else level.measured.bandwidth
    return {**_cells(level, MEMORY_COLUMNS), **figures, "measured": quantity_text(reached, "B/s")}


def _cells(part: msgspec.Struct, columns: tuple[str, ...]) -> Cells:
    return {name: str(getattr(part, name)) for name in columns}


def read_form(form: Form, original: Device, author: Author) -> tuple[Device | None, tuple[Problem, ...]]:
    """The device that a form describes, or every fault of what was typed.

    A figure that differs from the original's and whose source was left as it was gets the user's own
    source: nothing typed ever passes for a datasheet's.
    """
    reader = _Reader(original, author)
    device = reader.device(form)
    problems = (*reader.problems, *(() if reader.problems else device_problems(device)))
    return (None if problems else device), problems


class _Reader:
    """Reads a form and collects what cannot be read."""

    def __init__(self, original: Device, author: Author) -> None:
        self.original = original
        self.author = author
        self.problems: list[Problem] = []
        self.key = ""  # of the user's source, once something needs it
        self.listed = original

    def device(self, form: Form) -> Device:
        """The device; of use only where no problem was found."""
        sources = self.sources(form.sources)
        self.listed = replace(self.original, sources=sources)
        values: dict[str, Any] = {("class_" if n == "class" else n): form.fields[n].strip() for n in TEXTS}
        values |= {name: self.whole(form.fields[name], name) for name in WHOLE}
        values |= {n: self.optional(form.fields[n], u, n, getattr(self.original, n)) for n, u in FIGURES.items()}
        values["on_chip_per_core"] = self.whole_bytes(values["on_chip_per_core"])
        peaks = tuple(self.peak(p, f"peaks[{i}]") for i, p in enumerate(form.peaks))
        memory = tuple(self.level(p, f"memory[{i}]") for i, p in enumerate(form.memory))
        links = tuple(self.link(p, f"links[{i}]") for i, p in enumerate(form.links))
        launch = self.launch(form.fields["launch_overhead"])
        origins = self.origins(values)
        parts = {"peaks": peaks, "memory": memory, "links": links, "launch_overhead": launch, "origins": origins}
        return replace(self.original, **values, **parts, sources=self.listed.sources)

    def attempt(self, read: Callable[..., T], otherwise: T, *arguments: object) -> T:
        """What was read, or a stand-in and a problem more."""
        try:
            return read(*arguments)
        except Refused as refused:
            self.problems += refused.problems
            return otherwise

    def optional(self, text: str, unit: Unit, path: str, before: float | None) -> float | None:
        """A figure, None for an empty field; a bare number keeps the unit that the figure before is shown in."""
        return self.attempt(read_optional, None, _in_full(text, unit, path, before), unit, path)

    def figure(self, text: str, unit: Unit, path: str, before: float | None) -> float:
        """A figure that is needed; a bare number keeps the unit that the figure before is shown in."""
        return self.attempt(read_quantity, 1.0, _in_full(text, unit, path, before), unit, path)

    def whole(self, text: str, path: str) -> int | None:
        """A whole number, None for an empty field."""
        value = self.attempt(read_optional, None, text, "", path)
        if value is not None and value != int(value):
            self.problems.append(Problem("hardware.whole", path, {"got": text.strip()[:40]}))
        return None if value is None else int(value)

    def whole_bytes(self, value: float | None) -> int | None:
        """Bytes of on-chip memory are counted, not measured."""
        return None if value is None else round(value)

    def user(self, note: str = "") -> Origin:
        """The place that the user's own figures come from."""
        if not self.key:
            self.key, self.listed = user_source(self.listed, self.author.kind, self.author.title)
        return Origin(source=self.key, confidence="medium", note=note)

    def peak(self, part: Part, path: str) -> Peak:
        """One peak."""
        cells, old = part.cells, part.original
        fmt = cells["format"].strip()
        before = None if old is None else old.rate
        rate = self.figure(cells["rate"], rate_unit(fmt), f"{path}.rate", before)
        read = Peak(
            format=fmt,
            accumulate=cells["accumulate"].strip(),
            unit=self.choice(cells["unit"], ("tensor", "vector"), f"{path}.unit"),
            rate=rate,
            measured=self.measured_rate(cells.get("measured", ""), old, rate_unit(fmt), f"{path}.measured.rate"),
            **self.origin(cells, path),
        )
        changed = old is None or (read.format, read.accumulate, read.unit, read.rate) != (
            old.format,
            old.accumulate,
            old.unit,
            old.rate,
        )
        return self.stamped(read, old) if changed else read

    def measured_rate(self, text: str, old: Peak | None, unit: Unit, path: str) -> MeasuredRate | None:
        """What the peak reaches, where someone measured it."""
        before = None if old is None else old.measured
        shown = None if old is None else old.rate if before is None else before.rate
        rate = self.optional(text, unit, path, shown)
        if rate is None or (before is not None and before.rate == rate):
            return None if rate is None else before
        return MeasuredRate(rate=rate, source=self.user().source)

    def measured_bandwidth(self, text: str, old: MemoryLevel | None, path: str) -> MeasuredBandwidth | None:
        """What the level reaches, where someone measured it."""
        before = None if old is None else old.measured
        shown = None if old is None else old.bandwidth if before is None else before.bandwidth
        bandwidth = self.optional(text, "B/s", path, shown)
        if bandwidth is None or (before is not None and before.bandwidth == bandwidth):
            return None if bandwidth is None else before
        return MeasuredBandwidth(bandwidth=bandwidth, source=self.user().source)

    def link(self, part: Part, path: str) -> Link:
        """One link."""
        cells, old = part.cells, part.original
        before = None if old is None else old.per_direction
        rate = self.figure(cells["per_direction"], "B/s", f"{path}.per_direction", before)
        island = None if old is None else old.island
        read = Link(name=cells["name"].strip(), per_direction=rate, island=island, **self.origin(cells, path))
        return read if old is not None and old.per_direction == rate else self.stamped(read, old)

    def level(self, part: Part, path: str) -> MemoryLevel:
        """One memory level; each figure keeps its own source unless it changed."""
        cells, old = part.cells, part.original
        figures = {
            n: self.optional(cells[n], u, f"{path}.{n}", None if old is None else getattr(old, n))
            for n, u in LEVEL_FIGURES.items()
        }
        told = self.origin(cells, path)
        measured = self.measured_bandwidth(cells.get("measured", ""), old, f"{path}.measured.bandwidth")
        if old is None:
            new = MemoryLevel(level=cells["level"].strip(), measured=measured, **told)
            return cast("MemoryLevel", self.stamped(replace(new, **figures), None))
        read: MemoryLevel = replace(old, level=cells["level"].strip(), measured=measured, **told)
        chosen = read.source != old.source  # the user said where the new figure comes from
        for name, value in figures.items():
            if value != getattr(old, name):
                origin = Origin(**told) if chosen else self.user()
                read = _without(read, name) if value is None else with_figure(read, name, value, origin)
        return read

    def launch(self, text: str) -> LaunchOverhead | None:
        """Seconds per launch, where known."""
        old = self.original.launch_overhead
        before = None if old is None else old.seconds
        seconds = self.optional(text, "s", "launch_overhead.seconds", before)
        if seconds is None or (old is not None and old.seconds == seconds):
            return old if seconds is not None else None
        origin = self.user()
        return LaunchOverhead(seconds=seconds, source=origin.source, confidence=origin.confidence)

    def origins(self, values: Mapping[str, Any]) -> dict[str, Origin]:
        """Where the plain figures come from."""
        found = dict(self.original.origins)
        for name in PLAIN_FIGURES:
            if values[name] != getattr(self.original, name):
                found.pop(name, None)
                if values[name] is not None:
                    found[name] = self.user()
        return found

    def sources(self, parts: list[Part]) -> dict[str, Source]:
        """The listed sources by key."""
        kinds = ("datasheet", "derived", "paper", "measured", "recalled", "typed")
        found: dict[str, Source] = {}
        for i, part in enumerate(parts):
            key, path = part.cells["key"].strip(), f"sources[{i}]"
            if not key:
                self.problems.append(Problem("hardware.source_named", f"{path}.key"))
            elif key in found:
                self.problems.append(Problem("hardware.source_twice", f"{path}.key", {"key": key[:40]}))
            kind = self.choice(part.cells["kind"], kinds, f"{path}.kind")
            title, url, note = (part.cells[n].strip() for n in ("title", "url", "note"))
            found[key] = Source(kind=kind, title=title, url=url, note=note)
        return found

    def origin(self, cells: Cells, path: str) -> dict[str, Any]:
        """Source, confidence and note of a line."""
        confidence = self.choice(cells["confidence"], ("high", "medium", "low"), f"{path}.confidence")
        return {"source": cells["source"].strip(), "confidence": confidence, "note": cells["note"].strip()}

    def choice(self, text: str, allowed: tuple[str, ...], path: str) -> Any:
        """One of a few words."""
        if text.strip() in allowed:
            return text.strip()
        self.problems.append(Problem("field.choice", path, {"got": text.strip()[:40], "allowed": ", ".join(allowed)}))
        return allowed[0]

    def stamped(self, read: Any, old: Any) -> Any:
        """Mark a new or changed part as the user's, unless they named its source themselves."""
        if (old is None and read.source) or (old is not None and read.source != old.source):
            return read
        origin = self.user()
        same_note = old is None or read.note == old.note
        same_confidence = old is None or read.confidence == old.confidence
        return replace(
            read,
            source=origin.source,
            confidence=origin.confidence if same_confidence else read.confidence,
            note="" if same_note and old is not None else read.note,
        )


def _in_full(text: str, unit: Unit, path: str, before: float | None) -> str:
    """What was typed, a bare number with the unit of the figure before."""
    return completed(text, bare_ending(path.rpartition(".")[2], quantity_text(before, unit), unit))


def _without(level: MemoryLevel, figure: str) -> MemoryLevel:
    origins = {name: origin for name, origin in level.origins.items() if name != figure}
    cleared: MemoryLevel = replace(level, **{figure: None}, origins=origins)
    return cleared
