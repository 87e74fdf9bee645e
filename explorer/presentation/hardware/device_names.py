"""How every surface names a study's devices, so that twins are told apart: two of one name, a copy, one fitted."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

import explorer.presentation.answer.texts  # noqa: F401 - registers the words used here
from explorer.analysis.problem import Note
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.study.study import HardwareEntry
from explorer.presentation.hardware.entries import gibibytes_text
from explorer.presentation.look import ENGLISH, Look, Translate
from explorer.presentation.words.messages import Message, render


class DeviceName(msgspec.Struct, frozen=True):
    """One entry of a study: `bare` beside a number of devices, `plain` without one, `label` led by it.

    Only `plain` and `label` are an entry's alone.
    """

    bare: str
    plain: str
    label: str


def device_names(
    entries: Sequence[HardwareEntry], *, whole: bool = False, look: Look = ENGLISH
) -> dict[str, DeviceName]:
    """The names of a study's entries by their ids: short where that tells them apart, or `whole` as files have them.

    Entries of one name are told apart by the memory size they are taken with, then by their number of devices, else the
    second and later ones bear a figure.
    """
    chosen = _sized(entries, [e.device.name for e in entries] if whole else _chosen(entries))
    bare: dict[str, str] = {}
    labels: dict[str, str] = {}
    taken: set[str] = set()
    for entry, name in zip(entries, chosen, strict=True):
        place, own = 1, name
        while (label := _counted(own, entry.count, look)) in taken:
            place += 1
            own = f"{name} ({place})"
        taken.add(label)
        bare[entry.id], labels[entry.id] = own, label
    shared = Counter(bare.values())
    return {e: DeviceName(name, name if shared[name] == 1 else labels[e], labels[e]) for e, name in bare.items()}


class _Names:
    """The names of the devices asked for last, which stay while they are the same."""

    def __init__(self) -> None:
        self.entries: Sequence[HardwareEntry] = ()
        self.made: dict[Translate, dict[str, DeviceName]] = {}


def names_in(evaluation: Evaluation, look: Look = ENGLISH) -> dict[str, DeviceName]:
    """The names of an evaluated study's entries by their ids, taken over from the evaluation before."""
    known, entries = evaluation.carried(_Names), evaluation.study.hardware
    if known.entries is not entries:
        known.entries, known.made = entries, {}
    if look.translate not in known.made:
        known.made[look.translate] = device_names(entries, look=look)
    return known.made[look.translate]


def device_label(evaluation: Evaluation, result: DeviceResult, look: Look = ENGLISH) -> str:
    """A device as sentences and figures name it, led by the number where there are several."""
    return names_in(evaluation, look)[result.entry.id].label


def whole_names(entries: Sequence[HardwareEntry], look: Look = ENGLISH) -> Mapping[str, str]:
    """Names as hardware files have them, by the entries' ids: for tables in files, choices and assumptions."""
    return {e: n.plain for e, n in device_names(entries, whole=True, look=look).items()}


def named_note(note: Note, names: Mapping[str, str]) -> Message:
    """The sentence of an assumption, its device named as among the others of the study."""
    name = names.get(str(note.values.get("entry", "")))
    return Message(note.code, note.values if name is None else {**note.values, "device": name})


def _chosen(entries: Sequence[HardwareEntry]) -> list[str]:
    """Short names; the whole ones of entries whose short name means different devices."""
    meant: defaultdict[str, set[str]] = defaultdict(set)
    for entry in entries:
        meant[_short(entry)].add(entry.device.name)
    return [_short(e) if len(meant[_short(e)]) == 1 else e.device.name for e in entries]


def _sized(entries: Sequence[HardwareEntry], names: list[str]) -> list[str]:
    """Names with the memory that a device was taken with, where another of its sizes stands beside it."""
    sizes: defaultdict[str, set[float | None]] = defaultdict(set)
    for entry in entries:
        sizes[entry.device.id].add(entry.device.capacity if entry.device.outermost.sizes else None)
    return [
        f"{name}, {gibibytes_text(e.device.capacity)}" if e.device.capacity and len(sizes[e.device.id]) > 1 else name
        for e, name in zip(entries, names, strict=True)
    ]


def _short(entry: HardwareEntry) -> str:
    return entry.device.short or entry.device.name


def _counted(name: str, count: int, look: Look) -> str:
    return name if count == 1 else render(Message("answer.count", {"count": count, "device": name}), look)
