"""Questions that people post, answered by the command line on the named line (GB = 1e9 bytes, within 2 %)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import LLAMA_2_13B, LLAMA_3_8B, MISTRAL_7B, QWEN_2_5_7B

GEMMA_3_27B: dict[str, Any] = {
    "architectures": ["Gemma3ForCausalLM"],
    "model_type": "gemma3_text",
    "head_dim": 128,
    "hidden_activation": "gelu_pytorch_tanh",
    "hidden_size": 5376,
    "intermediate_size": 21504,
    "num_attention_heads": 32,
    "num_hidden_layers": 62,
    "num_key_value_heads": 16,
    "query_pre_attn_scalar": 168,
    "sliding_window": 1024,
    "sliding_window_pattern": 6,
    "torch_dtype": "bfloat16",
    "vocab_size": 262208,
}
GLM_4_5_AIR: dict[str, Any] = {
    "model_type": "glm4_moe",
    "attention_bias": True,
    "first_k_dense_replace": 1,
    "head_dim": 128,
    "hidden_size": 4096,
    "intermediate_size": 10944,
    "moe_intermediate_size": 1408,
    "n_routed_experts": 128,
    "n_shared_experts": 1,
    "num_attention_heads": 96,
    "num_experts_per_tok": 8,
    "num_hidden_layers": 46,
    "num_key_value_heads": 8,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "use_qk_norm": False,
    "vocab_size": 151552,
}
DEEPSEEK_V3: dict[str, Any] = {
    "model_type": "deepseek_v3",
    "first_k_dense_replace": 3,
    "hidden_size": 7168,
    "intermediate_size": 18432,
    "kv_lora_rank": 512,
    "moe_intermediate_size": 2048,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "num_attention_heads": 128,
    "num_experts_per_tok": 8,
    "num_hidden_layers": 61,
    "num_key_value_heads": 128,
    "q_lora_rank": 1536,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
    "v_head_dim": 128,
    "vocab_size": 129280,
}
GIB = 2**30


def totals(found: Any, device: int = 0) -> Any:
    return found["hardware"][device]["totals"]


def test_h200_hardly_beats_h100_on_mistral_7b(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    """NVIDIA/TensorRT-LLM#1570: fp8 weights and KV, batch 128, mean context 1,152."""
    found = as_json(
        *("evaluate", "--model", config(MISTRAL_7B), "--hardware", "H100 SXM5", "H200 SXM", "--batch", 128),
        *("--context", 1152, "--weights", "fp8", "--kv", "fp8"),
    )
    h100, h200 = totals(found, 0)["simple"]["whole_file_s"], totals(found, 1)["simple"]["whole_file_s"]
    assert h100 == pytest.approx(5.05e-3, rel=0.02)
    assert h200 == pytest.approx(3.52e-3, rel=0.02)
    assert 128 / h100 == pytest.approx(25.4e3, rel=0.02)
    assert 128 / h200 == pytest.approx(36.3e3, rel=0.02)
    assert h100 / h200 == pytest.approx(1.43, abs=0.01)


def test_an_h100_pcie_cannot_reach_the_figures_of_the_sxm_card(
    as_json: Callable[..., Any], config: Callable[..., Path]
) -> None:
    """TensorRT-LLM#6294: the bandwidths stand 0.60 to 1, so do the speeds."""
    found = as_json(
        *("evaluate", "--model", config(LLAMA_3_8B), "--weights", "fp8", "--kv", "fp8"),
        *("--hardware", "H100 PCIe", "H100 SXM5", "--batch", 64),
    )
    pcie, sxm = (1 / totals(found, i)["simple"]["whole_file_s"] for i in (0, 1))
    assert pcie / sxm == pytest.approx(0.60, abs=0.005)
    assert 28_312 * pcie / sxm == pytest.approx(16.9e3, rel=0.02)


def test_llama_3_8b_on_a100_needs_a_larger_batch_for_its_throughput(
    as_json: Callable[..., Any], config: Callable[..., Path]
) -> None:
    """TensorRT-LLM#2648: 2,000 tokens/s is what batch 16 allows."""
    command = ("evaluate", "--model", config(LLAMA_3_8B), "--hardware", "A100 SXM 80GB", "--weights", "fp16")
    step = totals(as_json(*command, "--batch", 16, "--context", 1))
    assert step["simple"]["whole_file_s"] == pytest.approx(7.88e-3, rel=0.02)
    assert 16 / step["simple"]["whole_file_s"] == pytest.approx(2031, rel=0.02)
    assert step["simple"]["streamed_s"] == pytest.approx(7.36e-3, rel=0.02)
    assert 16 / step["simple"]["streamed_s"] == pytest.approx(2174, rel=0.02)
    wide = totals(as_json(*command, "--batch", 64, "--context", 285))
    assert 64 / wide["simple"]["whole_file_s"] == pytest.approx(7073, rel=0.02)
    assert 64 / wide["simple"]["streamed_s"] == pytest.approx(7500, rel=0.02)


