"""What the picker, the chart and the panels share about a study's hardware: colours and names."""

from explorer.analysis.catalogue.device import Device
from explorer.analysis.study.study import Study


def colour_index(study: Study, entry_id: str) -> int:
    """Which of the palette's colours and dashes an entry has: its own choice, else its place in the study."""
    place, entry = next((i, e) for i, e in enumerate(study.hardware) if e.id == entry_id)
    return int(entry.colour) if entry.colour.isdecimal() else place


def plain_name(device: Device) -> str:
    """The device's name without its vendor's, for lists that stand under the vendor."""
    lead = f"{device.vendor} "
    return device.name[len(lead) :] if device.name.startswith(lead) and len(device.name) > len(lead) else device.name
