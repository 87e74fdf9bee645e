"""Encoders with a decoder behind: what they cost, hold and say, and the classes that use them for something else."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.models.model import Model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row, SequenceGroup, Step

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
PRODUCTS = {"matmul", "attention", "moe_matmul", "block_attention", "batched_matmul"}
COLLECTED: dict[str, dict[str, Any]] = json.loads((Path(__file__).parents[2] / "siblings_text.json").read_text("utf-8"))
PAIRS = [name for name, case in COLLECTED.items() if "pass_512" in case]
SIZES = {
    "d_model": 64, "encoder_layers": 2, "decoder_layers": 3, "encoder_attention_heads": 4, "decoder_attention_heads": 8,
    "encoder_ffn_dim": 96, "decoder_ffn_dim": 80, "vocab_size": 101, "max_position_embeddings": 60,
}  # fmt: skip
LED = {**SIZES, "max_encoder_position_embeddings": 160, "max_decoder_position_embeddings": 60}
APART = {"share_encoder_decoder_embeddings": False, "decoder_vocab_size": 77}
UNTIED = {"tie_word_embeddings": False}
T5 = {
    "d_model": 64,
    "d_ff": 96,
    "d_kv": 16,
    "num_heads": 4,
    "num_layers": 2,
    "num_decoder_layers": 3,
    "vocab_size": 101,
}
FEW = {"d_kv": 20, "feed_forward_proj": "relu", "num_decoder_layers": 2, **UNTIED}
# parameters of classes of the transformers library 5.24 and FLOPs of products of 48 tokens through both stacks
COUNTED: list[tuple[str, str, dict[str, Any], int, int]] = [
    ("bart", "BartForConditionalGeneration", SIZES, 205488, 23230464),
    ("bart", "BartForConditionalGeneration", {**SIZES, **UNTIED}, 224880, 23230464),
    ("bart", "BartModel", SIZES, 205488, 22609920),
    ("mbart", "MBartForConditionalGeneration", SIZES, 205744, 23230464),
    ("pegasus", "PegasusForConditionalGeneration", SIZES, 205232, 23230464),
    ("m2m_100", "M2M100ForConditionalGeneration", {**SIZES, **UNTIED}, 216944, 23230464),
    ("blenderbot", "BlenderbotModel", {**SIZES, **UNTIED}, 218160, 22609920),
    ("marian", "MarianMTModel", SIZES, 204976, 23230464),
    ("marian", "MarianMTModel", {**SIZES, **APART}, 209904, 23083008),
    ("led", "LEDForConditionalGeneration", {**LED, "attention_window": 16}, 236592, 22673408),
    ("t5", "T5ForConditionalGeneration", T5, 200192, 23820288),
    ("umt5", "UMT5ForConditionalGeneration", {**T5, "feed_forward_proj": "gated-gelu"}, 231296, 26769408),
    ("umt5", "UMT5ForConditionalGeneration", {**T5, **FEW}, 179776, 21559296),
]
# classes of one pass
ALONE: list[tuple[str, str, dict[str, Any], int]] = [
    ("bart", "BartForSequenceClassification", SIZES, 209843),  # three labels, as its class has it
    ("bart", "BartForQuestionAnswering", SIZES, 205618),
    ("mbart", "MBartForSequenceClassification", SIZES, 210034),
    ("t5", "T5EncoderModel", T5, 64256),
    ("t5", "T5ForTokenClassification", T5, 64386),
    ("t5", "T5ForSequenceClassification", T5, 204482),
    ("umt5", "UMT5EncoderModel", {**T5, "feed_forward_proj": "gated-gelu"}, 76672),
]


@pytest.mark.parametrize("name", PAIRS)
def test_a_collected_pair_costs_what_its_class_does(cost: Cost, name: str) -> None:
    case = COLLECTED[name]
    model = build_model(case["config"])
    assert _both(model, cost, 512) == case["pass_512"]
    crossed = (model.cross_kv_bytes_per_token(1.0) or 0.0) * 8192
    assert model.kv_bytes(1, 8192, 1.0) - crossed == case["self_values_8192"]


@pytest.mark.parametrize(("model_type", "named", "sizes", "parameters", "flops"), COUNTED)
def test_a_pair_equals_its_class(
    cost: Cost, model_type: str, named: str, sizes: dict[str, Any], parameters: int, flops: int
) -> None:
    model = build_model({"model_type": model_type, **sizes, "architectures": [named]})
    assert (model.parameters, _both(model, cost, 48)) == (parameters, flops)


def _both(model: Model, cost: Cost, length: int) -> float:
    """FLOPs of products: a text into the encoder, and one as long through the decoder at once."""
    rows = list(model.rows(one_step("prefill", 1, length, attention_count="full")))
    group = SequenceGroup(1.0, float(length), float(length))
    rows += model.rows(Step("decode", (group,), attention_count="full", logits="all"))
    return sum(float(row.count * cost(row).flops) for row in rows if row.kind in PRODUCTS)


@pytest.mark.parametrize(("model_type", "named", "sizes", "parameters"), ALONE)
def test_a_class_that_writes_nothing_has_one_pass_and_no_cache(
    model_type: str, named: str, sizes: dict[str, Any], parameters: int
) -> None:
    model = build_model({"model_type": model_type, **sizes, "architectures": [named]})
    assert (model.parameters, model.phases, model.kv_bytes(2, 100, 2.0)) == (parameters, ("prefill",), 0)
    assert model.cross_kv_bytes_per_token(2.0) is None
    assert "model.one_pass" in [note.code for note in model.assumptions]
    with pytest.raises(Refused):
        model.rows(one_step("decode", 1, 10))


def test_a_classifier_runs_both_stacks_in_its_pass(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("bart", architectures=["BartForSequenceClassification"]), "prefill", 3, 100)
    assert {"encoder_attn.attention", "fc1", "self_attn.attention[2]"} <= rows.keys()
    assert rows["dense"].dims["m"] == 3
    assert "lm_head" not in rows


def test_a_class_that_is_not_known_is_told(small: Small) -> None:
    model = build_model(small("bart", architectures=["BartForSomething"]))
    assert model.parameters == build_model(small("bart")).parameters
    assert "model.class_unknown" in [note.code for note in model.assumptions]


def test_cross_attention_stands_beside_the_kv_of_a_token(small: Small) -> None:
    model = build_model(small("bart"))
    assert (model.kv_bytes_per_token(2.0), model.cross_kv_bytes_per_token(2.0)) == (2 * 2 * 2 * 256, 2 * 2 * 2 * 256)
    assert model.kv_bytes(1, 10, 2.0) == 20 * 2 * 2 * 2 * 256
    assert build_model(small("llama")).cross_kv_bytes_per_token(2.0) is None
    assert build_model(small("bert")).cross_kv_bytes_per_token(2.0) is None
    whisper = build_model(small("whisper"))
    assert whisper.cross_kv_bytes_per_token(1.0) == 2 * 2 * 256


def test_norms_stand_before_or_behind_the_halves(small: Small) -> None:
    order = ["self_attn_layer_norm", "self_attn.attention", "encoder_attn_layer_norm", "encoder_attn.attention"]
    found = {
        model_type: [r.name for r in build_model(small(model_type)).rows(one_step("decode", 1, 5)) if r.name in order]
        for model_type in ("bart", "pegasus")
    }
    assert found["pegasus"] == order
    assert found["bart"] == [order[1], order[0], order[3], order[2]]


def test_layers_of_t5gemma_look_as_far_as_they_say_and_across_over_everything(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("t5gemma"), "decode", 1, 1000)
    kinds = {name: row.dims["S_k"] for name, row in rows.items() if row.kind == "attention"}
    assert sorted(kinds.values()) == [64, 1000, 1000]
    assert rows["cross_attn.q_proj"].dims["k"] == 192
    encoded = rows_of(small("t5gemma"), "prefill", 1, 1000)
    assert (encoded["cross_attn.k_proj"].dims["k"], encoded["cross_attn.k_proj"].dims["n"]) == (256, 96)


def test_experts_of_switch_stand_in_every_nth_block(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("switch_transformers"), "prefill", 1, 100)
    assert rows["experts.wi"].count == 3
    decode = rows_of(small("switch_transformers"), "decode", 1, 100)
    assert decode["experts.wi"].count + decode["wi[dense]"].count == 2
    model = build_model(small("switch_transformers"))
    assert model.parameters - model.active_parameters == 4 * 7 * 2 * 256 * 640
    with pytest.raises(Refused) as refusal:
        build_model(small("switch_transformers", tie_word_embeddings=False))
    assert [problem.path for problem in refusal.value.problems] == ["tie_word_embeddings"]


def test_tables_of_a_pair_are_one_where_they_are_shared(small: Small) -> None:
    apart = build_model(small("marian")).parameters
    shared = build_model(small("marian", share_encoder_decoder_embeddings=True)).parameters
    assert apart - shared == 800 * 256
