"""What the picker, the chart and the panels share about a study's hardware: colours and names."""

from explorer.analysis.catalogue.device import Device
from explorer.analysis.study.study import Study


def colour_index(study: Study, entry_id: str) -> int:
    """Which of the palette's colours and dashes an entry has: its own choice, else its place in the study."""
    place, entry = next((i, e) for i, e in enumerate(study.hardware) if e.id == entry_id)
    return int(entry.colour) if entry.colour.isdecimal() else place


def plain_name(device: Device, called: str = "") -> str:
    """The device's name, or what it is called among others, without its vendor's: lists stand under the vendor."""
    lead, name = f"{device.vendor} ", called or device.name
    return name[len(lead) :] if name.startswith(lead) and len(name) > len(lead) else name


def gibibytes_text(size: float) -> str:
    """A memory size as it is sold: what makers print as GB counts 2^30 bytes."""
    return f"{size / 2**30:g} GiB"
