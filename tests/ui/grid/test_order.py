"""Rows found and put in order: those without a value are last in both directions."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.presentation.tables.columns import Column, as_text
from explorer.presentation.words.messages import Message
from explorer.ui.grid.order import arranged, ordered, runs

Row = tuple[str, Any]
VALUE: Column[Row] = Column("value", Message("column.value"), lambda r: r[1], as_text)


@pytest.mark.parametrize(
    ("values", "up", "down"),
    [
        ([2.0, None, 1.0, 3.0], "cadb", "dacb"),
        ([None, None, 5.0], "cab", "cab"),
        (["b", None, "A", "c"], "cadb", "dacb"),
        ([1.0, 1.0, None, 1.0], "abdc", "abdc"),
        ([0.0, None, -1.0], "cab", "acb"),
    ],
)
def test_missing_values_are_last_whichever_way_and_equal_ones_stay_as_they_come(
    values: list[object], up: str, down: str
) -> None:
    rows = list(zip("abcd", values, strict=False))
    assert "".join(name for name, _ in ordered(rows, VALUE, descending=False)) == up
    assert "".join(name for name, _ in ordered(rows, VALUE, descending=True)) == down


@given(st.lists(st.one_of(st.none(), st.floats(-9, 9))), st.booleans())
def test_nothing_is_lost_and_what_has_a_value_is_in_order_before_what_has_none(
    values: list[float | None], descending: bool
) -> None:
    rows: list[Row] = [(str(i), v) for i, v in enumerate(values)]
    found = [v for _, v in ordered(rows, VALUE, descending)]
    present = [v for v in found if v is not None]
    assert found == [*present, *[None] * (len(found) - len(present))]
    assert present == sorted((v for v in values if v is not None), reverse=descending)


def test_every_word_of_the_needle_is_in_a_row_that_is_found() -> None:
    rows: list[Row] = [("red apple", 3.0), ("green apple", 1.0), ("red plum", None)]

    def found(needle: str, by: tuple[Column[Row], bool] | None = None) -> list[str]:
        return [name for name, _ in arranged(rows, by, needle, lambda row: row[0])]

    assert found("RED") == ["red apple", "red plum"]
    assert found("apple red") == ["red apple"]
    assert found("  ") == [name for name, _ in rows]
    assert found("pear") == []
    assert found("", (VALUE, False)) == ["green apple", "red apple", "red plum"]
    assert found("", (VALUE, True)) == ["red apple", "green apple", "red plum"]
    assert found("red", (VALUE, True)) == ["red apple", "red plum"]


@given(st.lists(st.booleans()))
def test_runs_of_hits_cover_every_hit_and_nothing_else_and_never_touch(hits: list[bool]) -> None:
    found = runs(hits)
    assert [i for first, last in found for i in range(first, last + 1)] == [i for i, hit in enumerate(hits) if hit]
    assert all(last + 1 < first for (_, last), (first, _) in pairwise(found))
    assert runs([True, True, False, True]) == [(0, 1), (3, 3)]
