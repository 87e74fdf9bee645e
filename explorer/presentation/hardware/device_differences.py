"""What changed between two devices, a line per field: path, old text, new text."""

from typing import Final

from explorer.analysis.catalogue.device import Device
from explorer.analysis.study.edit_hardware import differences
from explorer.presentation.quantities.numbers import NOTHING
from explorer.presentation.quantities.quantity import Unit, quantity_text

_UNITS: Final[dict[str, Unit]] = {
    "capacity": "B",
    "on_chip_per_core": "B",
    "bandwidth": "B/s",
    "per_direction": "B/s",
    "latency": "s",
    "seconds": "s",
    "tdp_w": "W",
}


def difference_lines(old: Device, new: Device) -> tuple[tuple[str, str, str], ...]:
    """Path, old and new of every field that differs, figures with their units."""
    return tuple((d.path, _text(d.path, d.old), _text(d.path, d.new)) for d in differences(old, new))


def _text(path: str, value: object) -> str:
    if value is None or value == "":
        return NOTHING
    if isinstance(value, dict):
        figures = [_text(f"{path}.{k}", v) for k, v in value.items() if k in _UNITS or k == "rate"]
        return ", ".join(figures) or str(value.get("title") or value.get("source") or NOTHING)
    leaf = path.rsplit(".", 1)[-1]
    if isinstance(value, int | float) and leaf == "rate":
        return quantity_text(value, "OP/s" if path.startswith("peaks.int") else "FLOP/s")
    if isinstance(value, int | float) and leaf in _UNITS:
        return quantity_text(value, _UNITS[leaf])
    return str(value)
