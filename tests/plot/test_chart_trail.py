"""The trail of a drag, and the nearest mark to the pointer."""

import math
from typing import Any

import numpy as np
from msgspec.structs import replace

from explorer.plot.live.mark_index import MarkIndex
from explorer.plot.live.trail import LENGTH, MARKS, Trail, biggest
from explorer.presentation.roofline.figure import DrawnRoof, Figure, Mark


def mark(x: float, y: float = 12.0, area: float = 0.1, device: str = "a", **more: Any) -> Mark:
    return Mark(x=x, y=y, rows=(f"row{x:.3f}",), device=device, colour=0, label="", area=area, **more)


def figure(*marks: Mark) -> Figure:
    return Figure((-1, 4), (11, 15), "x", "y", marks=marks)


def test_a_drag_leaves_its_last_places() -> None:
    trail = Trail()
    for i in range(3):
        trail.follow(figure(mark(float(i))), "batch:0")
    assert [[m.x for m in step] for step in trail.on(figure(mark(9.0))).trail] == [[0.0], [1.0], [2.0]]


def test_another_edit_clears_the_trail() -> None:
    trail = Trail()
    trail.follow(figure(mark(1.0)), "batch:0")
    trail.follow(figure(mark(2.0)), "")
    assert trail.on(figure(mark(3.0))).trail == ()


def test_another_drag_starts_a_trail_of_its_own() -> None:
    trail = Trail()
    trail.follow(figure(mark(1.0)), "batch:0")
    trail.follow(figure(mark(2.0)), "batch:1")
    assert [[m.x for m in step] for step in trail.on(figure()).trail] == [[2.0]]


def test_a_long_trail_is_thinned_and_still_begins_where_the_drag_began() -> None:
    trail = Trail()
    for i in range(10 * LENGTH):
        trail.follow(figure(mark(float(i))), "context:0")
    kept = [step[0].x for step in trail.on(figure()).trail]
    assert LENGTH // 2 <= len(kept) <= LENGTH
    assert kept[0] == 0.0
    assert kept == sorted(kept)
    assert kept[-1] >= 10 * LENGTH - LENGTH


def test_a_mark_that_stands_still_leaves_one_place() -> None:
    trail = Trail()
    for _ in range(4):
        trail.follow(figure(mark(1.0)), "batch:0")
    assert len(trail.on(figure()).trail) == 1


def test_only_the_biggest_predicted_marks_of_the_active_device_leave_a_trail() -> None:
    roofs = tuple(DrawnRoof(k, k, 0, 12.0, 15.0, "", "", active=k == "b") for k in "ab")
    marks = [mark(i / 10, area=i / 10, device="ab"[i % 2]) for i in range(10)]
    measured = mark(2.0, area=1.0, device="b", measured=True)
    found = biggest(replace(figure(*marks, measured), roofs=roofs))
    assert len(found) == MARKS
    assert [m.area for m in found] == [0.9, 0.7, 0.5]


def test_the_nearest_mark_is_found_in_pixels_not_in_decades() -> None:
    index = MarkIndex((mark(0.0, 12.0), mark(1.0, 12.5)), [3.0, 3.0])
    assert index.nearest((0.6, 12.2), (100.0, 10.0), 100.0) == 1
    assert index.nearest((0.6, 12.2), (10.0, 1000.0), 1000.0) == 0


def test_no_mark_is_near_beyond_the_reach() -> None:
    index = MarkIndex((mark(0.0),), [5.0])
    assert index.nearest((0.14, 12.0), (100.0, 100.0), 10.0) == 0
    assert index.nearest((0.16, 12.0), (100.0, 100.0), 10.0) is None
    assert MarkIndex((), []).nearest((0.0, 0.0), (1.0, 1.0), math.inf) is None


def test_of_marks_that_lie_on_each_other_the_smallest_is_meant() -> None:
    index = MarkIndex((mark(0.0, area=0.9), mark(0.05, area=0.1)), [20.0, 4.0])
    assert index.nearest((0.05, 12.0), (100.0, 100.0), 10.0) == 1
    assert index.nearest((-0.05, 12.0), (100.0, 100.0), 10.0) == 0


def test_a_hundred_thousand_marks_are_searched_as_arrays() -> None:
    marks = [mark(float(x)) for x in np.linspace(0, 5, 1000)] * 100
    index = MarkIndex(marks, np.full(len(marks), 3.0))
    found = index.nearest((2.5, 12.0), (100.0, 100.0), 10.0)
    assert found is not None
    assert abs(marks[found].x - 2.5) < 0.01
