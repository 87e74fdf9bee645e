"""Small models in the tensor names and metadata of llama.cpp, one for each architecture."""

from typing import Any, NamedTuple

from tests.files.weights import Tensor

H, F, V, L = 256, 512, 1024, 4  # hidden, inner, vocabulary, layers
Block = tuple[tuple[str, tuple[int, ...], str], ...]


class Small(NamedTuple):
    """One model: architecture, its own metadata, blocks by layer, tensors beside them."""

    architecture: str
    figures: dict[str, Any]
    block: Block
    model_type: str
    head: bool = True
    first: Block = ()  # the first layer, where it differs
    last: Block = ()
    beside: tuple[Tensor, ...] = ()
    in_turn: tuple[Block, ...] = ()  # blocks over and over, where layers are of several kinds
    final: str = "output_norm"

    @property
    def metadata(self) -> dict[str, Any]:
        figures = {
            "block_count": L, "context_length": 4096, "embedding_length": H, "feed_forward_length": F,
            "attention.head_count": 4, "attention.head_count_kv": 2,
        } | self.figures  # fmt: skip
        named = {f"{self.architecture}.{key}": value for key, value in figures.items()}
        return {"general.architecture": self.architecture, "general.file_type": 15, **named}

    @property
    def tensors(self) -> list[Tensor]:
        found: list[Tensor] = [("token_embd.weight", (H, V), "Q4_K")]
        if self.final:
            found.append((f"{self.final}.weight", (H,), "fp32"))
        if self.head:
            found.append(("output.weight", (H, V), "Q6_K"))
        for i in range(L):
            block = self.first if i == 0 and self.first else self.last if i == L - 1 and self.last else self.block
            block = self.in_turn[i % len(self.in_turn)] if self.in_turn else block
            found += [(f"blk.{i}.{name}", sizes, stored) for name, sizes, stored in block]
        return [*found, *self.beside]


def weight(name: str, inputs: int, outputs: int, stored: str = "Q4_K") -> tuple[str, tuple[int, ...], str]:
    return f"{name}.weight", (inputs, outputs), stored


def experts(name: str, inputs: int, outputs: int, count: int, stored: str = "Q4_K") -> tuple[str, tuple[int, ...], str]:
    return f"{name}.weight", (inputs, outputs, count), stored


def bias(name: str, *sizes: int) -> tuple[str, tuple[int, ...], str]:
    return f"{name}.bias", sizes, "fp32"


def norm(name: str, size: int = H) -> tuple[str, tuple[int, ...], str]:
    return f"{name}.weight", (size,), "fp32"


