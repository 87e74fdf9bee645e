"""Numbers of a quantisation that are written as text, left out, or of the KV cache."""

from typing import Any

import pytest

from explorer.analysis.models import Model, build_model
from explorer.analysis.problem import Refused
from explorer.files.catalogue import load_catalogue
from explorer.presentation.words.messages import render_problem

LLAMA: dict[str, Any] = {
    "model_type": "llama", "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": 500, "tie_word_embeddings": False,
    "head_dim": 64, "torch_dtype": "bfloat16",
}  # fmt: skip


def stored(**quantisation: Any) -> Model:
    return build_model({**LLAMA, "quantization_config": quantisation})


def held(**quantisation: Any) -> float:
    return stored(**quantisation).weight_bytes(None, load_catalogue(devices=False).format_by_id)


def assumed(**quantisation: Any) -> dict[str, Any]:
    notes = stored(**quantisation).assumptions
    return {str(n.values["field"]): n.values["value"] for n in notes if n.code == "model.quantisation_assumed"}


@pytest.mark.parametrize("written", [
    {"bits": "4", "group_size": "128"}, {"bits": " 4 ", "group_size": 128}, {"bits": 4.0, "group_size": 128.0},
])  # fmt: skip
@pytest.mark.parametrize("method", ["gptq", "awq", "auto-round"])
def test_whole_numbers_written_as_text_or_with_a_point_are_those_numbers(method: str, written: dict[str, Any]) -> None:
    assert held(quant_method=method, **written) == held(quant_method=method, bits=4, group_size=128)


def test_so_are_those_of_groups_of_modules_and_of_averages() -> None:
    def group(bits: object, size: object) -> dict[str, Any]:
        weights = {"num_bits": bits, "type": "int", "strategy": "group", "group_size": size, "symmetric": True}
        return {"config_groups": {"group_0": {"targets": ["Linear"], "weights": weights}}}

    assert held(**group("4", "64")) == held(**group(4, 64))
    exl2 = {"quant_method": "exl2"}
    assert held(**exl2, bits="4.25", head_bits="6") == held(**exl2, bits=4.25, head_bits=6)


@pytest.mark.parametrize("bits", ["four", "", "4 bit", "5"])
def test_text_that_is_no_such_number_stays_a_fault(bits: str) -> None:
    with pytest.raises(Refused) as refused:
        stored(quant_method="gptq", bits=bits, group_size=128)
    assert refused.value.problems[0].path == "quantization_config.bits"


@pytest.mark.parametrize("method", ["exl2", "exl3"])
def test_bits_of_a_head_that_are_left_out_are_said(method: str) -> None:
    assert assumed(quant_method=method, bits=4.0) == {"head_bits": 6}
    assert assumed(quant_method=method, bits=4.0, head_bits=8) == {}


def test_a_group_that_awq_leaves_out_is_said() -> None:
    assert assumed(quant_method="awq", bits=4) == {"group_size": 128}
    assert assumed(quant_method="awq", bits=4, q_group_size=64) == {}


@pytest.mark.parametrize("quantisation", [
    {"quant_method": "modelopt", "quant_algo": "FP8", "kv_cache_quant_algo": "FP6"},
    {"quant_method": "modelopt", "quant_algo": "NVFP4", "kv_cache_scheme": {"num_bits": 2, "type": "int"}},
    {"quant_method": "quark", "kv_cache_quant_config": {"*k_proj": {"output_tensors": {"dtype": "int2"}}},
     "global_quant_config": {"weight": {"dtype": "fp8_e4m3", "qscheme": "per_tensor"}}},
])  # fmt: skip
def test_an_unknown_format_of_the_cache_leaves_the_cache_unknown_not_the_weights(quantisation: dict[str, Any]) -> None:
    with pytest.raises(Refused) as refused:
        stored(**quantisation)
    said = " ".join(render_problem(p) for p in refused.value.problems)
    assert "bytes of the KV cache are unknown" in said
    assert "bytes of the weights" not in said
