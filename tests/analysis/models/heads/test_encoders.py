"""Encoders of the class that their config names."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
SIZES = {
    "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 101,
    "max_position_embeddings": 600, "type_vocab_size": 2, "num_labels": 5,
}  # fmt: skip
DISTIL = {"dim": 64, "hidden_dim": 96, "n_layers": 2, "n_heads": 4, "vocab_size": 101, "max_position_embeddings": 600}
UNTIED = {"tie_word_embeddings": False}
MODERN = {"norm_bias": True, "classifier_bias": True}
# parameters of the classes of the transformers library 5.24, and FLOPs of their products over 48 tokens
COUNTED: list[tuple[str, str, dict[str, Any], int, int]] = [
    ("bert", "BertModel", SIZES, 137312, 10035200),
    ("bert", "BertForMaskedLM", SIZES, 137541, 11040768),
    ("bert", "BertLMHeadModel", SIZES, 137541, 11040768),
    ("bert", "BertForMaskedLM", {**SIZES, **UNTIED}, 144106, 11040768),
    ("bert", "BertForPreTraining", SIZES, 141831, 11049216),
    ("bert", "BertForNextSentencePrediction", SIZES, 137442, 10035456),
    ("bert", "BertForSequenceClassification", SIZES, 137637, 10035840),
    ("bert", "BertForMultipleChoice", SIZES, 137377, 10035328),
    ("bert", "BertForTokenClassification", SIZES, 133477, 10057728),
    ("bert", "BertForQuestionAnswering", SIZES, 133477, 10057728),
    ("roberta", "RobertaForMaskedLM", SIZES, 137541, 11040768),
    ("roberta", "RobertaForSequenceClassification", SIZES, 137637, 10035840),
    ("xlm-roberta", "XLMRobertaForSequenceClassification", SIZES, 137637, 10035840),
    ("xlm-roberta", "XLMRobertaModel", SIZES, 137312, 10035200),
    ("camembert", "CamembertForTokenClassification", SIZES, 133477, 10057728),
    ("distilbert", "DistilBertForMaskedLM", DISTIL, 108069, 7698432),
    ("distilbert", "DistilBertForSequenceClassification", {**DISTIL, "num_labels": 5}, 108165, 6693504),
    ("distilbert", "DistilBertForQuestionAnswering", DISTIL, 103810, 6696960),
    ("modernbert", "ModernBertForMaskedLM", SIZES, 115621, 12810240),
    ("modernbert", "ModernBertForMaskedLM", {**SIZES, **MODERN, **UNTIED}, 122661, 12810240),
    ("modernbert", "ModernBertForSequenceClassification", SIZES, 115845, 11805312),
    ("modernbert", "ModernBertForTokenClassification", SIZES, 115845, 12220416),
    ("modernbert", "ModernBertModel", SIZES, 111360, 11796480),
]


@pytest.mark.parametrize(("model_type", "named", "sizes", "parameters", "flops"), COUNTED)
def test_an_encoder_is_the_class_that_is_named(
    rows_of: Rows, cost: Cost, model_type: str, named: str, sizes: dict[str, Any], parameters: int, flops: int
) -> None:
    config = {"model_type": model_type, **sizes, "architectures": [named]}
    assert build_model(config).parameters == parameters
    rows = rows_of(config, "prefill", 1, 48, attention_count="full")
    assert sum(float(r.count * cost(r).flops) for r in rows.values() if r.kind in {"matmul", "attention"}) == flops


def test_a_head_is_counted_instead_of_named_where_the_class_has_it(small: Small) -> None:
    codes = {
        named: {note.code for note in build_model(small("bert", **named_as(named))).assumptions}
        for named in ("", "BertModel", "BertForMaskedLM", "BertForSomething", "Strange")
    }
    assert [named for named, found in codes.items() if "model.head_left_out" in found] == [""]
    assert [named for named, found in codes.items() if "model.head_unknown" in found] == ["BertForSomething", "Strange"]


def named_as(named: str) -> dict[str, Any]:
    return {"architectures": [named]} if named else {}


def test_a_tied_head_reads_the_table(small: Small, rows_of: Rows) -> None:
    named = named_as("BertForMaskedLM")
    tied, own = (small("bert", **named, tie_word_embeddings=flag) for flag in (True, False))
    assert [build_model(config).tied for config in (tied, own)] == [True, False]
    assert [rows_of(config, "prefill")["word_embeddings"].dims["tied"] for config in (tied, own)] == [1, 0]
    assert rows_of(tied, "prefill", 2, 100)["decoder"].dims["m"] == 200  # every token's logits


def test_a_classifier_sees_one_token_of_each_sequence_or_all(small: Small, rows_of: Rows) -> None:
    of_all, of_one = (
        rows_of(small("roberta", **named_as(f"RobertaFor{kind}Classification")), "prefill", 3, 100)
        for kind in ("Token", "Sequence")
    )
    assert of_all["classifier"].dims["m"] == 300
    assert [of_one[name].dims["m"] for name in ("classifier.dense", "out_proj")] == [3, 3]
    assert "activation" not in of_one  # its base model has no pooler
