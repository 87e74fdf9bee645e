"""Small plain decoders, dense and with experts, in the tensor names and metadata of llama.cpp."""

from tests.files.gguf_hybrids import EVERY as OTHERS
from tests.files.gguf_models import (
    ATTENTION,
    DENSE,
    GATED,
    HEAD_64,
    MOE,
    QK_NORM,
    QKV_BIAS,
    ROUTED,
    SHARED,
    Block,
    F,
    H,
    Small,
    bias,
    experts,
    norm,
    weight,
)

UNGATED: Block = (norm("ffn_norm"), weight("ffn_up", H, F), weight("ffn_down", F, H))
BEHIND: Block = (*ATTENTION[1:], *QK_NORM, norm("post_attention_norm"), *GATED, norm("post_ffw_norm"))
ONE_SHARED = ROUTED | {"expert_shared_count": 1, "leading_dense_block_count": 1}
WINDOWS = {"attention.sliding_window": 1024, "attention.sliding_window_pattern": (True, True, True, False)}
FULL_WIDTH = {"attention.head_count_kv": 4}
EVEN_HEADS: Block = (
    norm("attn_norm"), *(weight(f"attn_{part}", H, H) for part in ("q", "k", "v", "output")),
)  # fmt: skip
SHIFTED: Block = (bias("attn_norm", H), bias("ffn_norm", H))
SANDWICH: Block = (*ATTENTION, *QK_NORM, weight("attn_gate", H, H), norm("post_attention_norm"), norm("post_ffw_norm"))

PLAIN: dict[str, Small] = {
    "olmo": Small(
        "olmo", FULL_WIDTH, (*EVEN_HEADS[1:], *GATED), "olmo", head=False, final=""
    ),
    "exaone4": Small("exaone4", HEAD_64 | WINDOWS, BEHIND, "exaone4"),
    "exaone4, no window": Small("exaone4", HEAD_64, BEHIND, "exaone4", head=False),
    "ernie4_5": Small("ernie4_5", HEAD_64, (*ATTENTION, *DENSE), "ernie4_5", head=False),
    "seed_oss": Small(
        "seed_oss", HEAD_64, (*ATTENTION, *QKV_BIAS, norm("post_attention_norm"), *GATED), "seed_oss"
    ),
    "smollm3": Small("smollm3", {}, (*ATTENTION, *DENSE), "smollm3", head=False),
    "hunyuan-dense": Small(
        "hunyuan-dense", HEAD_64, (*ATTENTION, *QK_NORM, *DENSE), "hunyuan_v1_dense", head=False
    ),
    "arcee": Small("arcee", {}, (*ATTENTION, *UNGATED), "arcee"),
    "nemotron": Small(
        "nemotron", {"rope.dimension_count": 32}, (*ATTENTION, *UNGATED, *SHIFTED), "nemotron",
        beside=(("output_norm.bias", (H,), "fp32"),),
    ),
    "granite": Small("granite", {"embedding_scale": 12.0}, (*ATTENTION, *DENSE), "granite", head=False),
    "granitemoe": Small("granitemoe", ROUTED, (*ATTENTION, *MOE), "granitemoe"),
    "granitemoe, shared": Small(
        "granitemoe", ROUTED | {"expert_shared_feed_forward_length": F}, (*ATTENTION, *MOE, *SHARED), "granitemoeshared"
    ),
    "olmoe": Small(
        "olmoe", ROUTED | FULL_WIDTH, (*EVEN_HEADS, norm("attn_q_norm"), norm("attn_k_norm"), *MOE), "olmoe"
    ),
    "ernie4_5-moe": Small(
        "ernie4_5-moe", HEAD_64 | ROUTED | {"leading_dense_block_count": 1, "interleave_moe_layer_step": 1},
        (*ATTENTION, *MOE, bias("exp_probs_b", 8), *SHARED), "ernie4_5_moe", first=(*ATTENTION, *DENSE), head=False,
    ),
    "hunyuan-moe": Small(
        "hunyuan-moe", HEAD_64 | ROUTED, (*ATTENTION, *QK_NORM, *MOE, *SHARED), "hunyuan_v1_moe", head=False
    ),
    "dots1": Small(
        "dots1", HEAD_64 | ONE_SHARED, (*ATTENTION, *QK_NORM, *MOE, *SHARED), "dots1",
        first=(*ATTENTION, *QK_NORM, *DENSE),
    ),
    "phimoe": Small(
        "phimoe", ROUTED, (*ATTENTION, *QKV_BIAS, bias("attn_output", H), *MOE, *SHIFTED), "phimoe",
        beside=(("output_norm.bias", (H,), "fp32"), ("output.bias", (1024,), "fp32")),
    ),
    "afmoe": Small(
        "afmoe", HEAD_64 | ONE_SHARED | WINDOWS, (*SANDWICH, *MOE, bias("exp_probs_b", 8), *SHARED), "afmoe",
        first=(*SANDWICH, *DENSE),
    ),
    "llama4": Small(
        "llama4", HEAD_64 | ROUTED | {"interleave_moe_layer_step": 2}, (), "llama4_text",
        in_turn=((*ATTENTION, *DENSE), (*ATTENTION, *MOE, *SHARED)),
    ),
}  # fmt: skip
WINDOWED = {"attention.sliding_window": 128, "attention.sliding_window_pattern": (True, True, True, False)}
GEMMA_4 = WINDOWED | {"attention.key_length": 128, "attention.key_length_swa": 64, "final_logit_softcapping": 30.0}
AROUND: Block = (norm("attn_norm"), norm("post_attention_norm"), norm("ffn_norm"), *GATED, norm("post_ffw_norm"))
OWN: Block = (weight("inp_gate", H, 256), weight("proj", 256, H), norm("post_norm"))


