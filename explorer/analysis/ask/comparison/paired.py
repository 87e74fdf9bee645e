"""The time of a step operator by operator on several subjects: operators that are alike together, the rest summed."""

import math
from collections.abc import Sequence
from typing import Final

import msgspec

from explorer.analysis.ask.comparison.drawn import Drawn
from explorer.analysis.step.evaluate import DeviceResult
from explorer.analysis.step.rows import Row

NOTABLE: Final = 0.01  # of the step's time

_Key = tuple[str, str]
Seconds = tuple[float | None, ...]


class PairedTimes(msgspec.Struct, frozen=True):
    """Some operators taken together: all their calls in a step.

    Parameters
    ----------
    names
        Names of the operators, as the first subject that runs them has them.
    seconds
        s, one for each subject; None where it runs none of them.
    ratios
        Seconds over the baseline's; None where there is no such ratio.
    """

    names: tuple[str, ...]
    seconds: Seconds
    ratios: Seconds


class PairedStep(msgspec.Struct, frozen=True):
    """The steps of several subjects, operator by operator.

    Parameters
    ----------
    groups
        Operators of one kind in one part of a layer, the longest on the first subject first.
    rests
        What is left after the first n groups, one for each n from 0; its `seconds` and those groups' add up to `whole`.
    whole
        Each step, operator by operator (`time_s` of the conventions).
    """

    groups: tuple[PairedTimes, ...]
    rests: tuple[PairedTimes, ...]
    whole: PairedTimes

    def ratio_range(self, place: int) -> tuple[PairedTimes, PairedTimes] | None:
        """The groups with the smallest and the largest ratio of a subject, of those that take time on any.

        Of equal ratios the group that takes longest stands for them.
        """
        whole = self.whole.seconds
        found = [
            g
            for g in self.groups
            if g.ratios[place] is not None
            and any(s and w and s >= NOTABLE * w for s, w in zip(g.seconds, whole, strict=True))
        ]
        if not found:
            return None

        def end(group: PairedTimes, sign: float) -> tuple[float, float]:
            return round(sign * (group.ratios[place] or 0.0), 3), -(group.seconds[place] or 0.0)

        return min(found, key=lambda g: end(g, 1.0)), min(found, key=lambda g: end(g, -1.0))


def paired_step(drawn: Drawn) -> PairedStep:
    """The operators of the subjects drawn; the first one's times order the groups."""
    results = [s.result for s in drawn.subjects if s.result is not None]
    base = next((i for i, s in enumerate(drawn.subjects) if s is drawn.baseline), None)
    parts = [_by_group(result) for result in results]
    names: dict[_Key, tuple[str, ...]] = {}
    for part in parts:
        for key, (rows, _) in part.items():
            names.setdefault(key, rows)
    groups = [
        _times(rows, tuple(part[key][1] if key in part else None for part in parts), base)
        for key, rows in names.items()
    ]
    groups.sort(key=lambda g: tuple(-(s or 0.0) for s in g.seconds))
    every = tuple(name for group in groups for name in group.names)
    whole = _times(every, tuple(float(result.totals.time_s) for result in results), base)
    rests = tuple(_rest(groups[n:], len(results), base) for n in range(len(groups) + 1))
    return PairedStep(tuple(groups), rests, whole)


def _times(names: tuple[str, ...], seconds: Seconds, base: int | None) -> PairedTimes:
    to = None if base is None else seconds[base]
    ratios = tuple(s / to if s is not None and to else None for s in seconds)
    return PairedTimes(names, seconds, ratios)


def _by_group(result: DeviceResult) -> dict[_Key, tuple[tuple[str, ...], float]]:
    """Names and seconds of operators of one kind in one part of a layer; the user's own stand alone."""
    names: dict[_Key, list[str]] = {}
    seconds: dict[_Key, list[float]] = {}
    for place, point in enumerate(result.points):
        key = _key(point.row, place)
        names.setdefault(key, []).append(point.row.name)
        seconds.setdefault(key, []).append(float(point.total_s))
    return {key: (tuple(dict.fromkeys(rows)), math.fsum(seconds[key])) for key, rows in names.items()}


def _key(row: Row, place: int) -> _Key:
    if row.own:
        return "", f"{place} {row.name}"  # two of the user's own may share a name
    return (row.group, row.kind) if row.group else ("", row.name)


def _rest(groups: Sequence[PairedTimes], count: int, base: int | None) -> PairedTimes:
    """The sum of some groups."""
    names = tuple(name for group in groups for name in group.names)
    known = [[s for s in (group.seconds[i] for group in groups) if s is not None] for i in range(count)]
    return _times(names, tuple(math.fsum(column) if column else None for column in known), base)
