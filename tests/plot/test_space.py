"""Free room for texts: what is taken, what is crossed, and which place is the cheapest."""

import math
import random

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from explorer.plot.paint.fonts import fonts
from explorer.plot.paint.geometry import Frame, background, level_plates, level_text, rect_boxes, turned_boxes
from explorer.plot.paint.labels import Space, gaps, meets, overlaps
from explorer.plot.paint.points import clipped
from explorer.presentation.palette import LIGHT
from tests.plot.recorder import fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

ROOM = QRectF(10, 20, 200, 100)
FRAME = Frame(QRectF(100, 50, 400, 200), (0.0, 4.0), (10.0, 12.0))


def space(*taken: tuple[float, float, float, float], line: tuple[float, ...] = (), clear: float = 0.0) -> Space:
    made = Space(ROOM)
    made.take(np.array(taken, dtype=float).reshape(-1, 4))
    if line:
        made.avoid_lines([line], clear)
    return made


@pytest.mark.parametrize(
    ("box", "free"),
    [
        ((10, 20, 210, 120), True),
        ((9, 20, 50, 40), False),
        ((10, 19, 50, 40), False),
        ((10, 20, 211, 40), False),
        ((10, 20, 50, 121), False),
    ],
)
def test_a_place_lies_inside_the_room(box: tuple[float, ...], free: bool) -> None:
    assert space().is_free(box) is free  # type: ignore[arg-type]
    assert (space().best(np.array([box], dtype=float)) is not None) is free


@pytest.mark.parametrize(
    ("box", "free"),
    [
        ((50, 40, 80, 60), False),
        ((60, 45, 70, 55), False),
        ((20, 40, 50, 60), True),
        ((80, 40, 110, 60), True),
        ((50, 25, 80, 40), True),
        ((50, 60, 80, 75), True),
        ((20, 30, 51, 41), False),
        ((79, 59, 110, 75), False),
    ],
)
def test_a_place_may_touch_what_is_taken_but_not_cover_it(box: tuple[float, ...], free: bool) -> None:
    made = space((150, 80, 160, 90), (50, 40, 80, 60))
    assert made.is_free(box) is free  # type: ignore[arg-type]
    assert (made.best(np.array([box], dtype=float)) is not None) is free
    far = (180, 25, 190, 30)
    assert (made.best(np.array([[far, box]], dtype=float)) is not None) is free, "all boxes of a text must be free"
    own, other = np.array([box], dtype=float), np.array([(150, 80, 160, 90), (50, 40, 80, 60)], dtype=float)
    assert overlaps(own, other) is not free
    assert overlaps(other, own) is not free


def test_nothing_overlaps_nothing() -> None:
    assert not overlaps(np.empty((0, 4)), np.array([[0.0, 0, 1, 1]]))
    assert not overlaps(np.array([[0.0, 0, 1, 1]]), np.empty((0, 4)))


def test_a_copy_of_the_room_is_taken_of_alone_and_keeps_lines_and_clearance() -> None:
    first = space((50, 40, 80, 60), line=(10, 100, 210, 100), clear=5.0)
    other = first.copy()
    other.take(np.array([[100.0, 40, 120, 60]]))
    assert first.is_free((100, 40, 120, 60))
    assert not other.is_free((100, 40, 120, 60))
    assert not other.is_free((50, 40, 80, 60))
    near, clear = (20, 82, 40, 97), (20, 62, 40, 77)
    assert other.best(np.array([near, clear], dtype=float)) == 1
    assert other.width == 200


def test_room_is_taken_of_beyond_the_first_few_hundred_boxes() -> None:
    made, steps = space(), [10.0 + 0.5 * i for i in range(400)]
    places = [made.take(np.array([[x, 30.0, x + 0.25, 31.0] for x in part])) for part in (steps[:200], steps[200:])]
    assert places == [0, 200]
    assert made.take(np.array([[100.0, 40, 120, 60]])) == 400
    for x in steps[:-1]:
        assert not made.is_free((x, 30.2, x + 0.2, 30.8)), x
        assert made.is_free((x + 0.25, 30.2, x + 0.5, 30.8)), x
    assert not made.is_free((110, 50, 111, 51))


def test_a_place_on_a_line_costs_twenty_places_and_one_too_near_half_of_that() -> None:
    line = (10, 70, 210, 70)
    on, near, clear = (20, 65, 40, 75), (20, 72, 40, 80), (20, 90, 40, 100)
    for bad, clearance, rank in ((on, 0.0, 20), (near, 3.0, 10), (on, 3.0, 20)):
        for count in (rank - 1, rank + 1):
            places = [bad, *([(0.0, 0.0, 1.0, 1.0)] * (count - 1)), clear]
            found = space(line=line, clear=clearance).best(np.array(places, dtype=float))
            assert found == (count if count < rank else 0)


