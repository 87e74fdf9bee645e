"""What narrows the picker's database beside the words of a search: vendor, class, year, laptop parts."""

import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, DeviceClass
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

Use = Literal["data_centre", "workstation", "consumer", "laptop", "integrated", "embedded", "cpu"]
USES: Final[tuple[Use, ...]] = ("data_centre", "workstation", "consumer", "laptop", "integrated", "embedded", "cpu")
CLASSES: Final[tuple[DeviceClass, ...]] = ("gpu", "cpu", "apu", "tpu", "npu")
YEARS: Final = (2024, 2022, 2020)  # what "from this year on" offers
_CONSUMER: Final = re.compile(r"GeForce|Radeon (?:RX|VII)|\bArc [AB]\d")
_WORKSTATION: Final = re.compile(r"Quadro|Radeon (?:AI )?PRO|Arc Pro|RTX (?:A\d|PRO|\d000 (?:SFF )?Ada)")

register(
    {
        "use.data_centre": QT_TRANSLATE_NOOP("messages", "data centre"),
        "use.workstation": QT_TRANSLATE_NOOP("messages", "workstation"),
        "use.consumer": QT_TRANSLATE_NOOP("messages", "desktop"),
        "use.laptop": QT_TRANSLATE_NOOP("messages", "laptop"),
        "use.integrated": QT_TRANSLATE_NOOP("messages", "integrated"),
        "use.embedded": QT_TRANSLATE_NOOP("messages", "embedded"),
        "use.cpu": QT_TRANSLATE_NOOP("messages", "CPU"),
        "use.of_vendor": QT_TRANSLATE_NOOP("messages", "{vendor}, {use}"),
        "class.gpu": QT_TRANSLATE_NOOP("messages", "GPU"),
        "class.cpu": QT_TRANSLATE_NOOP("messages", "CPU"),
        "class.apu": QT_TRANSLATE_NOOP("messages", "CPU and GPU in one"),
        "class.tpu": QT_TRANSLATE_NOOP("messages", "TPU"),
        "class.npu": QT_TRANSLATE_NOOP("messages", "Other accelerators"),
    }
)


class Facets(msgspec.Struct, frozen=True):
    """What a device is filtered by."""

    vendor: str = ""
    class_: str = ""
    year: int | None = None
    use: Use = "data_centre"


class HardwareFilter(msgspec.Struct, frozen=True):
    """Which devices of the database are listed; an empty choice is all of them. Laptop parts may be left out."""

    vendors: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    since: int = 0
    laptops: bool = True

    @property
    def is_open(self) -> bool:
        """Whether nothing is left out."""
        return self == HardwareFilter()

    def admits(self, facets: Facets) -> bool:
        """Whether a device passes; one of an unknown year passes no year."""
        return (
            (not self.vendors or facets.vendor in self.vendors)
            and (not self.classes or facets.class_ in self.classes)
            and (not self.since or (facets.year or 0) >= self.since)
            and (self.laptops or facets.use != "laptop")
        )

    def toggled(self, part: Literal["vendors", "classes"], value: str) -> "HardwareFilter":
        """With one vendor or class more, or less."""
        chosen: frozenset[str] = getattr(self, part)
        changes: Mapping[str, frozenset[str]] = {part: chosen ^ {value}}
        return replace(self, **changes)


def facets_of(device: Device) -> Facets:
    """What a device is filtered by."""
    return Facets(device.vendor, device.class_, device.year, use_of(device))


def use_of(device: Device) -> Use:
    """What a device is made for, as far as its form and name tell."""
    form = device.form.lower()
    told: tuple[tuple[Use, bool], ...] = (
        ("embedded", ("module" in form and device.class_ == "apu") or "single-board" in form),
        ("cpu", device.class_ == "cpu"),
        ("laptop", "laptop" in form),
        ("integrated", device.class_ == "apu" and "socket" not in form),
        ("workstation", "workstation" in form or _WORKSTATION.search(device.name) is not None),
        ("consumer", "consumer" in form or _CONSUMER.search(device.name) is not None),
    )
    return next((use for use, fits in told if fits), "data_centre")


def filter_text(chosen: HardwareFilter) -> str:
    """A filter as one line for the settings; empty where nothing is left out."""
    return "" if chosen.is_open else msgspec.json.encode(chosen, order="deterministic").decode()


def read_filter(text: str) -> HardwareFilter:
    """The filter of the settings; one that cannot be read leaves nothing out."""
    try:
        return msgspec.json.decode(text, type=HardwareFilter) if text else HardwareFilter()
    except msgspec.MsgspecError:
        return HardwareFilter()
