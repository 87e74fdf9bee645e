"""One device by its id, its name or any unambiguous part of a name."""

import difflib
import re
from collections.abc import Callable, Sequence
from typing import Final

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.sizes import size_asked, sizes_of, with_size
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import printable

_LISTED: Final = 8
_SHORTEST: Final = 4  # of a text whose blanks may be left out
_BLANK: Final = re.compile(r"[\s()-]+")
Look = Callable[[Sequence[Device], str], list[Device]]
_ALIASES: Final = {"mobile": "laptop", "notebook": "laptop"}
_LONGEST: Final = 200
_WORD: Final = re.compile(r"[^\s,()]+")
_ASIDE: Final = re.compile(r"\((?:per gpu|gpu part|groqcard)\)")  # as lists of devices say which part they mean


def find_device(devices: Sequence[Device], text: str) -> Device:
    """Return the one device the text means, ignoring case; raise Refused with the candidates or nearest names.

    A whole id, name or short name wins, then whole words (B200 is not GB200), then any part of them, with or without
    blanks. Of several the plainest is meant, whose words all others have (an RTX 4070, not its Ti). A memory size
    behind the name (`M4 Pro 24GB`) chooses among the sizes that a device is sold with.
    """
    asked = " ".join(_ALIASES.get(w, w) for w in _ASIDE.sub("", text[:_LONGEST].lower()).split())
    found = _one(devices, asked, _exact, _with_words) or _sized(devices, asked)
    found = found or _one(devices, asked, candidates, _squeezed)
    if found is None:
        raise _refused(devices, asked, printable(" ".join(text.split())))
    return found


def _one(devices: Sequence[Device], asked: str, *looks: Look) -> Device | None:
    for look in looks:
        found = look(devices, asked)
        if len(found) == 1:
            return found[0]
        if found and (plainest := _plainest(found)) is not None:
            return plainest
    return None


def _sized(devices: Sequence[Device], asked: str) -> Device | None:
    """A device with the memory size that ends the text."""
    if (size := size_asked(asked)) is None:
        return None
    capacity, name = size
    sold = [d for d in devices if capacity in sizes_of(d)]
    found = _one(sold, name, _exact, _with_words, candidates, _squeezed)
    return None if found is None else with_size(found, capacity)


def _plainest(found: Sequence[Device]) -> Device | None:
    """The one device whose words all the others have and more."""
    words = [frozenset(_WORD.findall(d.name.lower())) for d in found]
    plain = [d for d, mine in zip(found, words, strict=True) if all(mine <= other for other in words)]
    return plain[0] if len(plain) == 1 else None


def _squeezed(devices: Sequence[Device], asked: str) -> list[Device]:
    """Devices whose name holds the text when blanks and marks are left out of both: `rtx4090`, `H100SXM`."""
    wanted = _BLANK.sub("", asked)
    if len(wanted) < _SHORTEST:
        return []
    return [d for d in devices if wanted in {_BLANK.sub("", t.lower()) for t in (d.name, d.short)}] or [
        d for d in devices if any(wanted in _BLANK.sub("", t.lower()) for t in (d.name, d.short))
    ]


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
    found = _exact(devices, asked) or _with_words(devices, asked) or candidates(devices, asked)
    found = found or _squeezed(devices, asked)
    if not found and (size := size_asked(asked)) is not None:
        found = candidates([d for d in devices if size[0] in sizes_of(d)], size[1])
        like = [] if found else candidates(devices, size[1])
        if (device := like[0] if len(like) == 1 else _plainest(like)) is not None:
            sold = ", ".join(f"{s / 2**30:g}" for s in sizes_of(device))
            return Refused(Problem("device.size_not_sold", values={"device": device.name, "sizes": sold}))
        found = found or like
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
