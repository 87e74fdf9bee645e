"""The footer of a slide: program, assumptions, sources of the figures, study."""

from explorer import __version__
from explorer.analysis.evaluate import DeviceResult, Evaluation
from explorer.presentation.device_names import device_label
from explorer.presentation.messages import Message, Translate, render, untranslated
from explorer.presentation.roofline import memory_name

_BETWEEN = " · "
_KINDS = ("datasheet", "derived", "paper", "measured", "recalled", "unknown")


def footer(evaluation: Evaluation, translate: Translate = untranslated) -> str:
    """What the figures rest on, in one line."""
    visible = [d for d in evaluation.devices if d.entry.visible]
    study = evaluation.study
    parts = [Message("foot.program", {"version": __version__}), _bounds(evaluation, visible, translate)]
    if study.workload.launch == "eager":
        parts.append(Message("foot.eager"))
    if evaluation.model is not None and evaluation.model.rough:
        parts.append(Message("foot.rough"))
    if visible:
        parts.append(Message("foot.peaks", {"sources": _sources(evaluation, visible, translate)}))
    measured = list(dict.fromkeys(m.source or m.name for m in study.measurements))
    if measured:
        parts.append(Message("foot.measured", {"sources": _list(measured, translate)}))
    if study.name:
        parts.append(Message("foot.study", {"name": study.name}))
    return _BETWEEN.join(render(p, translate) for p in parts)


def _bounds(evaluation: Evaluation, visible: list[DeviceResult], translate: Translate) -> Message:
    memory = memory_name(visible, translate)
    if evaluation.model is None:
        return Message("foot.rows", {"memory": memory})
    work = evaluation.study.workload
    logits = render(Message(f"foot.{work.logits}"), translate)
    return Message(f"foot.{work.attention_count}", {"memory": memory, "logits": logits})


def _sources(evaluation: Evaluation, visible: list[DeviceResult], translate: Translate) -> str:
    by_kind: dict[str, list[str]] = {}
    for result in visible:
        by_kind.setdefault(_kind(result), []).append(device_label(evaluation, result, translate))
    texts = [
        render(Message(f"foot.source.{kind}", {"devices": _list(by_kind[kind], translate)}), translate)
        for kind in _KINDS
        if kind in by_kind
    ]
    return _list(texts, translate)


def _kind(result: DeviceResult) -> str:
    entry, sources = result.main_peak.entry, result.entry.device.sources
    return sources[entry.source].kind if entry is not None and entry.source in sources else "unknown"


def _list(texts: list[str], translate: Translate) -> str:
    return render(Message("chart.list"), translate).join(texts)
