"""Points of one device: placed, coincident ones merged, the biggest shares labelled."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from explorer.analysis.ask.shares import own_share
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.placement import Placed, Point
from explorer.presentation.hardware.entries import colour_index as entry_colour
from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import factor, percent
from explorer.presentation.roofline.figure import Crowd, Mark, Strip
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.short_names import whole_numbers

MANY = 300  # rows of the user's own beyond which they are a crowd
FRONT = 40  # of a crowd the biggest are marks like any other
STRIPS = 200  # operators without FLOPs that are listed
LABELS = 12  # at most so many labels compete for room
_PARENTS = ("self_attn.", "attn.", "mlp.")
_NAMES = 3  # names that a label lists before it counts
_LONG = 30  # characters of names; with longer ones fewer are listed
_SHORT = 14  # characters of the one name that a shorter label has
_SMALL = 0.02  # shares under this are labelled together where they stand together
_NEAR = 0.3  # decades between the points of such a group
_VISIBLE_GAIN = 0.03  # decades under a roof from which an arrow is worth drawing


class Placing(NamedTuple):
    """How points become marks: log10 bytes per value of the axis (0 per byte), merging distance, language."""

    shift: float
    tolerance: float
    look: Look

    def say(self, key: str, **values: str | int) -> str:
        """A sentence in the reader's language."""
        return render(Message(key, values), self.look)


def colour_index(evaluation: Evaluation, result: DeviceResult) -> int:
    """Which of the palette's colours and dashes a device has: its own choice, else its place in the study."""
    return entry_colour(evaluation.study, result.entry.id)


class _Spot(NamedTuple):
    x: float
    y: float
    share: float
    point: Point


class DeviceMarks(NamedTuple):
    """Marks that are laid out one by one, and a crowd where the user has very many rows."""

    marks: list[Mark]
    crowds: tuple[Crowd, ...] = ()


def device_marks(result: DeviceResult, colour: int, placing: Placing, *, active: bool) -> DeviceMarks:
    """Marks of one device's rows, the smallest first so that the biggest are painted last.

    Very many rows of the user's own merge among themselves: what a step leaves alone is not made again.
    """
    many = result.own.on_chart > MANY
    shares = zip(result.placed if many else result.points, result.shares)  # noqa: B905 - the model's rows come first
    groups = _merged(_spots(shares, placing.shift), placing.tolerance)
    marks = [_mark(g, result.entry.id, colour, placing, active=active) for g in groups]
    crowds: tuple[Crowd, ...] = ()
    if many:
        front, crowds = _own_marks(result, colour, placing, active=active)
        part = own_share(result)
        marks += [replace(m, area=m.area * part) for m in front]
    marks.sort(key=lambda m: m.area)
    return DeviceMarks(_labelled(marks, placing) if active else marks, crowds)


def crowd_of(marks: tuple[Mark, ...]) -> Crowd:
    """Marks as a crowd, with the ranges that hold them."""
    xs, ys = [m.x for m in marks], [m.y for m in marks]
    return Crowd(marks, (min(xs), max(xs)), (min(ys), max(ys)))


def _own_marks(
    result: DeviceResult, colour: int, placing: Placing, *, active: bool
) -> tuple[tuple[Mark, ...], tuple[Crowd, ...]]:
    """The biggest marks of the user's rows and the crowd of the others; their area is the share among these rows."""
    own = result.own
    key = ("marks", placing, result.entry.id, colour, active)
    found: tuple[tuple[Mark, ...], tuple[Crowd, ...]] | None = own.kept(key)
    if found is not None:
        return found
    whole = own.sum_s or 1.0
    spots = _own_spots(own, own.total_s / whole, placing.shift)
    marks = [_mark(g, result.entry.id, colour, placing, active=active) for g in _merged(spots, placing.tolerance)]
    marks.sort(key=lambda m: m.area)
    small, front = tuple(marks[:-FRONT]), tuple(marks[-FRONT:])
    crowds: tuple[Crowd, ...] = ()
    if small:
        crowds = (crowd_of(small),)
    return own.keep(key, (front, crowds))


def strips_of(result: DeviceResult, colour: int, placing: Placing) -> tuple[tuple[Strip, ...], int]:
    """Rows without FLOPs (or without bytes), the biggest share first, and how many there are.

    Of very many only the first are told: no strip has room for more.
    """
    own, total = result.own, float(result.totals.time_s) or 1.0
    of_own: tuple[list[tuple[float, str]], int] | None = own.kept("strips")
    if of_own is None:
        off = [(t, p.row.name) for p, t in zip(own.points, own.total_s.tolist(), strict=True) if _off_chart(p)]
        of_own = own.keep("strips", (sorted(off, reverse=True)[:STRIPS], len(off)))
    found = [(s, p.row.name) for p, s in zip(result.placed, result.shares) if _off_chart(p)]  # noqa: B905 - the model's
    count = len(found) + of_own[1]
    found += [(seconds / total, name) for seconds, name in of_own[0]]
    found.sort(reverse=True)
    strips = tuple(
        Strip(
            (name,),
            result.entry.id,
            colour,
            placing.say("chart.share", names=short_row_name(name), share=percent(s)),
            s,
        )
        for s, name in found[:STRIPS]
    )
    return strips, count


def short_row_name(name: str) -> str:
    """A row's name as a chart writes it: mlp.gate_proj is gate."""
    for parent in _PARENTS:
        name = name.removeprefix(parent)
    return name.removesuffix("_proj")


