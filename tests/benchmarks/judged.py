"""Timings that judge a program and not its machine: every figure is a ratio to a floor timed in turns with it.

Judged is CPU time of this process, which other programs on the machine leave alone. Each ratio has a goal, what the
program is built for, and a limit, what no machine may miss; the time on the wall and its own goal are printed beside.
"""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

SHORTEST_TURN_S = 0.03

Step = Callable[[int], object]


class Floor(NamedTuple):
    """The plain thing that ours is compared with."""

    name: str
    step: Step


class Spent(NamedTuple):
    """Seconds of one step: of this process, and on the wall."""

    cpu: float
    wall: float


@dataclass(frozen=True)
class Judged:
    """One row of the table."""

    what: str
    floor: str
    ratio: float
    goal: float
    limit: float
    ms: float | None = None
    goal_ms: float | None = None

    @property
    def verdict(self) -> str:
        if self.ratio > self.limit:
            return "MISSED"
        return "above its goal" if self.ratio > self.goal else ""


@dataclass
class Turns:
    """Steps of ours and of the floor, round by round."""

    ours: list[list[Spent]] = field(default_factory=list)
    floor: list[list[Spent]] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """Of a typical step, in a typical round."""
        return median(_typical(o) / _typical(f) for o, f in zip(self.ours, self.floor, strict=True))

    @property
    def tail(self) -> float:
        """What one step of fifty costs at least, in typical steps."""
        spent = sorted(s.cpu for steps in self.ours for s in steps)
        return spent[-1 - len(spent) // 50] / median(spent)

    @property
    def ms(self) -> float:
        """On the wall, in the round least disturbed."""
        return min(median(s.wall for s in steps) for steps in self.ours) * 1e3


def _typical(steps: list[Spent]) -> float:
    return median(s.cpu for s in steps)


def in_turns(ours: Step, floor: Step, rounds: int, steps: int) -> Turns:
    """Take both in turns, so that what the machine does meets both."""
    turns = Turns()
    gc.collect()
    gc.freeze()  # as the program does once it has started
    try:
        for number in range(rounds):
            turns.floor.append(_turn(floor, number * steps, steps))
            turns.ours.append(_turn(ours, number * steps, steps))
    finally:
        gc.unfreeze()
    return turns


def _turn(step: Step, first: int, steps: int, shortest: float = SHORTEST_TURN_S) -> list[Spent]:
    """So many steps, or more where they are short; the first quarter finds cold caches and does not count."""
    spent: list[Spent] = []
    gc.collect()
    while len(spent) < steps or sum(s.cpu for s in spent) < shortest:
        wall, cpu = time.perf_counter(), time.process_time()
        step(first + len(spent))
        spent.append(Spent(time.process_time() - cpu, time.perf_counter() - wall))
    return spent[len(spent) // 4 :]


class Judge:
    """Notes each figure for the table at the end, and fails where one is above its limit."""

    def __init__(self, rows: list[Judged], rounds: int) -> None:
        self._rows, self.rounds = rows, rounds

    def __call__(
        self,
        what: str,
        ours: Step,
        floor: Floor,
        *,
        goal: float,
        limit: float,
        goal_ms: float | None = None,
        steps: int = 16,
    ) -> Turns:
        """Time `ours` against `floor`, and judge its ratio."""
        turns = in_turns(ours, floor.step, self.rounds, steps)
        self.ratio(what, floor.name, turns.ratio, goal=goal, limit=limit, ms=turns.ms, goal_ms=goal_ms)
        return turns

    def once(self, what: str, act: Step, floor: Floor, *, goal: float, limit: float, goal_ms: float) -> None:
        """Judge what can be done only once, beside the floor before and after it."""
        around = _turn(floor.step, 0, 16)
        [spent] = _turn(act, 0, 1, shortest=0)
        around += _turn(floor.step, 0, 16)
        ms = spent.wall * 1e3
        self.ratio(what, floor.name, spent.cpu / _typical(around), goal=goal, limit=limit, ms=ms, goal_ms=goal_ms)

    def ratio(
        self,
        what: str,
        floor: str,
        ratio: float,
        *,
        goal: float,
        limit: float,
        ms: float | None = None,
        goal_ms: float | None = None,
    ) -> None:
        """Judge a ratio that is already known."""
        row = Judged(what, floor, ratio, goal, limit, ms, goal_ms)
        self._rows.append(row)
        assert row.verdict != "MISSED", f"{what}: {ratio:.2f} of {floor}, at most {limit:g} allowed"


HEAD = ("what", "ms", "goal", "against", "ratio", "goal", "limit", "")


def table(rows: list[Judged]) -> list[str]:
    """Lines with every figure beside its goal and its limit."""
    cells = [HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(HEAD))]
    left = (0, 3, 7)
    return [
        "  ".join(c.ljust(w) if i in left else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths, strict=True)))
        for line in cells
    ]


def _cells(row: Judged) -> tuple[str, ...]:
    def milliseconds(value: float | None) -> str:
        return "" if value is None else f"{value:.3g}" if value < 100 else f"{value:.0f}"

    ratios = (f"{row.ratio:.2f}", f"{row.goal:g}", f"{row.limit:g}")
    return (row.what, milliseconds(row.ms), milliseconds(row.goal_ms), row.floor, *ratios, row.verdict)
