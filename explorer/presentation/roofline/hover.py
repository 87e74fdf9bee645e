"""What a mark of the roofline says on hover: lines of "label<tab>figure" under a title."""

import explorer.presentation.roofline.texts
import explorer.presentation.words.bounds
import explorer.presentation.words.said.launches  # noqa: F401 - registers the words used here
from explorer.analysis.ask.shares import reached
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.placement import Point
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.measured.gap import gap_sentences
from explorer.presentation.quantities.numbers import percent, seconds, significant, whole
from explorer.presentation.roofline.build import rate_text
from explorer.presentation.roofline.figure import Mark, Strip
from explorer.presentation.roofline.marks import short_row_name
from explorer.presentation.roofline.measured import gap_of
from explorer.presentation.words.messages import Message, render

_CAUSES = 3  # of a point above its roof
_LISTED = 8  # rows of a ring that are listed one by one


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
    if len(rows) == 1:
        title = say("hover.on", name=rows[0][0].row.name, device=device)
        return "\n".join([title, *_single(*rows[0], say)])
    title = say("hover.on", name=mark.label or ", ".join(short_row_name(n) for n in mark.rows[:3]), device=device)
    listed = [f"{p.row.name}\t{percent(s)}" for p, s in rows[:_LISTED]]
    first = rows[0][0]
    return "\n".join(
        [title, *_place(first, say), _line(say, "hover.together", percent(sum(s for _, s in rows))), *listed]
    )


def describe_strip(evaluation: Evaluation, strip: Strip, look: Look = ENGLISH) -> str:
    """Name, why it stands in the strip, and its share of the time."""
    result = evaluation.device(strip.device)
    device = device_label(evaluation, result, look) if result is not None else ""
    say = _Sayer(look)
    return "\n".join(
        [
            say("hover.on", name=strip.rows[0], device=device),
            say("hover.no_flops"),
            _line(say, "hover.time", percent(strip.area)),
        ]
    )


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