def listed(names: Sequence[str], placing: Placing, key: str, share: str, most: int = _NAMES) -> str:
    """The text of a ring or group: "gate, up, down + 5 more · 77 % of time"."""
    distinct = list(dict.fromkeys(short_row_name(n) for n in names))
    while most > 1 and len("".join(distinct[:most])) > _LONG:
        most -= 1
    shown = placing.say("chart.list").join(distinct[:most])
    more = len(distinct) - most
    if more > 0:
        return placing.say(f"{key}_more", names=shown, count=more, share=share)
    return placing.say(key, names=shown, share=share)


def _on_chart(point: Point) -> bool:
    return bool(point.costs.flops > 0 and point.bytes > 0 and point.time_s > 0)


def _own_spots(own: Placed, shares: npt.NDArray[np.float64], shift: float) -> list[_Spot]:
    on = np.flatnonzero((own.stack.flops > 0) & (own.stack.moved > 0) & (own.time_s > 0))
    flops = np.log10(own.stack.flops[on])
    xs, ys = flops - np.log10(own.stack.moved[on]) + shift, flops - np.log10(own.time_s[on])
    order = np.lexsort((ys, xs))
    points = own.points
    figures = zip(xs[order].tolist(), ys[order].tolist(), shares[on][order].tolist(), on[order].tolist(), strict=True)
    return [_Spot(x, y, share, points[i]) for x, y, share, i in figures]


def _off_chart(point: Point) -> bool:
    return not _on_chart(point) and bool(point.costs.flops or point.bytes)


def _spots(shares: Iterable[tuple[Point, float]], shift: float) -> list[_Spot]:
    log10 = math.log10
    spots = []
    for point, share in shares:
        costs = point.costs
        moved = costs.bytes_read + costs.bytes_written
        if costs.flops > 0 and moved > 0 and point.time_s > 0:
            flops = log10(costs.flops)
            spots.append(_Spot(flops - log10(moved) + shift, flops - log10(point.time_s), share, point))
    spots.sort(key=lambda s: (s.x, s.y))
    return spots


def _merged(spots: list[_Spot], tolerance: float) -> list[list[_Spot]]:
    """Groups of spots that fall together on screen; each group's biggest share comes first."""
    groups: list[list[_Spot]] = []
    for spot in spots:
        for group in reversed(groups):
            if spot.x - group[0].x > tolerance:
                groups.append([spot])
                break
            if abs(spot.y - group[0].y) <= tolerance:
                group.append(spot)
                break
        else:
            groups.append([spot])
    for group in groups:
        group.sort(key=lambda s: -s.share)
    return groups


def _mark(group: list[_Spot], device: str, colour: int, placing: Placing, *, active: bool) -> Mark:
    first = group[0]
    attainable = first.point.attainable
    ceiling = math.log10(attainable) if attainable else None
    gap = 0.0 if ceiling is None else ceiling - first.y
    gain = placing.say("chart.gain", gain=factor(10**gap)) if gap > _VISIBLE_GAIN else ""
    return Mark(
        x=first.x,
        y=first.y,
        rows=tuple(s.point.row.name for s in group),
        device=device,
        colour=colour,
        label="",
        area=sum(s.share for s in group),
        bound=first.point.bound,
        ceiling=ceiling,
        active=active,
        gain_text=gain,
    )


def _labelled(marks: list[Mark], placing: Placing) -> list[Mark]:
    """The biggest shares get a label; small ones that stand together get one for all."""
    done = list(marks)
    order = range(len(marks) - 1, -1, -1)
    big = [i for i in order if marks[i].area >= _SMALL][:LABELS]
    for n, i in enumerate(big):
        key, share = "chart.share" if n else "chart.first", percent(marks[i].area)
        label = listed(marks[i].rows, placing, key, share)
        done[i] = replace(marks[i], label=label, shorter=_shorter(label, marks[i].rows, placing, key, share))
    for cluster in _clusters([i for i in order if marks[i].area < _SMALL], marks)[: LABELS - len(big)]:
        names = [n for i in sorted(cluster, key=lambda i: -marks[i].area) for n in marks[i].rows]
        share = percent(sum(marks[i].area for i in cluster))
        text = listed(names, placing, "chart.share", share, 2)
        done[cluster[0]] = replace(
            marks[cluster[0]], label=text, shorter=_shorter(text, names, placing, "chart.share", share)
        )
    return done


def _shorter(label: str, names: Sequence[str], placing: Placing, key: str, share: str) -> tuple[str, ...]:
    """A label's shorter wordings: one name, its beginning, and the share alone."""
    distinct = list(dict.fromkeys(short_row_name(n) for n in names))
    first = distinct[0]
    plain = "chart.share"  # without "of time"
    found = [listed(distinct, placing, k, share, 1) for k in (key, plain)]
    if len(first) > _SHORT:
        begun = whole_numbers(first, first[: _SHORT - 2])
        if begun:
            found.append(listed([f"{begun}…", *distinct[1:]], placing, plain, share, 1))
    return tuple(t for t in dict.fromkeys((*found, share)) if t != label)


def _clusters(small: list[int], marks: list[Mark]) -> list[list[int]]:
    clusters: list[list[int]] = []
    for i in small:
        near = next((c for c in clusters if any(_close(marks[i], marks[j]) for j in c)), None)
        if near is None:
            clusters.append([i])
        else:
            near.append(i)
    return sorted(clusters, key=lambda c: -sum(marks[i].area for i in c))


def _close(one: Mark, other: Mark) -> bool:
    return abs(one.x - other.x) < _NEAR and abs(one.y - other.y) < _NEAR
