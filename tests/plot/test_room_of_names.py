"""Room that names and labels need to the pixel: rings of ridges, texts of zones, plates, leaders."""

import math
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from explorer.plot.paint.by_points.placer import Placer, Wording
from explorer.plot.paint.fonts import fonts
from explorer.plot.paint.geometry import Frame
from explorer.plot.paint.labels import Space
from explorer.plot.paint.layout import _ridge_boxes
from explorer.plot.paint.roofs import Namer, roof_lines
from explorer.plot.views.slide_table import _faces, table_width
from explorer.presentation.palette import LIGHT
from explorer.presentation.slide.table import DecidingTable, TableRow
from tests.plot.hand_made import ROOFS, bare_figure, big
from tests.plot.recorder import fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

FRAME = Frame(QRectF(0, 0, 500, 400), (-1.0, 4.0), (11.0, 15.0))
ZONED = Frame(QRectF(100, 50, 400, 200), (0.0, 4.0), (10.0, 12.0))


def test_the_ring_of_a_ridge_is_kept_free_as_far_on_every_side() -> None:
    roofs = [roof_lines(roof, FRAME, None) for roof in ROOFS[1:3]]
    assert [r.ridge for r in roofs] == [pytest.approx((350.0, 50.0)), None]
    assert _ridge_boxes(roofs, 2.0).tolist() == [pytest.approx([341.0, 41.0, 359.0, 59.0])]
    assert _ridge_boxes([], 2.0).shape == (0, 4)


def namer(frame: Frame, zone: float, *lines: tuple[float, float, float, float]) -> Namer:
    space = Space(frame.plot)
    space.avoid_lines(lines, 0.0)
    return Namer(space, frame, fonts(big()), LIGHT, zone)


def test_a_zone_is_named_once_its_text_fits_with_a_gap_on_either_side() -> None:
    with fixed_fonts():
        needed = fonts(big()).tick.width("memory") + 2 * 10 * 2
        for left, right in ((needed + 0.5, 400.0), (needed - 0.5, 400.0), (400.0, needed + 0.5), (400.0, needed - 0.5)):
            plot = QRectF(0, 0, left + right, 300)
            frame = Frame(plot, (0.0, left + right), (0.0, 1.0))
            figure = bare_figure(zone=left, memory_zone_text="memory", compute_zone_text="comput")
            found = namer(frame, left).zones(figure)
            assert [t.text for t in found] == [
                text for text, room in (("memory", left), ("comput", right)) if room > needed
            ]
            for text in found:
                own = (0.0, left) if text.text == "memory" else (left, left + right)
                assert own[0] + 20 <= text.x <= own[1] - 20 - (needed - 40) + 0.01


@pytest.mark.parametrize(
    ("left", "right", "ground"),
    [(150.0, 240.0, LIGHT.memory_zone), (165.0, 240.0, LIGHT.compute_zone), (165.0, 234.0, LIGHT.memory_zone)],
)
def test_a_turned_name_on_a_line_stands_on_the_ground_of_its_middle(left: float, right: float, ground: str) -> None:
    boxes = np.array([[left, 100.0, left + 20, 120.0], [right - 20, 80.0, right, 100.0]])
    for given in (boxes, boxes[::-1]):
        plates = namer(ZONED, 1.0, (100.0, 110.0, 500.0, 110.0))._turned_plate(given, 90.0)
        assert plates == ((-2.0, 92.0, ground),)
    assert namer(ZONED, 1.0, (100.0, 200.0, 500.0, 200.0))._turned_plate(boxes, 90.0) == ()


@pytest.mark.parametrize("angle", [0.0, 0.6])
@pytest.mark.parametrize(
    ("width", "parts"),
    [
        (100.0, (0.78, 0.70, 0.84, 0.62, 0.54, 0.46, 0.38, 0.30, 0.92, 0.22, 0.14)),
        (345.0, (0.78, 0.70, 0.84, 0.62, 0.54, 0.46, 0.38, 0.30, 0.22)),
        (380.0, (0.54, 0.46)),
        (385.0, ()),
    ],
)
def test_a_name_along_a_slope_keeps_four_units_from_both_ends(
    angle: float, width: float, parts: tuple[float, ...]
) -> None:
    cos, sin = math.cos(angle), math.sin(angle)
    line = (50.0, 350.0, 50.0 + 400 * cos, 350.0 - 400 * sin)
    with fixed_fonts():
        face = fonts(big()).name
        found = list(namer(FRAME, 1.0)._along_slope(line, width, angle, face))
    starts = [(400.0 - width) * part for part in parts for _ in range(2)]
    offs = [10.0, -(10.0 + face.cap)] * len(parts)
    assert found == [
        pytest.approx((50 + start * cos - off * sin, 350 - start * sin - off * cos))
        for start, off in zip(starts, offs, strict=True)
    ]


@pytest.mark.parametrize(
    ("flat", "between"),
    [(100.0, False), (100.9, False), (99.1, False), (101.1, True), (110.0, True), (90.0, False), (125.0, False)],
)
def test_a_text_is_another_roofs_where_that_lies_between_but_not_where_both_are_as_high(
    flat: float, between: bool
) -> None:
    asked = namer(FRAME, 1.0)
    asked._flats = [100.0, flat, 300.0]
    assert asked._between(100.0, 120.0) is between
    asked._flats = [100.0, 200.0 - flat, 300.0]
    assert asked._between(100.0, 80.0) is between


class Blocked(Space):
    """Room in which so many of the leaders that are asked for first run into something."""

    left = 0

    def blocked(self, lines: Any, *_: Any) -> Any:
        first = np.arange(len(lines)) < self.left
        self.left -= len(lines)
        return first


@pytest.mark.parametrize(
    ("blocked", "place"), [(0, 12), (1, 13), (3, 15), (4, 16), (11, 23), (12, 24), (22, 34), (23, 35), (24, None)]
)
def test_a_label_is_left_out_once_the_leaders_of_the_two_dozen_nearest_places_are_blocked(
    blocked: int, place: int | None
) -> None:
    space = Blocked(QRectF(-2000, -2000, 4000, 4000))
    # what lies around the point leaves no place beside it
    space.take(np.array([[-12.0, -12.0, 12.0, 12.0]]))
    space.left = blocked
    with fixed_fonts():
        face = fonts().label
        placer = Placer(space, 0, 1.0, lambda *_: (), plated=False)
        text, kept = placer.place(Wording(("a",), face, LIGHT.text), (0.0, 0.0, 3.0), np.array([True]), None)
    assert kept.candidate == place
    assert (text is None) is (place is None)


@pytest.mark.parametrize(("names", "widest"), [(("A", "A longer one"), 1), (("A longer one", "A"), 0)])
def test_a_table_is_as_wide_as_its_longest_name_needs(names: tuple[str, ...], widest: int) -> None:
    with fixed_fonts():
        table = DecidingTable("", (), tuple(TableRow(n, i, ()) for i, n in enumerate(names)))
        assert table_width(table) == pytest.approx(42.0 + _faces()[1].width(names[widest]))
        endless = DecidingTable("", (), (*table.rows, TableRow("w" * 90, 2, ())))
        assert table_width(endless) == pytest.approx(42.0 + 190.0)
        assert table_width(DecidingTable("", (), ())) == 42.0
