"""What the slides of the views say of themselves: the finding as a title, and how the view is read."""

from collections.abc import Iterable

import explorer.presentation.slide.titles_texts  # noqa: F401 - registers its sentences
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity, percent, significant
from explorer.presentation.slide.finding import finding, subject
from explorer.presentation.views.declared import Says
from explorer.presentation.words.messages import Message, render

_MOST = 0.5  # of the time: operators are named until they take as much
_NAMED = 3
_TIED = 1e-6  # of a share: less apart is equal
_TIED_NAMED = 6
_HOW_MANY = {1: "one", 2: "both", 3: "three"}


def time_title(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """The operators that take most of the active device's time."""
    active = evaluation.active
    if active is None or not active.points:
        return finding(evaluation, look)
    named, total = _most(active)
    values = {
        "subject": subject(evaluation, look),
        "device": device_label(evaluation, active, look),
        "names": _list(_within_one(named), look),
        "share": percent(total),
    }
    return render(Message("title.time", values), look)


def _most(active: DeviceResult) -> tuple[list[str], float]:
    """Operators that take most of the time, with all that tie with the last of them; and what they take together."""
    shares = sorted(zip(active.shares, active.points, strict=True), key=lambda pair: -pair[0])
    named: list[str] = []
    total, last = 0.0, 0.0
    for share, point in shares:
        enough = total >= _MOST or len(named) >= _NAMED
        if enough and (share < last * (1 - _TIED) or len(named) >= _TIED_NAMED):
            break
        named.append(point.row.name)
        total, last = total + share, share
    return named, total


def _within_one(names: list[str]) -> list[str]:
    """Names within one part of a layer, the part said once: experts.gate_proj, up_proj."""
    part = names[0].rpartition(".")[0] + "."
    if part == "." or not all(name.startswith(part) for name in names):
        return names
    return [names[0], *(name.removeprefix(part) for name in names[1:])]


def decode_title(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """The highest throughput at the study's batch, and whose it is."""
    each = evaluation.tokens_per_input or 1.0
    rated = [(float(rate) / each, d) for d in _visible(evaluation) if (rate := d.totals.routed.tokens_per_s)]
    rated = [(rate, d) for rate, d in rated if d.totals.fits is not False]
    if evaluation.model is None or not rated:
        return finding(evaluation, look)
    best, device = max(rated, key=lambda pair: pair[0])
    routed = device.totals.routing_matters
    key = "title.inputs" if evaluation.tokens_per_input is not None else "title.routed" if routed else "title.decode"
    values = {
        "subject": subject(evaluation, look),
        "device": device_label(evaluation, device, look),
        "rate": significant(best),
        "batch": f"{evaluation.study.workload.batch:,}",
    }
    return render(Message(key if len(rated) > 1 else f"{key}_one", values), look)


def memory_title(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """What the step needs, and on which devices there is room for it."""
    judged = [d for d in _visible(evaluation) if d.totals.fits is not None]
    if evaluation.model is None or not judged:
        return finding(evaluation, look)
    held = [d for d in judged if d.totals.fits]
    full = [d for d in judged if not d.totals.fits]
    work = evaluation.study.workload
    values: dict[str, str | int | float] = {
        "model": evaluation.model.name,
        "bytes": capacity(float(judged[0].totals.memory_bytes), look.unit),
        "batch": f"{work.batch:,}",
        "context": f"{work.context:,}",
        "count": len(judged),
        "fits": _devices(evaluation, held, look),
        "full": _devices(evaluation, full, look),
    }
    if held and full:
        key = "title.fits_some"
    else:
        key = f"title.{'fits' if held else 'full'}.{_HOW_MANY.get(len(judged), 'all')}"
    needs = "title.needs_inputs" if evaluation.tokens_per_input is not None else "title.needs"
    return render(Message(needs, {**values, "verdict": render(Message(key, values), look)}), look)


def _read_time(_evaluation: Evaluation, _figure: object, look: Look) -> Iterable[str]:
    return [render(Message("read.time"), look)]


def _read_decode(evaluation: Evaluation, _figure: object, look: Look) -> Iterable[str]:
    return [render(Message("read.decode", {"batch": f"{evaluation.study.workload.batch:,}"}), look)]


def _read_memory(_evaluation: Evaluation, _figure: object, look: Look) -> Iterable[str]:
    return [render(Message("read.memory"), look)]


def _visible(evaluation: Evaluation) -> list[DeviceResult]:
    return [d for d in evaluation.devices if d.entry.visible]


def _devices(evaluation: Evaluation, devices: list[DeviceResult], look: Look) -> str:
    if len(devices) > _NAMED:
        return render(Message("answer.devices", {"count": len(devices)}), look)
    return _list([device_label(evaluation, d, look) for d in devices], look)


def _list(texts: list[str], look: Look) -> str:
    return render(Message("chart.list"), look).join(texts)


TIME = Says(time_title, _read_time)
DECODE = Says(decode_title, _read_decode)
MEMORY = Says(memory_title, _read_memory)
