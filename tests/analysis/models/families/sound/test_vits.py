"""VITS: all of it counts, only the encoder of text has rows, which is said; what is not exact is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step

Small = Callable[..., dict[str, Any]]


def test_the_released_speaker_has_the_parameters_of_its_class() -> None:
    assert build_model({"model_type": "vits", "architectures": ["VitsModel"]}).parameters == 36284592


def test_only_the_encoder_of_text_has_rows_and_it_is_said(small: Small) -> None:
    model = build_model(small("vits"))
    notes = {note.code: note.values for note in model.assumptions}
    assert notes["model.text_encoder_alone"] == {"tokens": 256}
    read = sum(float(row.count) for row in model.rows(one_step("prefill", 1, 1)) if row.kind == "conv1d")
    assert read == 2 * 2 + 1  # two of each layer, and the last


def test_scores_take_in_all_distances(small: Small) -> None:
    rows = {row.name: row for row in build_model(small("vits")).rows(one_step("prefill", 1, 1))}
    assert (rows["rel_k"].dims["m"], rows["rel_k"].dims["n"]) == (256, 511)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"flow_size": 15}, "flow_size"),
        ({"upsample_kernel_sizes": [8]}, "upsample_kernel_sizes"),
        ({"upsample_initial_channel": 30}, "upsample_initial_channel"),
        ({"resblock_dilation_sizes": [[1]]}, "resblock_dilation_sizes"),
        ({"depth_separable_channels": 4}, "depth_separable_channels"),
        ({"num_attention_heads": 5}, "num_attention_heads"),
        ({"architectures": ["VitsOther"]}, "architectures"),
    ],
)
def test_what_is_not_exact_is_refused_by_its_field(small: Small, change: dict[str, Any], field: str) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small("vits", **change))
    assert field in [problem.path for problem in refusal.value.problems]
