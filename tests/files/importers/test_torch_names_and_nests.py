"""Which operator answers for a kernel."""

import numpy as np
import pytest

from explorer.files.importers.torch import join
from explorer.files.importers.torch.join import Spans, nested
from explorer.files.importers.torch.names import COPY, HEAVY, LIGHT, NOTHING, UNKNOWN, class_of


def nest_of(*spans):
    """Operators as thread, start, end and class."""
    held = Spans()
    for call, (thread, start, end, _) in enumerate(spans):
        held.add(thread, start, end - start, call)
    return nested(held, [level for *_, level in spans])


def owners(*spans):
    """For each operator, in the order given, the one that answers for it; None for none."""
    nest = nest_of(*spans)
    found = {int(nest.call[i]): None if o < 0 else int(nest.call[o]) for i, o in enumerate(nest.owner)}
    return [found[i] for i in range(len(spans))]


@pytest.mark.parametrize(
    ("levels", "answers"),
    [
        ((HEAVY, LIGHT, COPY), [0, 0, 0]),
        ((HEAVY, HEAVY, LIGHT), [None, 1, 1]),
        ((LIGHT, HEAVY, LIGHT), [None, 1, 1]),
        ((LIGHT, LIGHT, COPY), [None, 1, 1]),
        ((LIGHT, COPY, UNKNOWN), [0, 0, 0]),
        ((COPY, UNKNOWN, NOTHING), [None, 1, 1]),
        ((UNKNOWN, NOTHING, NOTHING), [0, 0, 0]),
        ((NOTHING, COPY, NOTHING), [None, 1, 1]),
        ((UNKNOWN, NOTHING, COPY), [None, None, 2]),
        ((NOTHING, NOTHING, NOTHING), [None, None, None]),
        ((HEAVY, NOTHING, HEAVY), [None, None, 2]),
        ((COPY, NOTHING, NOTHING), [0, 0, 0]),
        ((UNKNOWN, UNKNOWN, NOTHING), [None, 1, 1]),
    ],
)
def test_the_innermost_operator_that_works_answers_for_itself_and_all_inside(levels, answers):
    spans = [(1, float(i), 10.0 - i, level) for i, level in enumerate(levels)]
    assert owners(*spans) == answers
    assert owners(*spans[::-1]) == [None if a is None else 2 - a for a in answers[::-1]]


def test_operators_of_other_threads_or_other_times_hold_nothing():
    assert owners((1, 0, 10, HEAVY), (2, 1, 2, LIGHT), (1, 10, 11, LIGHT)) == [0, 1, 2]
    assert owners((1, 0, 10, HEAVY), (1, 9.5, 12, LIGHT), (1, 10, 11, LIGHT)) == [0, 0, 0]


def test_times_that_cannot_be_are_left_out_of_the_nest():
    nest = nest_of(
        (1, 0, 5, HEAVY), (1, float("nan"), 5, HEAVY), (1, 3, 2, HEAVY), (1, 1, float("inf"), HEAVY), (1, 2, 2, LIGHT)
    )
    assert nest.call.tolist() == [0, 4]
    assert nest.parent.tolist() == [-1, 0]


@pytest.mark.parametrize("climbs", [64, 0])
def test_a_moment_is_held_by_the_innermost_operator_of_its_thread_that_has_not_ended(climbs, monkeypatch):
    monkeypatch.setattr(join, "_CLIMBS", climbs)
    nest = nest_of((1, 0, 10, HEAVY), (1, 1, 5, HEAVY), (1, 2, 3, HEAVY), (3, 0, 4, HEAVY), (1, 6, 7, HEAVY))
    moments = [
        (1, -1),
        (1, 0),
        (1, 2.5),
        (1, 3),
        (1, 4),
        (1, 5.5),
        (1, 6),
        (1, 9),
        (1, 11),
        (2, 1),
        (3, 4),
        (3, 5),
        (1, 4.5),
    ]
    threads, times = (np.array(part) for part in zip(*moments, strict=True))
    found = nest.holding(threads.astype(np.int64), times.astype(float))
    held = [None if i < 0 else int(nest.call[i]) for i in found]
    assert held == [None, 0, 2, 2, 1, 0, 4, 0, None, None, 3, None, 1]


def test_operators_that_hold_one_another_very_deep_are_climbed():
    depth = 200
    nest = nest_of(*[(1, float(i), 1000.0 - i, HEAVY) for i in range(depth)])
    times = np.array([1000.0 - i - 0.5 for i in range(depth)])
    found = nest.holding(np.ones(depth, np.int64), times)
    assert found.tolist() == list(range(depth))


CLASSES = {
    "aten::mm": HEAVY,
    "aten::conv2d": HEAVY,
    "aten::_flash_attention_forward": HEAVY,
    "aten::relu": LIGHT,
    "aten::copy_": COPY,
    "aten::view": NOTHING,
    "aten::sort": UNKNOWN,
    "mylib::op": UNKNOWN,
    "my_range": NOTHING,
    "autograd::engine": NOTHING,
    "profiler::x": NOTHING,
    "aten::clone": NOTHING,
}


@pytest.mark.parametrize("name", CLASSES)
def test_how_much_an_operator_is_is_told_by_its_name(name):
    assert class_of(name) == CLASSES[name]


def test_a_moment_is_held_by_the_innermost_operator_of_its_thread_and_elsewhere_by_none():
    nest = nest_of((1, 0, 10, HEAVY), (1, 2, 4, LIGHT), (3, 0, 10, HEAVY))
    moments = [(1, 3.0), (1, 5.0), (1, 11.0), (2, 3.0), (3, -1.0), (3, 0.0), (9, 3.0)]
    held = nest.holding(np.array([t for t, _ in moments]), np.array([m for _, m in moments]))
    assert held.tolist() == [1, 0, -1, -1, -1, 2, -1]
