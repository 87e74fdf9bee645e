"""What the decode panel and the decode tab show: charts against batch, batch marks, current points."""

import math
from collections.abc import Sequence
from typing import Literal

import msgspec
import numpy as np
from msgspec.structs import replace

import explorer.presentation.views.decode_texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.batch_sweep import LARGEST_BATCH, Sweep, Swept, sweep_batches, visible_devices
from explorer.analysis.ask.comparison.ratios import speed
from explorer.analysis.ask.knees import Knees, knees
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.rows import Array, Number
from explorer.presentation.answer.nothing import nothing_text
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.hardware.short_names import name_forms
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import factor, seconds, significant, times
from explorer.presentation.roofline.marks import colour_index
from explorer.presentation.slide.titles import DECODE
from explorer.presentation.views.batch_chart import (
    BatchChart,
    BatchMark,
    Curve,
    Spot,
    batch_ticks,
    far_apart,
    log_ticks,
    rate_tick,
    time_tick,
    value_ticks,
)
from explorer.presentation.views.declared import register_build
from explorer.presentation.views.memory_bar import fit_batch
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.phases import phase_message
from explorer.presentation.words.said.routing import routes, routing_text

Metric = Literal["all", "each", "step"]
METRICS: tuple[Metric, ...] = ("all", "each", "step")
_LEAST_SHOWN = 256


class Knee(msgspec.Struct, frozen=True):
    """A batch of note: code, batch, short text and sentence."""

    code: str
    batch: float
    text: str
    tip: str


class DecodeView(msgspec.Struct, frozen=True, eq=False):
    """The decode view as a figure: charts and the current points of each."""

    title: str
    charts: tuple[BatchChart, ...]
    spots: tuple[tuple[Spot, ...], ...]
    legend: tuple[tuple[str, int], ...]
    empty_text: str = ""


def knee_list(evaluation: Evaluation, device: DeviceResult, look: Look = ENGLISH) -> tuple[Knee, ...]:
    """The batches of note of one device that exist; the fit batch also where it is 0."""
    kinks = knees(evaluation, device.entry.id)
    if kinks is None:
        return ()
    values = {
        "device": device_label(evaluation, device, look),
        "factor": factor(evaluation.study.workload.knee_factor),
    }
    found = [(code, batch) for code, batch in _of(kinks) if batch is not None and (batch >= 1 or code == "fit")]
    return tuple(
        Knee(
            code,
            batch,
            render(Message(f"decode.mark.{code}"), look),
            render(Message(f"decode.tip.{code}", {**values, "batch": f"{int(batch):,}"}), look),
        )
        for code, batch in found
    )


def _of(found: Knees) -> tuple[tuple[str, float | None], ...]:
    fit = None if found.fit_batch is None else float(found.fit_batch)
    return (
        ("kv_half", found.kv_half_batch),
        ("ridge", found.ridge_batch),
        ("knee", found.knee_batch),
        ("fit", fit),
    )


def context_mark(evaluation: Evaluation, device: DeviceResult, context: int, look: Look = ENGLISH) -> tuple[str, str]:
    """Short text and sentence of the largest context that fits."""
    values = {"context": f"{context:,}", "device": device_label(evaluation, device, look)}
    return (
        render(Message("decode.mark.fit"), look),
        render(Message("decode.tip.fit_context", values), look),
    )


def shown_batch(evaluation: Evaluation, fit: int | None) -> float:
    """The right end of the batch axis, log2: room for the current batch and the active device's memory wall."""
    wanted = float(max(_LEAST_SHOWN, evaluation.study.workload.batch))
    if fit is not None:
        wanted = max(wanted, min(fit * 1.25, LARGEST_BATCH))
    return float(math.ceil(math.log2(wanted) - 1e-9))


def spots_of(evaluation: Evaluation, metric: Metric) -> tuple[Spot, ...]:
    """The current point of every visible device, the active one last."""
    x = math.log2(max(1, evaluation.study.workload.batch))
    active, devices = evaluation.active, visible_devices(evaluation)
    baseline = evaluation.baseline if len(devices) > 1 else None
    found = []
    for device in sorted(devices, key=lambda d: d is active):
        value = _now(evaluation, device, metric)
        if value is not None:
            ratio = "" if baseline is None else _ratio(evaluation, device, baseline, metric)
            found.append(Spot(x, value, colour_index(evaluation, device), device is active, ratio))
    return tuple(found)


