"""Gaps, diagnoses and fits in words."""

import math
from collections.abc import Callable, Sequence
from typing import Final

from explorer.analysis.measured.diagnosis import Diagnosis
from explorer.analysis.measured.gap import Gap
from explorer.analysis.measured.roof_fit import Estimate, RoofFit, sheet_rates
from explorer.analysis.measured.sweep_fit import fit_sweep
from explorer.analysis.problem import Note, Refused, Value
from explorer.analysis.study.study import HardwareEntry
from explorer.presentation.hardware.device_names import device_names
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity, factor, percent, scaled, seconds, significant, whole
from explorer.presentation.tables.model_columns import parameters
from explorer.presentation.words.bounds import bound_text, bound_word
from explorer.presentation.words.messages import Message, render

_Figure = Callable[[float], str]


def _bytes(value: float) -> str:
    return scaled(value, "B")


_FIGURES: Final[dict[str, _Figure]] = {
    "needed": _bytes,
    "capacity": _bytes,
    "bytes": _bytes,
    "share": percent,
    "rate": lambda value: scaled(value, "FLOP/s"),
    "parameters": parameters,
    "context": whole,
    "over": lambda value: significant(value, 2),
    "gain": factor,
    "factor": lambda value: significant(value, 2),
    "rank": whole,
}
_EXCESS: Final = frozenset({"cause.clock", "cause.memory_clock", "cause.roof_measured"})


def _filled(note: Note) -> Message:
    """A note whose figures are texts in their units."""
    values: dict[str, Value] = {}
    for key, value in note.values.items():
        numeric = isinstance(value, int | float) and key in _FIGURES
        values[key] = _FIGURES[key](float(value)) if numeric else value
    if note.code in _EXCESS:
        values["over"] = percent(float(note.values["over"]) - 1)
    return Message(note.code, values)


def note_text(note: Note, look: Look = ENGLISH) -> str:
    """One cause or remark as a sentence."""
    return render(_filled(note), look)


def verdict_text(gap: Gap, look: Look = ENGLISH) -> str:
    """The verdict in two words, empty without one."""
    told = verdict_code(gap)
    return "" if told is None else render(Message(f"verdict.{told}"), look)


def verdict_code(gap: Gap) -> str | None:
    """The verdict as it is told: what beats random routing has no room by it, and no fault."""
    return "alike" if gap.beats_random_routing and gap.verdict != "at" else gap.verdict


def gap_sentences(gap: Gap, look: Look = ENGLISH, device: str = "") -> list[str]:
    """What was measured, its bound, the verdict, and over the bound the causes in their order.

    `device` is how the study's other surfaces name the one it was measured on.
    """
    if gap.why is not None or gap.efficiency is None or gap.prediction is None or gap.verdict is None:
        return [] if gap.why is None else [note_text(gap.why, look)]
    measurement, prediction = gap.measurement, gap.prediction
    bound = prediction.bound
    waits = bound_text(bound, "first", look) if gap.verdict == "room" else bound_word(bound, look)
    first: dict[str, Value] = {
        "name": measurement.row or measurement.name,
        "device": device or ("" if gap.entry is None else device_names([gap.entry])[gap.entry.id].plain),
        "measured": seconds(gap.measured_s),
        "bound": seconds(gap.bound_s),
    }
    whole_step = measurement.row is None and prediction.result is not None
    by_routing, told = gap.of_random_routing, verdict_code(gap)
    verdict: dict[str, Value] = {
        "share": percent(gap.efficiency), "waits": waits, "gain": factor(gap.gain),
        "uniform": seconds(prediction.uniform_s), "random": percent(by_routing or 0.0),
    }  # fmt: skip
    key = f"gap.{told}" if by_routing is None else "gap.routed"
    lines = [Message("gap.step" if whole_step else "gap.row", first), Message(key, verdict)]
    found = [render(line, look) for line in lines]
    found += [f"{i}. {note_text(cause, look)}" for i, cause in enumerate(gap.causes, start=1)]
    return found + _remarks(gap, look)


def _remarks(gap: Gap, look: Look) -> list[str]:
    measurement = gap.measurement
    found = []
    if measurement.quartiles_s is not None:
        low, high = (seconds(t) for t in measurement.quartiles_s)
        key = "gap.spread" if measurement.runs else "gap.spread_plain"
        found.append(render(Message(key, {"runs": measurement.runs or 0, "low": low, "high": high}), look))
    if measurement.size_bytes and measurement.row is None:
        found.append(render(_file(gap, measurement.size_bytes, look), look))
    return found


