"""An even scale: places, stops and ends."""

import pytest

from explorer.presentation.quantities.linear_scale import LinearScale

SCALE = LinearScale(0, 100)


@pytest.mark.parametrize(("value", "fraction"), [(0, 0.0), (25, 0.25), (100, 1.0), (-5, 0.0), (120, 1.0)])
def test_a_value_stands_where_its_share_is(value: int, fraction: float) -> None:
    assert SCALE.fraction(value) == fraction
    assert SCALE.value(fraction) == min(max(value, 0), 100)


def test_steps_end_at_the_ends() -> None:
    assert [SCALE.stepped(99, n) for n in (1, 2, -1)] == [100, 100, 98]
    assert [SCALE.doubled(95, n) for n in (1, -1)] == [100, 85]
    assert [SCALE.value(f) for f in (-1.0, 0.254, 2.0)] == [0, 25, 100]
    assert LinearScale(3, 3).fraction(3) == 0.0
