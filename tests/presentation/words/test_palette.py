"""Colours and dashes: told apart, in turn, and the parts of memory in their own."""

from itertools import product

import pytest

from explorer.presentation.palette import (
    DARK,
    DASHES,
    LIGHT,
    Theme,
    bound_colour,
    device_colour,
    device_dash,
    part_colour,
)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_come_in_turn_and_begin_again(theme: Theme) -> None:
    assert [device_colour(theme, i) for i in range(10)] == [*theme.devices, *theme.devices[:2]]
    assert len(set(theme.devices)) == len(theme.devices) == len(DASHES)
    assert [part_colour(theme, p) for p in ("weights", "kv", "state", "reserve")] == [
        theme.devices[place] for place in (0, 2, 3, 7)
    ]
    assert [bound_colour(theme, b) for b in ("compute", "memory", "overhead")] == [colour for _, colour in theme.bounds]


def test_dashes_come_in_turn_the_first_is_solid_and_all_differ() -> None:
    assert device_dash(0) == ()
    assert [device_dash(i) for i in range(10)] == [*DASHES, *DASHES[3:5]]
    assert len(set(DASHES)) == len(DASHES)
    for dash in DASHES:
        assert len(dash) % 2 == 0
        assert all(1 <= width <= 10 for width in dash)
        assert sum(dash) <= 16


def test_no_two_dashes_look_alike() -> None:
    for one, other in product(DASHES, DASHES):
        if one and other and one is not other and len(one) == len(other):
            assert max(abs(a - b) for a, b in zip(one, other, strict=True)) >= 0.5


def test_a_device_keeps_its_dash_from_version_to_version() -> None:
    """People know their figures by them."""
    assert [device_dash(i) for i in range(8)] == [
        (), (6, 3), (1.5, 2.5), (8, 3, 1.5, 3), (3, 2), (10, 4), (1, 1.5), (6, 2, 1, 2),
    ]  # fmt: skip


def test_colour_and_dash_together_tell_sixty_four_apart() -> None:
    assert len({(device_colour(LIGHT, i), device_dash(i)) for i in range(64)}) == 64