ATTENTION: Block = (
    norm("attn_norm"), weight("attn_q", H, H), weight("attn_k", H, H // 2), weight("attn_v", H, H // 2, "Q6_K"),
    weight("attn_output", H, H),
)  # fmt: skip
QKV_BIAS: Block = (bias("attn_q", H), bias("attn_k", H // 2), bias("attn_v", H // 2))
QK_NORM: Block = (norm("attn_q_norm", 64), norm("attn_k_norm", 64))
GATED: Block = (weight("ffn_gate", H, F), weight("ffn_up", H, F), weight("ffn_down", F, H, "Q6_K"))
DENSE: Block = (norm("ffn_norm"), *GATED)
MOE: Block = (
    norm("ffn_norm"), ("ffn_gate_inp.weight", (H, 8), "fp32"), experts("ffn_gate_exps", H, F, 8),
    experts("ffn_up_exps", H, F, 8), experts("ffn_down_exps", F, H, 8, "Q6_K"),
)  # fmt: skip
ROUTED = {"expert_count": 8, "expert_used_count": 2, "expert_feed_forward_length": F}
HEAD_64 = {"attention.key_length": 64, "attention.value_length": 64}
RANK, ROPE, NOPE = 256, 32, 32
MLA: Block = (
    norm("attn_norm"), weight("attn_q", H, 4 * 64), weight("attn_kv_a_mqa", H, RANK + ROPE),
    norm("attn_kv_a_norm", RANK), experts("attn_k_b", NOPE, RANK, 4, "Q4_0"), experts("attn_v_b", RANK, 64, 4, "Q4_0"),
    weight("attn_output", 4 * 64, H),
)  # fmt: skip
SHARED: Block = (
    weight("ffn_gate_shexp", H, F), weight("ffn_up_shexp", H, F), weight("ffn_down_shexp", F, H),
)  # fmt: skip
LINEAR_ATTENTION: Block = (
    norm("attn_norm"), weight("ssm_in", H, 2 * 2 * 64 + 2 * 4 * 64), weight("ssm_ba", H, 8),
    ("ssm_conv1d.weight", (4, 512), "fp32"), ("ssm_dt.bias", (4,), "fp32"), ("ssm_a", (4,), "fp32"),
    norm("ssm_norm", 64), weight("ssm_out", 4 * 64, H),
)  # fmt: skip

SMALL: dict[str, Small] = {
    "llama": Small("llama", {}, (*ATTENTION, *DENSE), "llama"),
    "llama, tied": Small("llama", {}, (*ATTENTION, *DENSE), "llama", head=False),
    "mixtral as llama": Small("llama", ROUTED, (*ATTENTION, *MOE), "mixtral"),
    "qwen2": Small("qwen2", {}, (*ATTENTION, *QKV_BIAS, *DENSE), "qwen2"),
    "qwen3": Small("qwen3", HEAD_64, (*ATTENTION, *QK_NORM, *DENSE), "qwen3", head=False),
    "qwen3moe": Small("qwen3moe", HEAD_64 | ROUTED, (*ATTENTION, *QK_NORM, *MOE), "qwen3_moe"),
    "gemma2": Small(
        "gemma2", HEAD_64 | {"attention.sliding_window": 1024},
        (*ATTENTION, *DENSE, norm("post_attention_norm"), norm("post_ffw_norm")), "gemma2", head=False,
    ),
    "gemma3": Small(
        "gemma3", HEAD_64 | {"attention.sliding_window": 1024},
        (*ATTENTION, *QK_NORM, *DENSE, norm("post_attention_norm"), norm("post_ffw_norm")), "gemma3_text", head=False,
    ),
    "phi3": Small(
        "phi3", {"attention.head_count_kv": 4},
        (norm("attn_norm"), weight("attn_qkv", H, 3 * H), weight("attn_output", H, H), norm("ffn_norm"),
         weight("ffn_up", H, 2 * F), weight("ffn_down", F, H, "Q6_K")), "phi3",
    ),
    "gpt2": Small(
        "gpt2", {"attention.head_count_kv": 4},
        (norm("attn_norm"), bias("attn_norm", H), weight("attn_qkv", H, 3 * H), bias("attn_qkv", 3 * H),
         weight("attn_output", H, H), bias("attn_output", H), norm("ffn_norm"), bias("ffn_norm", H),
         weight("ffn_up", H, F), bias("ffn_up", F), weight("ffn_down", F, H), bias("ffn_down", H)), "gpt2", head=False,
        beside=(("output_norm.bias", (H,), "fp32"), ("position_embd.weight", (H, 4096), "fp32")),
    ),
    "deepseek2": Small(
        "deepseek2",
        ROUTED | {
            "rope.dimension_count": ROPE, "attention.key_length": RANK + ROPE, "attention.value_length": RANK,
            "attention.key_length_mla": NOPE + ROPE, "attention.value_length_mla": 64, "attention.kv_lora_rank": RANK,
            "attention.head_count_kv": 1, "expert_shared_count": 1, "leading_dense_block_count": 1,
        },
        (*MLA, *MOE, *SHARED), "deepseek_v2", first=(*MLA, *DENSE),
    ),
    "gpt-oss": Small(
        "gpt-oss", HEAD_64 | ROUTED | {"attention.sliding_window": 128},
        (*ATTENTION, *QKV_BIAS, bias("attn_output", H), norm("attn_sinks", 4), norm("post_attention_norm"),
         ("ffn_gate_inp.weight", (H, 8), "fp32"), bias("ffn_gate_inp", 8),
         experts("ffn_gate_exps", H, F, 8, "mxfp4"), bias("ffn_gate_exps", F, 8),
         experts("ffn_up_exps", H, F, 8, "mxfp4"), bias("ffn_up_exps", F, 8),
         experts("ffn_down_exps", F, H, 8, "mxfp4"), bias("ffn_down_exps", H, 8)), "gpt_oss",
    ),
    "olmo2": Small(
        "olmo2", {"attention.head_count_kv": 4},
        (weight("attn_q", H, H), weight("attn_k", H, H), weight("attn_v", H, H), weight("attn_output", H, H),
         norm("attn_q_norm"), norm("attn_k_norm"), norm("post_attention_norm"), *GATED, norm("post_ffw_norm")), "olmo2",
    ),
    "qwen2moe": Small(
        "qwen2moe", ROUTED | {"expert_shared_feed_forward_length": F},
        (*ATTENTION, *QKV_BIAS, *MOE, *SHARED, norm("ffn_gate_inp_shexp")), "qwen2_moe",
    ),
    "glm4moe": Small(
        "glm4moe", HEAD_64 | ROUTED | {"expert_shared_count": 1, "leading_dense_block_count": 1},
        (*ATTENTION, *QKV_BIAS, *QK_NORM, norm("post_attention_norm"), *MOE[1:], *SHARED), "glm4_moe",
        first=(*ATTENTION, *QKV_BIAS, *QK_NORM, norm("post_attention_norm"), *GATED),
    ),
    "qwen3next": Small(
        "qwen3next", HEAD_64 | ROUTED | {
            "ssm.conv_kernel": 4, "ssm.state_size": 64, "ssm.group_count": 2, "ssm.time_step_rank": 4,
            "ssm.inner_size": 4 * 64, "expert_shared_feed_forward_length": F,
        },
        (*LINEAR_ATTENTION, norm("post_attention_norm"), *MOE[1:], *SHARED, norm("ffn_gate_inp_shexp")), "qwen3_next",
        last=(norm("attn_norm"), weight("attn_q", H, 2 * H), *ATTENTION[2:], *QK_NORM, norm("post_attention_norm"),
              *MOE[1:], *SHARED, norm("ffn_gate_inp_shexp")),
    ),
    "unknown, like llama": Small("somellm", {}, (*ATTENTION, *DENSE), "llama"),
    "unknown, like qwen3": Small("otherllm", HEAD_64, (*ATTENTION, *QK_NORM, *DENSE), "qwen3"),
}  # fmt: skip
