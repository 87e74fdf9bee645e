"""The roofline of an evaluation as a figure: roofs, points, ranges and texts, quick enough for a drag."""

import math
from collections.abc import Sequence

import explorer.presentation.roofline.texts  # noqa: F401 - registers its sentences
from explorer.analysis.ask.main_work import met_peaks, value_bytes, value_format
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import scaled, significant
from explorer.presentation.roofline.figure import Crowd, DrawnRoof, Figure, Mark, Range
from explorer.presentation.roofline.marks import Placing, colour_index, device_marks, strips_of
from explorer.presentation.roofline.measured import measured_marks
from explorer.presentation.roofline.ranges import default_ranges
from explorer.presentation.words.messages import Message, render


def build_figure(
    evaluation: Evaluation,
    *,
    per_value: bool | None = None,
    colour_by: str | None = None,
    area_is_share: bool | None = None,
    ranges: tuple[Range, Range] | None = None,
    all_devices: bool = True,
    alone: bool = False,
    trail: tuple[tuple[Mark, ...], ...] = (),
    look: Look = ENGLISH,
) -> Figure:
    """Describe the roofline of the visible devices; what is None comes from the study's view.

    `ranges` are the visible log10 ranges (x, y): points merge by their distance on screen. Points of
    devices other than the active one are told by `all_devices`; only the active one's have labels. With `alone` it is
    the roofline of the active device, without roofs and measurements of others.
    """
    view = evaluation.study.view
    zoomed = ranges or _viewed_ranges(evaluation)
    active = evaluation.active
    visible = [d for d in evaluation.devices if d.entry.visible and (d is active or not alone)]
    shift = math.log10(value_bytes(evaluation)) if (view.per_value if per_value is None else per_value) else 0.0
    names = names_in(evaluation, look)
    roofs = tuple(_roof(evaluation, d, names[d.entry.id].label, shift, look) for d in visible)
    placing = Placing(shift, _tolerance(zoomed), look)
    marks: list[Mark] = []
    crowds: tuple[Crowd, ...] = ()
    for result in sorted(visible, key=lambda d: d is active):
        if result is active or all_devices:
            found = device_marks(result, colour_index(evaluation, result), placing, active=result is active)
            marks += found.marks
            crowds += found.crowds
    measured = measured_marks(evaluation, visible, placing)
    marks += measured.marks
    crowds += measured.crowds
    strips, count = strips_of(active, colour_index(evaluation, active), placing) if active is not None else ((), 0)
    x_range, y_range = zoomed or default_ranges(roofs, marks, shift, crowds)
    return Figure(
        x_range=x_range,
        y_range=y_range,
        x_title=_x_title(evaluation, visible, look, per_value=bool(shift)),
        y_title=render(Message("chart.y"), look),
        roofs=roofs,
        marks=tuple(marks),
        strips=strips,
        zone=next((r.ridge for r in roofs if r.active), None),
        memory_zone_text=render(Message("chart.waits_memory"), look),
        compute_zone_text=render(Message("chart.waits_compute"), look),
        selection=frozenset(view.selection),
        trail=trail,
        colour_by_bound=(colour_by or view.colour_by) == "bound",
        empty_text="" if roofs else render(Message("chart.empty"), look),
        strip_text=_strip_text(count, look),
        area_is_share=view.area_is_share if area_is_share is None else area_is_share,
        fitted=zoomed is None,
        crowds=crowds,
        short_x=_short_x(evaluation, look, per_value=bool(shift)),
        short_y=render(Message("chart.y_short"), look),
        short_strip=f"{count:,}" if count else "",
    )


def rate_text(rate: float | None, fmt: str = "") -> str:
    """A compute rate, in TFLOP/s from 1 to 9,999 so that devices compare at a glance; OP/s for integers."""
    unit = "OP/s" if fmt.startswith("int") else "FLOP/s"
    if rate is not None and 1e12 <= rate < 1e16:
        return f"{significant(rate / 1e12)} T{unit}"
    return scaled(rate, unit)


def memory_name(results: Sequence[DeviceResult], look: Look = ENGLISH) -> str:
    """What the traffic of all these devices goes through: "HBM", "GDDR6X", else "memory"."""
    levels = {d.entry.device.outermost.level for d in results}
    if len(levels) == 1:
        return levels.pop()
    if levels and all(level.startswith("HBM") for level in levels):
        return "HBM"
    return render(Message("chart.memory"), look)


