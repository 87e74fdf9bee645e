import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.presentation.quantities.bare import completed, ending_of, figure_in, in_ending, stored_text
from explorer.presentation.quantities.numbers import capacity, scaled, seconds
from explorer.presentation.quantities.quantity import Unit, quantity_text, read_quantity

NUMBERS = st.decimals(min_value=1, max_value=9999, places=2).map(lambda d: f"{d.normalize():f}")
FIGURES = st.floats(min_value=1e-3, max_value=9e11, allow_nan=False)
RATES = st.floats(min_value=1.0, max_value=9e17, allow_nan=False)


@pytest.mark.parametrize(
    ("shown", "unit", "typed", "stored"),
    [
        ("288 GB/s", "B/s", "256", 256e9),
        ("3.35 TB/s", "B/s", "4.8", 4.8e12),
        ("989.4 TFLOP/s", "FLOP/s", "1979", 1979e12),
        ("1979 TOP/s", "OP/s", "660", 660e12),
        ("80 GiB", "B", "96", 96 * 2**30),
        ("80 GB", "B", "96", 96e9),
        ("2.4 µs", "s", "4", 4e-6),
        ("375 ns", "s", "500", 500e-9),
        ("700 W", "W", "1000", 1000.0),
        ("288 GB/s", "B/s", "1e3", 1e12),
        ("288 GB/s", "B/s", "256 B/s", 256.0),
        ("288 GB/s", "B/s", "1.2 TB/s", 1.2e12),
        ("288 GB/s", "B/s", "512 G", 512e9),
        ("–", "B/s", "256", 256.0),
    ],
)
def test_a_bare_number_keeps_the_unit_shown_and_any_other_is_read_as_typed(
    shown: str, unit: Unit, typed: str, stored: float
) -> None:
    assert read_quantity(completed(typed, ending_of(shown, unit)), unit) == stored


@given(RATES, NUMBERS, st.sampled_from(["FLOP/s", "OP/s", "B/s", "B"]))
def test_a_bare_number_over_any_shown_rate_is_of_its_prefix(figure: float, typed: str, unit: Unit) -> None:
    for shown in (scaled(figure, unit), quantity_text(figure, unit)):
        ending = ending_of(shown, unit)
        number = float(shown.removesuffix(ending).strip().replace(",", ""))
        stored = read_quantity(completed(typed, ending), unit)
        assert stored / figure == pytest.approx(float(typed) / number, rel=0.01)


@given(FIGURES, NUMBERS)
def test_a_bare_number_over_any_shown_time_or_size_is_of_its_prefix(figure: float, typed: str) -> None:
    cells: tuple[tuple[str, Unit], ...] = (
        (seconds(figure), "s"), (capacity(figure, "GiB"), "B"), (capacity(figure, "GB"), "B"),
    )  # fmt: skip
    for shown, unit in cells:
        ending = ending_of(shown, unit)
        number = float(shown.removesuffix(ending).strip().replace(",", ""))
        stored = read_quantity(completed(typed, ending), unit)
        if number >= 1:
            assert stored / figure == pytest.approx(float(typed) / number, rel=0.01)


@given(FIGURES, st.sampled_from([("s", "ms"), ("s", "µs"), ("B", "GB"), ("B", "GiB"), ("B/s", "GB/s")]))
def test_a_figure_in_its_cells_unit_reads_back_as_itself(figure: float, told: tuple[Unit, str]) -> None:
    unit, ending = told
    text = in_ending(figure, unit, ending)
    assert read_quantity(text, unit) == figure
    assert text.endswith((ending, unit))


def test_the_editor_of_a_size_begins_in_the_unit_of_its_cell() -> None:
    assert in_ending(80 * 2**30, "B", "GB") == "85.89934592 GB"
    assert in_ending(80 * 2**30, "B", "GiB") == "80 GiB"
    assert in_ending(None, "B", "GiB") == ""


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("256", "= 256 GB/s"),
        ("2.56", "= 2.56 GB/s"),
        ("256 B/s", "= 256 B/s"),
        ("9 TB/s", "= 9 TB/s"),
        ("300 GB/s", ""),
        ("a", ""),
        ("", ""),
    ],
)
def test_what_will_be_stored_is_said_where_the_unit_is_taken_over_or_the_magnitude_changes(
    typed: str, said: str
) -> None:
    assert stored_text(typed, "B/s", "GB/s", 288e9) == said


def test_a_unit_of_another_kind_is_no_ending() -> None:
    assert ending_of("5 ms", "B/s") == ""
    assert ending_of("172", "B/s") == ""
    assert figure_in("5 ms", "B/s") is None
