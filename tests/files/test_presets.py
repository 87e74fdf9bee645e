"""Presets: exact models, each with its source, found by any unambiguous part of a name."""

import pytest

from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import Study, Workload
from explorer.files.catalogue import load_catalogue
from explorer.files.models.find_model import models_like
from explorer.files.models.presets import load_presets
from explorer.files.typed.arguments import named_model

CATALOGUE = load_catalogue(devices=False, presets=True)
# parameters as the models' own pages state them (the sum over the tensors of their safetensors files), without the
# draft layers of GLM-4.5 and DeepSeek-V3
PARAMETERS = {
    "llama-3.2-1b": 1_235_814_400,
    "llama-3.2-3b": 3_212_749_824,
    "qwen3-4b": 4_022_468_096,
    "mistral-7b-v0.3": 7_248_023_552,
    "qwen2.5-7b": 7_615_616_512,
    "llama-3.1-8b": 8_030_261_248,
    "qwen3-8b": 8_190_735_360,
    "gemma-2-9b": 9_241_705_984,
    "phi-4": 14_659_507_200,
    "mistral-small-24b": 23_572_403_200,
    "gemma-3-27b-it": 27_432_406_640,
    "qwen3-32b": 32_762_123_264,
    "llama-3.1-70b": 70_553_706_496,
    "llama-3.1-405b": 405_853_388_800,
    "gpt-oss-20b": 20_914_757_184,
    "gpt-oss-120b": 116_829_156_672,
    "mixtral-8x7b": 46_702_792_704,
    "qwen3-30b-a3b": 30_532_122_624,
    "qwen3-235b-a22b": 235_093_634_560,
    "qwen3-next-80b-a3b": 79_674_391_296,
    "glm-4.5": 352_797_814_784,
    "deepseek-v2-lite": 15_706_484_224,
    "deepseek-v3": 671_026_404_352,
    "bert-base": 109_482_240,
}


def test_there_are_24_and_each_has_a_source_and_its_exact_parameters():
    presets = load_presets()
    assert len(presets) == 24
    assert {p.id: built_model(p).parameters for p in presets} == PARAMETERS
    assert all(p.source and "/" in p.source for p in presets)
    assert len({p.name for p in presets}) == 24


@pytest.mark.parametrize("preset", load_presets(), ids=lambda p: p.id)
def test_every_preset_is_evaluated(preset):
    phase = "prefill" if preset.id == "bert-base" else "decode"
    study = Study(models=(preset,), active_model=preset.id, workload=Workload(phase=phase, context=512))
    assert study_problems(study, CATALOGUE) == ()
    found = evaluate(study, CATALOGUE)
    assert found.problems == ()
    assert found.rows


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("llama 405b", "Llama-3.1-405B"),
        ("Qwen3-8B", "Qwen3-8B"),
        ("qwen3 8b", "Qwen3-8B"),
        ("mixtral", "Mixtral-8x7B-v0.1"),
        ("deepseek v3", "DeepSeek-V3"),
        ("120B", "gpt-oss-120b"),
        ("a22b", "Qwen3-235B-A22B"),
    ],
)
def test_any_unambiguous_part_of_a_name_finds_a_preset(text, name):
    assert named_model(text, Study(), CATALOGUE).name == name


def test_a_part_of_several_names_is_refused_with_the_names():
    with pytest.raises(Refused) as refused:
        named_model("llama", Study(), CATALOGUE)
    (problem,) = refused.value.problems
    assert problem.code == "asked.model_several"
    assert "Llama-3.2-1B" in str(problem.values["names"])


def test_models_of_the_study_come_before_presets_of_the_same_name():
    own = load_presets()[5]
    study = Study(models=(own,))
    assert named_model("llama 3.1 8b", study, CATALOGUE) is own


def test_no_words_find_nothing():
    assert models_like("  ", load_presets()) == ()
