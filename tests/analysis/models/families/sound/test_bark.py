"""Bark counted whole: three transformers and a codec; what a step runs is the semantic model."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step

Small = Callable[..., dict[str, Any]]

# Parameters of the small config with one part changed, counted on the class of the transformers library 5.24.
COUNTED: list[tuple[str, dict[str, Any], int]] = [
    ("semantic_config", {}, 6825694),
    ("semantic_config", {"bias": False}, 6808542),
    ("semantic_config", {"output_vocab_size": 700}, 6748894),
    ("coarse_acoustics_config", {"bias": False, "num_layers": 5}, 7215070),
    ("fine_acoustics_config", {"bias": False}, 6823966),
    ("fine_acoustics_config", {"tie_word_embeddings": False}, 7000414),
    ("fine_acoustics_config", {"n_codes_given": 3, "tie_word_embeddings": False}, 6950494),
    ("fine_acoustics_config", {"n_codes_given": 0, "tie_word_embeddings": False}, 7025374),
    ("fine_acoustics_config", {"n_codes_total": 5}, 6750814),
    ("codec_config", {"num_lstm_layers": 1}, 6759134),
]


def _changed(config: dict[str, Any], part: str, change: dict[str, Any]) -> dict[str, Any]:
    return {**config, part: {**config[part], **change}}


@pytest.mark.parametrize(("part", "change", "parameters"), COUNTED)
def test_every_part_counts_as_in_its_class(small: Small, part: str, change: dict[str, Any], parameters: int) -> None:
    assert build_model(_changed(small("bark"), part, change)).parameters == parameters


def test_the_class_has_its_head_and_the_sizes_it_takes_where_a_config_names_none() -> None:
    assert build_model({"model_type": "bark", "architectures": ["BarkModel"]}).parameters == 364981474


def test_steps_run_the_semantic_model_alone(small: Small) -> None:
    model = build_model(small("bark"))
    apart = {group.name for group in model.tensors if group.role == "vision"}
    assert apart == {"coarse_acoustics", "fine_acoustics", "codec_model"}
    assert "model.semantic_alone" in {note.code for note in model.assumptions}
    assert model.kv_bytes_per_token(2.0) == 6 * 2 * 256 * 2
    assert model.max_context == 512
    rows = {row.name: row for row in model.rows(one_step("decode", 3, 100))}
    assert (rows["lm_head"].dims["n"], rows["lm_head"].dims["k"], rows["lm_head"].dims["m"]) == (1000, 256, 3)
    assert rows["input_embeds_layer"].dims["vocab"] == 1200


@pytest.mark.parametrize(
    ("part", "change", "field"),
    [
        ("codec_config", {"model_type": "dac"}, "codec_config.model_type"),
        ("fine_acoustics_config", {"n_codes_given": 0}, "fine_acoustics_config.n_codes_given"),
        ("fine_acoustics_config", {"n_codes_given": 9}, "fine_acoustics_config.n_codes_given"),
        ("coarse_acoustics_config", {"num_heads": 5}, "coarse_acoustics_config.hidden_size"),
        ("semantic_config", {"num_layers": "many"}, "semantic_config.num_layers"),
    ],
)
def test_what_its_class_does_not_build_is_refused_by_its_field(
    small: Small, part: str, change: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(_changed(small("bark"), part, change))
    assert field in [problem.path for problem in refusal.value.problems]
