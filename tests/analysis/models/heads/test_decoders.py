"""Decoders of the class that their config names: classifiers, base classes, and classes that nobody knows."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
# parameters of the classes of the transformers library 5.24, made on the meta device of the small configs, two labels
COUNTED = [
    ("llama", "LlamaForSequenceClassification", 4192000),
    ("llama", "LlamaForTokenClassification", 4192002),
    ("llama", "LlamaForQuestionAnswering", 4192002),
    ("llama", "LlamaModel", 4191488),
    ("mistral", "MistralModel", 4191488),
    ("qwen2", "Qwen2ForSequenceClassification", 4194304),
    ("qwen3", "Qwen3ForSequenceClassification", 4684096),
    ("gemma2", "Gemma2ForSequenceClassification", 4195072),  # whose head is tied where it writes
    ("gemma2", "Gemma2Model", 4194560),
    ("gpt2", "GPT2ForTokenClassification", 2757378),
    ("opt", "OPTForSequenceClassification", 2006784),
    ("mixtral", "MixtralForSequenceClassification", 24848128),
    ("rwkv", "RwkvModel", 3676160),
]


@pytest.mark.parametrize(("model_type", "named", "parameters"), COUNTED)
def test_a_decoder_has_the_parameters_of_the_class_that_is_named(
    small: Small, model_type: str, named: str, parameters: int
) -> None:
    assert build_model(small(model_type, architectures=[named])).parameters == parameters


def test_a_classifier_runs_its_head_in_its_one_pass(small: Small, rows_of: Rows) -> None:
    config = small("llama", architectures=["LlamaForSequenceClassification"], num_labels=7)
    rows = rows_of(config, "prefill", 3, 100)
    assert (rows["score"].dims["m"], rows["score"].dims["k"], rows["score"].dims["n"]) == (300, 256, 7)
    assert "lm_head" not in rows
    model = build_model(config)
    assert model.phases == ("prefill",)
    with pytest.raises(Refused):
        model.rows(one_step("decode", 1, 10))
    assert [n.values for n in model.assumptions if n.code == "model.classifies"] == [
        {"value": "LlamaForSequenceClassification"}
    ]


def test_labels_are_those_that_are_named_and_else_two(small: Small) -> None:
    base = build_model(small("llama", architectures=["LlamaModel"])).parameters
    named = {"id2label": {"0": "no", "1": "maybe", "2": "yes"}, "num_labels": 9}
    found = [
        build_model(small("llama", architectures=["LlamaForSequenceClassification"], **labels)).parameters - base
        for labels in ({}, {"num_labels": 1}, named, {"id2label": None, "num_labels": 4})
    ]
    assert found == [2 * 256, 256, 3 * 256, 4 * 256]
    with pytest.raises(Refused) as refusal:
        build_model(small("llama", architectures=["LlamaForTokenClassification"], num_labels="two"))
    assert [(p.code, p.path) for p in refusal.value.problems] == [("model.not_a_whole_number", "num_labels")]


def test_a_base_class_ends_with_its_norm_and_its_table_is_no_head(small: Small, rows_of: Rows) -> None:
    config = small("gemma2", architectures=["Gemma2Model"])
    rows = rows_of(config)
    assert list(rows)[-1] == "norm"
    assert rows["embed_tokens"].dims["tied"] == 0
    model = build_model(config)
    assert (model.tied, model.phases) == (False, ("prefill", "decode"))
    assert "model.without_head" in [note.code for note in model.assumptions]


@pytest.mark.parametrize(
    ("model_type", "named"),
    [("llama", "LlamaForCausalLM"), ("gpt2", "GPT2LMHeadModel"), ("chatglm", "ChatGLMModel"), ("llama", "")],
)
def test_a_class_that_writes_is_what_a_decoder_is_anyway(small: Small, model_type: str, named: str) -> None:
    plain, found = (build_model(small(model_type, **more)) for more in ({}, {"architectures": [named]}))
    assert (found.parameters, found.assumptions) == (plain.parameters, plain.assumptions)


@pytest.mark.parametrize("named", ["LlamaForRewardOfMine", "MedusaModel", "Strange", "ForModel" * 40])
def test_a_class_that_is_not_known_is_told_and_counted_as_one_that_writes(small: Small, named: str) -> None:
    model = build_model(small("llama", architectures=[named]))
    assert model.parameters == build_model(small("llama")).parameters
    told = [note.values["value"] for note in model.assumptions if note.code == "model.class_unknown"]
    assert len(told) == 1
    assert named[:7] in str(told[0])


@pytest.mark.parametrize("odd", [[], None, 3, [3], {}, "LlamaForCausalLM"])
def test_what_names_no_class_changes_nothing(small: Small, odd: object) -> None:
    assert build_model(small("llama", architectures=odd)).assumptions == build_model(small("llama")).assumptions
