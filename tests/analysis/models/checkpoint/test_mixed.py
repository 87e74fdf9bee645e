"""Bytes of mixes without their file: published sizes, tensor by tensor, and what rows stream of them."""

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.catalogue.mixes import NAMES, mix_of
from explorer.analysis.models import Model, build_model, supported
from explorer.analysis.models.checkpoint.mixes.converted import is_converted
from explorer.analysis.models.checkpoint.mixes.mixed import mix_bytes, with_mix
from explorer.analysis.models.checkpoint.stored_formats import merged_formats
from explorer.analysis.models.parts import count_values
from explorer.analysis.step.costs import compile_kind
from explorer.analysis.step.phases.registry import one_step
from explorer.files.catalogue import load_catalogue

LLAMA: dict[str, Any] = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "torch_dtype": "bfloat16",
}  # fmt: skip
LLAMA_70B = {
    **LLAMA, "hidden_size": 8192, "intermediate_size": 28672, "num_hidden_layers": 80, "num_attention_heads": 64
}  # fmt: skip
LLAMA_2_13B = {
    **LLAMA, "hidden_size": 5120, "intermediate_size": 13824, "num_hidden_layers": 40, "num_attention_heads": 40,
    "num_key_value_heads": 40, "vocab_size": 32000,
}  # fmt: skip
QWEN3_4B: dict[str, Any] = {
    "model_type": "qwen3", "hidden_size": 2560, "intermediate_size": 9728, "num_hidden_layers": 36,
    "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936,
    "tie_word_embeddings": True, "torch_dtype": "bfloat16",
}  # fmt: skip
QWEN3_30B: dict[str, Any] = {
    "model_type": "qwen3_moe", "hidden_size": 2048, "intermediate_size": 6144, "moe_intermediate_size": 768,
    "num_hidden_layers": 48, "num_attention_heads": 32, "num_key_value_heads": 4, "head_dim": 128,
    "num_experts": 128, "num_experts_per_tok": 8, "vocab_size": 151936, "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}  # fmt: skip
MIXTRAL: dict[str, Any] = {
    **LLAMA, "model_type": "mixtral", "num_local_experts": 8, "num_experts_per_tok": 2, "vocab_size": 32000
}  # fmt: skip
GPT_OSS: dict[str, Any] = {
    "model_type": "gpt_oss", "hidden_size": 2880, "intermediate_size": 2880, "num_hidden_layers": 36,
    "num_attention_heads": 64, "num_key_value_heads": 8, "head_dim": 64, "num_local_experts": 128,
    "num_experts_per_tok": 4, "vocab_size": 201088, "sliding_window": 128, "tie_word_embeddings": False,
    "layer_types": ["sliding_attention", "full_attention"] * 18, "torch_dtype": "bfloat16",
    "quantization_config": {
        "quant_method": "mxfp4",
        "modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens",
                                   "lm_head"],
    },
}  # fmt: skip


def built(config: Mapping[str, Any], mix: str) -> Model:
    return with_mix(build_model(config), mix)


def resident(config: Mapping[str, Any], mix: str) -> float:
    stored = built(config, mix).stored
    assert stored is not None
    return stored.resident


# file bytes as published, the header of some MB apart: model cards and llama-quantize's own table
@pytest.mark.parametrize(
    ("config", "mix", "published", "header"),
    [
        (QWEN3_4B, "Q4_K_M", 2.497e9, 8e6),
        (LLAMA, "Q4_K_M", 4.92e9, 9e6),
        (LLAMA, "Q8_0", 8.54e9, 9e6),
        (LLAMA, "IQ4_XS", 4_476_569_511, 1e5),
        (LLAMA, "IQ2_XXS", 2_391_411_800, 1e5),
        (LLAMA, "F16", 16_061_024_387, 1e5),
        (LLAMA_70B, "Q4_K_M", 42.52e9, 1.3e7),
        (LLAMA_70B, "Q3_K_L", 37.14e9, 1.3e7),
        (LLAMA_2_13B, "Q4_0", 7_365_835_424, 1e6),
        (LLAMA_2_13B, "Q3_K_L", 6_929_560_224, 1e6),
        (MIXTRAL, "Q5_K_M", 33.2e9, 5.1e7),
        (QWEN3_30B, "Q4_K_M", 18.56e9, 2e7),
        (GPT_OSS, "MXFP4_MOE", 63.39e9, 3e7),
    ],
)
def test_a_mix_takes_the_published_bytes(config: dict[str, Any], mix: str, published: float, header: float) -> None:
    assert resident(config, mix) == pytest.approx(published, abs=header)