def test_more_threads_do_not_help_a_cpu_whose_memory_is_busy(as_json: Callable[..., Any], tmp_path: Path) -> None:
    """llama.cpp#12966: dual-channel DDR5-5600, a 7B Q4_0 file of 3.83 GB."""
    file = tmp_path / "i7.yaml"
    file.write_text(
        "format: 1\nid: i7-14700k\nname: Intel i7-14700K\nvendor: Intel\nclass: cpu\n"
        "memory: [{level: DDR5-5600, bandwidth: 89.6e9}]\n"
    )
    quick = "params=6.74e9,layers=32,kv_heads=32,head_dim=128,weights=Q4_0,file_bytes=3.83e9"
    found = totals(as_json("evaluate", "--quick", quick, "--hardware", file, "--context", 1))
    assert 1 / found["simple"]["whole_file_s"] == pytest.approx(23.4, rel=0.02)
    assert found["tokens_per_s"] == pytest.approx(23.4, rel=0.02)


def test_experts_of_gpt_oss_120b_in_4_bits_and_the_rest_in_8_bound_a_dgx_spark(
    as_json: Callable[..., Any], tmp_path: Path
) -> None:
    """spark-arena/recipe-registry#17: 1.90 GB of experts and 1.63 GB of attention and head a token; measured 58.7."""
    study = tmp_path / "gpt-oss-120b.roofline.yaml"
    rows = ("q_proj", "k_proj", "v_proj", "o_proj", "lm_head")
    overrides = "".join(f"  - {{row: {row}, weights: Q8_0}}\n" for row in rows)
    study.write_text(f"format: 1\noverrides:\n{overrides}")
    command = ("evaluate", study, "--model", "gpt-oss-120b", "--hardware", "DGX Spark", "--context", 1)
    found = as_json(*command)
    streamed = {o["name"]: o["count"] * o["bytes_read"] for o in found["hardware"][0]["operators"]}
    assert streamed["experts.gate_up_proj"] + streamed["experts.down_proj"] == pytest.approx(1.90e9, rel=0.005)
    assert sum(streamed[row] for row in rows) == pytest.approx(1.63e9, rel=0.005)
    assert totals(found)["weight_bytes_streamed"] == pytest.approx(3.53e9, rel=0.02)  # routers and biases on top
    assert 1 / totals(found)["simple"]["streamed_s"] == pytest.approx(77, rel=0.02)


def test_a_30b_mixture_of_3b_active_needs_a_fast_card_for_300_tokens_a_second(as_json: Callable[..., Any]) -> None:
    """QwenLM/Qwen3#1670: a file of 17.71 GB is 4.64 bits a weight, so 1.76 GB of the 3.04e9 active ones a token."""
    cards = {"RTX 3090": 531, "RTX 4090": 572, "RTX 5090": 1017, "M4 Max 40c": 310, "Strix Halo": 145}
    found = as_json("evaluate", "--model", "qwen3-30b-a3b", "--hardware", *cards, "--context", 1, "--weights", "bf16")
    step = totals(found)
    assert step["weight_bytes_streamed"] / 2 == pytest.approx(3.04e9, rel=0.005)
    scale = 17.71e9 / step["weight_bytes_resident"]
    assert 16 * scale == pytest.approx(4.64, rel=0.005)
    assert step["weight_bytes_streamed"] * scale == pytest.approx(1.76e9, rel=0.005)
    for i, bound in enumerate(cards.values()):
        assert 1 / (totals(found, i)["simple"]["streamed_s"] * scale) == pytest.approx(bound, rel=0.02)