def _ratio(evaluation: Evaluation, device: DeviceResult, baseline: DeviceResult, metric: Metric) -> str:
    """A device's value as a multiple of the baseline's; none where one of the two has no room."""
    fast = speed(evaluation, device, baseline).value
    if device is baseline:
        return "" if fast is None else "1×"
    return "" if fast is None else times(1 / fast if metric == "step" else fast)


def _now(evaluation: Evaluation, device: DeviceResult, metric: Metric) -> float | None:
    pace = device.totals.routed
    value = {"all": pace.tokens_per_s, "each": pace.tokens_per_s_per_request, "step": pace.seconds}[metric]
    return None if value is None else float(value) / _each(evaluation, metric)


def _each(evaluation: Evaluation, metric: Metric) -> float:
    """What a rate of tokens is divided by to be one of what is counted."""
    return (None if metric == "step" else evaluation.tokens_per_input) or 1.0


def batch_chart(
    evaluation: Evaluation,
    sweep: Sweep,
    metric: Metric,
    *,
    compact: bool = False,
    look: Look = ENGLISH,
) -> BatchChart:
    """One metric against batch on every visible device."""
    active = evaluation.active
    x_max = shown_batch(evaluation, None if active is None else fit_batch(evaluation, active))
    swept, xs = {s.key: s for s in sweep.devices}, np.log2(sweep.batches)
    names = _names(evaluation, look)
    curves = tuple(
        replace(
            _curve(evaluation, d, swept[d.entry.id], xs, metric, active=d is active, look=look),
            shorter=names[d.entry.id][1:],
        )
        for d in sorted(visible_devices(evaluation), key=lambda d: d is active)
        if d.entry.id in swept
    )
    y_min, y_max, y_ticks = _axis(evaluation, curves, x_max, metric, 4 if compact else 5)
    return BatchChart(
        title=_title(evaluation, metric, compact=compact, look=look),
        x_title="" if compact else render(Message("decode.batch"), look),
        x_max=x_max,
        y_min=y_min,
        y_max=y_max,
        x_ticks=batch_ticks(x_max, 3 if compact else 8),
        y_ticks=y_ticks,
        curves=curves,
        marks=_marks(evaluation, x_max, compact=compact, look=look),
        inputs=evaluation.tokens_per_input is not None,
    )


def on_log_axis(evaluation: Evaluation, curves: Sequence[Curve], x_max: float) -> bool:
    """Whether curves stand on a log axis: as the study says, else where one is ten times another."""
    chosen = evaluation.study.view.log_curves
    return far_apart(curves, x_max) if chosen is None else chosen


def _axis(
    evaluation: Evaluation, curves: Sequence[Curve], x_max: float, metric: Metric, most: int
) -> tuple[float, float, tuple[tuple[float, str], ...]]:
    """Both ends of the axis of values, and its ticks."""
    text = time_tick if metric == "step" else rate_tick
    shown = [c.ys[c.xs <= x_max + 1e-9] for c in curves]
    low = min((float(np.nanmin(ys)) for ys in shown), default=0.0)
    top = max((float(np.nanmax(ys)) for ys in shown), default=0.0)
    if low > 0 and on_log_axis(evaluation, curves, x_max):
        return log_ticks(low, top, text, most)
    return (0.0, *value_ticks(top, text, most))


def _title(evaluation: Evaluation, metric: Metric, *, compact: bool, look: Look) -> str:
    """What is drawn, in the words of the phase; of a mixture of experts also how it routes."""
    kind, routed = _counted(evaluation), routes(evaluation)
    told = ".routed" if routed and kind != ".inputs" else ""
    values: dict[str, Value] = {"routing": routing_text(evaluation, look, "mark" if compact else "")} if told else {}
    return render(Message(f"decode.{metric}{kind}{'.compact' if compact else ''}{told}", values), look)


def _names(evaluation: Evaluation, look: Look) -> dict[str, tuple[str, ...]]:
    """Names of the visible devices by entry, each with shorter ones."""
    seen = [d for d in evaluation.devices if d.entry.visible]
    names = {d.entry.id: device_label(evaluation, d, look) for d in seen}
    return name_forms(names, {d.entry.id: d.entry.device for d in seen})


