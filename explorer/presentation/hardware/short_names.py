"""Names of devices that stand beside each other, and shorter ones for where there is little room."""

import re
from collections.abc import Mapping
from typing import Final

from explorer.analysis.catalogue.device import Device
from explorer.presentation.hardware.entries import plain_name

_SIZE: Final = re.compile(r" \d+ ?Gi?B$")


def name_forms(names: Mapping[str, str], devices: Mapping[str, Device]) -> dict[str, tuple[str, ...]]:
    """Each name, and without vendor, form and size as far as it stays its own; by the same keys."""
    forms = {key: [name] for key, name in names.items()}
    for shorten in (plain_name, _without_form, _without_size):
        shorter = {key: shorten(device, forms[key][-1]) for key, device in devices.items()}
        for key, name in shorter.items():
            others = [n for other, n in shorter.items() if other != key]
            if name and name not in others and name not in forms[key]:
                forms[key].append(name)
    return {key: tuple(found) for key, found in forms.items()}


def _without_form(device: Device, name: str) -> str:
    """A100 SXM4 80GB is A100 80GB."""
    return name.replace(f" {device.form}", "", 1) if device.form else name


def _without_size(_device: Device, name: str) -> str:
    return _SIZE.sub("", name)
