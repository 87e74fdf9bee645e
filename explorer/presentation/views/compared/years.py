"""Bandwidth and ridge over the years of the whole database, the study's devices in their colours."""

import math

import msgspec

from explorer.analysis.ask.comparison.years import Years, years
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.hardware.entries import colour_index
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import scaled, significant, whole
from explorer.presentation.roofline.build import rate_text
from explorer.presentation.views.compared.axis import CurveAxis, log_axis
from explorer.presentation.views.compared.reading import reading
from explorer.presentation.views.declared import Says, register_build
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render
from explorer.presentation.words.visible import one_line

_SPREAD = 0.62  # of a year, over which its devices lie
_MOST_TICKS = 7
_WHOLE = 10  # FLOP/byte from which a ridge is told without decimals
_KINDS = ("gpu", "apu", "cpu", "tpu", "npu")
_STEPS = (1, 2, 3, 5, 10)
_UNITS = ((1e15, "P"), (1e12, "T"), (1e9, "G"))

register(
    {
        "years.title": QT_TRANSLATE_NOOP("messages", "Bandwidth and ridge over the years"),
        "years.bandwidth": QT_TRANSLATE_NOOP("messages", "Bandwidth, B/s"),
        "years.ridge": QT_TRANSLATE_NOOP("messages", "Ridge, FLOP/byte"),
        "years.falls": QT_TRANSLATE_NOOP(
            "messages",
            "The ridge does not grow steadily: {ridges} over NVIDIA's fastest SXM modules, {first} to {last}.",
        ),
        "years.grows": QT_TRANSLATE_NOOP(
            "messages", "The ridge grows along NVIDIA's fastest SXM modules, {first} to {last}: {ridges}."
        ),
        "years.list": QT_TRANSLATE_NOOP("messages", ", "),
        "years.count": QT_TRANSLATE_NOOP(
            "messages",
            "{count} devices, at the faster of dense bf16 and fp16; line: NVIDIA's SXM modules, those that were not "
            "slower than what came before.",
        ),
        "years.ridges": QT_TRANSLATE_NOOP("messages", "{ridges} FLOP/byte"),
        "years.ridges_alike": QT_TRANSLATE_NOOP("messages", "{ridges} FLOP/byte and {count} alike"),
        "years.without_year": QT_TRANSLATE_NOOP("messages", "Without a year: {count}."),
        "years.without_peak": QT_TRANSLATE_NOOP("messages", "Without a 16-bit peak: {count}."),
        "years.without_bandwidth": QT_TRANSLATE_NOOP("messages", "Without a bandwidth: {count}."),
        "years.tip": QT_TRANSLATE_NOOP("messages", "{name}, {year}"),
        "years.tip_figures": QT_TRANSLATE_NOOP("messages", "{bandwidth}, {peak} {format}, ridge {ridge}"),
        "years.empty": QT_TRANSLATE_NOOP(
            "messages", "No device of the database has a year, a bandwidth and a 16-bit peak."
        ),
        "years.class.gpu": QT_TRANSLATE_NOOP("messages", "GPU"),
        "years.class.cpu": QT_TRANSLATE_NOOP("messages", "CPU"),
        "years.class.apu": QT_TRANSLATE_NOOP("messages", "chip with GPU"),
        "years.class.tpu": QT_TRANSLATE_NOOP("messages", "TPU"),
        "years.class.npu": QT_TRANSLATE_NOOP("messages", "NPU"),
    }
)


class YearMark(msgspec.Struct, frozen=True):
    """One device at its year, `ys` log10 for each chart; `colour` where it is of the study, `name` where it has one."""

    x: float
    ys: tuple[float, float]
    kind: str
    tip: str
    name: str = ""
    colour: int | None = None