def _counted(evaluation: Evaluation) -> str:
    """What the titles count: tokens of answers, of prompts, of inputs that run once, or whole inputs."""
    model = evaluation.model
    if evaluation.tokens_per_input is not None:
        return ".inputs"
    if model is None or evaluation.phase.has_kv_growth:
        return ""
    return ".pass" if len(model.phases) == 1 else ".prompt"


def _curve(
    evaluation: Evaluation,
    device: DeviceResult,
    swept: Swept,
    xs: Array,
    metric: Metric,
    *,
    active: bool,
    look: Look,
) -> Curve:
    ys = {"all": swept.all_per_s, "each": swept.each_per_s, "step": swept.step_s}[metric]
    fit = fit_batch(evaluation, device)
    return Curve(
        key=device.entry.id,
        name=device_label(evaluation, device, look),
        colour=colour_index(evaluation, device),
        xs=xs,
        ys=ys / _each(evaluation, metric),
        active=active,
        full_at=None if fit is None else math.log2(max(fit, 0.5)),
    )


def _marks(evaluation: Evaluation, x_max: float, *, compact: bool, look: Look) -> tuple[BatchMark, ...]:
    active = evaluation.active
    if active is None:
        return ()
    colour, name = colour_index(evaluation, active), device_label(evaluation, active, look)
    full = render(Message("decode.mark.fit" if compact else "decode.full_on", {"device": name}), look)
    short = () if compact else (render(Message("decode.mark.fit"), look),)
    return tuple(
        BatchMark(math.log2(k.batch), full, colour, wall=True, shorter=short)
        if k.code == "fit"
        else BatchMark(math.log2(k.batch), k.text, colour)
        for k in knee_list(evaluation, active, look)
        if 1 <= k.batch <= 2.0**x_max and (k.code == "fit" or not compact)
    )


def decode_view(evaluation: Evaluation, sweep: Sweep, look: Look = ENGLISH) -> DecodeView:
    """The whole decode view: throughput in all and per request, step time."""
    if evaluation.model is None or not sweep.devices:
        return DecodeView("", (), (), (), nothing_text(evaluation, "decode.empty", look))
    work = evaluation.study.workload
    counted = work.phase if evaluation.tokens_per_input is None else "inputs"
    title = render(
        phase_message(counted, "title", {"model": evaluation.model.name, "context": f"{work.context:,}"}),
        look,
    )
    charts = tuple(batch_chart(evaluation, sweep, m, look=look) for m in METRICS)
    legend = tuple(
        (device_label(evaluation, d, look), colour_index(evaluation, d)) for d in visible_devices(evaluation)
    )
    return DecodeView(title, charts, tuple(spots_of(evaluation, m) for m in METRICS), legend)


def read_out(chart: BatchChart, metric: Metric, x: float, look: Look = ENGLISH) -> tuple[str, ...]:
    """What stands under the pointer: the batch, then every device's value, the largest first."""
    batch = max(1, round(2.0**x))
    at = math.log2(batch)
    values = sorted(((chart.value_at(c, at), c.name) for c in chart.curves), reverse=True)
    lines = [render(Message("decode.read_out", {"batch": f"{batch:,}"}), look)]
    return (*lines, *(f"{name}  {figure_text(value, metric, look, inputs=chart.inputs)}" for value, name in values))


def figure_text(value: float, metric: Metric, look: Look = ENGLISH, *, inputs: bool = False) -> str:
    """A metric's value: 5.76 ms, 1,389 tok/s."""
    if metric == "each" and inputs:  # all of a batch are in one pass
        return render(Message("decode.passes_per_second", {"count": significant(value)}), look)
    return seconds(value) if metric == "step" else rate_text(value, look, inputs=inputs)


def pace_text(evaluation: Evaluation, tokens_per_s: Number | None, look: Look = ENGLISH) -> str:
    """A rate in what the work counts: tokens, or whole inputs."""
    each = evaluation.tokens_per_input
    rate = None if tokens_per_s is None else float(tokens_per_s) / (each or 1.0)
    return rate_text(rate, look, inputs=each is not None)


def rate_text(value: float | None, look: Look = ENGLISH, *, inputs: bool = False) -> str:
    """Tokens per second, or inputs: whole from 100 on."""
    if value is None:
        return "–"
    return render(
        Message("decode.inputs_per_second" if inputs else "decode.per_second", {"count": significant(value)}), look
    )


register_build(
    "decode", lambda evaluation, look, _texts: decode_view(evaluation, sweep_batches(evaluation), look), DECODE
)
