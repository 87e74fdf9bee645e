"""An operator on every device side by side: why its times differ as they do."""

from explorer.analysis.ask.comparison.ratios import Elsewhere, on_each
from explorer.analysis.ask.main_work import ridge_of
from explorer.analysis.step.placement import Point
from explorer.presentation.explain.lines import Line, Teller
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.quantities.numbers import seconds, significant, times
from explorer.presentation.words.bounds import bound_word
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register
from explorer.presentation.words.said.launches import least_text

register(
    {
        "explain.beside": QT_TRANSLATE_NOOP("messages", "{name} on {count} devices, ratios to {device}:"),
        "explain.beside_below": QT_TRANSLATE_NOOP("messages", "{intensity} FLOP/byte < ridge {ridge}: {bound}"),
        "explain.beside_above": QT_TRANSLATE_NOOP("messages", "{intensity} FLOP/byte ≥ ridge {ridge}: {bound}"),
        "explain.beside_bound": QT_TRANSLATE_NOOP("messages", "waits for {bound}"),
        "explain.beside_time": QT_TRANSLATE_NOOP("messages", "{before} → {time}, {ratio}"),
        "explain.beside_memory": QT_TRANSLATE_NOOP("messages", "Bandwidth alone would be {ratio}."),
        "explain.beside_launches": QT_TRANSLATE_NOOP("messages", "No ratio: launches are unknown."),
    }
)


def beside_lines(teller: Teller, point: Point) -> list[Line]:
    """The operator on the baseline and on every other visible device; nothing where there is one."""
    found = on_each(teller.evaluation, [point.row.name])
    base = next((e for e in found if e.result is teller.evaluation.baseline), None)
    if base is None or len(found) == 1 or len(base.points) != 1:
        return []
    head = teller.remark("beside", name=point.row.name, count=len(found), device=_name(teller, base))
    return [head, _line(teller, base, base), *(_line(teller, e, base) for e in found if e is not base)]


def _line(teller: Teller, on: Elsewhere, base: Elsewhere) -> Line:
    return Line(
        _name(teller, on), formula=_verdict(teller, on), result=_time(teller, on, base), source=_why(teller, on)
    )


def _name(teller: Teller, on: Elsewhere) -> str:
    return device_label(teller.evaluation, on.result, teller.look)


def _verdict(teller: Teller, on: Elsewhere) -> str:
    """The intensity against the ridge of the peak that judges it there, and what it waits for."""
    point = on.points[0]
    ridge, bound = ridge_of(point.peak, on.result.machine), bound_word(point.bound, teller.look)
    if point.intensity is None or ridge is None:
        return teller.say("beside_bound", bound=bound)
    key = "beside_below" if float(point.intensity) < ridge else "beside_above"
    return teller.say(key, intensity=significant(float(point.intensity)), ridge=significant(ridge), bound=bound)


def _time(teller: Teller, on: Elsewhere, base: Elsewhere) -> str:
    time = least_text(on.result, seconds(on.seconds), teller.look)
    if on is base or on.ratio.value is None:
        return time
    before = least_text(base.result, seconds(base.seconds), teller.look)
    return teller.say("beside_time", before=before, time=time, ratio=times(on.ratio.value))


def _why(teller: Teller, on: Elsewhere) -> str:
    """What the bandwidths alone would make of it, where that is another ratio."""
    if on.ratio.why == "launches":
        return teller.say("beside_launches")
    alone = times(on.memory_ratio.value)
    differs = on.ratio.value is not None and on.memory_ratio.value is not None and alone != times(on.ratio.value)
    return teller.say("beside_memory", ratio=alone) if differs else ""