def test_without_crossing_there_is_no_place_on_a_line() -> None:
    made = space(line=(10, 70, 210, 70))
    on, clear = np.array([[20.0, 65, 40, 75]]), np.array([[20.0, 90, 40, 100]])
    assert made.best(on, crossing=False) is None
    assert made.best(on) == 0
    assert made.best(clear, crossing=False) == 0
    assert made.crosses(on)
    assert not made.crosses(clear)
    assert not space().crosses(on)


def test_lines_meet_the_boxes_that_a_fine_walk_along_them_finds() -> None:
    dice = random.Random(3)  # noqa: S311 - it draws lines, not secrets
    met = 0
    for _ in range(300):
        line = np.array([[dice.uniform(0, 100) for _ in range(4)]])
        left, top = dice.uniform(0, 80), dice.uniform(0, 80)
        box = np.array([[left, top, left + dice.uniform(1, 30), top + dice.uniform(1, 30)]])
        walk = line[0, :2] + np.linspace(0, 1, 4001)[:, None] * (line[0, 2:] - line[0, :2])
        inside = ((walk >= box[0, :2]) & (walk <= box[0, 2:])).all(axis=1).any()
        gap = float(gaps(box, line)[0, 0])
        if abs(gap) > 0.05:
            assert (gap <= 0) == inside
        grown = box + np.array([-1.0, -1.0, 1.0, 1.0]) * max(gap, 0.0)
        assert gap <= 0 or float(gaps(grown, line)[0, 0]) == pytest.approx(0.0, abs=1e-6)
        met += inside
    assert 30 < met < 270


def test_a_margin_widens_what_a_line_meets() -> None:
    box, line = np.array([[0.0, 0, 10, 10]]), np.array([[13.0, -50, 13, 50]])
    assert not meets(box, line, 2.9)[0, 0]
    assert meets(box, line, 3.0)[0, 0]
    assert not meets(box, np.array([[5.0, 20, 5, 50]]))[0, 0]


def test_a_leader_is_blocked_by_what_is_taken_but_for_the_points_it_may_pass() -> None:
    made = space((50, 40, 60, 50), (100, 40, 110, 50), (150, 40, 160, 50))
    lines = np.array([[55.0, 30, 55, 60], [105.0, 30, 105, 60], [155.0, 30, 155, 60], [180.0, 30, 180, 60]])
    assert made.blocked(lines, 1.0, np.array([False, False]), 1).tolist() == [True, True, True, False]
    assert made.blocked(lines, 1.0, np.array([True, False]), 1).tolist() == [True, False, True, False]
    assert made.blocked(np.array([[62.0, 30, 62, 60]]), 1.0, np.array([False]), 0).tolist() == [False]
    assert made.blocked(np.array([[62.0, 30, 62, 60]]), 2.0, np.array([False]), 0).tolist() == [True]


# geometry


def test_log_units_and_pixels_of_a_frame() -> None:
    assert (FRAME.left, FRAME.bottom, FRAME.scale_x, FRAME.scale_y) == (100, 250, 100, 100)
    assert (FRAME.x(1.5), FRAME.y(10.5)) == (250, 200)
    assert FRAME.to_log(QPointF(250, 200)) == (1.5, 10.5)
    steep = Frame(QRectF(0, 0, 400, 200), (0.0, 4.0), (10.0, 11.0))
    assert (FRAME.slope, steep.slope) == pytest.approx((math.pi / 4, math.atan(2)))


def test_the_ground_under_a_text_is_that_of_its_zone() -> None:
    assert background(LIGHT, FRAME, None, 200) == LIGHT.raised
    assert background(LIGHT, FRAME, 1.0, 199) == LIGHT.memory_zone
    assert background(LIGHT, FRAME, 1.0, 200) == LIGHT.compute_zone


@pytest.mark.parametrize(
    ("x", "plates"),
    [
        (100.0, ((-2.0, 52.0, LIGHT.memory_zone),)),
        (148.0, ((-2.0, 52.0, LIGHT.memory_zone),)),
        (180.0, ((-2.0, 20.0, LIGHT.memory_zone), (20.0, 52.0, LIGHT.compute_zone))),
        (202.0, ((-2.0, 52.0, LIGHT.compute_zone),)),
    ],
)
def test_a_plate_is_parted_where_it_reaches_over_the_edge_of_a_zone(x: float, plates: tuple[object, ...]) -> None:
    assert level_plates(LIGHT, FRAME, 1.0, x, 50.0) == plates


