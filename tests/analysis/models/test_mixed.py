"""Mixtures, recurrent layers, sparse and chunked attention: products counted in the reference, states, what is read."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from explorer.analysis.models import build_model
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.phases.registry import one_step
from explorer.analysis.step.rows import Row

Small = Callable[..., dict[str, Any]]
Rows = Callable[..., dict[str, Row]]
Cost = Callable[[Row], Costs]
PRODUCTS = {"matmul", "absorbed_matmul", "moe_matmul", "attention", "chunked_attention", "index_scores"}
LINEAR = {"matmul", "absorbed_matmul", "moe_matmul"}

# FLOPs of matrix products of one forward pass of 48 tokens (logits for all) of the small configs, counted by
# torch.utils.flop_counter over the transformers library 5.24 with eager attention and experts; of the recurrent ones
# those of linear layers alone, since their scans run in other ways there.
COUNTED = {
    "qwen2_moe": 376258560,
    "glm4_moe": 370606080,
    "minimax_m2": 700514304,
    "mimo_v2_flash": 366673920,
    "deepseek_v32": 386052096,
    "glm_moe_dsa": 380706816,
    "kimi_k2": 370016256,
}
COUNTED_LINEAR = {
    "qwen3_next": 351657984,
    "qwen3_5_text": 384958464,
    "qwen3_5_moe_text": 344997888,
    "mamba": 188153856,
    "mamba2": 186580992,
    "nemotron_h": 120520704,
    "rwkv": 351731712,
}


@pytest.mark.parametrize("model_type", COUNTED | COUNTED_LINEAR)
def test_products_of_a_forward_pass_equal_those_counted_in_the_reference(
    small: Small, rows_of: Rows, cost: Cost, model_type: str
) -> None:
    rows = rows_of(small(model_type), "prefill", 1, 48, attention_count="full", logits="all").values()
    kinds = PRODUCTS if model_type in COUNTED else LINEAR
    products = sum(float(row.count * cost(row).flops) for row in rows if row.kind in kinds)
    assert products == (COUNTED | COUNTED_LINEAR)[model_type]


def test_layers_say_what_they_are(small: Small) -> None:
    kinds = {name: [(la.attention, la.mlp, la.count) for la in build_model(small(name)).layers] for name in (
        "qwen3_next", "llama4_text", "nemotron_h", "nemotron-nas", "glm_moe_dsa", "deepseek_v4",
    )}  # fmt: skip
    mixture = "moe 4 of 16 + 1 shared"
    assert kinds["qwen3_next"] == [("linear", mixture, 4), ("linear", "dense", 1), ("full", mixture, 1)]
    assert kinds["llama4_text"] == [
        ("chunked 128", "dense", 3),
        ("chunked 128", "moe 1 of 8 + 1 shared", 2),
        ("full", "moe 1 of 8 + 1 shared", 1),
    ]
    assert kinds["nemotron_h"] == [
        ("mamba2", "none", 2), ("none", "moe 2 of 8 + 1 shared", 2), ("full", "none", 1), ("none", "dense", 1),
    ]  # fmt: skip
    assert kinds["nemotron-nas"] == [
        ("full, 2 kv heads", "dense 512", 2),
        ("none", "dense 256", 1),
        ("linear layer", "none", 1),
        ("full, 1 kv heads", "linear layer", 1),
        ("none", "dense 300", 1),
    ]
    assert ("mla, sparse 64, shared index", mixture, 2) in kinds["glm_moe_dsa"]
    assert ("sliding 128 + compressed 4, sparse 64", mixture, 2) in kinds["deepseek_v4"]
    assert kinds["deepseek_v4"][0] == ("sliding 128", f"{mixture}, by token", 1)


@pytest.mark.parametrize(
    ("model_type", "in_fp32", "in_16_bit"),
    [
        ("qwen3_5_text", 5 * 4 * 16 * 24, 5 * (2 * 2 * 16 + 4 * 24) * 3),
        ("mamba", 4 * 512 * 16, 4 * 512 * 3),
        ("mamba2", 4 * 512 * 24, 4 * (512 + 2 * 2 * 24) * 3),
        ("nemotron_h", 2 * 8 * 16 * 12, 2 * (8 * 16 + 2 * 2 * 12) * 3),
        ("rwkv5", 4 * 256 * 64, 4 * 2 * 256),
        ("rwkv", 4 * 3 * 256, 4 * 2 * 256),
    ],
)
def test_states_are_matrices_in_fp32_and_the_inputs_convolutions_and_shifts_still_need(
    small: Small, model_type: str, in_fp32: int, in_16_bit: int
) -> None:
    model = build_model(small(model_type))
    assert model.state_bytes(3) == 3 * (4 * in_fp32 + 2 * in_16_bit)


def test_a_state_is_written_but_not_read_in_prefill(small: Small, rows_of: Rows, cost: Cost) -> None:
    config = small("mamba")
    prefill, decode = (rows_of(config, phase, 1, 1)["scan"] for phase in ("prefill", "decode"))
    state = 4 * 512 * 16
    assert cost(decode).bytes_read - cost(prefill).bytes_read == state
    assert cost(decode).bytes_written == cost(prefill).bytes_written == state + 2 * 512


def test_recurrent_models_hold_no_cache_and_hybrids_that_of_their_attention(small: Small) -> None:
    for model_type in ("mamba", "mamba2", "rwkv", "rwkv5"):
        assert build_model(small(model_type)).kv_bytes(4, 100_000, 2.0) == 0
    assert build_model(small("qwen3_5_text")).kv_bytes_per_token(2.0) == 1 * 2 * 2 * 48 * 2


def test_a_hybrid_of_64_layers_leaves_32_kib_a_token_at_8_bit() -> None:
    """vLLM's boot log of Qwen3.8-27B (mitchross/talos-argocd-proxmox#1995): 16 of 64 layers attend."""
    config = {
        "model_type": "qwen3_5_text", "hidden_size": 5120, "intermediate_size": 17408, "num_hidden_layers": 64,
        "num_attention_heads": 24, "num_key_value_heads": 4, "linear_num_value_heads": 48, "vocab_size": 248320,
    }  # fmt: skip
    model = build_model(config)
    assert model.parameters == 26_895_998_464  # counted in the reference
    assert model.kv_bytes_per_token(1.0) == 32 * 1024
    assert model.state_bytes(1) == 48 * (4 * 48 * 128 * 128 + 2 * 10240 * 3)