def test_every_published_size_is_met(shared: Path) -> None:
    """`rule_tensor_bytes` to 1e-6; else the file within its tolerance or 0.5 %, which one file alone misses."""
    wrong = []
    for row in csv.DictReader((shared / "cases" / "gguf_sizes.csv").read_text("utf-8").splitlines()):
        model = build_model(json.loads((shared / "cases" / row["config"]).read_text("utf-8")))
        mix = mix_of(f"i1-{row['mix']}" if row["imatrix"] == "yes" else row["mix"]) or mix_of(row["mix"])
        assert mix is not None
        found, ruled = mix_bytes(model, mix), row["rule_tensor_bytes"]
        file, tolerance = float(row["file_bytes"]), float(row["tolerance"])
        near = abs(found / float(ruled) - 1) < 1e-6 if ruled else abs(found - file) <= max(tolerance, 0.005 * file)
        if not near:
            wrong.append((row["model"], row["mix"]))
    # its publisher kept the embedding in Q8_0 after training for Q4_0; llama-quantize makes it Q6_K
    assert wrong == [("gemma-3-4b-it", "Q4_0")]


def rows(model: Model, *, batch: float = 1.0) -> dict[str, float]:
    """Weight bytes that each row streams in all its calls."""
    catalogue = load_catalogue(devices=False)
    formats = merged_formats(catalogue.format_by_id, model.stored.formats if model.stored else ())
    found = {}
    for row in model.rows(one_step("decode", batch, 2048.0)):
        costs = compile_kind(catalogue.kind_by_id[row.kind]).costs(row, formats)
        found[row.name] = float(row.count * costs.weight_bytes)
    return found


@pytest.mark.parametrize("mix", ["Q4_K_M", "Q3_K_M", "IQ1_M", "Q2_K_S", "Q6_K", "MXFP4_MOE", "F16", "UD-Q4_K_XL"])
@pytest.mark.parametrize("config", [LLAMA, QWEN3_4B], ids=["untied", "tied"])
def test_a_dense_step_streams_every_tensor_but_the_input_table(config: dict[str, Any], mix: str) -> None:
    model = built(config, mix)
    assert model.stored is not None
    read = sum(n for name, n in rows(model).items() if name != "embed_tokens")
    assert read == pytest.approx(model.stored.active, rel=1e-9)
    table = 0 if model.tied else mix_bytes_of_table(model, mix)
    assert model.stored.resident == pytest.approx(read + table, rel=1e-9)


def mix_bytes_of_table(model: Model, mix: str) -> float:
    """What the input table takes: the whole model without what one token reads."""
    smaller = build_model({**LLAMA, "vocab_size": 256})
    larger = build_model({**LLAMA, "vocab_size": 512})
    chosen = mix_of(mix)
    assert chosen is not None
    both = (mix_bytes(larger, chosen) - mix_bytes(smaller, chosen)) / 256  # a row of table and head
    head = rows(model)["lm_head"] / 128256
    return (both - head) * 128256


def test_tensors_of_a_row_that_differ_by_layer_stream_their_sum() -> None:
    """Q4_K_M: 16 of 32 layers have v_proj in Q6_K, 16 in Q4_K (144 and 210 bytes per 256 values)."""
    found = rows(built(LLAMA, "Q4_K_M"))
    assert found["v_proj"] == 16 * 4096 * 1024 * (144 + 210) / 256
    assert found["k_proj"] == 32 * 4096 * 1024 * 144 / 256
    assert found["lm_head"] == 128256 * 4096 * 210 / 256


