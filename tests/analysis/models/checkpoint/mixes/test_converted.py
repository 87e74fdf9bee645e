"""Mixes of models that llama.cpp has no files of, and formats that share their name with a mix."""

from typing import Any

import pytest

from explorer.analysis.catalogue.mixes import mix_named
from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.mixes.converted import is_converted, not_converted
from explorer.analysis.models.checkpoint.mixes.mixed import mix_bytes, with_mix
from explorer.analysis.models.registry import MODULES
from explorer.analysis.step.expand import model_in
from explorer.analysis.study.study import ModelEntry
from explorer.api.results import evaluate
from explorer.api.studies import new_study
from explorer.files.catalogue import load_catalogue

RESNET: dict[str, Any] = {"model_type": "resnet", "torch_dtype": "bfloat16"}
WAV2VEC2: dict[str, Any] = {"model_type": "wav2vec2", "architectures": ["Wav2Vec2ForCTC"], "torch_dtype": "bfloat16"}
ELECTRA: dict[str, Any] = {
    "model_type": "electra", "architectures": ["ElectraForMaskedLM"], "torch_dtype": "bfloat16", "vocab_size": 30522,
    "hidden_size": 256, "embedding_size": 256, "intermediate_size": 1024, "num_hidden_layers": 4,
    "num_attention_heads": 4, "max_position_embeddings": 512,
}  # fmt: skip
BERT: dict[str, Any] = {**ELECTRA, "model_type": "bert", "architectures": ["BertForMaskedLM"]}
LLAMA: dict[str, Any] = {
    "model_type": "llama", "hidden_size": 1024, "intermediate_size": 2816, "num_hidden_layers": 4,
    "num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 32000, "torch_dtype": "bfloat16",
}  # fmt: skip


def codes(config: dict[str, Any], weights: str) -> list[str]:
    formats = load_catalogue(devices=False).format_by_id
    return [n.code for n in model_in(ModelEntry(id="m", name="m", config=config), weights, formats).assumptions]


@pytest.mark.parametrize("config", [RESNET, WAV2VEC2, ELECTRA, BERT], ids=lambda c: str(c["model_type"]))
@pytest.mark.parametrize("mix", ["F16", "F32", "Q4_K_M", "Q8_0"])
def test_no_row_of_a_mix_is_computed_in_another_format_than_without(config: dict[str, Any], mix: str) -> None:
    plain, mixed = (
        evaluate(new_study(config, "H100 SXM5", phase="prefill", batch=8, weights=weights)).devices[0]
        for weights in ("bf16", mix)
    )
    assert [p.peak.format for p in mixed.points] == [p.peak.format for p in plain.points]


def test_a_resnet_in_16_bit_files_takes_at_least_what_it_takes_in_bf16() -> None:
    found = {
        weights: evaluate(new_study(RESNET, "H100 SXM5", phase="prefill", batch=8, weights=weights)).devices[0]
        for weights in ("bf16", "F16", "Q4_K_M")
    }
    least = found["bf16"].totals.floor_s
    assert least == pytest.approx(70.7e-6, rel=1e-3)
    assert found["F16"].totals.floor_s == pytest.approx(least, rel=1e-3)
    assert found["Q4_K_M"].totals.floor_s == pytest.approx(least, rel=1e-3)


@pytest.mark.parametrize(
    ("config", "said"), [(RESNET, True), (WAV2VEC2, True), (ELECTRA, True), (BERT, False), (LLAMA, False)]
)
def test_a_mix_of_a_model_that_llama_cpp_has_no_files_of_says_so(config: dict[str, Any], *, said: bool) -> None:
    found = codes(config, "Q4_K_M")
    assert ("model.mix_not_converted" in found) is said
    assert "model.mix_text_only" not in found


@pytest.mark.parametrize("config", [RESNET, WAV2VEC2], ids=lambda c: str(c["model_type"]))
def test_a_model_without_a_file_of_its_tower_holds_every_tensor(config: dict[str, Any]) -> None:
    model, mix = build_model(config), mix_named("F32")
    assert mix is not None
    assert mix_bytes(model, mix) == 4 * model.parameters
    stored = with_mix(model, "F32").stored
    assert stored is not None
    assert stored.resident == 4 * model.parameters


def test_pictures_sound_and_pairs_are_unknown_to_llama_cpp_and_all_types_named_are_types_of_families() -> None:
    assert {"resnet", "wav2vec2", "bart", "deberta-v2", "xlnet", "opt"} <= not_converted()
    assert not not_converted() & {"llama", "bert", "roberta", "t5", "nomic_bert", "jina_embeddings_v3", "mamba", "phi3"}
    assert not_converted() <= {kind for types in MODULES.values() for kind in types}
    assert is_converted(build_model(LLAMA))


@pytest.mark.parametrize("weights", ["Q3_K", "Q4_K", "Q5_K"])
def test_a_format_that_names_a_mix_to_llama_quantize_is_told_from_it(weights: str) -> None:
    formats = load_catalogue(devices=False).format_by_id
    model = model_in(ModelEntry(id="m", name="m", config=LLAMA), weights, formats)
    said = [n.values for n in model.assumptions if n.code == "model.one_format"]
    assert said == [{"format": weights, "mix": f"{weights}_M"}]
    assert model.stored is None


@pytest.mark.parametrize("weights", ["Q6_K", "Q8_0", "Q4_K_M", "int4", "fp8"])
def test_other_formats_and_mixes_have_no_name_in_common(weights: str) -> None:
    assert "model.one_format" not in codes(LLAMA, weights)


def test_a_model_that_llama_quantize_never_sees_has_no_mix_to_be_told_from() -> None:
    assert "model.one_format" not in codes(RESNET, "Q4_K")
