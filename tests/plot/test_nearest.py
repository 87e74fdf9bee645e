"""The mark that is meant by a place: beside a slow and plain search, and at the edges."""

import math
import random

import pytest

from explorer.plot.live.mark_index import MarkIndex
from tests.plot.hand_made import mark

SCALE = (100.0, 50.0)  # pixels per decade


def plainly(places: list[tuple[float, float, float]], at: tuple[float, float], reach: float) -> int | None:
    """The smallest mark that covers a place, else the one whose edge is nearest."""
    apart = [math.hypot((x - at[0]) * SCALE[0], (y - at[1]) * SCALE[1]) for x, y, _ in places]
    covering = [i for i, (_, _, radius) in enumerate(places) if apart[i] <= radius]
    if covering:
        return min(covering, key=lambda i: (places[i][2], apart[i]))
    best = min(range(len(places)), key=lambda i: apart[i] - places[i][2])
    return best if apart[best] - places[best][2] <= reach else None


def test_the_nearest_mark_is_the_one_a_slow_search_finds() -> None:
    dice = random.Random(7)  # noqa: S311 - it draws places, not secrets
    hits = 0
    for _ in range(300):
        places = [(dice.uniform(0, 4), dice.uniform(11, 15), dice.choice((4.0, 9.0, 30.0))) for _ in range(12)]
        at = (dice.uniform(-0.5, 4.5), dice.uniform(10.5, 15.5))
        index = MarkIndex([mark(x, y) for x, y, _ in places], [r for _, _, r in places])
        found = index.nearest(at, SCALE, 10.0)
        assert found == plainly(places, at, 10.0)
        hits += found is not None
    assert 50 < hits < 300


@pytest.mark.parametrize(
    ("across", "down", "found"),
    [(0.15, 0.0, 0), (0.1501, 0.0, None), (0.0, 0.3, 0), (0.0, 0.3002, None), (-0.15, 0, 0)],
)
def test_a_mark_is_meant_up_to_the_reach_from_its_edge(across: float, down: float, found: int | None) -> None:
    index = MarkIndex([mark(1.0, 13.0)], [5.0])
    assert index.nearest((1.0 + across, 13.0 + down - 1e-12), SCALE, 10.0 + 1e-9) == found


def test_of_marks_of_one_size_that_cover_a_place_the_nearer_one_is_meant() -> None:
    index = MarkIndex([mark(1.0, 13.0), mark(1.1, 13.0)], [20.0, 20.0])
    assert index.nearest((1.06, 13.0), SCALE, 10.0) == 1
    assert index.nearest((1.04, 13.0), SCALE, 10.0) == 0


def test_there_is_no_nearest_of_none() -> None:
    assert MarkIndex([], []).nearest((0.0, 0.0), SCALE, 10.0) is None