def test_experts_stream_those_that_are_used() -> None:
    found = rows(built(QWEN3_30B, "Q4_K_M"))
    assert found["experts.down_proj"] == 24 * 8 * 768 * 2048 * (144 + 210) / 256
    assert found["gate"] == 48 * 128 * 2048 * 4  # routers stay in fp32


def test_eight_experts_have_dear_attention() -> None:
    found = rows(built(MIXTRAL, "Q4_K_M"))
    assert found["v_proj"] == found["k_proj"] == 32 * 1024 * 4096 * 34 / 32
    assert found["o_proj"] == 32 * 4096 * 4096 * 176 / 256


def test_experts_in_mxfp4_stay_so_and_the_rest_follows_the_mix() -> None:
    """Attention, embedding and head in Q8_0 or 16 bit; biases, routers and norms in fp32."""
    experts = 36 * 128 * (3 * 2880 * 2880 * 4.25 / 8 + 3 * 2880 * 4) + 36 * 128 * 2881 * 4
    eight, wide = resident(GPT_OSS, "MXFP4_MOE"), resident(GPT_OSS, "F16")
    rest = 36 * 2880 * 64 * (2 * 64 + 2 * 8) + 2 * 201088 * 2880
    assert eight - experts == pytest.approx(rest * 8.5 / 8, rel=1e-3)
    assert wide - eight == pytest.approx(rest * (16 - 8.5) / 8, rel=1e-6)


def test_rows_too_short_for_a_super_block_take_the_types_of_small_blocks() -> None:
    """2,880 is no multiple of 256: Q4_K becomes Q5_0, Q6_K becomes Q8_0."""
    plain = {key: value for key, value in GPT_OSS.items() if key != "quantization_config"}
    assert rows(built(plain, "Q4_K_M"))["k_proj"] == 36 * 512 * (2880 * 22 / 32 + 4)  # and biases in fp32
    assert rows(built(plain, "Q4_K_M"))["lm_head"] == 201088 * 2880 * 34 / 32


@pytest.mark.parametrize("mix", NAMES)
def test_larger_names_are_larger_files(mix: str) -> None:
    assert 0.18 < resident(LLAMA, mix) / (8.03e9 * 1.0) < 4.01


def test_an_importance_matrix_changes_what_it_changes() -> None:
    assert resident(LLAMA, "i1-IQ4_XS") < resident(LLAMA, "IQ4_XS")
    assert resident(LLAMA, "i1-Q4_0") > resident(LLAMA, "Q4_0")


def test_dear_ends_are_the_embedding_and_the_output_alone() -> None:
    more = resident(LLAMA, "Q4_K_L") - resident(LLAMA, "Q4_K_M")
    assert more == 128256 * 4096 * ((34 / 32 - 144 / 256) + (34 / 32 - 210 / 256))


def test_what_a_mix_rests_on_is_said() -> None:
    def said(config: Mapping[str, Any], mix: str) -> set[str]:
        return {note.code for note in built(config, mix).assumptions if "mix" in note.code}

    assert said(LLAMA, "Q4_K_M") == {"model.mix"}
    assert said(LLAMA, "Q4_K_L") == {"model.mix", "model.mix_ends"}
    assert said(LLAMA, "UD-Q4_K_XL") == {"model.mix_nearest"}
    assert said(LLAMA, "IQ4_XS") == {"model.mix", "model.mix_no_imatrix"}
    assert said(LLAMA, "i1-IQ4_XS") == {"model.mix", "model.mix_imatrix"}
    assert said(GPT_OSS, "Q4_K_M") == {"model.mix", "model.mix_experts"}


def test_whatever_the_family_no_weights_are_left_without_a_type(small: Callable[..., dict[str, Any]]) -> None:
    for name in supported():
        model = built(small(name), "Q8_0")
        assert model.stored is not None
        streamed = rows(model) if "decode" in model.phases else {}
        apart = count_values(model.architecture.extra) if is_converted(model) else 0  # towers have their own files
        assert 4 < 8 * model.stored.resident / (model.parameters - apart) < 33, name
        assert sum(streamed.values()) <= 2 * model.stored.resident, name  # shared blocks are read more than once
