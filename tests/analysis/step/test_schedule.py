"""Schedules in closed form, and their ledgers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.step.resources import Resource
from explorer.analysis.step.rows import Row
from explorer.analysis.step.schedule import (
    BUBBLE,
    Busy,
    Max,
    Overlap,
    Pipeline,
    Repeat,
    Schedule,
    Serial,
    one_after_the_other,
    time_ledger,
)
from explorer.analysis.step.work import Use, Work

SECONDS = st.floats(1e-9, 1e3)
SHARES = st.floats(0.0, 1.0)


def busy(seconds: float, name: str = "row", count: float = 1.0) -> Busy:
    memory = Resource("memory", "HBM", rate=1e12)
    return Busy(Work(Row(name, "copy", {}), count=count, uses=(Use(memory, seconds * 1e12),)))


@given(st.lists(SECONDS, min_size=1, max_size=5))
def test_one_after_the_other_adds_and_side_by_side_takes_the_slowest(times: list[float]) -> None:
    parts = tuple(busy(t) for t in times)
    assert Serial(parts).seconds == pytest.approx(sum(times))
    assert Max(parts).seconds == pytest.approx(max(times))
    assert Repeat(Serial(parts), 3).seconds == pytest.approx(3 * sum(times))


@given(SECONDS, SECONDS)
def test_an_overlap_goes_from_one_after_the_other_to_side_by_side(one: float, other: float) -> None:
    parts = busy(one), busy(other)
    assert Overlap(*parts, 0.0).seconds == pytest.approx(one + other)
    assert Overlap(*parts, 1.0).seconds == pytest.approx(max(one, other))
    assert Overlap(*parts, 0.5).seconds == pytest.approx(one + other - min(one, other) / 2)


@pytest.mark.parametrize(("chunks", "share"), [(1, 0.0986), (5, 0.0214)])
def test_eight_stages_and_64_microbatches_leave_the_known_bubble(chunks: int, share: float) -> None:
    pipeline = Pipeline(tuple(busy(2e-3) for _ in range(8)), 64, chunks)
    assert pipeline.bubble_s / pipeline.seconds == pytest.approx(share, abs=5e-5)


@given(SECONDS, st.integers(1, 16), st.integers(1, 256), st.integers(1, 8))
def test_the_bubble_of_equal_stages_is_its_closed_form(t: float, p: int, m: int, v: int) -> None:
    pipeline = Pipeline(tuple(busy(t) for _ in range(p)), m, v)
    assert pipeline.bubble_s / pipeline.seconds == pytest.approx((p - 1) / (v * m + p - 1), abs=1e-9)


def test_of_unequal_stages_the_slowest_sets_the_pace() -> None:
    pipeline = Pipeline((busy(1.0), busy(3.0), busy(2.0)), 10)
    assert pipeline.seconds == pytest.approx(10 * 3.0 + 1.0 + 2.0)


LEAVES = st.builds(lambda t, n: busy(t, count=n), SECONDS, st.floats(1.0, 100.0))
TREES: st.SearchStrategy[Schedule] = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(Serial, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Max, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Overlap, inner, inner, SHARES),
        st.builds(Repeat, inner, st.integers(1, 9)),
        st.builds(Pipeline, st.lists(inner, min_size=1, max_size=3).map(tuple), st.integers(1, 9), st.integers(1, 3)),
    ),
    max_leaves=8,
)


@given(TREES)
def test_a_ledgers_entries_add_up_to_the_trees_time(tree: Schedule) -> None:
    assert time_ledger(tree).total == pytest.approx(tree.seconds, rel=1e-9)
    assert sum(time_ledger(tree).by_bound().values()) == pytest.approx(tree.seconds, rel=1e-9)


def test_a_ledger_names_whose_time_it_is_and_what_is_hidden_is_in_none() -> None:
    tree = Serial(
        (Overlap(busy(3.0, "compute"), busy(2.0, "send"), 1.0), Pipeline((busy(1.0, "a"), busy(1.0, "b")), 4))
    )
    found = {(e.name, e.bound): float(e.seconds) for e in time_ledger(tree).entries}
    assert found == pytest.approx(
        {("compute", "memory"): 3.0, ("send", "memory"): 0.0, ("a", "memory"): 4.0, (BUBBLE, BUBBLE): 1.0}
    )


def test_times_may_be_arrays() -> None:
    batches = np.array([1.0, 2.0, 4.0])
    memory = Resource("memory", "HBM", rate=1e12)
    row = Row("row", "copy", {})
    grows = Busy(Work(row, uses=(Use(memory, batches * 1e12),)))
    assert Max((grows, busy(2.0))).seconds.tolist() == [2.0, 2.0, 4.0]
    assert one_after_the_other([grows.work, grows.work]).seconds.tolist() == [2.0, 4.0, 8.0]
