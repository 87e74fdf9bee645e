"""What a quantised checkpoint is called, and of which part of it is said that inputs are quantised too."""

from collections.abc import Mapping
from typing import Any

import pytest

from explorer.analysis.models import Model, build_model
from explorer.analysis.step.phases.registry import one_step

LLAMA: dict[str, Any] = {
    "model_type": "llama", "hidden_size": 256, "intermediate_size": 512, "num_hidden_layers": 4,
    "num_attention_heads": 4, "num_key_value_heads": 4, "vocab_size": 500, "tie_word_embeddings": False,
    "head_dim": 64, "torch_dtype": "bfloat16",
}  # fmt: skip
ATTENTION, MLP, HEAD = 4 * 256 * 256, 3 * 256 * 512, 500 * 256
ALL = 4 * (ATTENTION + MLP) + HEAD
FP8_OF = {"num_bits": 8, "type": "float", "strategy": "channel", "dynamic": True}
INT4 = {"num_bits": 4, "type": "int", "strategy": "group", "group_size": 128, "symmetric": True}


def stored(quantisation: Mapping[str, Any], **more: Any) -> Model:
    return build_model({**LLAMA, "quantization_config": quantisation, **more})


def said(model: Model) -> dict[str, tuple[object, ...]]:
    """The formats of inputs, each with its part of all weights; without a part it is that of all."""
    notes = [note for note in model.assumptions if note.code.startswith("model.input_quantised")]
    return {str(n.values["format"]): (n.values.get("values"), n.values.get("total")) for n in notes}


def groups(**of_targets: tuple[list[str], dict[str, Any] | None]) -> dict[str, Any]:
    made = {
        name: {"targets": targets, "weights": FP8_OF if inputs else INT4, "input_activations": inputs}
        for name, (targets, inputs) in of_targets.items()
    }
    return {"quant_method": "compressed-tensors", "config_groups": made}


def test_where_all_but_the_head_multiply_in_fp8_the_part_is_said() -> None:
    blocks = {"quant_method": "fp8", "weight_block_size": [128, 128], "activation_scheme": "dynamic"}
    assert said(stored(blocks)) == {"fp8": (ALL - HEAD, ALL)}


def test_where_every_linear_layer_multiplies_so_no_part_is_named() -> None:
    assert said(stored({"quant_method": "modelopt", "quant_algo": "FP8"})) == {"fp8": (None, None)}


def test_weights_alone_in_few_bits_are_not_said_to_multiply_so() -> None:
    mixed = groups(a=(["re:.*self_attn.*"], FP8_OF), b=(["re:.*mlp.*"], None))
    assert said(stored(mixed)) == {"fp8": (4 * ATTENTION, ALL)}
    assert said(stored(groups(a=(["Linear"], None)))) == {}


def test_one_layer_of_many_in_fp8_is_said_with_its_part_and_leaves_the_model_wide() -> None:
    one = {
        "quant_algo": "MIXED_PRECISION",
        "quantized_layers": {"model.layers.0.self_attn.q_proj": {"quant_algo": "FP8"}},
    }
    model = stored({"quant_method": "modelopt", **one})
    assert said(model) == {"fp8": (256 * 256, ALL)}
    assert model.weights_format == "bf16 with fp8"
    whole = next(f for f in model.own_formats if f.id == model.weights_format)
    assert whole.like == "bf16"
    assert 15 < whole.bits < 16


def test_two_formats_of_few_layers_are_named_behind_the_wide_one() -> None:
    layers = {
        "model.layers.0.mlp.down_proj": {"quant_algo": "FP8"},
        "model.layers.1.self_attn.o_proj": {"quant_algo": "NVFP4"},
    }
    model = stored({"quant_method": "modelopt", "quant_algo": "MIXED_PRECISION", "quantized_layers": layers})
    assert model.weights_format == "bf16 with fp8+nvfp4"
    assert said(model) == {"fp8": (256 * 512, ALL), "nvfp4": (256 * 256, ALL)}


def test_most_values_in_few_bits_keep_the_name_of_their_format_beside_a_wide_table() -> None:
    model = stored({"quant_method": "gptq", "bits": 4, "group_size": 128}, vocab_size=2000)
    assert model.weights_format == "int4"


@pytest.mark.parametrize("quantisation", [
    {"quant_method": "fp8", "weight_block_size": [128, 128], "activation_scheme": "dynamic"},
    {"quant_method": "modelopt", "quant_algo": "NVFP4"},
    groups(a=(["re:.*self_attn.*"], FP8_OF), b=(["re:.*mlp.*"], None)),
])  # fmt: skip
def test_what_is_said_agrees_with_the_rows(quantisation: dict[str, Any]) -> None:
    model = stored(quantisation)
    read: dict[str, float] = {}
    for row in model.rows(one_step("decode", 1, 100)):
        if row.kind == "matmul":
            size = float(row.dims["n"]) * float(row.dims["k"]) * row.count  # type: ignore[arg-type]
            read[row.activations] = read.get(row.activations, 0) + size
    read.pop("bf16", None)
    assert {name: part or ALL for name, (part, _) in said(model).items()} == read
