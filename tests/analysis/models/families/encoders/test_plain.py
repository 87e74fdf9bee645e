"""Encoders declared by a table: what one pass costs, and what their configs may say."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
PRODUCTS = {"matmul", "attention", "batched_matmul", "conv1d", "block_attention"}
# FLOPs of products over 512 tokens of collected types, and parameters of classes of small configs with their FLOPs
# over 48: counted over the transformers library 5.24
COLLECTED: dict[str, dict[str, Any]] = json.loads((Path(__file__).parents[2] / "siblings_text.json").read_text("utf-8"))
ENCODERS = [name for name, case in COLLECTED.items() if "flops_512" in case and not case["kv_values_per_token"]]
SIZES = {
    "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "intermediate_size": 96, "vocab_size": 101,
    "max_position_embeddings": 600, "type_vocab_size": 2, "num_labels": 5,
}  # fmt: skip
ESM = {"position_embedding_type": "rotary", "emb_layer_norm_before": True}
BUCKETS = {"position_buckets": 16, "share_att_key": True, "norm_rel_ebd": "layer_norm"}
ONE_SIDE = {"max_relative_positions": 30, "pos_att_type": ["c2p"], "position_biased_input": True}
TOLD = {"relative_attention": True, "position_biased_input": False, "type_vocab_size": 0, "pos_att_type": "c2p|p2c"}
NARROW = {"embedding_size": 32, "intra_bottleneck_size": 32}
UNTIED = {"tie_word_embeddings": False}
COUNTED: list[tuple[str, str, dict[str, Any], int, int]] = [
    ("albert", "AlbertForPreTraining", {"embedding_size": 48}, 74122, 11091072),
    (
        "albert", "AlbertForMaskedLM",
        {"embedding_size": 64, "num_hidden_groups": 2, "inner_group_num": 2, "num_hidden_layers": 4, **UNTIED},
        177610, 28145664,
    ),
    ("mobilebert", "MobileBertForPreTraining", NARROW, 171559, 12818688),
    (
        "mobilebert", "MobileBertForMaskedLM",
        {"embedding_size": 32, "intra_bottleneck_size": 16, "normalization_type": "layer_norm",
         "num_feedforward_networks": 1, **UNTIED},
        84442, 4331520,
    ),
    ("eurobert", "EuroBertForSequenceClassification", {"num_key_value_heads": 2}, 103557, 11040768),
    (
        "eurobert", "EuroBertForMaskedLM",
        {"attention_bias": True, "mlp_bias": True, "head_dim": 24, "tie_word_embeddings": True},
        137861, 15661056,
    ),
    ("esm", "EsmForSequenceClassification", ESM, 99250, 10035840),
    ("esm", "EsmForMaskedLM", {**ESM, **UNTIED}, 105618, 11040768),
    ("deberta", "DebertaModel", TOLD, 196000, 18284544),
    ("deberta", "DebertaForSequenceClassification", TOLD, 200485, 18293376),
    ("deberta", "DebertaModel", {**TOLD, **ONE_SIDE}, 148960, 12607488),
    ("deberta-v2", "DebertaV2ForTokenClassification", {**TOLD, **BUCKETS}, 97125, 12810240),
    (
        "deberta-v2", "DebertaV2Model",
        {**TOLD, "max_relative_positions": 30, "type_vocab_size": 3, "conv_kernel_size": 3, "conv_groups": 2}, 129952,
        15777792,
    ),
    ("deberta-v2", "DebertaV2Model", {"norm_rel_ebd": "layer_norm", "type_vocab_size": 2}, 133280, 10027008),
]  # fmt: skip


@pytest.mark.parametrize("name", ENCODERS)
def test_products_of_one_pass_equal_those_counted(rows_of: Rows, cost: Cost, name: str) -> None:
    rows = rows_of(COLLECTED[name]["config"], "prefill", 1, 512, attention_count="full")
    assert _products(rows, cost) == COLLECTED[name]["flops_512"]


@pytest.mark.parametrize(("model_type", "named", "changes", "parameters", "flops"), COUNTED)
def test_an_encoder_equals_its_class(
    rows_of: Rows, cost: Cost, model_type: str, named: str, changes: dict[str, Any], parameters: int, flops: int
) -> None:
    config = {"model_type": model_type, **SIZES, **changes, "architectures": [named]}
    assert build_model(config).parameters == parameters
    assert _products(rows_of(config, "prefill", 1, 48, attention_count="full"), cost) == flops


def _products(rows: dict[str, Row], cost: Cost) -> float:
    return sum(float(row.count * cost(row).flops) for row in rows.values() if row.kind in PRODUCTS)


def test_layers_of_albert_share_their_weights_and_run_one_by_one(small: Small, rows_of: Rows) -> None:
    config = small("albert", num_hidden_groups=1, inner_group_num=1)
    rows = rows_of(config, "prefill")
    assert rows["query"].count == 6
    owned = {group.name: group.count for group in build_model(config).tensors}
    assert owned["attention.query.weight"] == 1


def test_first_deberta_tells_as_many_distances_apart_as_there_are_tokens(small: Small, rows_of: Rows) -> None:
    found = [rows_of(small("deberta"), "prefill", 2, length)["c2p"].dims["n"] for length in (5, 64, 500)]
    assert found == [10, 128, 128]
    projected = rows_of(small("deberta"), "prefill", 2, 5)["pos_proj"].dims["m"]
    assert projected == 10  # once, whatever the batch


def test_second_deberta_projects_every_bucket_with_the_weights_of_the_content(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("deberta-v2"), "prefill", 2, 5)
    assert [rows[f"{name}[distances]"].dims["m"] for name in ("query_proj", "key_proj")] == [64, 64]
    assert rows["query_proj"].dims["m"] == 10


@pytest.mark.parametrize(
    ("model_type", "change", "path"),
    [
        ("deberta", {"talking_head": True}, "talking_head"),
        ("deberta", {"embedding_size": 128}, "embedding_size"),
        ("deberta", {"pos_att_type": ["p2p"]}, "pos_att_type"),
        ("deberta-v2", {"attention_head_size": 16}, "attention_head_size"),
        ("deberta-v2", {"conv_kernel_size": 2}, "conv_kernel_size"),
        ("esm", {"position_embedding_type": "relative_key"}, "position_embedding_type"),
        ("esm", {"is_folding_model": True}, "is_folding_model"),
        ("rembert", {"tie_word_embeddings": True}, "tie_word_embeddings"),
        ("roformer", {"rotary_value": True}, "rotary_value"),
        ("electra", {"is_decoder": True}, "is_decoder"),
        ("mobilebert", {"use_bottleneck": False}, "use_bottleneck"),
        ("mobilebert", {"normalization_type": "rms"}, "normalization_type"),
    ],
)
def test_a_variant_that_is_not_exact_is_refused_by_its_field(
    small: Small, model_type: str, change: dict[str, Any], path: str
) -> None:
    with pytest.raises(Refused) as refusal:
        build_model(small(model_type, **change))
    assert path in [problem.path for problem in refusal.value.problems]


def test_nomic_is_read_under_the_names_of_its_first_configs() -> None:
    older = {
        "model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "n_inner": 3072, "n_layer": 12, "vocab_size": 30528,
        "type_vocab_size": 2, "activation_function": "swiglu", "architectures": ["NomicBertModel"],
    }  # fmt: skip
    assert build_model(older).parameters == 136731648


def test_a_field_that_the_class_ignores_is_ignored(small: Small) -> None:
    plain = build_model(small("deberta")).parameters
    assert build_model(small("deberta", pooler_hidden_size=3, conv_kernel_size=3)).parameters == plain
    assert build_model(small("electra", num_key_value_heads=3)).parameters == build_model(small("electra")).parameters


def test_new_encoders_have_no_decode(small: Small) -> None:
    for model_type in ("electra", "albert", "deberta", "nomic_bert"):
        with pytest.raises(Refused):
            build_model(small(model_type)).rows(one_step("decode", 1, 10))
