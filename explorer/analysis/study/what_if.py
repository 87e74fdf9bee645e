"""What-if copies of devices: one that stands beside its original under a name of its own."""

from typing import NamedTuple

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Confidence, Device, Origin, Source
from explorer.analysis.study.edits import unique_id
from explorer.analysis.study.scale import scaled
from explorer.analysis.study.study import HardwareEntry, Study
from explorer.analysis.study.variant import ScaleDevice

WHAT_IF = "what-if"


class Called(NamedTuple):
    """How a copy is called, and what is said of the figures that changed; without an `id` it keeps its original's."""

    name: str
    short: str
    title: str
    note: str = ""
    confidence: Confidence = "low"
    id: str = ""


def scaled_copy(device: Device, edit: ScaleDevice, called: Called, source: str = WHAT_IF) -> Device:
    """A copy under an edit, under a name of its own; `source` is the key of the changed figures' source."""
    sources = {**device.sources, source: Source(kind="derived", title=called.title)}
    copy = replace(device, id=called.id or device.id, name=called.name, short=called.short, sources=sources)
    return scaled(copy, edit.figure, edit.factor, Origin(source=source, confidence=called.confidence, note=called.note))


def beside(study: Study, entry_id: str, copy: Device) -> Study:
    """The study with a copy of an entry's device; a twin of the copy that is there already is only made visible."""
    if any(e.device == copy for e in study.hardware):
        entries = tuple(replace(e, visible=True) if e.device == copy else e for e in study.hardware)
        return replace(study, hardware=entries)
    return add_what_if(study, entry_id, copy)


def add_what_if(study: Study, origin_id: str, device: Device) -> Study:
    """Add a changed copy of an entry, with the entry's count and a colour of its own."""
    place = next((i for i, e in enumerate(study.hardware) if e.id == origin_id), None)
    count = 1 if place is None else study.hardware[place].count
    entry = HardwareEntry(id=unique_id(device.id, (h.id for h in study.hardware)), device=device, count=count)
    return replace(study, hardware=(*study.hardware, entry))
