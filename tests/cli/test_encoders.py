"""Encoders on the command line: one pass, no decode."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

BERT = {
    "model_type": "bert", "hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12,
    "num_attention_heads": 12, "vocab_size": 30522, "max_position_embeddings": 512, "type_vocab_size": 2,
    "hidden_act": "gelu", "torch_dtype": "float16",
}  # fmt: skip
WHISPER = {
    "model_type": "whisper", "d_model": 1280, "encoder_layers": 32, "decoder_layers": 32, "encoder_attention_heads": 20,
    "decoder_attention_heads": 20, "encoder_ffn_dim": 5120, "decoder_ffn_dim": 5120, "num_mel_bins": 80,
    "vocab_size": 51865, "torch_dtype": "float16",
}  # fmt: skip


@pytest.fixture
def bert(config: Callable[..., Path]) -> Path:
    return config(BERT)


def test_decode_of_an_encoder_is_refused_in_one_line(run: Callable[..., Any], bert: Path) -> None:
    ran = run("evaluate", "--model", bert, "--hardware", "H100 SXM5", "--phase", "decode")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert "--phase" in ran.err
    assert "has no decode" in ran.err


@pytest.mark.parametrize("phase", [[], ["--phase", "prefill"]])
def test_an_encoder_runs_its_one_pass(as_json: Callable[..., Any], bert: Path, phase: list[str]) -> None:
    found = as_json("evaluate", "--model", bert, "--hardware", "H100 SXM5", "--context", "128", *phase)
    assert found["workload"]["phase"] == "prefill"
    operators = {o["name"]: o for o in found["hardware"][0]["operators"]}
    assert operators["attention"]["flops"] == 2 * 12 * 128 * 128 * (64 + 64)
    assert found["hardware"][0]["totals"]["kv_bytes"] == 0
    assert any("An encoder" in sentence for sentence in found["assumptions"])


def test_the_answer_of_an_encoder_speaks_of_no_first_token(run: Callable[..., Any], bert: Path) -> None:
    text = run("evaluate", "--model", bert, "--hardware", "H100 SXM5", "--context", "128").out
    assert "the encoder takes at least" in " ".join(text.split())
    assert "first token" not in text


def test_both_phases_of_whisper_are_there(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    path = config(WHISPER)
    prefill, decode = (
        as_json("evaluate", "--model", path, "--hardware", "H100 SXM5", "--context", "200", "--phase", phase)
        for phase in ("prefill", "decode")
    )
    cross = 32 * 2 * 1280 * 1500 * 2  # keys and values of 1500 positions in 32 layers, fp16
    for found in (prefill, decode):
        assert found["hardware"][0]["totals"]["kv_bytes"] == cross + 32 * 2 * 1280 * 200 * 2
    first = {o["name"]: o for o in prefill["hardware"][0]["operators"]}
    assert first["conv2"]["flops"] == 2 * 1280 * 1500 * 1280 * 3
    totals = prefill["hardware"][0]["totals"]
    assert totals["tokens_per_s"] == pytest.approx(1500 / totals["floor_s"])


def test_layers_of_both_stacks_are_listed(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    layers = as_json("model", config(WHISPER))["layers"]
    assert [(layer["count"], layer["attention"]) for layer in layers] == [
        (32, "bidirectional"), (32, "full + cross 1500")
    ]  # fmt: skip


def test_an_encoder_of_a_study_keeps_the_phase_the_study_was_saved_with(
    as_json: Callable[..., Any], tmp_path: Path
) -> None:
    study = tmp_path / "bert.roofline.yaml"
    entry = {"id": "bert", "name": "bert", "config": BERT}
    study.write_text(json.dumps({"format": 1, "models": [entry], "active_model": "bert"}), encoding="utf-8")
    assert as_json("evaluate", study, "--hardware", "H100 SXM5")["workload"]["phase"] == "prefill"


@pytest.mark.parametrize(("batch", "words"), [("1", "for one input"), ("8", "for 8 inputs")])
def test_the_answer_of_a_model_of_pictures_counts_inputs(
    run: Callable[..., Any], config: Callable[..., Path], batch: str, words: str
) -> None:
    vit = config({"model_type": "vit", "architectures": ["ViTModel"], "torch_dtype": "bfloat16"})
    said = " ".join(run("evaluate", "--model", vit, "--hardware", "H100 SXM5", "--batch", batch).out.split())
    assert "one pass takes at least" in said
    assert words in said
    assert "inputs/s" in said.split("batch")[0]
    assert "tokens/s" not in said.split("batch")[0]
