import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.problem import Problem
from explorer.presentation.quantities.log_scale import LogScale, parse_count, snapped

BATCH = LogScale(1, 4096)


def test_ends_and_middle_of_the_scale_are_logarithmic() -> None:
    assert (BATCH.fraction(1), BATCH.fraction(64), BATCH.fraction(4096)) == (0.0, 0.5, 1.0)
    assert (BATCH.value(0.0), BATCH.value(0.5), BATCH.value(1.0)) == (1, 64, 4096)


def test_values_beyond_the_ends_stand_at_the_ends() -> None:
    assert BATCH.fraction(9999) == 1.0
    assert BATCH.value(-0.2) == 1


def test_doubling_stays_within_the_scale() -> None:
    assert BATCH.doubled(96, 1) == 192
    assert BATCH.doubled(4096, 1) == 4096
    assert BATCH.doubled(1, -1) == 1
    assert BATCH.doubled(5, -1) == 2


def test_small_steps_are_whole_numbers_and_large_ones_a_sixteenth_of_a_doubling() -> None:
    assert BATCH.stepped(7, 1) == 8
    assert BATCH.stepped(64, 1) == 68
    assert BATCH.stepped(64, -1) == 62
    assert BATCH.stepped(1, -1) == 1


@given(st.integers(0, 12))
def test_every_power_of_two_is_a_stop(power: int) -> None:
    assert snapped(2.0**power) == 2**power


@given(st.integers(1, 4096))
def test_a_step_up_always_moves_up_until_the_end(value: int) -> None:
    assert BATCH.stepped(value, 1) > value or value == 4096


@given(st.floats(0, 1))
def test_every_place_has_a_value_on_the_scale(place: float) -> None:
    assert 1 <= BATCH.value(place) <= 4096


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4096", 4096),
        ("4,096", 4096),
        ("4k", 4096),
        ("128k", 131072),
        (" 128 K ", 131072),
        ("1M", 1 << 20),
        ("1.5k", 1536),
    ],
)
def test_counts_are_read_as_people_type_them(text: str, value: int) -> None:
    assert parse_count(text, 1, 1 << 20) == value


@pytest.mark.parametrize("text", ["", "four", "-4", "4.5", "1e3", "4kk", "0x10", "9" * 60, "4 5"])
def test_what_is_no_count_is_a_problem_with_a_code(text: str) -> None:
    assert parse_count(text, 1, 4096) == Problem("count.syntax")


def test_a_count_out_of_range_names_the_range() -> None:
    found = parse_count("8k", 1, 4096)
    assert found == Problem("count.range", values={"low": "1", "high": "4,096"})


@given(st.text(max_size=60))
def test_any_text_gives_a_count_or_a_problem(text: str) -> None:
    found = parse_count(text, 1, 4096)
    assert isinstance(found, Problem) or 1 <= found <= 4096
