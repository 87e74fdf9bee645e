"""A step's parts at their edges: schedule trees, ledgers, ties, stacks."""

import math
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.step.costs import Costs
from explorer.analysis.step.ledger import KV, STATE, WEIGHTS, Entry, Ledger, Spent, TimeLedger, fits
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.numbers import larger, smaller
from explorer.analysis.step.placement import Point
from explorer.analysis.step.resources import Resource
from explorer.analysis.step.schedule import Busy, Max, Overlap, Pipeline, Repeat, Serial, time_ledger
from explorer.analysis.step.stack import Layout, RowStack, added_up, lane, main_peak, stacked
from explorer.analysis.step.work import Use, Work, bound_of
from tests.analysis.making import device
from tests.analysis.step.made import asked, cost, row


def busy(name: str, seconds: float, count: float = 1.0, place_: str = "device", stage: int = 0) -> Busy:
    use = Use(Resource("memory", "m", rate=1.0), seconds)
    return Busy(Work(row(name), "dX", place_, stage, count, (use,)))


def spent(tree: Any) -> list[tuple[str, float]]:
    return [(e.name, float(e.seconds)) for e in time_ledger(tree).entries]


# schedules


def test_each_branch_of_a_schedule_says_whose_time_it_is() -> None:
    a, b, c = busy("a", 3.0, 2.0), busy("b", 6.0), busy("c", 1.0)
    assert spent(Serial((a, b, c))) == [("a", 6.0), ("b", 6.0), ("c", 1.0)]
    assert spent(Max((c, a, b))) == [("a", 6.0)]  # the first of equals
    assert spent(Max((b, a, c))) == [("b", 6.0)]
    assert spent(Max(())) == []
    assert spent(Overlap(a, b, 0.25)) == [("a", 6.0), ("b", 4.5)]
    assert spent(Overlap(c, b, 0.25)) == [("b", 6.0), ("c", 0.75)]
    assert Overlap(c, b, 0.25).seconds == 6.75
    assert spent(Repeat(Serial((a, c)), 3.0)) == [("a", 18.0), ("c", 3.0)]
    assert Repeat(Serial((a, c)), 3.0).seconds == 21.0


def test_the_bubble_lies_with_the_slowest_stage() -> None:
    stages = (busy("a", 1.0, place_="one", stage=1), busy("b", 3.0, place_="two", stage=2), busy("c", 2.0))
    pipeline = Pipeline(stages, 4, 2)
    assert pipeline.bubble_s == (1.0 + 2.0) / 2
    assert pipeline.seconds == 4 * 3.0 + 1.5
    first, bubble = time_ledger(pipeline).entries
    assert (first.name, first.part, first.place, first.stage, first.bound, first.seconds) == (
        "b",
        "dX",
        "two",
        2,
        "memory",
        12.0,
    )
    assert (bubble.name, bubble.part, bubble.place, bubble.stage, bubble.bound, bubble.seconds) == (
        "bubble",
        "forward",
        "two",
        2,
        "bubble",
        1.5,
    )
    (alone,) = time_ledger(Pipeline((), 4)).entries
    assert (alone.place, alone.stage, alone.seconds) == ("", 0, 0.0)
    assert Pipeline(stages, 4).seconds == 4 * 3.0 + 3.0  # one chunk


def test_a_ledger_of_seconds_adds_up_by_what_is_waited_for() -> None:
    entries = tuple(
        Spent("r", "forward", "d", 0, bound, s) for bound, s in (("memory", 1.0), ("compute", 2.0), ("memory", 4.0))
    )
    assert TimeLedger(entries).by_bound() == {"memory": 5.0, "compute": 2.0}
    assert (TimeLedger(entries).total, TimeLedger().total) == (7.0, 0.0)


# ledgers of bytes


def test_a_ledger_knows_parts_and_places() -> None:
    held = Ledger((Entry(WEIGHTS, 1.0), Entry(KV, 2.0, "b"), Entry(STATE, 4.0), Entry(KV, 8.0, "b", 1)))
    assert [held.of(WEIGHTS), held.of(KV, STATE), held.of("none"), held.without(KV), held.total] == [1, 14, 0, 5, 15]
    assert [held.at("device"), held.at("b"), held.at("none")] == [5, 10, 0]
    assert (held.parts, held.places) == ((WEIGHTS, KV, STATE), ("device", "b"))
    both = held.with_others(Ledger((Entry(KV, 16.0, "b"), Entry(KV, 32.0), Entry(WEIGHTS, 64.0))))
    assert [(e.part, e.place, e.stage, e.bytes) for e in both.entries] == [
        (WEIGHTS, "device", 0, 65.0),
        (KV, "b", 0, 18.0),
        (STATE, "device", 0, 4.0),
        (KV, "b", 1, 8.0),
        (KV, "device", 0, 32.0),
    ]


