"""Configs of decoders with experts."""

from explorer.files.models.gguf.dense import qwen3
from explorer.files.models.gguf.metadata import Config, Meta, base_config, experts_config


def qwen2_moe(meta: Meta) -> Config:
    shared = meta.number("expert_shared_feed_forward_length") or meta.size("blk.0.ffn_up_shexp.weight", 1)
    return {
        **base_config(meta, "qwen2_moe"), **experts_config(meta), "hidden_act": "silu", "use_sliding_window": False,
        "shared_expert_intermediate_size": shared,
    }  # fmt: skip


def qwen3_moe(meta: Meta) -> Config:
    return {**qwen3(meta), "model_type": "qwen3_moe", **experts_config(meta)}


def deepseek2(meta: Meta) -> Config:
    rope = meta.needed("rope.dimension_count")
    qk = meta.number("attention.key_length_mla") or meta.needed("attention.key_length")
    base = base_config(meta, "deepseek_v3" if meta.has("exp_probs_b") else "deepseek_v2")
    experts = meta.number("expert_count")
    return {
        **{k: v for k, v in base.items() if k != "head_dim"},
        "num_key_value_heads": base["num_attention_heads"],
        "hidden_act": "silu",
        "attention_bias": False,
        "kv_lora_rank": meta.needed("attention.kv_lora_rank"),
        "q_lora_rank": meta.number("attention.q_lora_rank"),
        "qk_rope_head_dim": rope,
        "qk_nope_head_dim": qk - rope,
        "v_head_dim": meta.number("attention.value_length_mla") or meta.needed("attention.value_length"),
        "n_routed_experts": experts or None,
        "num_experts_per_tok": meta.number("expert_used_count"),
        "n_shared_experts": meta.number("expert_shared_count") or 0,
        "moe_intermediate_size": meta.number("expert_feed_forward_length"),
        "first_k_dense_replace": meta.number("leading_dense_block_count") or 0,
        "moe_layer_freq": 1,
    }


def gpt_oss(meta: Meta) -> Config:
    return {
        **base_config(meta, "gpt_oss"),
        "hidden_act": "silu",
        "attention_bias": meta.biased("attn_q"),
        "sliding_window": meta.number("attention.sliding_window"),
        "intermediate_size": meta.number("expert_feed_forward_length") or meta.number("feed_forward_length"),
        "num_local_experts": meta.needed("expert_count"),
        "num_experts_per_tok": meta.needed("expert_used_count"),
    }


def glm4_moe(meta: Meta) -> Config:
    drafts = meta.number("nextn_predict_layers") or 0
    return {
        **base_config(meta, "glm4_moe"),
        "hidden_act": "silu",
        "attention_bias": meta.biased("attn_q"),
        "use_qk_norm": meta.has("attn_q_norm"),
        "partial_rotary_factor": 0.5,
        "n_routed_experts": meta.needed("expert_count"),
        "num_experts_per_tok": meta.needed("expert_used_count"),
        "n_shared_experts": meta.number("expert_shared_count") or 0,
        "moe_intermediate_size": meta.needed("expert_feed_forward_length"),
        "first_k_dense_replace": meta.number("leading_dense_block_count") or 0,
        "num_nextn_predict_layers": drafts,
    }


def qwen3_next(meta: Meta) -> Config:
    heads = meta.needed("ssm.time_step_rank")
    return {
        **base_config(meta, "qwen3_next"),
        **experts_config(meta),
        "hidden_act": "silu",
        "full_attention_interval": meta.number("full_attention_interval") or 4,
        "linear_conv_kernel_dim": meta.needed("ssm.conv_kernel"),
        "linear_key_head_dim": meta.needed("ssm.state_size"),
        "linear_num_key_heads": meta.needed("ssm.group_count"),
        "linear_num_value_heads": heads,
        "linear_value_head_dim": meta.needed("ssm.inner_size") // max(heads, 1),
        "partial_rotary_factor": 0.25,
        "shared_expert_intermediate_size": meta.number("expert_shared_feed_forward_length")
        or meta.size("blk.0.ffn_up_shexp.weight", 1),
    }
