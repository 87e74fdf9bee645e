"""What someone typed to compare: the device that ratios are to, and what stands side by side."""

from collections.abc import Sequence
from typing import Final, cast, get_args

from msgspec.structs import replace

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.choices import Vary
from explorer.analysis.study.study import HardwareEntry, Study
from explorer.files.disk.text import printable
from explorer.files.hardware.find_device import find_device
from explorer.presentation.hardware.device_names import device_names

VARIES: Final[dict[str, Vary]] = {name.replace("_", "-"): cast("Vary", name) for name in get_args(Vary)}


def named_entry(text: str, entries: Sequence[HardwareEntry]) -> HardwareEntry:
    """The device of a study that a text means: its id, its label, or a part of its name; raise Refused."""
    names = device_names(entries)
    labels = {entry_id: name.label for entry_id, name in names.items()}
    wanted = " ".join(text.split())
    exact = [e for e in entries if wanted.lower() in {e.id.lower(), labels[e.id].lower()}]
    if len(exact) == 1:
        return exact[0]
    try:
        device = find_device([e.device for e in _unlike(entries)], wanted)
    except Refused:
        raise _none(text, labels) from None
    alike = [e for e in entries if e.device.id == device.id and e.device.capacity == device.capacity]
    alone = [e for e in alike if names[e.id].label == names[e.id].bare]  # not led by a number of devices
    if len(alike) == 1 or len(alone) == 1:
        return (alone or alike)[0]
    raise _none(text, labels)


def compared_study(study: Study, baseline: str | None, vary: str | None) -> Study:
    """The study as seen with a baseline and something side by side, where they are given; raise Refused."""
    view = study.view
    if vary is not None:
        if vary not in VARIES:
            known = ", ".join(VARIES)
            raise Refused(Problem("compare.vary", "vary", {"got": printable(str(vary)), "known": known}))
        view = replace(view, vary=VARIES[vary])
    if baseline:
        visible = [e for e in study.hardware if e.visible]
        view = replace(view, baseline=named_entry(baseline, visible).id)
    return replace(study, view=view)


def _unlike(entries: Sequence[HardwareEntry]) -> list[HardwareEntry]:
    """One entry of each device."""
    return list({(e.device.id, e.device.capacity): e for e in reversed(entries)}.values())


def _none(text: str, labels: dict[str, str]) -> Refused:
    known = ", ".join(printable(label) for label in labels.values())
    return Refused(Problem("compare.no_such_baseline", "baseline", {"got": printable(text), "known": known}))