def test_sparse_attention_reads_what_the_index_chose_and_every_index_key(
    small: Small, rows_of: Rows, cost: Cost
) -> None:
    rows = rows_of(small("deepseek_v32"), context=1000)
    assert cost(rows["attention"]).kv_bytes == 2 * 64 * (64 + 16)
    assert cost(rows["index_scores"]).kv_bytes == 2 * 1000 * 32
    assert build_model(small("deepseek_v32")).kv_bytes(1, 1000, 2.0) == 6 * 2 * 1000 * (64 + 16 + 32)
    pairs = sum(min(i + 1, 64) for i in range(1000))
    assert cost(rows_of(small("deepseek_v32"), "prefill", 1, 1000)["attention"]).flops == 2 * 8 * pairs * (48 + 24)


def test_layers_that_share_an_index_have_none_and_hold_no_keys_of_it(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("glm_moe_dsa"))
    assert (rows["index_scores"].count, rows["attention"].count) == (4, 6)
    assert build_model(small("glm_moe_dsa")).kv_bytes_per_token(1.0) == 6 * 80 + 4 * 32


def test_chunks_are_read_up_to_the_last_token_and_held_whole(small: Small, rows_of: Rows, cost: Cost) -> None:
    row = rows_of(small("llama4_text"), context=300)["attention[chunked]"]
    assert cost(row).kv_bytes == 2 * (300 - 256) * 2 * 2 * 32
    model = build_model(small("llama4_text"))
    assert model.kv_bytes(1, 300, 2.0) == (5 * 128 + 300) * 2 * 2 * 2 * 32
    prefill = cost(rows_of(small("llama4_text"), "prefill", 1, 300)["attention[chunked]"])
    assert prefill.flops == 2 * 8 * sum(i % 128 + 1 for i in range(300)) * 64


