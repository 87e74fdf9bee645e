"""Encoders alone, and encoders with a decoder behind."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from explorer.analysis.models import build_model
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
PRODUCTS = {"matmul", "attention", "conv1d"}
# Counted as in test_families: the encoder over 48 tokens (Whisper: 60 positions), and one step of the decoder
# after it, which attends to one token of its own.
COUNTED = {"t5": (176947200, 28661760), "mt5": (172523520, 18558080), "whisper": (250675200, 34977792)}
CROSS = ("encoder_attn.", "EncDecAttention.")


@pytest.mark.parametrize("model_type", ["bert", "roberta", "distilbert", "modernbert"])
def test_an_encoder_has_no_decode_and_no_cache(small: Small, model_type: str) -> None:
    model = build_model(small(model_type), "mine")
    assert model.phases == ("prefill",)
    with pytest.raises(Refused) as refusal:
        model.rows(one_step("decode", 1, 100))
    assert [(p.code, p.values) for p in refusal.value.problems] == [("model.no_decode", {"model": "mine"})]
    assert (model.kv_bytes(4, 512, 2.0), model.kv_bytes_per_token(2.0)) == (0, 0)
    assert model.kv_written(one_step("prefill", 4, 512), 2.0) == 0


def test_every_token_of_an_encoder_sees_every_other(small: Small, rows_of: Rows, cost: Cost) -> None:
    attention = cost(rows_of(small("bert"), "prefill", 2, 100)["attention"])
    assert attention.flops == 2 * 2 * 8 * 100 * 100 * (32 + 32)
    assert attention.kv_bytes == 0


@pytest.mark.parametrize("length", [5, 33, 64, 65, 66, 300])
def test_a_window_of_an_encoder_reaches_to_both_sides(small: Small, rows_of: Rows, cost: Cost, length: int) -> None:
    rows = rows_of(small("modernbert"), "prefill", 1, length)
    there = np.arange(length)
    pairs = int((np.abs(there[:, None] - there[None, :]) <= 32).sum())
    assert cost(rows["attention[sliding]"]).flops == 2 * 8 * pairs * 64
    assert cost(rows["attention"]).flops == 2 * 8 * length**2 * 64
    full = rows_of(small("modernbert"), "prefill", 1, length, attention_count="full")
    assert cost(full["attention[sliding]"]).flops == 2 * 8 * length**2 * 64


def test_layers_of_modernbert_alternate_and_the_first_has_no_norm(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("modernbert"), "prefill")
    assert (rows["attention[sliding]"].count, rows["attention"].count, rows["attn_norm"].count) == (4, 2, 5)
    assert [layer.attention for layer in build_model(small("modernbert")).layers] == [
        "bidirectional", "bidirectional 65"
    ]  # fmt: skip
    listed = rows_of(small("modernbert", layer_types=["full_attention"] * 5 + ["sliding_attention"]), "prefill")
    assert listed["attention[sliding]"].count == 1


def test_the_pooler_works_on_one_token_of_each_sequence(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("bert"), "prefill", 3, 100)
    assert (rows["query"].dims["m"], rows["pooler.dense"].dims["m"]) == (300, 3)


def test_the_count_with_the_language_modelling_head_is_named(small: Small) -> None:
    bert = {
        "model_type": "bert", "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
        "num_attention_heads": 12, "vocab_size": 30522, "max_position_embeddings": 512, "type_vocab_size": 2,
    }  # fmt: skip
    model = build_model(bert)  # BertModel and BertForMaskedLM of the transformers library
    named = [note.values["parameters"] for note in model.assumptions if note.code == "model.head_left_out"]
    assert (model.parameters, named) == (109482240, [109514298])


@pytest.mark.parametrize("model_type", COUNTED)
def test_prefill_is_the_encoder_and_decode_the_decoder(small: Small, cost: Cost, model_type: str) -> None:
    model = build_model(small(model_type))
    prefill = _products(model.rows(one_step("prefill", 1, 48, attention_count="full")), cost)
    step = _products(model.rows(one_step("decode", 1, 1)), cost)
    encoder, decoder = COUNTED[model_type]
    assert prefill[False] == encoder
    missing = 0 if model_type == "whisper" else 47 * 4 * _heads(model_type) * _decoder_layers(model_type)
    assert step[False] + step[True] + prefill[True] == decoder - missing  # T5: one key, not 48, in the cross part


def _products(rows: tuple[Row, ...], cost: Cost) -> dict[bool, float]:
    """FLOPs of products, those of attention to the encoder apart."""
    found = {True: 0.0, False: 0.0}
    for row in rows:
        if row.kind in PRODUCTS:
            found[row.name.startswith(CROSS)] += float(row.count * cost(row).flops)
    return found


def _heads(model_type: str) -> int:
    return {"t5": 8 * 32, "mt5": 6 * 16}[model_type]


def _decoder_layers(model_type: str) -> int:
    return {"t5": 2, "mt5": 3}[model_type]


def test_the_decoder_of_whisper_holds_the_encoders_tokens_whatever_the_context(small: Small) -> None:
    model, per_token = build_model(small("whisper")), 2 * 2 * 256
    assert model.kv_bytes_per_token(1.0) == per_token
    assert model.kv_bytes(3, 7, 1.0) == 3 * (7 + 60) * per_token
    assert model.kv_written(one_step("prefill", 3, 7), 1.0) == 3 * 60 * per_token
    assert model.kv_written(one_step("decode", 3, 7), 1.0) == 3 * per_token
    assert (model.prompt_tokens(7), build_model(small("t5")).prompt_tokens(7)) == (60, 7)


def test_the_encoder_of_whisper_takes_the_same_sound_at_every_context(small: Small, cost: Cost) -> None:
    model = build_model(small("whisper"))
    short, long = ([cost(row).flops for row in model.rows(one_step("prefill", 2, n))] for n in (1, 40))
    assert short == long
    rows = {row.name: row for row in model.rows(one_step("prefill", 2, 1))}
    assert cost(rows["conv1"]).flops == 2 * 2 * 256 * 120 * 20 * 3
    assert cost(rows["conv2"]).flops == 2 * 2 * 256 * 60 * 256 * 3
    assert rows["fc1"].dims["m"] == 2 * 60


def test_the_decoder_of_t5_holds_its_own_tokens_and_the_input_each_as_long_as_the_context(small: Small) -> None:
    model, per_token = build_model(small("t5")), 2 * 2 * 256
    assert model.kv_bytes_per_token(1.0) == per_token
    assert model.kv_bytes(3, 100, 1.0) == 3 * 2 * 100 * per_token
    assert model.kv_written(one_step("prefill", 3, 100), 1.0) == 3 * 100 * per_token


def test_keys_and_values_of_the_encoder_are_made_once_in_the_kv_format(small: Small) -> None:
    model = build_model(small("whisper"))
    prefill = {row.name: row for row in model.rows(one_step("prefill", 1, 10, kv="fp8"))}
    decode = {row.name: row for row in model.rows(one_step("decode", 1, 10, kv="fp8"))}
    assert [prefill[f"encoder_attn.{n}_proj"].output for n in "kv"] == ["fp8", "fp8"]
    assert prefill["self_attn.k_proj"].output == "bf16"
    assert not {"encoder_attn.k_proj", "encoder_attn.v_proj"} & decode.keys()
    assert {"encoder_attn.attention", "self_attn.attention", "proj_out"} <= decode.keys()
    assert "proj_out" not in prefill


def test_both_stacks_are_listed_with_their_kind(small: Small) -> None:
    kinds = {model_type: [layer.attention for layer in build_model(small(model_type)).layers] for model_type in COUNTED}
    assert kinds["whisper"] == ["bidirectional", "full + cross 60"]
    assert kinds["t5"] == ["bidirectional", "full + cross"]


def test_gated_blocks_of_t5_follow_the_name_of_the_activation(small: Small, rows_of: Rows) -> None:
    assert {"wi_0", "wi_1", "wo"} <= rows_of(small("mt5")).keys()
    assert {"wi", "wo"} <= rows_of(small("t5")).keys()


def test_an_untied_t5_has_a_head_of_its_own_and_no_scale_before_it(small: Small, rows_of: Rows) -> None:
    tied, own = (build_model(small("t5", tie_word_embeddings=flag)) for flag in (True, False))
    assert own.parameters - tied.parameters == 1000 * 256
    assert "output_scale" not in rows_of(small("t5", tie_word_embeddings=False))
