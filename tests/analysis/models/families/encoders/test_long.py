"""Encoders of long texts, and of words on a page."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
SIZES = {
    "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 101,
    "max_position_embeddings": 600, "type_vocab_size": 2, "num_labels": 5,
}  # fmt: skip
EACH = {"attention_window": [8, 16, 8], "tie_word_embeddings": False}
DRAWN = {"block_size": 8, "num_random_blocks": 1}
# parameters of classes of the transformers library 5.24 and FLOPs of products over so many tokens
COUNTED: list[tuple[str, str, dict[str, Any], int, int, int]] = [
    ("longformer", "LongformerModel", {"attention_window": 16}, 48, 174752, 9199616),
    ("longformer", "LongformerForMaskedLM", EACH, 48, 181546, 9910272),
    ("big_bird", "BigBirdForMaskedLM", DRAWN, 96, 141701, 22581248),
    ("big_bird", "BigBirdForQuestionAnswering", DRAWN, 96, 145858, 22929408),
    ("big_bird", "BigBirdModel", {"attention_type": "original_full"}, 96, 137312, 23601152),
]
PRODUCTS = {"matmul", "attention", "block_attention"}


@pytest.mark.parametrize(("model_type", "named", "changes", "length", "parameters", "flops"), COUNTED)
def test_blocks_cost_what_the_class_works_out(
    rows_of: Rows, cost: Cost, model_type: str, named: str, changes: dict[str, Any], length: int, parameters: int,
    flops: int,
) -> None:  # fmt: skip
    config = {"model_type": model_type, **SIZES, **changes, "architectures": [named]}
    assert build_model(config).parameters == parameters
    rows = rows_of(config, "prefill", 1, length, attention_count="full")
    assert sum(float(r.count * cost(r).flops) for r in rows.values() if r.kind in PRODUCTS) == flops


@pytest.mark.parametrize("length", [5, 32, 33, 300])
def test_longformer_by_its_mask_sees_its_window_to_both_sides(
    small: Small, rows_of: Rows, cost: Cost, length: int
) -> None:
    rows = rows_of(small("longformer"), "prefill", 1, length)
    there = np.arange(length)
    pairs = int((np.abs(there[:, None] - there[None, :]) <= 32).sum())
    assert cost(rows["attention"]).flops == 2 * 8 * pairs * 64


def test_big_bird_sees_every_pair_of_a_short_text_and_blocks_of_a_long_one(
    small: Small, rows_of: Rows, cost: Cost
) -> None:
    short, long = (cost(rows_of(small("big_bird"), "prefill", 1, n)["attention"]).flops for n in (144, 1600))
    assert short == 2 * 8 * 144 * 144 * 64
    assert long == 2 * 8 * 64 * 16 * 16 * (100 * 9 - 16)


def test_a_text_is_filled_up_to_whole_windows(small: Small, rows_of: Rows, cost: Cost) -> None:
    found = [rows_of(small("longformer"), "prefill", 3, length)["query"].dims["m"] for length in (1, 64, 65)]
    assert found == [3 * 64, 3 * 64, 3 * 128]
    config = {"model_type": "longformer", **SIZES, "attention_window": 16, "architectures": ["LongformerModel"]}
    rows = rows_of(config, "prefill", 1, 40, attention_count="full")
    assert sum(float(r.count * cost(r).flops) for r in rows.values() if r.kind in PRODUCTS) == 9199616


def test_global_projections_are_held_and_not_run(small: Small, rows_of: Rows) -> None:
    held = {group.name for group in build_model(small("longformer")).tensors}
    assert "attention.self.key_global.weight" in held
    assert not [name for name in rows_of(small("longformer"), "prefill") if "global" in name]
    assert "model.global_tokens" in [note.code for note in build_model(small("longformer")).assumptions]


@pytest.mark.parametrize(
    ("model_type", "change", "path"),
    [
        ("longformer", {"attention_window": 63}, "attention_window"),
        ("longformer", {"attention_window": [64, 64]}, "attention_window"),
        ("longformer", {"attention_window": ["64"]}, "attention_window"),
        ("longformer", {"attention_window": [24, 64, 64, 64, 64, 64]}, "attention_window"),
        ("big_bird", {"attention_type": "local"}, "attention_type"),
        ("big_bird", {"use_bias": False}, "use_bias"),
        ("layoutlmv3", {"coordinate_size": 41}, "coordinate_size"),
        ("layoutlmv3", {"text_embed": False}, "text_embed"),
        ("layoutlmv3", {"patch_size": 15}, "patch_size"),
    ],
)
def test_what_cannot_be_done_exactly_is_refused_by_its_field(
    small: Small, model_type: str, change: dict[str, Any], path: str
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **change))
    assert path in [problem.path for problem in refusal.value.problems]


def test_layoutlm_holds_what_takes_in_a_picture_where_it_has_it(small: Small) -> None:
    with_it, without = (build_model(small("layoutlmv3", visual_embed=flag)) for flag in (True, False))
    assert with_it.parameters - without.parameters == 256 * (1 + 197 + 1 + 3 * 16 * 16 + 4)
    labels = [build_model(small("layoutlmv3", num_labels=count)).parameters for count in (9, 10)]
    assert labels[1] - labels[0] == 256 * 256 + 256 + 257