def test_compressed_entries_stand_for_several_tokens(small: Small, rows_of: Rows, cost: Cost) -> None:
    model = build_model(small("deepseek_v4"))  # layers: near, 4, 128, 4, 128, near
    held = 6 * min(1000, 128) * 32 + 2 * (1000 // 4) * (32 + 32) + 2 * (1000 // 128) * 32
    assert model.kv_bytes(1, 1000, 2.0) == 2 * held
    assert model.kv_bytes_per_token(1.0) == 6 * 32 + 2 * 64 / 4 + 2 * 32 / 128
    rows = rows_of(small("deepseek_v4"), context=1000)
    assert cost(rows["attention[compressed 4]"]).kv_bytes == 2 * (128 + 64) * 32
    assert cost(rows["attention[compressed 128]"]).kv_bytes == 2 * (128 + 7) * 32
    assert cost(rows["attention[sliding]"]).kv_bytes == 2 * 128 * 32


def test_experts_have_a_format_of_their_own_until_another_is_chosen(small: Small, rows_of: Rows) -> None:
    own, chosen = rows_of(small("deepseek_v4")), rows_of(small("deepseek_v4"), weights="int8")
    names = ("experts.up_proj", "shared_experts.up_proj", "q_a_proj")
    assert [own[name].weights for name in names] == ["mxfp4", "fp8-block128", "fp8-block128"]
    assert [chosen[name].weights for name in names] == ["int8"] * 3
    assert {own[name].activations for name in names} == {"fp8"}


def test_keys_wider_than_values_and_other_heads_where_it_slides(small: Small, rows_of: Rows, cost: Cost) -> None:
    rows = rows_of(small("mimo_v2_flash"), context=1000)
    assert (rows["k_proj"].dims["n"], rows["k_proj[sliding]"].dims["n"]) == (2 * 48, 4 * 48)
    assert (rows["v_proj"].dims["n"], rows["v_proj[sliding]"].dims["n"]) == (2 * 32, 4 * 32)
    assert cost(rows["attention[sliding]"]).kv_bytes == 2 * 128 * 4 * (48 + 32)


def test_a_gate_for_what_attention_finds_doubles_the_queries_projection(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("qwen3_5_text"), batch=3)
    assert (rows["q_proj"].dims["n"], rows["o_proj"].dims["k"]) == (2 * 8 * 48, 8 * 48)
    assert rows["self_attn.gate" if "self_attn.gate" in rows else "gate"].dims["values"] == 3 * 8 * 48


def test_layers_without_a_half_have_neither_its_norm_nor_its_residual(small: Small, rows_of: Rows) -> None:
    rows = rows_of(small("nemotron-nas"))
    assert (rows["input_layernorm"].count, rows["post_attention_layernorm"].count) == (4, 5)
    assert (rows["self_attn.residual_add"].count, rows["mlp.residual_add"].count) == (4, 5)
    assert rows_of(small("nemotron_h"))["norm"].count == 6


def test_a_tower_counts_in_memory_and_the_active_parameters_but_in_no_step(small: Small, rows_of: Rows) -> None:
    for model_type in ("qwen3_vl", "llava", "kimi_k25", "llama4"):
        with_tower = build_model(small(model_type))
        alone = build_model(small(model_type, vision_config=...))
        tower = with_tower.parameters - alone.parameters
        assert with_tower.active_parameters - alone.active_parameters == tower > 0
        assert "model.vision_left_out" in [note.code for note in alone.assumptions]
        assert rows_of(small(model_type)).keys() == rows_of(small(model_type, vision_config=...)).keys()


@pytest.mark.parametrize(
    ("file", "parameters", "text_only"),
    [
        ("Qwen--Qwen3-VL-8B-Instruct.json", 8767123696, 8190735360),
        ("Qwen--Qwen3.5-27B.json", 27356728560, 26895998464),
        ("moonshotai--Kimi-K2.5.json", 1026879353328, 1026408232448 - 60 * 384),
    ],
)
def test_the_text_model_alone_has_its_own_count(shared: Path, file: str, parameters: int, text_only: int) -> None:
    config = json.loads((shared / "cases" / "configs" / file).read_text("utf-8"))
    assert build_model(config).parameters == parameters
    assert build_model({**config, "vision_config": None}).parameters == text_only


def test_routing_biases_are_parameters_where_the_family_makes_them_so(shared: Path) -> None:
    config = json.loads((shared / "cases" / "configs" / "moonshotai--Kimi-K2.5.json").read_text("utf-8"))
    assert build_model(config["text_config"]).parameters == 1026408232448


def test_draft_layers_are_named_and_not_run(small: Small) -> None:
    for model_type in ("qwen3_5", "glm4_moe"):
        notes = {note.code: note.values for note in build_model(small(model_type)).assumptions}
        assert notes["model.mtp_counted_apart"]["layers"] == 1


def test_the_draft_layer_of_deepseek_v3_holds_what_its_makers_say(shared: Path) -> None:
    """11.5B parameters of its own, beside 0.9B of the shared embedding and 0.9B of the head (README_WEIGHTS.md)."""
    config = json.loads((shared / "cases" / "configs" / "deepseek-ai--DeepSeek-V3.json").read_text("utf-8"))
    notes = {n.code: n.values for n in build_model({**config, "num_nextn_predict_layers": 1}).assumptions}
    assert notes["model.mtp_counted_apart"]["parameters"] == pytest.approx(11.5e9, rel=0.01)


def test_a_step_at_a_grid_adds_up_to_no_negative_cost(config: dict[str, Any], cost: Cost) -> None:
    model = build_model(config)
    for phase in model.phases:
        for row in model.rows(one_step(phase, 2, 1)):
            assert min(float(value) for value in cost(row)) >= 0
