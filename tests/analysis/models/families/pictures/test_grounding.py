"""Grounding DINO: picture and text read the same scores, boxes come of one network, what is not exact is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step

Small = Callable[..., dict[str, Any]]
ROWS = 256 + 64 + 16 + 4  # pictures of sides 16, 8, 4, and one of side 2 made behind them


def test_one_product_of_scores_is_read_along_both_sides(small: Small) -> None:
    rows = build_model(small("grounding-dino")).rows(one_step("prefill", 1, 1))
    scores = [row for row in rows if row.name == "scores[fusion]"]
    assert [(float(row.count), row.dims["m"], row.dims["n"]) for row in scores] == [(2.0, ROWS, 12.0)]


def test_boxes_of_every_layer_come_of_one_network(small: Small) -> None:
    owned = [group for group in build_model(small("grounding-dino")).tensors if "bbox_embed" in group.name]
    each = 2 * (64 * 64 + 64) + 64 * 4 + 4
    assert sum(group.count * group.values_each for group in owned) == 2 * each  # that of the encoder's rows apart


def test_the_longest_text_is_told(small: Small) -> None:
    notes = {note.code: note.values for note in build_model(small("grounding-dino")).assumptions}
    assert notes["model.text_beside"] == {"tokens": 12}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"two_stage": False}, "two_stage"),
        ({"decoder_bbox_embed_share": False}, "decoder_bbox_embed_share"),
        ({"position_embedding_type": "learned"}, "position_embedding_type"),
        ({"num_queries": ROWS + 1}, "num_queries"),
        ({"max_text_len": 41}, "max_text_len"),
        ({"num_feature_levels": 2}, "num_feature_levels"),
        ({"encoder_attention_heads": 1}, "encoder_attention_heads"),
        ({"text_config": {"model_type": "roberta"}}, "text_config.model_type"),
        ({"architectures": ["GroundingDinoModel"]}, "architectures"),
    ],
)
def test_what_is_not_exact_is_refused_by_its_field(small: Small, change: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small("grounding-dino", **change))
    assert field in [problem.path for problem in refusal.value.problems]
