"""XLNet, whose layers score distances beside content."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
SIZES = {"d_model": 64, "n_layer": 3, "n_head": 4, "d_inner": 96, "vocab_size": 101}
UNTIED = {"n_head": 8, "n_layer": 2, "tie_word_embeddings": False}
# parameters of classes of the transformers library 5.24 and FLOPs of products over 48 tokens
COUNTED: list[tuple[str, dict[str, Any], int, int]] = [
    ("XLNetModel", {}, 107040, 14155776),
    ("XLNetLMHeadModel", {}, 107141, 14776320),
    ("XLNetLMHeadModel", UNTIED, 80101, 10057728),
    ("XLNetForSequenceClassification", {"num_labels": 5}, 111525, 14164608),
    ("XLNetForQuestionAnsweringSimple", {}, 107170, 14168064),
]


@pytest.mark.parametrize(("named", "changes", "parameters", "flops"), COUNTED)
def test_xlnet_equals_its_class(
    rows_of: Rows, cost: Cost, named: str, changes: dict[str, Any], parameters: int, flops: int
) -> None:
    config = {"model_type": "xlnet", **SIZES, **changes, "architectures": [named]}
    assert build_model(config).parameters == parameters
    rows = rows_of(config, "prefill", 1, 48, attention_count="full").values()
    products = [row for row in rows if row.kind in {"matmul", "attention", "batched_matmul"}]
    assert sum(float(row.count * cost(row).flops) for row in products) == flops


@pytest.mark.parametrize(("change", "path"), [({"attn_type": "uni"}, "attn_type"), ({"d_head": 16}, "d_head")])
def test_a_variant_is_refused_by_its_field(small: Small, change: dict[str, Any], path: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small("xlnet", **change))
    assert [problem.path for problem in refusal.value.problems] == [path]