def gemma4(size: int, kv: int, *parts: str) -> Block:
    sizes = {"q": 4 * size, "k": kv * size, "v": kv * size}
    made = (weight(f"attn_{part}", H, sizes[part]) for part in parts)
    normed = (norm(f"attn_{part}_norm", size) for part in parts if part != "v")
    return (*made, *normed, weight("attn_output", 4 * size, H), *AROUND)


STREAMS: Block = (
    *OWN, weight("altup_predict_coef", 4, 16, "fp32"), weight("altup_correct_coef", 4, 4, "fp32"),
    norm("altup_correct_scale"), weight("altup_router", H, 4, "fp32"), norm("altup_router_norm"),
    weight("laurel_l", H, 64), weight("laurel_r", 64, H, "Q8_0"), norm("laurel_post_norm"),
)  # fmt: skip
SIDE: Block = (
    ("ffn_gate_inp.weight", (H, 8), "fp32"), ("ffn_gate_inp.scale", (H,), "fp32"),
    experts("ffn_gate_up_exps", H, 2 * F, 8), experts("ffn_down_exps", F, H, 8), ("ffn_down_exps.scale", (8,), "fp32"),
    norm("post_ffw_norm_1"),
    norm("pre_ffw_norm_2"), norm("post_ffw_norm_2"),
)  # fmt: skip
GEMMAS: dict[str, Small] = {
    "gemma4, with experts": Small(
        "gemma4", GEMMA_4 | ROUTED | {"attention.head_count_kv": (2, 2, 2, 1)}, (), "gemma4_text", head=False,
        in_turn=(*[(*gemma4(64, 2, "q", "k", "v"), *SIDE)] * 3, (*gemma4(128, 1, "q", "k"), *SIDE)),
    ),
    "gemma3n": Small(
        "gemma3n", HEAD_64 | WINDOWED | {
            "embedding_length_per_layer_input": 256, "attention.shared_kv_layers": 0, "altup.num_inputs": 4,
            "feed_forward_length": (512, 512, 512, 512),
        },
        (*gemma4(64, 2, "q", "k", "v"), *STREAMS), "gemma3n_text", head=False,
        beside=(
            ("per_layer_token_embd.weight", (4 * 256, 1024), "Q4_K"), ("per_layer_proj_norm.weight", (256,), "fp32"),
            ("per_layer_model_proj.weight", (H, 4 * 256), "Q4_K"), ("altup_proj.weight", (H, H, 3), "fp16"),
            ("altup_unembd_proj.weight", (H, H, 3), "fp16"),
        ),
    ),
    "gemma4, own inputs": Small(
        "gemma4", GEMMA_4 | {"embedding_length_per_layer_input": 256, "attention.shared_kv_layers": 0}, (),
        "gemma4_text", head=False,
        in_turn=(*[(*gemma4(64, 2, "q", "k", "v"), *OWN)] * 3, (*gemma4(128, 2, "q", "k", "v"), *OWN)),
        beside=(
            ("per_layer_token_embd.weight", (4 * 256, 1024), "Q4_K"), ("per_layer_proj_norm.weight", (256,), "fp32"),
            ("per_layer_model_proj.weight", (H, 4 * 256), "Q4_K"),
        ),
    ),
}  # fmt: skip
EVERY = OTHERS | PLAIN | GEMMAS