class YearsFigure(msgspec.Struct, frozen=True):
    """Two charts over the same years: bandwidth and ridge. Texts are final; `line` are places of marks, in order."""

    title: str
    finding: str
    charts: tuple[tuple[str, CurveAxis], ...] = ()
    x: CurveAxis = CurveAxis(0.0, 1.0, ())
    marks: tuple[YearMark, ...] = ()
    line: tuple[int, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    empty_text: str = ""


def years_figure(evaluation: Evaluation, look: Look = ENGLISH) -> YearsFigure:
    """The database by year."""
    found = years(evaluation)
    title = render(Message("years.title"), look)
    if not found.points:
        return YearsFigure(title, "", empty_text=render(Message("years.empty"), look))
    marks = _marks(evaluation, found, look)
    bandwidths, ridges = [p.bandwidth for p in found.points], [p.ridge for p in found.points]
    kinds = [kind for kind in _KINDS if any(p.device.class_ == kind for p in found.points)]
    return YearsFigure(
        title=title,
        finding=_finding(found, look),
        charts=(
            (render(Message("years.bandwidth"), look), _with_units(log_axis(min(bandwidths), max(bandwidths)))),
            (render(Message("years.ridge"), look), log_axis(min(ridges), max(ridges))),
        ),
        x=_years_axis(found),
        marks=marks,
        line=found.line,
        kinds=tuple((kind, render(Message(f"years.class.{kind}"), look)) for kind in kinds),
        notes=_notes(found, look),
    )


def _with_units(axis: CurveAxis) -> CurveAxis:
    """Ticks as 100 GB/s has them: 100 G."""
    ticks = tuple((at, _unit_text(10.0**at)) for at, _ in axis.ticks)
    return msgspec.structs.replace(axis, ticks=ticks)


def _unit_text(value: float) -> str:
    size, prefix = next((u for u in _UNITS if value >= u[0] * 0.999), (1.0, ""))
    return f"{value / size:.4g} {prefix}".rstrip()


def _years_axis(found: Years) -> CurveAxis:
    first, last = found.points[0].year, found.points[-1].year
    step = next((s for s in _STEPS if (last - first) / s < _MOST_TICKS), _STEPS[-1])
    ticks = tuple((float(year), str(year)) for year in range(last, first - 1, -step))
    return CurveAxis(first - 0.5, last + 0.5, tuple(reversed(ticks)))


def _marks(evaluation: Evaluation, found: Years, look: Look) -> tuple[YearMark, ...]:
    names = names_in(evaluation, look)
    chosen = {e.device.id: e.id for e in reversed(evaluation.study.hardware) if e.visible}
    counts: dict[int, int] = {}
    for point in found.points:
        counts[point.year] = counts.get(point.year, 0) + 1
    seen: dict[int, int] = {}
    marks = []
    for place, point in enumerate(found.points):
        rank = seen[point.year] = seen.get(point.year, -1) + 1
        entry = chosen.get(point.device.id)
        short = one_line(point.device.short or point.device.name)
        name = short if place in found.line else ""
        marks.append(
            YearMark(
                x=point.year + _SPREAD * ((rank + 0.5) / counts[point.year] - 0.5),
                ys=(math.log10(point.bandwidth), math.log10(point.ridge)),
                kind=point.device.class_,
                tip=_tip(short, point.year, point.bandwidth, point.peak, point.format, look),
                name=names[entry].bare if entry is not None else name,
                colour=None if entry is None else colour_index(evaluation.study, entry),
            )
        )
    return tuple(marks)


def _tip(name: str, year: int, bandwidth: float, peak: float, fmt: str, look: Look) -> str:
    values = {"bandwidth": scaled(bandwidth, "B/s"), "peak": rate_text(peak), "format": fmt}
    first = render(Message("years.tip", {"name": name, "year": year}), look)
    figures = Message("years.tip_figures", {**values, "ridge": significant(peak / bandwidth)})
    return f"{first}\n{render(figures, look)}"


def _finding(found: Years, look: Look) -> str:
    """How the ridge goes along the line; what stays the same is told once."""
    if len(found.line) < 2:
        return ""
    texts = [whole(r) if r >= _WHOLE else significant(r, 2) for r in found.ridges]
    told = [t for i, t in enumerate(texts) if i == 0 or t != texts[i - 1]]  # a module in two sizes of memory
    ridges, alike = render(Message("years.list"), look).join(told), len(texts) - len(told)
    key = "years.ridges_alike" if alike else "years.ridges"
    values: dict[str, Value] = {
        "ridges": render(Message(key, {"ridges": ridges, "count": alike}), look),
        "first": found.points[found.line[0]].year,
        "last": found.points[found.line[-1]].year,
    }
    return render(Message("years.falls" if found.falls else "years.grows", values), look)


def _notes(found: Years, look: Look) -> tuple[str, ...]:
    counts = (
        ("years.count", len(found.points)),
        ("years.without_year", found.without_year),
        ("years.without_peak", found.without_peak),
        ("years.without_bandwidth", found.without_bandwidth),
    )
    return tuple(render(Message(key, {"count": count}), look) for key, count in counts if count)


def _title(evaluation: Evaluation, look: Look) -> str:
    return _finding(years(evaluation), look).rstrip(".。") or render(Message("years.title"), look)


def _subtitle(_evaluation: Evaluation, _look: Look) -> str:
    """Nothing: what the figure counts stands under its charts, also where it is painted without a heading."""
    return ""


register_build(
    "years", lambda evaluation, look, _texts: years_figure(evaluation, look), Says(_title, reading("years"), _subtitle)
)