def _file(gap: Gap, size: float, look: Look) -> Message:
    """How a file's bytes are shared out: as in the mix of its size, else evenly."""
    evaluation = None if gap.prediction is None else gap.prediction.evaluation
    model = None if evaluation is None else evaluation.model
    stored = None if model is None or model.rough else model.stored
    values: dict[str, Value] = {"size": capacity(size, look.unit), "mix": "" if stored is None else stored.label}
    return Message("gap.file" if stored is None else "gap.file_as", values)


def diagnosis_sentences(found: Diagnosis, device: str = "", look: Look = ENGLISH) -> list[str]:
    """The finding, bytes in flight, and what limits it."""
    counters = found.counters
    shares: dict[str, Value] = {"memory": percent(counters.memory), "compute": percent(counters.compute)}
    lines = [render(Message(f"diagnosis.{found.finding}", shares), look)]
    if found.in_flight is not None:
        flight = found.in_flight
        values: dict[str, Value] = {
            "device": device,
            "needed": scaled(flight.needed, "B"),
            "achieved": scaled(flight.achieved, "B"),
            "bandwidth": scaled(flight.bandwidth, "B/s"),
            "latency": seconds(flight.latency),
        }
        lines.append(render(Message("diagnosis.in_flight", values), look))
    return lines + [note_text(note, look) for note in found.notes]


RoofFitLine = tuple[str, str]


def roof_fit_lines(fit: RoofFit, entry: HardwareEntry, fmt: str, look: Look = ENGLISH) -> list[RoofFitLine]:
    """Label and figure of what a fit tells, each with its interval and share of the sheet."""
    sheet_bandwidth, sheet_peak = sheet_rates(entry, fmt)
    found = []
    for key, estimate, unit, sheet in (
        ("bandwidth", fit.bandwidth, "B/s", sheet_bandwidth),
        ("peak", fit.peak, "FLOP/s", sheet_peak),
    ):
        if estimate is not None:
            label = render(Message(f"fit_roof.{key}", {"format": fmt}), look)
            found.append((label, _range(estimate, unit, sheet, look)))
    if fit.per_kernel_s is not None:
        label = render(Message("fit_roof.fixed"), look)
        found.append((label, _range(fit.per_kernel_s, "s", None, look)))
    return found


def _range(estimate: Estimate, unit: str, sheet: float | None, look: Look) -> str:
    def text(value: float) -> str:
        return seconds(value) if unit == "s" else scaled(value, unit)

    values: dict[str, Value] = {
        "value": text(estimate.value), "low": text(estimate.low), "high": text(estimate.high),
    }  # fmt: skip
    if sheet:
        return render(Message("fit_roof.range_of", {**values, "share": percent(estimate.share_of(sheet))}), look)
    return render(Message("fit_roof.range", values), look)


def roof_fit_remarks(fit: RoofFit, names: list[str], look: Look = ENGLISH) -> list[str]:
    """How well it fits, what stands apart, and what it does not tell; `names` are the samples'."""
    found = [render(Message("fit_roof.spread", {"sigma": percent(fit.sigma)}), look)]
    if fit.outliers and math.isfinite(fit.sigma):
        listed = ", ".join(names[i] for i in fit.outliers[:5])
        found.append(render(Message("fit_roof.outliers", {"names": listed}), look))
    return found + [note_text(note, look) for note in fit.notes]


def sweep_sentence(points: Sequence[tuple[float | None, float | None, float | None]], look: Look = ENGLISH) -> str:
    """What the times of a sweep follow, from (seconds, FLOPs, bytes); empty where they are too few to tell."""
    whole_ones = [(t, f or 0.0, b or 0.0) for t, f, b in points if t]
    try:
        found = fit_sweep(*(tuple(column) for column in zip(*whole_ones, strict=True))) if whole_ones else None
    except Refused:
        return ""
    if found is None:
        return ""
    unit = "FLOP/s" if found.finding == "flops" else "B/s"
    values: dict[str, Value] = {"rate": scaled(found.line.rate, unit), "fixed": seconds(found.line.fixed_s)}
    return render(Message(f"sweep.{found.finding}", values), look)
