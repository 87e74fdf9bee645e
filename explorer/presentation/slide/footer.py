"""The footer of a slide: the program, what the figures rest on, where they come from."""

from explorer import __version__
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.roofline.build import memory_name
from explorer.presentation.words.messages import Message, render

_BETWEEN = " · "
_KINDS = ("datasheet", "derived", "paper", "measured", "recalled", "typed", "unknown")


def footer(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """What the figures rest on, in one line; its conditions stand above it."""
    visible = [d for d in evaluation.devices if d.entry.visible]
    study = evaluation.study
    parts = [
        Message("foot.program", {"version": __version__}),
        Message("foot.rows", {"memory": memory_name(visible, look)}),
    ]
    if study.workload.launch == "eager":
        unknown = [device_label(evaluation, d, look) for d in visible if d.launches_unknown]
        if unknown:
            parts.append(Message("foot.launches_unknown", {"devices": _list(unknown, look)}))
    if visible:
        parts.append(Message("foot.peaks", {"sources": _sources(evaluation, visible, look)}))
    measured = list(dict.fromkeys(m.source or m.name for m in study.measurements))
    if measured:
        parts.append(Message("foot.measured", {"sources": _list(measured, look)}))
    return _BETWEEN.join(render(p, look) for p in parts)


def _sources(evaluation: Evaluation, visible: list[DeviceResult], look: Look) -> str:
    by_kind: dict[str, list[str]] = {}
    for result in visible:
        by_kind.setdefault(_kind(result), []).append(device_label(evaluation, result, look))
    texts = [
        render(Message(f"foot.source.{kind}", {"devices": _list(by_kind[kind], look)}), look)
        for kind in _KINDS
        if kind in by_kind
    ]
    return _list(texts, look)


def _kind(result: DeviceResult) -> str:
    entry, sources = result.main_peak.entry, result.entry.device.sources
    return sources[entry.source].kind if entry is not None and entry.source in sources else "unknown"


def _list(texts: list[str], look: Look) -> str:
    return render(Message("chart.list"), look).join(texts)
