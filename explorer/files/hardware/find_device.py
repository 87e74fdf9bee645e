"""One device by its id, its name or any unambiguous part of a name."""

import difflib
import re
from collections.abc import Sequence
from typing import Final

from explorer.analysis.catalogue.device import Device
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import printable

_LISTED: Final = 8
_LONGEST: Final = 200
_WORD: Final = re.compile(r"[^\s,()]+")
_ASIDE: Final = re.compile(r"\((?:per gpu|gpu part|groqcard)\)")  # as lists of devices say which part they mean


def find_device(devices: Sequence[Device], text: str) -> Device:
    """Return the one device the text means, ignoring case; raise Refused with the candidates or nearest names.

    A whole id, name or short name wins, then whole words (B200 is not GB200), then any part of them.
    """
    asked = " ".join(_ASIDE.sub("", text[:_LONGEST].lower()).split())
    for found in _exact(devices, asked), _with_words(devices, asked), candidates(devices, asked):
        if len(found) == 1:
            return found[0]
    raise _refused(devices, asked, printable(" ".join(text.split())))


def candidates(devices: Sequence[Device], text: str) -> list[Device]:
    """Return the devices whose names hold every word of the text, in any order, ignoring case."""
    words = text.lower().split()
    return [d for d in devices if words and all(word in _searched(d) for word in words)]


def _exact(devices: Sequence[Device], asked: str) -> list[Device]:
    return [d for d in devices if asked in {d.id.lower(), d.name.lower(), d.short.lower()} - {""}]


def _with_words(devices: Sequence[Device], asked: str) -> list[Device]:
    words = set(_WORD.findall(asked))
    return [d for d in devices if words and words <= set(_WORD.findall(_searched(d)))]


def _searched(device: Device) -> str:
    return f"{device.vendor} {device.name} {device.short} {device.id}".lower()


def _refused(devices: Sequence[Device], asked: str, written: str) -> Refused:
    found = _exact(devices, asked) or candidates(devices, asked)
    values: dict[str, str | int] = {"text": written}
    if found:
        names = [d.name for d in found[:_LISTED]] + ["…"] * (len(found) > _LISTED)
        return Refused(
            Problem("device.ambiguous", values=values | {"count": len(found), "candidates": ", ".join(names)})
        )
    nearest = ", ".join(_nearest(devices, asked))
    if not nearest:
        return Refused(Problem("device.none_like", values=values))
    return Refused(Problem("device.unknown", values=values | {"nearest": nearest}))


def _nearest(devices: Sequence[Device], asked: str) -> list[str]:
    names = {key.lower(): d.name for d in devices for key in (d.id, d.name, d.short, *d.name.split()) if key}
    close = difflib.get_close_matches(asked, names, n=5, cutoff=0.5)
    return list(dict.fromkeys(names[key] for key in close))[:3]
