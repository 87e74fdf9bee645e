"""Blocks stand beside a view, or below one that is high or wants but a part of the height."""

import pytest
from PySide6.QtCore import QRectF

from explorer.plot.views.slide_blocks import paint_box
from explorer.plot.views.slide_layout import GAP, Sized, arranged
from explorer.presentation.palette import LIGHT
from explorer.presentation.slide.blocks import Box
from tests.plot.recorder import Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

WIDE, HIGH = QRectF(48, 120, 1504, 700), QRectF(48, 120, 900, 1300)


def block(least: float = 260.0, height: float = 100.0) -> Sized:
    return Sized(least, lambda _width: height)


def test_without_blocks_the_view_has_the_room() -> None:
    assert arranged(WIDE, None, []).view == WIDE


def test_on_a_wide_page_blocks_stand_beside_the_view_in_one_column() -> None:
    placed = arranged(WIDE, None, [block(500.0), block(), block()])
    assert placed.view.right() + GAP == pytest.approx(placed.blocks[0].left())
    assert {rect.right() for rect in placed.blocks} == {WIDE.right()}
    assert len({rect.left() for rect in placed.blocks}) == 1
    assert placed.scales[0] == pytest.approx(placed.blocks[0].width() / 500.0)  # a table is as wide as the column
    assert placed.scales[1] == pytest.approx(1.25)  # text may be larger


def test_a_column_that_is_too_low_makes_its_blocks_smaller_before_one_is_left_out() -> None:
    many = arranged(WIDE, None, [block(height=200.0) for _ in range(5)])
    assert len(many.blocks) == 5
    assert max(many.scales) < 0.7
    assert many.blocks[-1].bottom() <= WIDE.bottom() + 0.5
    assert len(arranged(WIDE, None, [block(height=200.0) for _ in range(9)]).blocks) < 9


def test_on_a_high_page_blocks_stand_below_in_rows_of_the_whole_width() -> None:
    placed = arranged(HIGH, None, [block(400.0), block(), block()])
    assert placed.view.width() == HIGH.width()
    first, second, third = placed.blocks
    assert first.top() == second.top() > placed.view.bottom()
    assert second.right() == pytest.approx(HIGH.right())
    assert third.top() >= first.bottom() + GAP - 0.01
    assert (third.left(), third.right()) == pytest.approx((HIGH.left(), HIGH.right()))


@pytest.mark.parametrize(("wanted", "below"), [(200.0, True), (600.0, False), (None, False)])
def test_a_view_that_wants_little_has_its_blocks_below(wanted: float | None, below: bool) -> None:
    placed = arranged(WIDE, wanted, [block(), block()])
    assert (placed.view.width() == WIDE.width()) is below


def test_a_factor_stays_on_the_line_of_what_it_is_of() -> None:
    painter = Recorder()
    box = Box("", ("8-bit weights 1.56×, 2× bandwidth 2.00×",))
    with fixed_fonts():
        for width in range(140, 400, 10):
            paint_box(painter, QRectF(0, 0, width, 300), box, LIGHT)  # type: ignore[arg-type]
    lines = {d.text for d in painter.drawn if d.kind == "text"}
    assert any("\u00a0bandwidth" in line for line in lines)
    assert not any(line.endswith(" 2×") or line == "2×" for line in lines)
