"""An import's points by what they were measured on and of, so that the user confirms each device and model once."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Final, NamedTuple

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.analysis.measured.edits import add_placed
from explorer.analysis.measured.imported import Imported, MeasuredPoint
from explorer.analysis.measured.match import Candidate, device_candidates, how_many, model_candidates, sure
from explorer.analysis.study.edits import unique_id
from explorer.analysis.study.study import HardwareEntry, ModelEntry, Study

MOST_CHOICES: Final = 40  # more than a person goes through; further ones keep the names that the file gives


class ModelKey(NamedTuple):
    """What a tool says of a model."""

    name: str
    size_bytes: float | None
    parameters: float | None


class Choice(NamedTuple):
    """One device or model named by a tool, how many points it has, and the guesses, best first."""

    key: str | ModelKey
    points: int
    candidates: tuple[Candidate, ...]
    sure: Candidate | None


def model_key(point: MeasuredPoint) -> ModelKey | None:
    """What names a point's model; None where it is no step of one."""
    if point.phase is None and point.tokens_per_s is None:
        return None
    return ModelKey(point.model, point.size_bytes, point.parameters)


def device_choices(imported: Imported, devices: Iterable[Device]) -> tuple[Choice, ...]:
    """Devices that the points name, in the file's order, each with what it may be: the first `MOST_CHOICES`."""
    known = tuple(devices)
    counts: dict[str, int] = {}
    for point in imported.points:
        counts[point.device] = counts.get(point.device, 0) + 1
    found = []
    for name, points in islice(counts.items(), MOST_CHOICES):
        candidates = device_candidates(name or imported.device, known)
        found.append(Choice(name, points, candidates, sure(candidates)))
    return tuple(found)


def model_choices(imported: Imported, entries: Iterable[ModelEntry]) -> tuple[Choice, ...]:
    """Models that the points name, in the file's order, each with what it may be: the first `MOST_CHOICES`."""
    known = tuple(entries)
    first: dict[ModelKey, MeasuredPoint] = {}
    counts: dict[ModelKey, int] = {}
    for point in imported.points:
        key = model_key(point)
        if key is not None:
            first.setdefault(key, point)
            counts[key] = counts.get(key, 0) + 1
    found = []
    for key, point in islice(first.items(), MOST_CHOICES):
        candidates = model_candidates(point, known)
        found.append(Choice(key, counts[key], candidates, sure(candidates)))
    return tuple(found)


def add_imported(
    study: Study, imported: Imported, devices: Mapping[str, Device], models: Mapping[ModelKey, ModelEntry]
) -> Study:
    """The study with an import's points, each with the device and model that were chosen for it.

    What the study lacks is added to it: a device visible, a model behind the others; the first becomes active only
    where there was none. A point of a named model that none was chosen for keeps that name: it is none of the active
    model's.
    """
    study, entries = _with_devices(study, devices)
    study, ids = _with_models(study, models)
    groups: dict[tuple[str, str], list[MeasuredPoint]] = {}
    for point in imported.points:
        key = model_key(point)
        place = entries.get(point.device, ""), "" if key is None else ids.get(key, key.name)
        groups.setdefault(place, []).append(point)
    placed = ((p, device, model) for (device, model), points in groups.items() for p in points)
    return add_placed(study, imported.tool, placed)


def _with_devices(study: Study, devices: Mapping[str, Device]) -> tuple[Study, dict[str, str]]:
    entries: dict[str, str] = {}
    for name, device in devices.items():
        count = how_many(name)[0]
        alike = (e for e in study.hardware if e.count == count)
        found = next((e.id for e in alike if e.device == device or e.device.id == device.id), None)
        if found is None:
            found = unique_id(device.id, (e.id for e in study.hardware))
            study = replace(study, hardware=(*study.hardware, HardwareEntry(id=found, device=device, count=count)))
        entries[name] = found
    return study, entries


def _with_models(study: Study, models: Mapping[ModelKey, ModelEntry]) -> tuple[Study, dict[ModelKey, str]]:
    ids: dict[ModelKey, str] = {}
    for key, entry in models.items():
        found = next((m.id for m in study.models if m.id == entry.id and m.config == entry.config), None)
        if found is None:
            found = unique_id(entry.id or entry.name, (m.id for m in study.models))
            added = (*study.models, replace(entry, id=found))
            study = replace(study, models=added, active_model=study.active_model or found)
        ids[key] = found
    return study, ids
