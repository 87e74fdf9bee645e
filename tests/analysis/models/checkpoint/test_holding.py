"""What is said of a checkpoint or of a file is said while the weights are stored so."""

import pytest

import explorer

QUANTISED = "multiply in"
LLAMA = {
    "model_type": "llama", "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": 500, "tie_word_embeddings": False,
    "head_dim": 64, "torch_dtype": "bfloat16",
}  # fmt: skip
BLOCKS = {
    **LLAMA,
    "quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128], "activation_scheme": "dynamic"},
}
AVERAGE = {**LLAMA, "quantization_config": {"quant_method": "exl2", "bits": 4.25, "head_bits": 6}}


def said(model: object, **work: object) -> str:
    study = explorer.new_study(model, "H100 SXM5", **work)  # type: ignore[arg-type]
    return " ".join(explorer.as_json(study)["assumptions"])


def test_inputs_are_said_to_be_quantised_while_the_weights_are_the_checkpoints() -> None:
    assert QUANTISED in said("DeepSeek-V3")
    assert QUANTISED in said(BLOCKS)
    assert QUANTISED in said(BLOCKS, weights="fp8-block128")


@pytest.mark.parametrize("weights", ["Q4_K_M", "bf16", "Q8_0", "int4", "fp8"])
def test_other_weights_multiply_as_they_are(weights: str) -> None:
    assert QUANTISED not in said("DeepSeek-V3", weights=weights)
    assert QUANTISED not in said(BLOCKS, weights=weights)


def test_a_file_of_a_mix_multiplies_in_the_activations_format() -> None:
    assert QUANTISED not in said("DeepSeek-V3", file_bytes=404e9)
    assert QUANTISED not in said("DeepSeek-V3", file_bytes=500e9)


def test_activations_that_were_asked_for_are_not_quantised() -> None:
    assert QUANTISED not in said(BLOCKS, activations="fp16")


@pytest.mark.parametrize("weights", ["Q4_K_M", "bf16"])
def test_the_average_of_a_checkpoint_is_not_said_of_other_weights(weights: str) -> None:
    assert "the average alone" in said(AVERAGE)
    assert "the average alone" not in said(AVERAGE, weights=weights)
