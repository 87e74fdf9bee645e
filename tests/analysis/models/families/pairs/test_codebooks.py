"""MusicGen, Dia and SpeechT5: a way in and out of their own; what their classes do not run is refused."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step

Small = Callable[..., dict[str, Any]]


def test_a_step_writes_one_code_of_each_codebook(small: Small) -> None:
    rows = {row.name: row for row in build_model(small("dia")).rows(one_step("decode", 2, 100))}
    assert (rows["logits_dense"].dims["n"], rows["logits_dense"].dims["m"]) == (5 * 40, 2)
    assert rows["embed"].dims["tokens"] == 2 * 5


def test_the_codec_of_musicgen_is_held_and_never_runs(small: Small) -> None:
    model = build_model(small("musicgen"))
    assert "audio_encoder" in {group.name for group in model.tensors}
    assert "model.codec_beside" in {note.code for note in model.assumptions}


@pytest.mark.parametrize(
    ("model_type", "part", "change", "field"),
    [
        ("musicgen", "text_encoder", {"model_type": "bert"}, "text_encoder.model_type"),
        ("musicgen", "audio_encoder", {"model_type": "dac"}, "audio_encoder.model_type"),
        ("musicgen", "decoder", {"cross_attention_hidden_size": 9}, "decoder.cross_attention_hidden_size"),
        ("dia", "decoder_config", {"cross_hidden_size": 32}, "decoder_config.cross_hidden_size"),
        ("speecht5", "", {"architectures": ["SpeechT5ForSpeechToText"]}, "architectures"),
        ("speecht5", "", {"speech_decoder_prenet_layers": 0}, "speech_decoder_prenet_layers"),
    ],
)
def test_what_is_not_exact_is_refused_by_its_field(
    small: Small, model_type: str, part: str, change: dict[str, Any], field: str
) -> None:
    config = small(model_type)
    changed = {**config, part: {**config[part], **change}} if part else {**config, **change}
    with pytest.raises(Refused) as refusal:
        build_model(changed)
    assert field in [problem.path for problem in refusal.value.problems]
