"""Which operator a kernel belongs to: launched by its correlation, inside the operator that held the launch."""

from array import array
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from explorer.files.importers.torch.names import COPY, HEAVY, LIGHT, NOTHING, UNKNOWN

_CLIMBS = 64  # operators hold one another some dozen deep
Index = npt.NDArray[np.int64]
Seconds = npt.NDArray[np.float64]


@dataclass
class Spans:
    """Operators in the order of the file: thread, start and end in microseconds, and which call they are."""

    thread: "array[int]" = field(default_factory=lambda: array("q"))
    start: "array[float]" = field(default_factory=lambda: array("d"))
    end: "array[float]" = field(default_factory=lambda: array("d"))
    call: "array[int]" = field(default_factory=lambda: array("q"))

    def add(self, thread: int, start: float, duration: float, call: int) -> None:
        """Append one."""
        self.thread.append(thread)
        self.start.append(start)
        self.end.append(start + duration)
        self.call.append(call)


@dataclass
class Nest:
    """Operators sorted by thread and start: what holds each of them, and which one answers for it."""

    thread: Index
    start: Seconds
    end: Seconds
    call: Index
    parent: Index
    owner: Index

    def holding(self, thread: Index, time: Seconds) -> Index:
        """The innermost operator that holds each moment of its thread; -1 where none does."""
        key = np.lexsort((time, thread))
        found = np.full(len(time), -1, dtype=np.int64)
        threads, starts = np.unique(thread[key], return_index=True)
        for t, mine in zip(threads.tolist(), np.split(key, starts[1:]), strict=len(threads) > 0):
            low, high = np.searchsorted(self.thread, [t, t + 1])
            if low == high:
                continue
            at = low + np.searchsorted(self.start[low:high], time[mine], side="right") - 1
            found[mine] = self._out_to(np.where(at >= low, at, -1), time[mine])
        return found

    def _out_to(self, at: Index, time: Seconds) -> Index:
        """Climb from each operator to the first that has not ended at its moment; both in the order of time."""
        for _ in range(_CLIMBS):
            over = (at >= 0) & (self.end[at] < time)
            if not over.any():
                return at
            at = np.where(over, self.parent[at], at)
        return np.array(self._climbed(at.tolist(), time.tolist()), np.int64)

    def _climbed(self, places: list[int], times: list[float]) -> list[int]:
        """The same for operators that hold one another very deep: whoever climbed leaves word of how far.

        Moments come in their order, so that an operator that had ended for one has ended for all later ones.
        """
        beyond: dict[int, int] = {}
        found = []
        for place, time in zip(places, times, strict=True):
            passed = []
            at = place
            while at >= 0 and self.end[at] < time:
                passed.append(at)
                at = beyond.get(at, int(self.parent[at]))
            for one in passed:
                beyond[one] = at
            found.append(at)
        return found


def nested(spans: Spans, classes: list[int]) -> Nest:
    """Sort operators, find their parents and who answers for each; `classes` says how much each call is."""
    thread, call = np.array(spans.thread, np.int64), np.array(spans.call, np.int64)
    start, end = np.array(spans.start), np.array(spans.end)
    order = np.lexsort((-end, start, thread))
    order = order[np.isfinite(start[order]) & np.isfinite(end[order]) & (end[order] >= start[order])]
    thread, start, end, call = thread[order], start[order], end[order], call[order]
    parent = _parents(thread.tolist(), start.tolist(), end.tolist())
    level = np.array(classes, np.int64)[call] if len(call) else call
    owner = _owners(parent, level.tolist())
    as_index = (np.array(parent, np.int64), np.array(owner, np.int64))
    return Nest(thread, start, end, call, *as_index)


def _parents(threads: list[int], starts: list[float], ends: list[float]) -> list[int]:
    """The operator that holds each one; rounded times may overlap by a hair, so a start inside is inside."""
    parents = []
    stack: list[int] = []
    thread = None
    for index, start in enumerate(starts):
        if threads[index] != thread:
            thread, stack = threads[index], []
        while stack and ends[stack[-1]] <= start:
            stack.pop()
        parents.append(stack[-1] if stack else -1)
        stack.append(index)
    return parents


def _owners(parents: list[int], levels: list[int]) -> list[int]:
    """The innermost known operator answers for itself and all inside it; unknown ones only where they hold none."""
    inside = [NOTHING] * len(parents)
    for index in range(len(parents) - 1, -1, -1):
        parent = parents[index]
        if parent >= 0:
            below = inside[index] if inside[index] > levels[index] else levels[index]
            inside[parent] = max(inside[parent], below)
    owners = [-1] * len(parents)
    for index, parent in enumerate(parents):
        if parent >= 0 and owners[parent] >= 0:
            owners[index] = owners[parent]
        elif _answers(levels[index], inside[index]):
            owners[index] = index
    return owners


def _answers(level: int, inside: int) -> bool:
    if level == HEAVY:
        return inside < HEAVY
    if level == LIGHT:
        return inside < LIGHT
    return level in {COPY, UNKNOWN} and inside == NOTHING
