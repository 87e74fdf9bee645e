"""The judge of timings itself: its ratios, its table, and that what costs more than its limit fails."""

from collections.abc import Callable

import pytest

from tests.benchmarks.judged import Floor, Judge, Judged, in_turns, table


def work(pieces: int) -> Callable[[int], int]:
    return lambda i: sum(k * i for k in range(2_000 * pieces))


def test_a_step_of_twice_the_work_is_about_two_of_its_floor() -> None:
    assert in_turns(work(2), work(1), rounds=5, steps=16).ratio == pytest.approx(2, rel=0.3)


def test_work_above_its_limit_fails_and_stands_in_the_table() -> None:
    rows: list[Judged] = []
    with pytest.raises(AssertionError, match="doubled work"):
        Judge(rows, rounds=3)("doubled work", work(4), Floor("pieces", work(1)), goal=1.2, limit=2, goal_ms=1)
    head, line = table(rows)
    assert head.split() == ["what", "ms", "goal", "against", "ratio", "goal", "limit"]
    assert line.endswith("MISSED")


def test_goals_and_limits_stand_beside_what_was_found() -> None:
    rows: list[Judged] = []
    Judge(rows, rounds=1).ratio("first frame", "bare windows", 1.3, goal=1.2, limit=1.5, ms=412.3, goal_ms=400)
    assert " ".join(table(rows)[1].split()) == "first frame 412 400 bare windows 1.30 1.2 1.5 above its goal"