def test_four_bit_weights_turn_compute_bound_at_a_quarter_of_the_batch(
    as_json: Callable[..., Any], config: Callable[..., Path]
) -> None:
    """AutoAWQ#106, Llama-2-13B on A100: 153 and 38 by the weights alone; with 512 tokens of KV never."""
    command = ("evaluate", "--model", config(LLAMA_2_13B), "--hardware", "A100 SXM 80GB")

    def ridge(weights: str, context: int) -> float | None:
        found = as_json(*command, "--weights", weights, "--context", context)
        batch: float | None = found["hardware"][0]["decode"]["ridge_batch"]
        return batch

    assert ridge("fp16", 1) == pytest.approx(153, rel=0.01)
    # 38 at exactly 4 bits for every weight; with group scales (4.156 bits) and a 16-bit lm_head a little more
    assert 38 * 4.15625 / 4 < (ridge("int4", 1) or 0) < 42
    assert ridge("fp16", 512) is None
    assert ridge("int4", 512) is None


# ik_llama.cpp#1630: experts of GLM-4.5-Air, 8 of 128 chosen.
@pytest.mark.parametrize(("tokens", "distinct"), [(1, 8.0), (2, 15.5), (32, 112)])
def test_tokens_of_a_batch_read_more_experts(
    as_json: Callable[..., Any], tmp_path: Path, tokens: int, distinct: float
) -> None:
    study = tmp_path / "experts.roofline.yaml"
    dims = f"{{tokens: {tokens}, experts: 128, top_k: 8, n: 1408, k: 4096}}"
    study.write_text(
        f"format: 1\noperators:\n  - {{id: e, name: experts, kind: moe_matmul, activations: bf16, dims: {dims}}}\n"
    )
    row = as_json("evaluate", study, "--hardware", "RTX 4090")["hardware"][0]["operators"][0]
    inputs = 2 * tokens * 8 * 4096
    assert (row["bytes_read"] - inputs) / (2 * 1408 * 4096) == pytest.approx(distinct, rel=0.005)


def test_a_second_token_of_a_mixture_gains_little_over_the_first(
    as_json: Callable[..., Any], config: Callable[..., Path]
) -> None:
    """ik_llama.cpp#1630: at uniform bits batch 2 of GLM-4.5-Air has 1.37 times the speed, not twice."""
    command = ("evaluate", "--model", config(GLM_4_5_AIR), "--hardware", "RTX 4090", "--context", 1, "--batch")
    one, two = (totals(as_json(*command, batch))["simple"]["streamed_s"] for batch in (1, 2))
    assert 2 * one / two == pytest.approx(1.37, rel=0.02)


# vllm#10517: 23,648 tokens fit the cache of a 3090 beside the weights; 29,000 do not.
@pytest.mark.parametrize(("context", "gib"), [(29_000, 3.54), (20_000, 2.44)])
def test_the_kv_cache_of_llama_3_1_8b(
    as_json: Callable[..., Any], config: Callable[..., Path], context: int, gib: float
) -> None:
    found = as_json("model", config(LLAMA_3_8B), "--context", context)
    assert found["kv_bytes_per_token"] == 131_072
    assert found["kv_bytes"] == 131_072 * context
    assert found["kv_bytes"] / GIB == pytest.approx(gib, abs=0.005)


def test_a_4_bit_70b_leaves_no_room_on_40_gib(as_json: Callable[..., Any]) -> None:
    """runpod/docs#839: Q4_K_M is 42.52 GB = 39.60 GiB; 0.40 GiB hold 1,310 tokens."""
    quick = "params=70.55e9,layers=80,kv_heads=8,head_dim=128,weights=Q4_K,file_bytes=42.52e9"
    command = ("evaluate", "--quick", quick, "--hardware", "A100 SXM 40GB")
    room = totals(as_json(*command, "--context", 1305))
    assert room["weight_bytes_resident"] / GIB == pytest.approx(39.60, abs=0.005)
    assert room["fits"] is True
    assert totals(as_json(*command, "--context", 1320))["fits"] is False


def test_the_kv_cache_of_qwen_2_5_7b_counts_bytes_and_kv_heads(
    as_json: Callable[..., Any], config: Callable[..., Path]
) -> None:
    """vllm#22291: 2 x 28 x 4 x 128 x 2 bytes a token, 0.164 GiB for 3,072 of them."""
    found = as_json("model", config(QWEN_2_5_7B), "--context", 3072)
    assert found["kv_bytes_per_token"] == 57_344
    assert found["kv_bytes"] / GIB == pytest.approx(0.164, abs=0.0005)


