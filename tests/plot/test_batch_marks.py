"""Names of batches of note: none on another's name or line, short before none."""

from itertools import permutations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from explorer.plot.paint.batch_marks import PlacedMark, placed_marks
from explorer.plot.paint.fonts import fonts
from explorer.presentation.views.batch_chart import BatchMark
from tests.plot import hand_made as made
from tests.plot.recorder import fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")
FULL = BatchMark(5.0, "A100 SXM4 80GB full", 0, wall=True, shorter=("full",))
KNEE, HALF = BatchMark(3.0, "knee", 0), BatchMark(4.0, "KV half", 0)


def placed(width: float, *xs: float, marks: tuple[BatchMark, ...] = (KNEE, HALF, FULL)) -> list[PlacedMark]:
    with fixed_fonts():
        faces = fonts(made.big())
        return placed_marks(marks, xs, QRectF(100, 50, width, 400), 20.0, faces.tick, faces.unit)


def faults(found: list[PlacedMark]) -> list[tuple[str, str]]:
    return [
        (one.text, other.mark.text)
        for one, other in permutations(found, 2)
        if one.text
        and (
            one.box.adjusted(-4, 0, 4, 0).intersects(other.box)
            or (one.box.left() <= other.x <= one.box.right() and other.top < one.box.bottom())
        )
    ]


@pytest.mark.parametrize("seed", range(60))
def test_no_name_stands_on_another_ones_name_or_line(seed: int) -> None:
    chance = np.random.default_rng(seed)
    width = chance.uniform(150, 900)
    found = placed(width, *(100 + width * chance.random() for _ in range(3)))
    assert faults(found) == []
    for one in found:
        assert not one.text or (one.box.left() >= 100 and one.box.right() <= 100 + width)
        assert not one.box.left() <= one.x <= one.box.right()
    assert {p.mark.text for p in found} == {"knee", "KV half", FULL.text}


def test_a_name_beside_a_wall_is_on_its_other_side_or_a_line_lower() -> None:
    found = {p.mark.text: p for p in placed(700, 500.0, 560.0, 575.0)}
    assert [p.text for p in found.values() if not p.text] == []
    assert len({p.box.top() for p in found.values()}) > 1


def test_without_room_for_the_devices_name_the_wall_is_full() -> None:
    (full,) = placed(150, 190.0, marks=(FULL,))
    assert full.text == "full"
    (roomy,) = placed(900, 800.0, marks=(FULL,))
    assert roomy.text == FULL.text


def test_a_mark_alone_begins_in_the_first_line() -> None:
    (knee,) = placed(700, 400.0, marks=(KNEE,))
    assert (knee.top, knee.box.top()) == (20.0, 20.0)
