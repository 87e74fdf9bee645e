"""Numbers as text, from the smallest to the largest."""

import pytest

from explorer.presentation.quantities.numbers import factor, percent, scaled, seconds, significant, whole


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2e51, "2.00×10⁵¹"),
        (1e12, "1.00×10¹²"),
        (999_999_999_999.0, "999,999,999,999"),
        (1.23e-7, "1.23×10⁻⁷"),
        (1e-6, "0.00000100"),
        (-4e-300, "-4.00×10⁻³⁰⁰"),
    ],
)
def test_figures_far_out_are_powers_of_ten(value: float, text: str) -> None:
    assert significant(value) == text


def test_rates_and_times_far_out_keep_their_units() -> None:
    assert scaled(2e36, "FLOP") == "2.00×10²¹ PFLOP"
    assert seconds(1e-20) == "1.00×10⁻¹¹ ns"
    assert seconds(3e40) == "3.00×10⁴⁰ s"
    assert percent(1e20) == "1.00×10²² %"
    assert factor(1e15) == "1.00×10¹⁵×"
    assert whole(1e15) == "1.00×10¹⁵"
    assert whole(123_456.0) == "123,456"
