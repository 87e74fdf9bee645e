"""A device named by its figures: `2TB/s, 300TFLOP/s, 80GB`, in any order."""

import re
from typing import Final

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.device_check import device_problems
from explorer.analysis.catalogue.typed_device import TYPED, typed_device
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import printable
from explorer.presentation.quantities.numbers import scaled
from explorer.presentation.quantities.quantity import Unit, read_quantity

_LONGEST: Final = 100
_PARTS: Final = re.compile(r"\s*[,;+]\s*|\s+(?=[\d.])")
_NUMBER: Final = r"[\d.]++(?:[eE][+-]?\d++)?\s*+"
_RATE: Final = re.compile(_NUMBER + r"[a-zA-Z]{0,2}?(?:b/s|bps|(?:fl)?ops?/s|(?:fl)?ops|bit/s)", re.IGNORECASE)
_SIZE: Final = re.compile(_NUMBER + r"[a-zA-Z]{0,2}b", re.IGNORECASE)
_PREFIX: Final = re.compile(
    r"(?P<number>[\d.]+(?:e[+-]?\d+)?)\s*(?P<prefix>[kmgtp]?)(?P<binary>i?)(?P<unit>b/s|bps|b|flop/s|flops)"
)
_UNITS: Final = {"b/s": "B/s", "bps": "B/s", "b": "B", "flop/s": "FLOP/s", "flops": "FLOP/s"}
_EXAMPLE: Final = "2TB/s,300TFLOP/s,80GB"


def device_typed(text: str) -> Device | None:
    """The device that figures describe; None where a text has no rate among them, and is a name.

    Raises
    ------
    Refused
        A rate is there, and another figure is missing, stands twice, or is none.
    """
    parts = [part for part in _PARTS.split(text[: _LONGEST + 1].strip()) if part]
    if not any(_RATE.fullmatch(part) for part in parts):
        return None
    values = {"text": printable(text.strip()), "example": _EXAMPLE}
    if len(text) > _LONGEST or not text.isprintable():
        raise Refused(Problem("typed.device_part", values={**values, "part": printable(text.strip(), 40)}))
    found = _figures(parts, values)
    for unit, word in (("B/s", "typed.device_bandwidth"), ("FLOP/s", "typed.device_peak")):
        if unit not in found:
            raise Refused(Problem(word, values=values))
    device = typed_device(", ".join(parts), found["B/s"], found["FLOP/s"], found.get("B"))
    device = replace(device, short=f"{TYPED} {scaled(found['B/s'], 'B/s')}")  # a roof's label adds its own rate
    if problems := device_problems(device):
        raise Refused(*problems)
    return device


def _figures(parts: list[str], values: dict[str, str]) -> dict[Unit, float]:
    found: dict[Unit, float] = {}
    for part in parts:
        unit = _unit(part)
        if unit is None:
            raise Refused(Problem("typed.device_part", values={**values, "part": printable(part)}))
        if unit in found:
            raise Refused(Problem("typed.device_twice", values={**values, "unit": unit}))
        found[unit] = read_quantity(_spelled(part), unit)
    return found


def _unit(part: str) -> Unit | None:
    if _SIZE.fullmatch(part):
        return "B"
    if not _RATE.fullmatch(part) or _is_integer(part):
        return None
    return "FLOP/s" if "flop" in part.lower() else "B/s"


def _is_integer(part: str) -> bool:
    """OP/s are of integers: a bf16 peak is asked for."""
    return "op" in part.lower() and "flop" not in part.lower()


def _spelled(part: str) -> str:
    """A figure written all in small letters in the usual spelling; any other as it stands, bits among them."""
    match = _PREFIX.fullmatch(part)
    if match is None:
        return part
    prefix = match["prefix"].upper() if match["prefix"] != "k" else "k"
    return f"{match['number']} {prefix}{match['binary']}{_UNITS[match['unit']]}"
