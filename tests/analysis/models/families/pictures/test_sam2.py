"""SAM 2: stages that halve the picture by their queries; what its class does not run is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step

Small = Callable[..., dict[str, Any]]


def test_the_first_layer_of_a_stage_asks_for_a_quarter_of_the_rows(small: Small) -> None:
    rows = build_model(small("sam2")).rows(one_step("prefill", 1, 1))
    seen = {row.name: (row.dims["S_q"], row.dims["S_k"]) for row in rows if row.kind == "attention"}
    assert seen["attention[stage 1]"] == (64.0, 64.0)
    assert seen["attention[stage 2, first]"] == (16.0, 64.0)
    assert seen["attention[stage 3, global]"] == (64.0, 64.0)


@pytest.mark.parametrize(
    ("part", "change", "field"),
    [
        ("backbone_config", {"global_attention_blocks": [3]}, "global_attention_blocks"),
        ("backbone_config", {"query_stride": [4, 4]}, "query_stride"),
        ("backbone_config", {"embed_dim_per_stage": [16, 16, 48, 64]}, "embed_dim_per_stage"),
        ("", {"backbone_channel_list": [64, 48, 32, 8]}, "vision_config.backbone_channel_list"),
        ("", {"fpn_kernel_size": 3}, "vision_config.fpn_kernel_size"),
        ("", {"backbone_feature_sizes": [[32, 32], [16, 16], [4, 4]]}, "vision_config.backbone_feature_sizes"),
        ("", {"num_feature_levels": 2}, "vision_config.num_feature_levels"),
    ],
)
def test_what_is_not_exact_is_refused_by_its_field(small: Small, part: str, change: dict[str, Any], field: str) -> None:
    config = small("sam2")
    vision = config["vision_config"]
    inner = {**vision, part: {**vision[part], **change}} if part else {**vision, **change}
    with pytest.raises(Refused) as refusal:
        build_model({**config, "vision_config": inner})
    assert any(problem.path.endswith(field) for problem in refusal.value.problems)


def test_prompts_are_for_the_picture_that_the_encoder_sees(small: Small) -> None:
    config = small("sam2")
    with pytest.raises(Refused) as refusal:
        build_model({**config, "prompt_encoder_config": {**config["prompt_encoder_config"], "image_size": 256}})
    assert [problem.path for problem in refusal.value.problems] == ["prompt_encoder_config.image_size"]
