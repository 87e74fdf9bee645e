"""Edits of a study as pure functions: study in, study out."""

import re
from collections.abc import Collection, Iterable
from typing import Final

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.analysis.study.study import HardwareEntry, ModelEntry, Study

_LONGEST: Final = 200


def unique_id(wanted: str, taken: Iterable[str]) -> str:
    """`wanted` as an id, with a number behind it where it is taken."""
    return numbered(id_base(wanted), "-", set(taken))


def id_base(wanted: str) -> str:
    """`wanted` as an id, taken or not."""
    return re.sub(r"[^\w.-]+", "-", wanted.strip().lower())[:_LONGEST].strip("-") or "item"


class Taken:
    """Names in use, for giving many: where the numbers of a name ended, the next search begins."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)
        self._reached: dict[str, int] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def name(self, wanted: str) -> str:
        """`wanted`, with a number behind it where it is taken; taken from now on."""
        return self._take(wanted, " ")

    def id(self, wanted: str) -> str:
        """`wanted` as an id, with a number behind it where it is taken; taken from now on."""
        return self._take(id_base(wanted), "-")

    def _take(self, base: str, joint: str) -> str:
        found, number = base, self._reached.get(base, 1)
        while found in self._names:
            number += 1
            end = f"{joint}{number}"
            found = base[: _LONGEST - len(end)] + end
        self._reached[base] = number
        self._names.add(found)
        return found


def numbered(base: str, joint: str, taken: Collection[str]) -> str:
    """`base`, with a number behind it where it is taken; a long one is cut, for names end at 200 characters."""
    if base not in taken:
        return base
    ends = (f"{joint}{n}" for n in range(2, len(taken) + 3))
    return next(name for end in ends if (name := base[: _LONGEST - len(end)] + end) not in taken)


def add_hardware(study: Study, device: Device, count: int = 1) -> Study:
    """Embed a device as a new entry and make it the active one when it is the first."""
    entry = HardwareEntry(id=unique_id(device.id, (h.id for h in study.hardware)), device=device, count=count)
    view = study.view if study.hardware else replace(study.view, active_hardware=entry.id)
    return replace(study, hardware=(*study.hardware, entry), view=view)


def remove_hardware(study: Study, entry_id: str) -> Study:
    """Take an entry out."""
    return replace(study, hardware=tuple(h for h in study.hardware if h.id != entry_id))


def change_hardware(study: Study, entry_id: str, **fields: object) -> Study:
    """Change fields of one entry."""
    changed = tuple(replace(h, **fields) if h.id == entry_id else h for h in study.hardware)
    return replace(study, hardware=changed)


def add_model(study: Study, entry: ModelEntry) -> Study:
    """Add a model under a unique id and make it the active one; a study named after another model loses the name."""
    named = replace(entry, id=unique_id(entry.id or entry.name, (m.id for m in study.models)))
    other = any(m.name and m.name in study.name for m in study.models) and entry.name not in study.name
    name = "" if other else study.name
    return replace(study, models=(*study.models, named), active_model=named.id, name=name)
