"""What a mark of the roofline says on hover: lines of "label<tab>figure" under a title."""

import explorer.presentation.roofline.texts
import explorer.presentation.words.bounds
import explorer.presentation.words.said.launches  # noqa: F401 - registers the words used here
from explorer.analysis.ask.comparison.ratios import Elsewhere, on_each
from explorer.analysis.ask.shares import reached
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.placement import Point
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.measured.gap import gap_sentences
from explorer.presentation.quantities.numbers import percent, seconds, significant, times, whole
from explorer.presentation.roofline.build import rate_text
from explorer.presentation.roofline.figure import Mark, Strip
from explorer.presentation.roofline.marks import short_row_name
from explorer.presentation.roofline.measured import gap_of
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.visible import shortened

_CAUSES = 3  # of a point above its roof
_LISTED = 8  # rows of a ring that are listed one by one
_ROOM = 16  # lines of a card
_OTHERS = 6  # devices whose figures stand beside
_LONGEST_NAME = 28


def describe_mark(evaluation: Evaluation, mark: Mark, look: Look = ENGLISH) -> str:
    """Name, intensity, attainable, share of the roof, limiter, time and share of time; a ring lists its rows."""
    result = evaluation.device(mark.device)
    if result is None:
        return mark.label
    shares = {p.row.name: (p, s) for p, s in zip(result.points, result.shares, strict=True)}
    rows = [shares[name] for name in mark.rows if name in shares]
    say = _Sayer(look)
    device = device_label(evaluation, result, look)
    if mark.measured:
        return _measured_card(evaluation, mark, say, device, look)
    if not rows:
        return "\n".join([say("hover.on", name=mark.label, device=device), *_measured(mark, say)])
    others = _elsewhere(evaluation, result, [p.row.name for p, _ in rows], say, look)
    if len(rows) == 1:
        title = say("hover.on", name=rows[0][0].row.name, device=device)
        return "\n".join([title, *_single(*rows[0], say), *others])
    title = say("hover.on", name=mark.label or ", ".join(short_row_name(n) for n in mark.rows[:3]), device=device)
    together = _line(say, "hover.together", _together(rows, say))
    head = [title, *_place(rows[0][0], say), together, *others]
    listed = [f"{p.row.name}\t{percent(s)}" for p, s in rows[: min(_LISTED, _ROOM - len(head))]]
    return "\n".join([*head, *listed])


def describe_strip(evaluation: Evaluation, strip: Strip, look: Look = ENGLISH) -> str:
    """Name, why it stands in the strip, and its share of the time."""
    result = evaluation.device(strip.device)
    device = device_label(evaluation, result, look) if result is not None else ""
    say = _Sayer(look)
    others = [] if result is None else _elsewhere(evaluation, result, list(strip.rows), say, look)
    return "\n".join(
        [
            say("hover.on", name=strip.rows[0], device=device),
            say("hover.no_flops"),
            _line(say, "hover.time", percent(strip.area)),
            *others,
        ]
    )


def _together(rows: list[tuple[Point, float]], say: "_Sayer") -> str:
    """All calls of several rows: their time, operator by operator, and its share of the step."""
    time = seconds(sum(float(p.total_s) for p, _ in rows))
    if any(p.launches_unknown for p, _ in rows):
        time = say("launches.least", time=time)
    return say("hover.together_value", time=time, share=percent(sum(s for _, s in rows)))


def _elsewhere(evaluation: Evaluation, here: DeviceResult, names: list[str], say: "_Sayer", look: Look) -> list[str]:
    """The same on the other visible devices: the bound where it is another, time and ratio to the baseline's."""
    found = on_each(evaluation, names)
    own = next((e for e in found if e.result is here), None)
    baseline = evaluation.baseline
    if own is None or baseline is None or len(found) == 1:
        return []
    lines = []
    if here is not baseline and own.ratio.value is not None:
        of = say("hover.here", device=device_label(evaluation, baseline, look))
        lines.append(f"{of}\t{say('hover.ratio', ratio=times(own.ratio.value))}")
    others = [e for e in found if e is not own]
    for other in others[:_OTHERS]:
        label = say("hover.elsewhere", device=shortened(device_label(evaluation, other.result, look), _LONGEST_NAME))
        lines.append(f"{label}\t{_figures(other, own, other.result is baseline, say)}")
    if len(others) > _OTHERS:
        lines.append(say("hover.others", count=len(others) - _OTHERS))
    return lines


def _figures(other: Elsewhere, own: Elsewhere, is_baseline: bool, say: "_Sayer") -> str:
    """`compute, 27.5 µs, 2.44×`."""
    time = seconds(other.seconds)
    parts = [say(f"bound.{other.bound}")] if other.bound is not None and other.bound != own.bound else []
    parts.append(say("launches.least", time=time) if other.launches_unknown else time)
    if is_baseline:
        parts.append("1×")
    elif other.ratio.value is not None:
        parts.append(times(other.ratio.value))
    return say("hover.list").join(parts)


class _Sayer:
    """Sentences in the reader's language."""

    def __init__(self, look: Look) -> None:
        self._look = look

    def __call__(self, key: str, **values: str | int) -> str:
        return render(Message(key, values), self._look)


def _line(say: _Sayer, key: str, figure: str) -> str:
    return f"{say(key)}\t{figure}"


def _place(point: Point, say: _Sayer) -> list[str]:
    lines = []
    if point.intensity is not None:
        lines.append(_line(say, "hover.intensity", f"{significant(float(point.intensity))} FLOP/byte"))
    attainable = point.attainable
    if attainable is not None:
        lines.append(_line(say, "hover.attainable", rate_text(attainable, point.peak.format)))
        part = reached(point)
        if part < 0.995:
            text = say("hover.reached_value", rate=rate_text(point.performance), share=percent(part))
            lines.append(_line(say, "hover.reached", text))
    lines.append(_line(say, "hover.waits", say(f"bound.{point.bound}")))
    return lines


def _single(point: Point, share: float, say: _Sayer) -> list[str]:
    count = float(point.row.count)
    time = seconds(float(point.time_s))
    if point.launches_unknown:
        time = say("launches.unknown", time=time)
    key = "hover.calls_value" if count != 1 else "hover.time_value"
    text = say(key, count=whole(count), time=time, share=percent(share))
    return [*_place(point, say), _line(say, "hover.time", text)]


def _measured_card(evaluation: Evaluation, mark: Mark, say: _Sayer, device: str, look: Look) -> str:
    """What was timed, how far it is from its bound, and in words why."""
    lines = [say("hover.on", name=mark.label or mark.rows[0], device=device), *_measured(mark, say)]
    found = gap_of(evaluation, mark.measurement)
    if found is not None and found.efficiency is not None:
        lines.insert(1, _line(say, "hover.time", seconds(found.measured_s)))
        lines += gap_sentences(found, look, device)[1 : 2 + _CAUSES]
    return "\n".join(lines)


def _measured(mark: Mark, say: _Sayer) -> list[str]:
    lines = [_line(say, "hover.reached", rate_text(10**mark.y))]
    if mark.ceiling is not None:
        lines.append(_line(say, "hover.attainable", rate_text(10**mark.ceiling)))
        lines.append(say("hover.of_bound", share=percent(10 ** (mark.y - mark.ceiling))))
    return lines
