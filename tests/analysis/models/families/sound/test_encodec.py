"""EnCodec: there and back; the recurrence, which torch's counter leaves out, by hand."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
COUNTED = 31_001_600  # by torch's own counter, of the class, which passes over the recurrence


def test_the_recurrence_is_two_products_for_four_gates_in_each_layer_of_each_side(
    small: Small, cost: Callable[[Row], Costs]
) -> None:
    rows = build_model(small("encodec")).rows(one_step("prefill", 1, 1))
    products = [row for row in rows if "matmul" in row.kind or "conv" in row.kind]
    recurrence = 2 * 2 * 2 * (2 * 200 * 32 * 4 * 32)
    assert sum(float(row.count * cost(row).flops) for row in products) == COUNTED + recurrence


def test_what_a_pass_is_over_is_said(small: Small) -> None:
    notes = {note.code: note.values for note in build_model(small("encodec")).assumptions}
    assert notes["model.one_sound"] == {"seconds": 10, "positions": 200}
    assert "model.recurrence_as_product" in notes
    notes = {note.code: note.values for note in build_model(small("encodec", chunk_length_s=1)).assumptions}
    assert notes["model.one_sound"] == {"seconds": 1, "positions": 20}


def test_codes_are_of_the_smallest_bandwidth(small: Small) -> None:
    for widths, books in (([0.5, 1.0], 4.0), ([1.0], 8.0), ([0.001], 1.0)):
        rows = build_model(small("encodec", target_bandwidths=widths)).rows(one_step("prefill", 1, 1))
        assert next(row.dims["b"] for row in rows if row.kind == "batched_matmul") == books


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"norm_type": "odd"}, "norm_type"),
        ({"chunk_length_s": 0.5}, "chunk_length_s"),
        ({"codebook_size": 1}, "codebook_size"),
        ({"num_lstm_layers": 100_000}, "num_lstm_layers"),
        ({"upsampling_ratios": [2] * 17}, "upsampling_ratios"),
        ({"architectures": ["Odd"]}, "architectures"),
    ],
)
def test_what_is_not_exact_is_refused_by_its_field(small: Small, change: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small("encodec", **change))
    assert [problem.path for problem in refusal.value.problems] == [field]