@pytest.mark.parametrize(
    ("rooms", "does"),
    [
        ({"device": 5.0, "b": 10.0}, True),
        ({"device": 4.9, "b": 10.0}, False),
        ({"device": 5.0, "b": 9.9}, False),
        ({"device": 5.0}, None),
        ({"device": 4.9}, False),
        ({"device": None, "b": 9.9}, False),
        ({}, None),
    ],
)
def test_a_step_fits_where_every_place_has_room(rooms: dict[str, float | None], does: bool | None) -> None:
    assert fits(Ledger((Entry(WEIGHTS, 5.0), Entry(KV, 10.0, "b"))), rooms) is does


# numbers and ties


def test_numbers_and_arrays_are_compared_alike() -> None:
    assert [larger(1.0, 2.0), larger(2.0, 1.0), smaller(1.0, 2.0), smaller(2.0, 1.0)] == [2.0, 2.0, 1.0, 1.0]
    array = np.array([1.0, 3.0])
    for one, other in ((array, 2.0), (2.0, array)):
        assert larger(one, other).tolist() == [2.0, 3.0]  # type: ignore[union-attr]
        assert smaller(one, other).tolist() == [1.0, 2.0]  # type: ignore[union-attr]


def test_of_equal_bounds_the_first_is_told() -> None:
    assert bound_of([("memory", 1.0), ("compute", 1.0), ("overhead", 0.5)]) == "memory"
    assert bound_of([("memory", None), ("compute", 0.0), ("overhead", 0.0)]) == "compute"
    assert bound_of([("memory", None), ("compute", None)]) == "memory"
    assert bound_of([("memory", 1.0), ("compute", 2.0), ("overhead", 3.0)]) == "overhead"


def at(
    memory: float | None, compute: float | None, flops: float = 6.0, moved: float = 2.0, rate: float | None = 10.0
) -> Point:
    machine = Machine(device(rate=rate or 1.0))
    peak = machine.peak("tensor", "bf16")._replace(rate=rate)
    seconds = max(memory or 0.0, compute or 0.0)
    return Point(
        row(count=3.0), cost(flops, moved / 2, moved / 2), peak, 4.0, ("memory", "compute"), (memory, compute), seconds
    )


def test_a_point_stands_under_both_roofs() -> None:
    point = at(1.0, 2.0)
    assert (point.bytes, point.intensity, point.performance, point.total_s) == (2.0, 3.0, 3.0, 6.0)
    assert (point.attainable, at(1.0, 2.0, rate=100.0).attainable, at(1.0, 2.0, rate=None).attainable) == (
        10.0,
        12.0,
        12.0,
    )
    assert (at(1.0, 2.0, moved=0.0).intensity, at(1.0, 2.0, moved=0.0).attainable) == (None, 10.0)
    assert at(0.0, 0.0).performance == 0.0
    assert [at(m, c).bound for m, c in ((1.0, 2.0), (2.0, 2.0), (None, 1.0), (1.0, None))] == [
        "compute",
        "memory",
        "compute",
        "memory",
    ]
    assert [point.seconds(k) for k in ("memory", "compute", "launch")] == [1.0, 2.0, None]  # type: ignore[arg-type]


# stacks and lanes


MEMORY, TENSOR = Resource("memory", "m", rate=2.0), Resource("compute", "t", rate=4.0)
SLOW = Resource("compute", "s", rate=1.0)


def test_a_lane_takes_amount_over_rate_and_latency_only_of_launches_and_links() -> None:
    amount, calls = np.array([8.0, 16.0]), np.array([1.0, 3.0])
    assert lane((MEMORY,), amount).seconds.tolist() == [4.0, 8.0]
    assert lane((TENSOR, SLOW), amount, np.array([0, 1])).seconds.tolist() == [2.0, 16.0]
    assert lane((TENSOR, SLOW), amount, np.array([1, 0]), rate_factor=0.5).seconds.tolist() == [16.0, 8.0]
    assert lane((MEMORY,), amount, rate_factor=0.5).seconds.tolist() == [8.0, 16.0]
    slow = replace(MEMORY, latency=100.0)
    assert lane((slow,), amount, calls=calls).seconds.tolist() == [4.0, 8.0]
    link = lane((Resource("link", "l", rate=2.0, latency=10.0),), amount, calls=calls)
    assert (link.seconds.tolist(), link.moving.tolist()) == ([14.0, 38.0], [4.0, 8.0])
    free = lane((Resource("link", "l", rate=2.0),), amount, calls=calls)
    assert (free.seconds.tolist(), free.moving.tolist()) == ([4.0, 8.0], [4.0, 8.0])
    launch = lane((Resource("launch", "", latency=0.5),), calls=calls)
    assert (launch.seconds.tolist(), launch.known, launch.kind) == ([0.5, 1.5], True, "launch")
    unknown = lane((Resource("launch", ""),), calls=calls)
    assert (unknown.judged.tolist(), unknown.known) == ([0.0, 0.0], False)
    assert lane((Resource("launch", "", latency=1.0),)).seconds.size == 0
    wide = lane((TENSOR, SLOW), np.array([[8.0, 4.0], [2.0, 1.0]]), np.array([0, 1]))
    assert wide.seconds.tolist() == [[2.0, 1.0], [2.0, 1.0]]


