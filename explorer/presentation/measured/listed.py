"""Measurements of a study beside their bounds, as data and as lines of text."""

import math
from typing import Any, Final

import explorer.presentation.measured.gap_texts  # noqa: F401 - registers the sentences used here
from explorer.analysis.measured.gap import Gap, gaps
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.measured.gap import gap_sentences, note_text, verdict_text
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

_TOLD: Final = 20  # lines; those over their bound come first

register(
    {
        "measured.more": QT_TRANSLATE_NOOP("messages", "{count} measurements more."),
        "measured.named": QT_TRANSLATE_NOOP("messages", "{name}: {text}"),
    }
)


def measurements_json(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Each measurement with its bound, efficiency and verdict; over the bound with the likely causes."""
    return [_json(found) for found in gaps(evaluation)]


def _json(found: Gap) -> dict[str, Any]:
    stated, uniform = found.measurement, None if found.prediction is None else found.prediction.uniform_s
    return {
        "name": stated.name,
        "device": None if found.entry is None else found.entry.device.name,
        "operator": stated.row,
        "measured_s": _figure(found.measured_s),
        "bound_s": _figure(found.bound_s),
        "uniform_s": _figure(uniform),
        "efficiency": _figure(found.efficiency),
        "verdict": verdict_text(found) or None,
        "beats_bound": None if found.verdict is None else found.verdict == "over",
        "beats_random_routing": None if found.verdict is None else found.beats_random_routing,
        "causes": [note_text(cause) for cause in found.causes],
        "why_no_bound": None if found.why is None else note_text(found.why),
    }


def _figure(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def measurement_lines(evaluation: Evaluation, look: Look = ENGLISH) -> list[str]:
    """One line for each measurement, those over their bound first; of very many the first."""
    found = sorted(gaps(evaluation), key=lambda g: g.verdict != "over")
    lines = []
    for each in found[:_TOLD]:
        text = " ".join(gap_sentences(each, look))
        lines.append(render(Message("measured.named", {"name": each.measurement.name, "text": text}), look))
    more = len(found) - _TOLD
    return [*lines, render(Message("measured.more", {"count": more}), look)] if more > 0 else lines
