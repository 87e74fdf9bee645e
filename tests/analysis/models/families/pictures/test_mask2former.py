"""Mask2Former: masks are drawn before the first layer and after each; what its class does not run is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step

Small = Callable[..., dict[str, Any]]


def test_masks_are_drawn_again_after_every_layer_by_the_same_weights(small: Small) -> None:
    model = build_model(small("mask2former"))
    drawn = [row for row in model.rows(one_step("prefill", 1, 1)) if row.name.startswith("masks")]
    assert sum(float(row.count) for row in drawn) == 6  # once before the five layers
    owned = [group for group in model.tensors if "mask_embedder" in group.name]
    assert sum(group.count * group.values_each for group in owned) == 2 * (64 * 64 + 64) + 64 * 48 + 48


def test_layers_look_at_the_three_pictures_by_turns(small: Small) -> None:
    rows = build_model(small("mask2former")).rows(one_step("prefill", 1, 1))
    keys = [(float(row.count), row.dims["S_k"]) for row in rows if row.name.startswith("cross_attn.attention")]
    assert keys == [(2.0, 16.0), (2.0, 64.0), (1.0, 256.0)]


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"feature_size": 68}, "feature_size"),
        ({"common_stride": 16}, "common_stride"),
        ({"backbone_config": {"model_type": "resnet"}}, "backbone_config.model_type"),
        ({"backbone_config": {"model_type": "swin", "out_features": ["stage4"]}}, "backbone_config.out_features"),
        ({"architectures": ["Mask2FormerOther"]}, "architectures"),
    ],
)
def test_what_is_not_exact_is_refused_by_its_field(small: Small, change: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small("mask2former", **change))
    assert field in [problem.path for problem in refusal.value.problems]
