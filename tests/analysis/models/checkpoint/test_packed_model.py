"""Quantised checkpoints whose head is the embedding table: every method gives a figure, in prefill and in decode."""

from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.models.checkpoint.stored_formats import merged_formats
from explorer.analysis.step.phases.registry import one_step
from explorer.files.catalogue import load_catalogue

HIDDEN, VOCAB = 256, 1024
LLAMA: dict[str, Any] = {
    "model_type": "llama", "hidden_size": HIDDEN, "intermediate_size": 512, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "vocab_size": VOCAB, "torch_dtype": "float16",
}  # fmt: skip
GEMMA: dict[str, Any] = {**LLAMA, "model_type": "gemma2", "head_dim": 64, "sliding_window": 64}
MOE: dict[str, Any] = {
    **LLAMA, "model_type": "qwen3_moe", "moe_intermediate_size": 128, "num_experts": 8, "num_experts_per_tok": 2,
}  # fmt: skip
T5: dict[str, Any] = {
    "model_type": "t5", "d_model": HIDDEN, "d_kv": 64, "d_ff": 512, "num_layers": 2, "num_heads": 4,
    "vocab_size": VOCAB, "feed_forward_proj": "relu", "torch_dtype": "float16",
}  # fmt: skip
METHODS: dict[str, dict[str, Any]] = {
    "gptq": {"quant_method": "gptq", "bits": 4, "group_size": 128},
    "awq": {"quant_method": "awq", "bits": 4, "group_size": 128},
    "auto-round": {"quant_method": "auto-round", "bits": 4, "group_size": 128},
    "fp8": {"quant_method": "fp8", "weight_block_size": [128, 128], "activation_scheme": "dynamic"},
    "nvfp4": {"quant_method": "modelopt", "quant_algo": "NVFP4"},
    "bitsandbytes": {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"},
    "hqq": {"quant_method": "hqq", "quant_config": {"weight_quant_params": {"nbits": 4, "group_size": 64}}},
    "mlx": {"bits": 4, "group_size": 64},
    "exl2": {"quant_method": "exl2", "bits": 5.0, "head_bits": 6},
    "exl3": {"quant_method": "exl3", "bits": 4.0, "head_bits": 6},
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("phase", ["prefill", "decode"])
@pytest.mark.parametrize("config", [LLAMA, GEMMA, MOE, T5], ids=lambda c: str(c["model_type"]))
@pytest.mark.parametrize("tied", [True, False], ids=["tied", "untied"])
def test_every_row_has_a_format_that_is_known(method: str, phase: str, config: dict[str, Any], *, tied: bool) -> None:
    stated = {**config, "tie_word_embeddings": tied, "quantization_config": METHODS[method]}
    model = build_model(stated)
    known = merged_formats(load_catalogue(devices=False).format_by_id, model.own_formats)
    for row in model.rows(one_step(phase, 2, 64)):
        assert {row.weights, row.activations, row.output, row.kv} <= known.keys(), row.name


@pytest.mark.parametrize(("method", "head", "bytes_each"), [("exl2", "exl2-6", 6 / 8), ("exl3", "exl3-6", 6 / 8)])
def test_exllama_stores_a_tied_head_as_a_matrix_of_its_own_bits_beside_the_wide_table(
    method: str, head: str, bytes_each: float
) -> None:
    model = build_model({**LLAMA, "tie_word_embeddings": True, "quantization_config": METHODS[method]})
    found = {row.name: row.weights for row in model.rows(one_step("decode", 1, 64))}
    assert (found["embed_tokens"], found["lm_head"]) == ("fp16", head)
    own = VOCAB * HIDDEN * bytes_each + (2 * (VOCAB + HIDDEN) if method == "exl3" else 0)
    assert model.untied_bytes == own
    assert {f.id: f.bits for f in model.own_formats}[head] == 6


@pytest.mark.parametrize("method", ["exl2", "exl3"])
def test_the_mix_of_a_tied_model_is_called_as_that_of_one_with_a_head_of_its_own(method: str) -> None:
    stated = {**LLAMA, "quantization_config": METHODS[method]}
    tied, own = (build_model({**stated, "tie_word_embeddings": t}) for t in (True, False))
    assert tied.storage.weights == own.storage.weights
    assert tied.own_formats == own.own_formats