def test_keys_and_values_may_be_cached_in_formats_of_their_own(as_json: Callable[..., Any]) -> None:
    """ik_llama.cpp issue 437: Qwen3-235B-A22B with keys in q8_0 and values in f16, 9,212 MiB at 65,536 tokens."""
    command = ("--model", "qwen3-235b-a22b", "--kv", "q8_0/f16", "--context", 65_536)
    found = totals(as_json("evaluate", *command, "--hardware", "H200 SXM"))
    assert found["kv_bytes"] == 9212 * 2**20


def test_windows_keep_the_kv_cache_of_gemma_3_small(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    """ik_llama.cpp discussion 334: 10 full layers and 52 of 1,024 tokens at a context of 32,768."""
    found = as_json("model", config(GEMMA_3_27B), "--context", 32_768)
    assert found["kv_bytes"] / GIB == pytest.approx(2.91, abs=0.005)
    assert found["kv_bytes_per_token"] == 507_904  # below every window


def test_latent_attention_keeps_the_kv_cache_of_deepseek_small(
    as_json: Callable[..., Any], config: Callable[..., Path], tmp_path: Path
) -> None:
    """ik_llama.cpp pull request 235: 70,272 bytes a token; with every head's keys and values 71 times as many."""
    latent = as_json("model", config(DEEPSEEK_V3))["kv_bytes_per_token"]
    assert latent == 70_272
    study = tmp_path / "expanded.roofline.yaml"
    dims = "{heads: 128, kv_heads: 128, S_q: 1, S_k: 1, D_qk: 192, D_v: 128, cached: 1}"
    row = f"{{id: a, name: attention, kind: attention, count: 61, activations: bf16, dims: {dims}}}"
    study.write_text(f"format: 1\noperators:\n  - {row}\n")
    attention = as_json("evaluate", study, "--hardware", "RTX 4090")["hardware"][0]["operators"][0]
    expanded = 61 * (attention["bytes_read"] - 2 * 128 * 192)  # less the query
    assert expanded == 4_997_120
    assert expanded / latent == pytest.approx(71, rel=0.02)


# llama.cpp#12966: assumed dual-channel DDR5-5600, a 7B in Q4_0 of 3.83 GB
def test_threads_do_not_move_the_memory_roof_of_a_cpu(as_json: Callable[..., Any], config: Callable[..., Path]) -> None:
    llama = {**LLAMA_2_13B, "hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32}
    llama |= {"num_attention_heads": 32, "num_key_value_heads": 32}
    flags = ("--hardware", "89.6GB/s,2TFLOP/s", "--context", 1, "--weights", "Q4_0")
    simple = totals(as_json("evaluate", "--model", config(llama), *flags))["simple"]
    assert 1 / simple["whole_file_s"] == pytest.approx(23.4, rel=0.01)
    assert 1 / simple["streamed_s"] == pytest.approx(23.9, rel=0.01)


def test_a_70b_in_a_mix_is_larger_than_four_bits(as_json: Callable[..., Any]) -> None:
    """runpod/docs#839 by the model's name: Q4_K_M of Llama-3.1-70B is 42.5 GB, 39.6 GiB."""
    found = as_json("model", "Llama-3.1-70B", "--weights", "Q4_K_M")
    assert found["weight_bytes"] / GIB == pytest.approx(39.60, abs=0.01)


def test_gpt_oss_by_the_size_of_its_file_keeps_to_its_bound(as_json: Callable[..., Any]) -> None:
    """spark-arena/recipe-registry#17: 58.7 tokens/s were measured where 16-bit attention would allow 54.9."""
    flags = ("--file-bytes", "63.37GB", "--hardware", "273GB/s,119TFLOP/s", "--context", 1)
    found = totals(as_json("evaluate", "--model", "gpt-oss-120b", *flags))
    assert 1 / found["simple"]["streamed_s"] == pytest.approx(77, rel=0.02)
    assert 1 / found["floor_s"] > 58.7


def test_two_sizes_of_one_device_stand_beside_each_other_under_names_of_their_own(
    as_json: Callable[..., Any], run: Callable[..., Any]
) -> None:
    asked = ("evaluate", "--model", "llama-3.1-8b", "--hardware", "RTX 4060 Ti 8GB", "RTX 4060 Ti 16GB")
    assert [d["totals"]["fits"] for d in as_json(*asked)["hardware"]] == [False, True]
    text = run(*asked).out
    assert "RTX 4060 Ti, 8 GiB " in text
    assert "RTX 4060 Ti, 16 GiB " in text
