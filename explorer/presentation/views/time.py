"""Where the time goes: for each operator its share of the time beside its share of the FLOPs."""

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.ask.shares import Sum, over_proportion, sum_of, vector_share
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.resources import Bound
from explorer.presentation.answer.nothing import nothing_text
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import percent, scaled, seconds, significant
from explorer.presentation.slide.titles import TIME
from explorer.presentation.views.declared import register_build
from explorer.presentation.words.bounds import BOUND_ORDER, bound_text
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render
from explorer.presentation.words.said.launches import least_text

Order = Literal["time", "execution"]
_NOTABLE = 3.0  # times its share of the FLOPs
_LEAST_TIME = 0.01
_MOST_ROWS = 60  # that a page has room for in type that can be read

register(
    {
        "time.title": QT_TRANSLATE_NOOP("messages", "Operator by operator: where {time} go on {device}"),
        "time.title_least": QT_TRANSLATE_NOOP(
            "messages", "Operator by operator: where at least {time} go on {device}, launches unknown"
        ),
        "time.finding": QT_TRANSLATE_NOOP(
            "messages", "Norms, activations and the like: {flops} of the FLOPs, {time} of the time."
        ),
        "time.header_time": QT_TRANSLATE_NOOP("messages", "Time share"),
        "time.header_flops": QT_TRANSLATE_NOOP("messages", "FLOP share"),
        "time.times": QT_TRANSLATE_NOOP("messages", "{factor}× its FLOP share"),
        "time.no_flops": QT_TRANSLATE_NOOP("messages", "no FLOPs"),
        "time.step": QT_TRANSLATE_NOOP("messages", "Time"),
        "time.flops": QT_TRANSLATE_NOOP("messages", "FLOPs"),
        "time.others": QT_TRANSLATE_NOOP("messages", "{count} others"),
        "time.empty": QT_TRANSLATE_NOOP("messages", "Choose a device and a model or operators to see where time goes."),
    }
)


class TimeBar(msgspec.Struct, frozen=True):
    """One operator: all its calls in a step; or several, which wait for this and that and have no `bound`."""

    name: str
    bound: Bound | Literal[""]
    time_share: float
    flop_share: float
    time_text: str
    time_percent: str
    flop_percent: str
    note: str = ""


class TimeView(msgspec.Struct, frozen=True):
    """Operators with their shares, in the order chosen; texts are final.

    `others` is for paper: its n-th bar tells all together that come after the first n.
    """

    title: str
    finding: str
    bars: tuple[TimeBar, ...]
    time_text: str
    flops_text: str
    headers: tuple[str, str, str, str]  # time, FLOPs, time share, FLOP share
    bounds: tuple[tuple[Bound, str], ...]
    selection: frozenset[str] = msgspec.field(default_factory=frozenset)
    empty_text: str = ""
    others: tuple[TimeBar, ...] = ()


def folded(view: TimeView, rows: int) -> TimeView:
    """The view in at most so many rows: the last one tells together what is left."""
    if len(view.bars) <= rows or not view.others:
        return view
    first = min(rows, len(view.others)) - 1
    return replace(view, bars=(*view.bars[:first], view.others[first]))


def time_view(evaluation: Evaluation, *, order: Order = "time", look: Look = ENGLISH, paged: bool = True) -> TimeView:
    """The active device's step, operator by operator; `paged` where it may have to fit a page."""
    device = evaluation.active
    if device is None or not device.points:
        empty = nothing_text(evaluation, "time.empty", look)
        return TimeView("", "", (), "", "", ("", "", "", ""), (), empty_text=empty)
    places = list(range(len(device.points)))
    if order == "time":
        places.sort(key=lambda i: -device.shares[i])
    bars = [_bar(device, i, look) for i in places]
    total = seconds(float(device.totals.time_s))
    title = Message(
        "time.title_least" if device.launches_unknown else "time.title",
        {"time": total, "device": device_label(evaluation, device, look)},
    )
    present = {b.bound for b in bars}
    return TimeView(
        title=render(title, look),
        finding=_finding(evaluation, device, look),
        bars=tuple(bars),
        time_text=least_text(device, total, look),
        flops_text=scaled(float(device.totals.traffic.flops), "FLOP"),
        headers=tuple(  # type: ignore[arg-type]  # four of them
            render(Message(f"time.{k}"), look) for k in ("step", "flops", "header_time", "header_flops")
        ),
        bounds=tuple((b, bound_text(b, "waits", look)) for b in BOUND_ORDER if b in present),
        selection=frozenset(evaluation.study.view.selection),
        others=_others(device, places, look) if paged else (),
    )


def _bar(device: DeviceResult, i: int, look: Look) -> TimeBar:
    point, time, flops = device.points[i], device.shares[i], device.flop_shares[i]
    none = not float(point.costs.flops)
    return TimeBar(
        name=point.row.name,
        bound=point.bound,
        time_share=time,
        flop_share=flops,
        time_text=least_text(device, seconds(float(point.total_s)), look),
        time_percent=percent(time, 3),
        flop_percent=render(Message("time.no_flops"), look) if none else percent(flops, 3),
        note=_note(device, i, look),
    )


def _others(device: DeviceResult, places: Sequence[int], look: Look) -> tuple[TimeBar, ...]:
    """For each number of bars that go before, the others as one."""
    left = [device.points[i] for i in places]
    return tuple(
        _together(device, sum_of(device, left[n:]), len(left) - n, look) for n in range(len(left))[:_MOST_ROWS]
    )


def _together(device: DeviceResult, rest: Sum, count: int, look: Look) -> TimeBar:
    return TimeBar(
        name=render(Message("time.others", {"count": f"{count:,}"}), look),
        bound="",
        time_share=rest.time_share,
        flop_share=rest.flop_share,
        time_text=least_text(device, seconds(rest.time_s), look),
        time_percent=percent(rest.time_share, 3),
        flop_percent=percent(rest.flop_share, 3) if rest.flops else render(Message("time.no_flops"), look),
    )


def _note(device: DeviceResult, place: int, look: Look) -> str:
    """How far an operator's time is out of proportion to its FLOPs, where that is worth a word."""
    times = over_proportion(device, place)
    if device.shares[place] < _LEAST_TIME or times is None or times < _NOTABLE:
        return ""
    return render(Message("time.times", {"factor": significant(times, 2)}), look)


def _finding(evaluation: Evaluation, device: DeviceResult, look: Look) -> str:
    """Operators on the vector units taken together; silent where there are none."""
    found = vector_share(evaluation, device)
    if found is None:
        return ""
    time, flops = found
    return render(Message("time.finding", {"flops": percent(flops, 3), "time": percent(time, 3)}), look)


register_build("time", lambda evaluation, look, _texts: time_view(evaluation, look=look), TIME)
