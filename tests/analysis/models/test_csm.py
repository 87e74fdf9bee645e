"""CSM counted whole: backbone, depth decoder, codec; what a step runs is the backbone."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model

Small = Callable[..., dict[str, Any]]

# Parameters of the small config with one part changed, counted on the class of the transformers library 5.24.
COUNTED: list[tuple[dict[str, Any], int]] = [
    ({}, 6718641),
    ({"tie_codebooks_embeddings": False}, 7742641),
    ({"tie_word_embeddings": False}, 6718641),
    ({"attention_bias": True}, 6722481),
    ({"head_dim": 40}, 6964401),
    ({"depth_decoder_config": {"attention_bias": True, "mlp_bias": True}}, 6720945),
    ({"codec_config": {"upsampling_ratios": [8, 5, 4, 4]}}, 6708401),
    ({"codec_config": {"use_conv_shortcut": False}}, 6696401),
    ({"codec_config": {"vector_quantization_hidden_dimension": 64}}, 6710449),
]


@pytest.mark.parametrize(("change", "parameters"), COUNTED)
def test_every_part_counts_as_in_its_class(small: Small, change: dict[str, Any], parameters: int) -> None:
    config = small("csm")
    for name, value in change.items():
        config[name] = {**config[name], **value} if isinstance(value, dict) else value
    assert build_model(config).parameters == parameters


def test_steps_run_the_backbone_alone(small: Small) -> None:
    model = build_model(small("csm"))
    apart = {group.name for group in model.tensors if group.role == "vision"}
    assert apart == {"embed_text_tokens.weight", "depth_decoder", "codec_model"}
    assert "model.codec_idle" in [note.code for note in model.assumptions]
    assert model.kv_bytes_per_token(1.0) == 6 * 2 * 2 * 32
