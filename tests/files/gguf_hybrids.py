"""Small models with states in the tensor names and metadata of llama.cpp."""

from tests.files.gguf_models import (
    ATTENTION,
    DENSE,
    MLA,
    MOE,
    QK_NORM,
    ROUTED,
    SHARED,
    SMALL,
    Block,
    F,
    H,
    Small,
    bias,
    experts,
    norm,
    weight,
)

CONV: Block = (
    norm("attn_norm"), weight("shortconv.in_proj", H, 3 * H), ("shortconv.conv.weight", (3, H), "fp32"),
    weight("shortconv.out_proj", H, H),
)  # fmt: skip
INNER, HEADS, STATE = 512, 8, 32
SSM = {"ssm.conv_kernel": 4, "ssm.inner_size": INNER, "ssm.state_size": STATE}
SECOND = SSM | {"ssm.time_step_rank": HEADS, "ssm.group_count": 1}
CHANNELS = INNER + 2 * STATE
MAMBA_2: Block = (
    norm("attn_norm"), weight("ssm_in", H, INNER + CHANNELS + HEADS), ("ssm_conv1d.weight", (4, CHANNELS), "fp32"),
    bias("ssm_conv1d", CHANNELS), bias("ssm_dt", HEADS), ("ssm_a", (1, HEADS), "fp32"), ("ssm_d", (1, HEADS), "fp32"),
    ("ssm_norm.weight", (INNER, 1), "fp32"), weight("ssm_out", INNER, H),
)  # fmt: skip
RANK = 32
MAMBA: Block = (
    norm("attn_norm"), weight("ssm_in", H, 2 * INNER), ("ssm_conv1d.weight", (4, INNER), "fp32"),
    bias("ssm_conv1d", INNER), weight("ssm_x", INNER, RANK + 2 * 16), weight("ssm_dt", RANK, INNER, "fp32"),
    bias("ssm_dt", INNER), ("ssm_a", (16, INNER), "fp32"), ("ssm_d", (INNER,), "fp32"), weight("ssm_out", INNER, H),
)  # fmt: skip
FIRST = SSM | {"ssm.time_step_rank": RANK, "ssm.state_size": 16}
FED: Block = (norm("ssm_dt_norm", RANK), norm("ssm_b_norm", 16), norm("ssm_c_norm", 16))
UNGATED: Block = (
    ("ffn_gate_inp.weight", (H, 8), "fp32"), experts("ffn_up_exps", H, F, 8),
    experts("ffn_down_exps", F, H, 8), weight("ffn_up_shexp", H, F), weight("ffn_down_shexp", F, H),
)  # fmt: skip
EVEN = {"attention.head_count_kv": (0, 2, 0, 2)}

HYBRIDS: dict[str, Small] = {
    "lfm2": Small(
        "lfm2", EVEN | {"shortconv.l_cache": 3}, (), "lfm2", head=False, final="token_embd_norm",
        in_turn=((*CONV, *DENSE), (*ATTENTION, *QK_NORM, *DENSE)),
    ),
    "lfm2moe": Small(
        "lfm2moe", EVEN | ROUTED | {"shortconv.l_cache": 3, "leading_dense_block_count": 1}, (), "lfm2_moe",
        head=False, final="token_embd_norm",
        in_turn=((*CONV, *DENSE), (*ATTENTION, *QK_NORM, *MOE), (*CONV, *MOE), (*ATTENTION, *QK_NORM, *MOE)),
    ),
    "granitehybrid": Small(
        "granitehybrid", EVEN | SECOND | ROUTED | {"expert_shared_feed_forward_length": F}, (), "granitemoehybrid",
        head=False, in_turn=((*MAMBA_2, *MOE, *SHARED), (*ATTENTION, *MOE, *SHARED)),
    ),
    "granitehybrid, dense": Small(
        "granitehybrid", EVEN | SECOND, (), "granitemoehybrid", in_turn=((*MAMBA_2, *DENSE), (*ATTENTION, *DENSE)),
    ),
    "bamba as granitehybrid": Small(
        "granitehybrid", EVEN | SECOND | {"rope.scaling.finetuned": True}, (), "bamba",
        in_turn=((*MAMBA_2, *DENSE), (*ATTENTION, *DENSE)),
    ),
    "falcon-h1": Small("falcon-h1", SECOND, (*MAMBA_2, *ATTENTION[1:], *DENSE), "falcon_h1"),
    "jamba": Small(
        "jamba", EVEN | FIRST | ROUTED, (), "jamba", in_turn=((*MAMBA, *FED, *DENSE), (*ATTENTION, *MOE)),
    ),
    "mamba": Small("mamba", FIRST | {"attention.head_count": 0, "attention.head_count_kv": 0}, MAMBA, "mamba"),
    "falcon mamba as mamba": Small(
        "mamba", FIRST | {"attention.head_count": 0, "ssm.dt_b_c_rms": True}, MAMBA, "falcon_mamba", head=False
    ),
    "mamba2": Small("mamba2", SECOND | {"attention.head_count": 0}, MAMBA_2, "mamba2"),
    "nemotron_h": Small(
        "nemotron_h", SECOND | {"attention.key_length": 64, "attention.head_count_kv": (0, 0, 2, 0)}, (), "nemotron_h",
        in_turn=(MAMBA_2, (norm("attn_norm"), weight("ffn_up", H, F), weight("ffn_down", F, H)), ATTENTION, MAMBA_2),
    ),
    "nemotron_h_moe": Small(
        "nemotron_h_moe",
        SECOND | ROUTED | {
            "attention.key_length": 64, "attention.head_count_kv": (0, 0, 2, 0),
            "expert_shared_feed_forward_length": F,
        },
        (), "nemotron_h", in_turn=(MAMBA_2, (norm("attn_norm"), *UNGATED), ATTENTION, MAMBA_2),
    ),
}  # fmt: skip
DELTA: Block = (
    norm("attn_norm"), *(weight(f"attn_{part}", H, H) for part in "qkv"),
    *((f"ssm_conv1d_{part}.weight", (4, 1, H, 1), "fp32") for part in "qkv"),
    weight("ssm_f_a", H, 64), weight("ssm_f_b", 64, H, "Q8_0"), weight("ssm_beta", H, 4), bias("ssm_dt", H),
    ("ssm_a", (1, 4, 1, 1), "fp32"), weight("ssm_g_a", H, 64), weight("ssm_g_b", 64, H, "Q8_0"), norm("ssm_norm", 64),
    weight("attn_output", H, H),
)  # fmt: skip
HYBRIDS["kimi-linear"] = Small(
    "kimi-linear", ROUTED | {
        "attention.head_count_kv": (0, 1, 0, 1), "kda.head_dim": 64, "ssm.conv_kernel": 4, "rope.dimension_count": 32,
        "attention.key_length": 288, "attention.value_length": 256, "attention.key_length_mla": 64,
        "attention.value_length_mla": 64, "attention.kv_lora_rank": 256, "leading_dense_block_count": 1,
    },
    (), "kimi_linear",
    in_turn=((*DELTA, *DENSE), (*MLA, *MOE, *SHARED), (*DELTA, *MOE, *SHARED), (*MLA, *MOE, *SHARED)),
)  # fmt: skip
EVERY = SMALL | HYBRIDS