def test_a_level_text_takes_the_box_of_its_letters() -> None:
    with fixed_fonts():
        face = fonts().tick
        text = level_text(face, "four", 10.0, 50.0, "#000000")
        rect = text.rects[0]
    assert rect.left() == 10.0
    assert rect.width() == pytest.approx(4 * 0.54 * 12)
    assert (rect.top(), rect.bottom()) == pytest.approx((50 - 0.95 * 12 * 0.86, 50 + 0.25 * 12 * 0.9))


@pytest.mark.parametrize("angle", [0.0, 0.5, math.pi / 4])
def test_boxes_of_a_turned_text_follow_its_letters(angle: float) -> None:
    with fixed_fonts():
        face = fonts().name
        boxes = turned_boxes(face, 120.0, 50.0, 200.0, angle)
    height = face.up + face.down
    assert len(boxes) == math.ceil(180.0 / height)
    part = 120.0 / len(boxes)
    cos, sin = math.cos(angle), math.sin(angle)
    for i, box in enumerate(boxes):
        corners = [
            (50 + a * cos - r * sin, 200 - a * sin - r * cos)
            for a in (i * part, (i + 1) * part)
            for r in (-face.down, face.up)
        ]
        xs, ys = [c[0] for c in corners], [c[1] for c in corners]
        assert box.tolist() == pytest.approx([min(xs), min(ys), max(xs), max(ys)])


def test_rectangles_become_boxes() -> None:
    assert rect_boxes(QRectF(1, 2, 3, 4), QRectF(0, 0, 1, 1)).tolist() == [[1, 2, 4, 6], [0, 0, 1, 1]]
    assert rect_boxes().shape == (0, 4)


@pytest.mark.parametrize(
    ("ends", "wanted"),
    [
        ((0, 50, 300, 50), (10, 50, 210, 50)),
        ((300, 50, 0, 50), (210, 50, 10, 50)),
        ((50, 0, 50, 200), (50, 20, 50, 120)),
        ((50, 200, 50, 0), (50, 120, 50, 20)),
        ((20, 30, 40, 50), (20, 30, 40, 50)),
        ((0, 10, 120, 130), (10, 20, 110, 120)),
        ((0, 50, 5, 50), None),
        ((50, 0, 50, 10), None),
        ((5, 0, 5, 200), None),
        ((220, 0, 220, 200), None),
        ((0, 130, 300, 130), None),
        ((0, 110, 20, 150), None),
        ((50, 50, 50.05, 50.05), None),
        ((50, 50, 50.2, 50), (50, 50, 50.2, 50)),
        ((50, 50, 50, 50.2), (50, 50, 50, 50.2)),
        ((10, 50, 10, 60), (10, 50, 10, 60)),
    ],
)
def test_a_line_is_cut_to_the_part_inside_the_plot(ends: tuple[float, ...], wanted: tuple[float, ...] | None) -> None:
    line = clipped(QPointF(*ends[:2]), QPointF(*ends[2:]), ROOM)
    found = None if line is None else (line.x1(), line.y1(), line.x2(), line.y2())
    assert found == (None if wanted is None else pytest.approx(wanted))


def test_spots_are_free_clear_of_lines_and_the_nearest_first() -> None:
    room = space((10.0, 20.0, 110.0, 120.0), line=(110.0, 70.0, 210.0, 70.0))
    boxes, crossed = room.spots((0.0, 30.0), 40.0, 16.0)
    assert not crossed.any()
    assert boxes[0].tolist() == pytest.approx([110.0, 22.5, 150.0, 38.5], abs=8.0)
    assert (boxes[:, 0] >= 110.0).all()
    assert not ((boxes[:, 1] < 70.0) & (boxes[:, 3] > 70.0)).any()
    assert not len(space((10.0, 20.0, 210.0, 120.0)).spots((50.0, 50.0), 40.0, 16.0)[0])
    assert not len(space().spots((50.0, 50.0), 400.0, 16.0)[0])


def test_spots_on_a_line_are_those_where_there_is_no_other() -> None:
    room = space((10.0, 20.0, 210.0, 60.0), (10.0, 80.0, 210.0, 120.0), line=(10.0, 70.0, 210.0, 70.0))
    boxes, crossed = room.spots((50.0, 50.0), 40.0, 16.0)
    assert len(boxes)
    assert crossed.all()
