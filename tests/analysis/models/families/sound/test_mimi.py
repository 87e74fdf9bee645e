"""Mimi: there and back; distances to the codes, which torch's counter leaves out, by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
COUNTED = 51_968_000  # by torch's own counter, of the class


def test_every_frame_is_compared_with_every_code_of_every_book(small: Small, cost: Callable[[Row], Costs]) -> None:
    rows = build_model(small("mimi")).rows(one_step("prefill", 1, 1, attention_count="full"))
    kinds = ("matmul", "conv1d", "conv_transpose", "attention")
    assert sum(float(row.count * cost(row).flops) for row in rows if row.kind in kinds) == COUNTED
    told = next(row for row in rows if row.kind == "batched_matmul")
    assert cost(told).flops == 2 * 4 * 100 * 64 * 16


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"sliding_window": 199}, "sliding_window"),
        ({"num_key_value_heads": 2}, "num_key_value_heads"),
        ({"frame_rate": 12.5}, "frame_rate"),  # of its 10
        ({"attention_bias": True}, "attention_bias"),
        ({"codebook_dim": 32}, "codebook_dim"),
    ],
)
def test_what_is_not_exact_is_refused_by_its_field(small: Small, change: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small("mimi", **change))
    assert [problem.path for problem in refusal.value.problems] == [field]


def test_the_rate_of_frames_may_be_stated(small: Small) -> None:
    stated = build_model(small("mimi", frame_rate=10.0, _frame_rate=10))
    assert stated.parameters == build_model(small("mimi")).parameters
