"""What someone typed to compare: the device that ratios are to, and what stands side by side."""

from collections.abc import Iterable, Sequence
from typing import Final, cast, get_args

from msgspec.structs import replace

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.choices import Vary
from explorer.analysis.study.study import HardwareEntry, Study
from explorer.files.disk.text import printable
from explorer.files.hardware.find_device import candidates, find_device
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
    if not wanted:
        raise Refused(Problem("compare.empty_baseline", "baseline", {"known": _listed(labels.values())}))
    devices = [e.device for e in _unlike(entries)]
    try:
        device = find_device(devices, wanted)
    except Refused as refused:
        if refused.problems[0].code != "device.ambiguous":
            raise _none(text, labels) from None
        held = candidates(devices, wanted)
        raise _several(text, [labels[e.id] for e in entries if e.device in held] or labels.values()) from None
    alike = [e for e in entries if e.device.id == device.id and e.device.capacity == device.capacity]
    alone = [e for e in alike if names[e.id].label == names[e.id].bare]  # not led by a number of devices
    if len(alike) == 1 or len(alone) == 1:
        return (alone or alike)[0]
    raise _several(text, [labels[e.id] for e in alike])


def compared_study(study: Study, baseline: str | None, vary: str | None) -> Study:
    """The study as seen with a baseline and something side by side, where they are given; raise Refused."""
    view = study.view
    if vary is not None:
        as_known = vary.replace("_", "-")
        if as_known not in VARIES:
            known = ", ".join(VARIES)
            raise Refused(Problem("compare.vary", "vary", {"got": printable(str(vary)), "known": known}))
        view = replace(view, vary=VARIES[as_known])
    if baseline is not None:
        wanted = " ".join(baseline.split()).lower()
        models = [m.id for m in study.models if m.name.lower() == wanted] if view.vary == "models" else []
        if len(models) == 1:
            return replace(study, view=replace(view, baseline=models[0]))
        visible = [e for e in study.hardware if e.visible]
        view = replace(view, baseline=named_entry(baseline, visible).id)
    return replace(study, view=view)


def _unlike(entries: Sequence[HardwareEntry]) -> list[HardwareEntry]:
    """One entry of each device."""
    return list({(e.device.id, e.device.capacity): e for e in reversed(entries)}.values())


def _none(text: str, labels: dict[str, str]) -> Refused:
    values = {"got": printable(text), "known": _listed(labels.values())}
    return Refused(Problem("compare.no_such_baseline", "baseline", values))


def _several(text: str, meant: Iterable[str]) -> Refused:
    return Refused(Problem("compare.several_baselines", "baseline", {"got": printable(text), "known": _listed(meant)}))


def _listed(labels: Iterable[str]) -> str:
    return ", ".join(printable(label) for label in labels)
