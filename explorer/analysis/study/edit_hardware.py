"""Edits of a study's hardware as pure functions: the user's figures, order, the database's newer figures."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, Source
from explorer.analysis.catalogue.sizes import same_but_size, with_size
from explorer.analysis.study.edits import change_hardware, unique_id
from explorer.analysis.study.study import Study

USER = "user"
LARGEST_COUNT = 1024
_IDENTITY = {"peaks": ("format", "accumulate", "unit"), "memory": ("level",), "links": ("name",)}


class Difference(NamedTuple):
    """One field in which two devices differ, by its path in a hardware file; what one lacks is None.

    A part that only one of them has is one difference: its fields as a dict.
    """

    path: str
    old: object
    new: object


def move_hardware(study: Study, entry_id: str, by: int) -> Study:
    """Move an entry up (negative) or down in the study's order, as far as there is room."""
    entries = list(study.hardware)
    place = next((i for i, e in enumerate(entries) if e.id == entry_id), None)
    if place is None:
        return study
    entry = entries.pop(place)
    entries.insert(min(max(0, place + by), len(entries)), entry)
    return replace(study, hardware=tuple(entries))


def update_figures(study: Study, entry_id: str, device: Device) -> Study:
    """Put the database's device in place of an entry's embedded one; count, colour, visibility and size stay."""
    entry = next((e for e in study.hardware if e.id == entry_id), None)
    capacity = None if entry is None else entry.device.capacity
    kept = capacity if capacity in device.outermost.sizes else None
    return change_hardware(study, entry_id, device=device if kept is None else with_size(device, kept))


def choose_size(study: Study, entry_id: str, capacity: float) -> Study:
    """Give an entry's device another of the sizes that it is sold with, in bytes."""
    entry = next((e for e in study.hardware if e.id == entry_id), None)
    if entry is None or capacity not in entry.device.outermost.sizes:
        return study
    return change_hardware(study, entry_id, device=with_size(entry.device, capacity))


def remove_device(study: Study, device_id: str, known: Device) -> Study:
    """Take out the entries that show a device as the database has it, not the user's changed copies."""
    kept = tuple(e for e in study.hardware if e.device.id != device_id or is_changed(e.device, known))
    return replace(study, hardware=kept)


def is_changed(device: Device, known: Device | None) -> bool:
    """Whether a device is the user's changed copy: nobody knows it, or a name or figure of it is the user's."""
    if known is None:
        return True
    if device is known or same_but_size(device, known):
        return False
    return device.name != known.name or has_user_figures(device)


def is_older(device: Device, known: Device | None) -> bool:
    """Whether the database says something else of a device, its size apart."""
    return known is not None and device is not known and not same_but_size(device, known)


def has_user_figures(device: Device) -> bool:
    """Whether some figure of a device was entered by the user."""
    return any(is_user_source(key) for key in device.sources)


def is_user_source(key: str) -> bool:
    """Whether a source key is one that edits in the program made."""
    return key == USER or key.startswith(f"{USER}-")


def user_source(device: Device, kind: str, title: str) -> tuple[str, Device]:
    """Return the key of a source for figures that the user enters, and the device listing it."""
    for key, source in device.sources.items():
        if is_user_source(key) and source.kind == kind and source.title == title:
            return key, device
    key = unique_id(USER, device.sources)
    source = Source(kind=msgspec.convert(kind, type=Any), title=title)
    return key, replace(device, sources={**device.sources, key: source})


def differences(old: Device, new: Device) -> tuple[Difference, ...]:
    """Every field in which two devices differ; parts are matched by what they describe, not by their place."""
    return tuple(_differences(_plain(old), _plain(new), ""))


def _plain(device: Device) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(device)
    for name, keys in _IDENTITY.items():
        plain[name] = {" ".join(part[k] for k in keys): part for part in plain.get(name, ())}
    for name in ("origins", "sources"):
        plain.setdefault(name, {})
    return plain


def _differences(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[Difference]:
    for key in dict.fromkeys((*old, *new)):
        before, after = old.get(key), new.get(key)
        here = f"{path}.{key}" if path else key
        if before == after:
            continue
        if isinstance(before, dict) and isinstance(after, dict):
            yield from _differences(before, after, here)
        else:
            yield Difference(here, before, after)