def _roof(evaluation: Evaluation, result: DeviceResult, name: str, shift: float, look: Look) -> DrawnRoof:
    choice = result.main_peak
    bandwidth = result.machine.known_bandwidth
    reached = result.machine.floor_bandwidth if result is evaluation.active else bandwidth
    peak = math.log10(choice.rate) if choice.rate else None
    slope = math.log10(bandwidth) - shift
    ridge = "" if peak is None else significant(10 ** (peak - slope))
    return DrawnRoof(
        key=result.entry.id,
        name=name,
        colour=colour_index(evaluation, result),
        bandwidth=slope,
        peak=peak,
        bandwidth_text=_bandwidth_text(evaluation, result, look),
        peak_text=_peak_text(evaluation, result, look),
        ridge_text=render(Message("chart.ridge", {"ridge": ridge}), look) if ridge else "",
        measured=_is_measured(result),
        active=result is evaluation.active,
        lower_peaks=_other_peaks(result, look) if result is evaluation.active else (),
        short_peak=rate_text(choice.rate, choice.format) if choice.rate else "",
        reached_bandwidth=math.log10(reached) - shift if reached > bandwidth else None,
    )


def _is_beaten(result: DeviceResult) -> bool:
    """Whether a measurement above the sheet's main peak is published."""
    main = result.main_peak
    return bool(main.rate and main.ceiling and main.ceiling > main.rate)


def _peak_text(evaluation: Evaluation, result: DeviceResult, look: Look) -> str:
    """The main peak by the sheet; of the active device also as measured, where that is above."""
    choice = result.main_peak
    if not choice.rate:
        return ""
    peak = rate_text(choice.rate, choice.format)
    if result is not evaluation.active or not _is_beaten(result):
        return peak
    measured = rate_text(choice.ceiling, choice.format)
    return render(Message("chart.peak_measured", {"peak": peak, "measured": measured}), look)


def _bandwidth_text(evaluation: Evaluation, result: DeviceResult, look: Look) -> str:
    """The bandwidth by the sheet; of the active device also as measured, where that is above."""
    sheet, measured = result.machine.known_bandwidth, result.machine.floor_bandwidth
    if result is not evaluation.active or measured <= sheet:
        return scaled(sheet, "B/s")
    values = {"peak": scaled(sheet, "B/s"), "measured": scaled(measured, "B/s")}
    return render(Message("chart.peak_measured", values), look)


def _other_peaks(result: DeviceResult, look: Look) -> tuple[tuple[float, str], ...]:
    """The main peak as measured where that is above the sheet's, and other peaks that a row meets."""
    main = result.main_peak
    found = []
    if _is_beaten(result):
        found.append((math.log10(main.ceiling or 1.0), ""))  # named with the sheet's, which lies close below
    for choice in met_peaks(result):
        values = {
            "peak": rate_text(choice.rate, choice.format),
            "format": choice.format,
            "unit": render(Message(f"chart.unit_{choice.entry.unit if choice.entry else 'tensor'}"), look),
        }
        found.append((math.log10(choice.rate or 1.0), render(Message("chart.peak", values), look)))
    return tuple(found)


def _is_measured(result: DeviceResult) -> bool:
    device = result.entry.device
    entry = result.main_peak.entry
    keys = [device.outermost.source, *([entry.source] if entry else [])]
    kinds = [device.sources[k].kind for k in keys if k in device.sources]
    return len(kinds) == len(keys) and all(k == "measured" for k in kinds)


def _x_title(evaluation: Evaluation, visible: Sequence[DeviceResult], look: Look, *, per_value: bool) -> str:
    memory = memory_name(visible, look)
    if per_value:
        return render(Message("chart.x_value", {"format": value_format(evaluation), "memory": memory}), look)
    return render(Message("chart.x_byte", {"memory": memory}), look)


def _short_x(evaluation: Evaluation, look: Look, *, per_value: bool) -> str:
    if per_value:
        return render(Message("chart.x_value_short", {"format": value_format(evaluation)}), look)
    return render(Message("chart.x_byte_short"), look)


def _strip_text(count: int, look: Look) -> str:
    if not count:
        return ""
    return render(Message("chart.strip_one" if count == 1 else "chart.strip", {"count": count}), look)


def _viewed_ranges(evaluation: Evaluation) -> tuple[Range, Range] | None:
    view = evaluation.study.view
    if view.x_range is None or view.y_range is None:
        return None
    figures = (*view.x_range, *view.y_range)
    sane = all(math.isfinite(v) and abs(v) < 60 for v in figures)
    return (view.x_range, view.y_range) if sane and figures[0] < figures[1] and figures[2] < figures[3] else None


def _tolerance(ranges: tuple[Range, Range] | None) -> float:
    """Decades that are about three pixels on screen."""
    return 0.018 if ranges is None else (ranges[0][1] - ranges[0][0]) * 0.0036
