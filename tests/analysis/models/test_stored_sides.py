"""Files of models with an encoder and a decoder: each tensor reaches the stack it belongs to."""

from collections.abc import Callable
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.stored import with_tensors
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.study.study import TensorEntry, TensorSummary

Small = Callable[..., dict[str, Any]]
BYTES = {"fp32": 4, "bf16": 2}


def entry(name: str, values: int, number: str = "bf16", layers: str = "") -> TensorEntry:
    count = 1 + int(layers.rpartition("-")[2]) if layers else 1
    total = values * count
    return TensorEntry(name=name, format=number, count=count, values=total, bytes=total * BYTES[number], layers=layers)


def whisper() -> tuple[TensorEntry, ...]:
    """The weights of the small Whisper of these tests: the encoder in fp32, the decoder in bf16."""
    square, inner = 256 * 256, 256 * 640
    found = [
        entry("model.encoder.conv1.weight", 256 * 20 * 3, "fp32"),
        entry("model.encoder.conv2.weight", 256 * 256 * 3, "fp32"),
        entry("model.encoder.embed_positions.weight", 60 * 256, "fp32"),
        entry("model.decoder.embed_positions.weight", 40 * 256),
        entry("model.decoder.embed_tokens.weight", 1000 * 256),
    ]
    for side, number, last in (("encoder", "fp32", 2), ("decoder", "bf16", 1)):
        own = [(f"self_attn.{n}", square) for n in ("q_proj", "k_proj", "v_proj", "out_proj")]
        cross = [(f"encoder_attn.{n}", square) for n in ("q_proj", "k_proj", "v_proj", "out_proj")]
        names = [*own, *(cross if side == "decoder" else []), ("fc1", inner), ("fc2", inner)]
        found += [entry(f"model.{side}.layers.*.{n}.weight", v, number, f"0-{last}") for n, v in names]
    return tuple(found)


def test_rows_of_both_stacks_take_the_formats_of_their_own_tensors(small: Small) -> None:
    model = with_tensors(build_model(small("whisper")), TensorSummary(label="mixed", entries=whisper()))
    prefill = {row.name: row.weights for row in model.rows(one_step("prefill", 1, 10))}
    decode = {row.name: row.weights for row in model.rows(one_step("decode", 1, 10))}
    assert {prefill[n] for n in ("conv1", "conv2", "embed_positions", "q_proj", "self_attn.k_proj", "fc1")} == {"fp32"}
    assert {prefill[n] for n in ("encoder_attn.k_proj", "encoder_attn.v_proj")} == {"bf16"}
    assert {decode[n] for n in ("embed_positions", "self_attn.q_proj", "encoder_attn.q_proj", "fc1")} == {"bf16"}
    assert decode["proj_out"] == "bf16"  # tied: the table is the decoder's


def test_a_table_that_both_stacks_share_is_found_in_either(small: Small) -> None:
    square, inner = 256 * 256, 256 * 640
    entries = [entry("shared.weight", 1000 * 256, "fp32")]
    entries.append(entry("encoder.block.*.layer.0.SelfAttention.relative_attention_bias.weight", 32 * 8, layers="0-0"))
    for side, last in (("encoder", 2), ("decoder", 1)):
        blocks = [(0, "SelfAttention"), *([(1, "EncDecAttention")] if side == "decoder" else [])]
        names = [(f"layer.{i}.{module}.{n}", square) for i, module in blocks for n in "qkvo"]
        names += [(f"layer.{len(blocks)}.DenseReluDense.{n}", inner) for n in ("wi", "wo")]
        entries += [entry(f"{side}.block.*.{n}.weight", v, layers=f"0-{last}") for n, v in names]
    model = with_tensors(build_model(small("t5")), TensorSummary(label="mixed", entries=tuple(entries)))
    prefill = {row.name: row.weights for row in model.rows(one_step("prefill", 1, 10))}
    decode = {row.name: row.weights for row in model.rows(one_step("decode", 1, 10))}
    assert {prefill["shared"], decode["shared"], decode["lm_head"]} == {"fp32"}
    assert {
        prefill["q"],
        prefill["EncDecAttention.k"],
        decode["SelfAttention.k" if "SelfAttention.k" in decode else "k"],
    } == {"bf16"}
    assert "model.tensors_idle" not in [note.code for note in model.assumptions]


@pytest.mark.parametrize("model_type", ["bert", "roberta", "xlm-roberta"])
def test_modules_of_bert_have_the_paths_of_its_files(small: Small, model_type: str) -> None:
    square, inner = 256 * 256, 256 * 640
    parts = [(f"attention.self.{n}", square) for n in ("query", "key", "value")]
    parts += [("attention.output.dense", square), ("intermediate.dense", inner), ("output.dense", inner)]
    entries = [entry(f"encoder.layer.*.{n}.weight", v, "fp32", "0-5") for n, v in parts]
    entries += [entry("embeddings.word_embeddings.weight", 1000 * 256)]
    entries += [entry("embeddings.position_embeddings.weight", 4096 * 256)]
    model = with_tensors(build_model(small(model_type)), TensorSummary(label="mixed", entries=tuple(entries)))
    rows = {row.name: row.weights for row in model.rows(one_step("prefill", 1, 10))}
    names = ("query", "key", "value", "attention.output.dense", "intermediate.dense", "output.dense")
    assert {rows[n] for n in names} == {"fp32"}