def test_a_figure_that_is_missing_is_never_zero_seconds() -> None:
    part = lane((TENSOR, Resource("compute", "x")), np.array([8.0, 8.0]), np.array([0, 1]))
    assert (part.known, part.seconds[0], math.isnan(part.seconds[1]), part.judged.tolist()) == (
        False,
        2.0,
        True,
        [2.0, 0.0],
    )
    assert lane((), np.array([1.0, 2.0]), np.array([0, 0])).kind == "compute"
    assert lane((replace(MEMORY, rate=None),), np.array([1.0])).known is False


def test_a_lane_gives_back_what_each_row_uses() -> None:
    found = lane((TENSOR, SLOW), np.array([8.0, 16.0]), np.array([0, 1]), np.array([5.0, 6.0]), "detail", 0.5)
    use = found.use(1)
    assert (use.resource.key, use.amount, use.calls, use.tier, use.rate_factor) == ("s", 16.0, 6.0, "detail", 0.5)
    bare = lane((MEMORY,), np.array([8.0, 16.0])).use(1)
    assert (bare.resource.key, bare.amount, bare.calls) == ("m", 16.0, 0.0)
    assert lane((Resource("launch", "", latency=1.0),), calls=np.array([3.0])).use(0).amount == 0.0


def test_rows_are_added_up_over_their_calls() -> None:
    assert [added_up(np.zeros(0)), added_up(np.array([1.0, 2.0, 4.0]))] == [0.0, 7.0]
    assert added_up(np.array([[1.0, 2.0], [4.0, 8.0]])).tolist() == [5.0, 10.0]  # type: ignore[union-attr]
    assert added_up(np.array([[1.0, 2.0]])).tolist() == [1.0, 2.0]  # type: ignore[union-attr]


ROWS = (row("a", 2.0), row("b", 3.0, activations="fp8"), row("v", 5.0), row("c", 1.0, group="head"))
COSTS = (cost(10.0, 1.0, 2.0, 1.0, 0.5, 0.25), cost(7.0, 4.0, 8.0, 2.0), cost(99.0, 16.0, 32.0), cost(5.0, 64.0, 128.0))


@pytest.mark.parametrize("most", [100_000, 4, 3, 1])
def test_stacks_sum_their_rows_however_they_are_laid(most: int) -> None:
    stacks = stacked(ROWS, COSTS, asked, most=most)
    sums = np.sum([stack.sums() for stack in stacks], axis=0)
    assert sums.tolist() == [20 + 21 + 495 + 5, 2 + 12 + 80 + 64, 4 + 24 + 160 + 128, 2 + 6 + 5 + 1, 1.0, 0.5]
    assert sum(float(stack.outputs()) for stack in stacks) == 128.0
    assert len(stacks) == (1 if most >= 4 else 4)
    assert main_peak(stacks) == ("tensor", "bf16", None)  # 20 + 5 over 21 FLOPs; vector rows do not count
    assert [r.name for stack in stacks for r in stack.rows] == ["a", "b", "v", "c"]


def test_arrays_and_numbers_lie_side_by_side() -> None:
    array = np.array([1.0, 2.0, 3.0])
    costs = (cost(), Costs(array, 1.0, array, 1.0, 0.0, 0.0), Costs(1.0, array, 2.0, 1.0, 1.0, 0.0), cost(8.0, 8.0))
    (whole,) = stacked(ROWS, costs, asked)
    apart = stacked(ROWS, costs, asked, most=11)  # four rows of three values are one too many
    assert len(apart) > 1
    for i in range(6):
        each = sum(np.broadcast_to(stack.sums()[i], (3,)) for stack in apart)
        one = sum(r.count * np.broadcast_to(c[i], (3,)) for r, c in zip(ROWS, costs, strict=True))
        assert np.array_equal(whole.sums()[i], one)
        assert np.array_equal(each, one)
    grouped = stacked(ROWS, costs, asked, most=12)
    assert len(grouped) == 1


def test_of_equal_rows_the_first_says_the_main_peak() -> None:
    rows = (row("a", activations="fp16"), row("b", activations="bf16"))
    assert main_peak(stacked(rows, (cost(5.0), cost(5.0)), asked)) == ("tensor", "fp16", None)
    vector = (row("v", activations="fp16"), row("w"))
    assert main_peak(stacked(vector[:1], (cost(5.0),), asked)) == ("vector", "fp16", None)
    assert main_peak(()) is None
    assert RowStack((), (), Layout((), asked)).sums() == [0.0] * 6
