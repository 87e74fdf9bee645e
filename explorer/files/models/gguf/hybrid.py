"""Configs of decoders with states: which kind a layer is, its tensors tell."""

from explorer.analysis.problem import Problem, Refused
from explorer.files.models.gguf.metadata import Config, Meta, base_config

FULL, LINEAR = "full_attention", "linear_attention"


def lfm2(meta: Meta) -> Config:
    base = base_config(meta, "lfm2", uneven=True)
    attends = meta.layers_with("attn_q", base["num_hidden_layers"])
    return {
        **base,
        "block_auto_adjust_ff_dim": False,
        "conv_L_cache": meta.needed("shortconv.l_cache"),
        "conv_bias": meta.biased_in_any("shortconv.in_proj"),
        "layer_types": [FULL if here else "conv" for here in attends],
    }


def lfm2_moe(meta: Meta) -> Config:
    return {
        **{key: value for key, value in lfm2(meta).items() if not key.startswith("block_")},
        "model_type": "lfm2_moe",
        "moe_intermediate_size": meta.needed("expert_feed_forward_length"),
        "num_dense_layers": meta.number("leading_dense_block_count") or 0,
        "num_experts": meta.needed("expert_count"),
        "num_experts_per_tok": meta.needed("expert_used_count"),
    }


def granite_hybrid(meta: Meta) -> Config:
    """Granite 4; Bamba where layers without experts know positions beside Mamba."""
    base = base_config(meta, "granitemoehybrid", uneven=True)
    layers, turned = base["num_hidden_layers"], meta.flag("rope.scaling.finetuned")
    attends = meta.layers_with("attn_q", layers)
    shared = meta.number("expert_shared_feed_forward_length") or base["intermediate_size"]
    common = {**base, "hidden_act": "silu", "attention_bias": meta.biased_in_any("attn_q")}
    if meta.has("ssm_in"):
        common |= _second_mamba(meta, base["hidden_size"])
    if turned and meta.has("ssm_in") and not meta.has("ffn_gate_exps"):
        places = [i for i, here in enumerate(attends) if here]
        return {**common, "model_type": "bamba", "attn_layer_indices": places, "mlp_bias": meta.biased("ffn_gate")}
    experts = meta.number("expert_count") or 0
    return {
        **common,
        "layer_types": [FULL if here else LINEAR for here in attends],
        "num_local_experts": experts,
        "num_experts_per_tok": meta.number("expert_used_count") or 0,
        "shared_intermediate_size": shared,
        "position_embedding_type": "rope" if turned else "nope",
    }


def falcon_h1(meta: Meta) -> Config:
    base = base_config(meta, "falcon_h1")
    return {
        **base,
        **_second_mamba(meta, base["hidden_size"]),
        "hidden_act": "silu",
        "attention_bias": meta.biased("attn_q"),
        "mlp_bias": meta.biased("ffn_gate"),
        "mamba_d_ssm": meta.needed("ssm.inner_size"),
        "mamba_rms_norm": meta.has("ssm_norm"),
        "projectors_bias": meta.biased("ssm_out"),
    }


def _second_mamba(meta: Meta, hidden: int) -> Config:
    heads, inner = meta.needed("ssm.time_step_rank"), meta.needed("ssm.inner_size")
    return {
        "mamba_n_heads": heads,
        "mamba_d_head": inner // max(heads, 1),
        "mamba_n_groups": meta.needed("ssm.group_count"),
        "mamba_d_state": meta.needed("ssm.state_size"),
        "mamba_d_conv": meta.needed("ssm.conv_kernel"),
        "mamba_expand": inner // max(hidden, 1),
        "mamba_conv_bias": meta.biased_in_any("ssm_conv1d"),
        "mamba_proj_bias": meta.biased_in_any("ssm_in"),
    }


def jamba(meta: Meta) -> Config:
    base = base_config(meta, "jamba", uneven=True)
    layers, hidden, inner = base["num_hidden_layers"], base["hidden_size"], meta.needed("ssm.inner_size")
    attends, routed = meta.layers_with("attn_q", layers), meta.layers_with("ffn_gate_inp", layers)
    period, offset = _every(meta, attends, "attention.head_count_kv")
    experts = meta.number("expert_count") or 1
    found = {
        **base,
        "hidden_act": "silu",
        "attn_layer_period": period,
        "attn_layer_offset": offset,
        "mamba_dt_rank": meta.needed("ssm.time_step_rank"),
        "mamba_d_state": meta.needed("ssm.state_size"),
        "mamba_d_conv": meta.needed("ssm.conv_kernel"),
        "mamba_expand": inner // max(hidden, 1),
        "mamba_conv_bias": meta.biased_in_any("ssm_conv1d"),
        "mamba_proj_bias": meta.biased_in_any("ssm_in"),
        "num_experts": experts,
        "num_experts_per_tok": meta.number("expert_used_count") or 1,
    }
    if experts == 1:
        return {**found, "expert_layer_period": 1, "expert_layer_offset": 0}
    period, offset = _every(meta, routed, "expert_count")
    return {**found, "expert_layer_period": period, "expert_layer_offset": offset}


def _every(meta: Meta, places: tuple[bool, ...], key: str) -> tuple[int, int]:
    """Period and offset of places in equal distances; raise Refused for others."""
    there = [i for i, here in enumerate(places) if here]
    period = there[1] - there[0] if len(there) > 1 else max(len(places), 1)
    offset = there[0] if there else period
    if not there or offset >= period or places != tuple(i % period == offset for i in range(len(places))):
        raise Refused(Problem("gguf.layers_differ", values={"key": f"{meta.architecture}.{key}"}))
    return period, offset


def mamba(meta: Meta) -> Config:
    """Mamba; Falcon Mamba where what its scan is fed is normed."""
    kind = "falcon_mamba" if meta.flag("ssm.dt_b_c_rms") else "mamba"
    return {**_stack(meta, kind), "time_step_rank": meta.needed("ssm.time_step_rank")}


def mamba2(meta: Meta) -> Config:
    heads, inner = meta.needed("ssm.time_step_rank"), meta.needed("ssm.inner_size")
    found = _stack(meta, "mamba2")
    own = {"num_heads": heads, "head_dim": inner // max(heads, 1), "n_groups": meta.needed("ssm.group_count")}
    return {**{key: value for key, value in found.items() if key != "intermediate_size"}, **own}


def _stack(meta: Meta, kind: str) -> Config:
    base = base_config(meta, kind)
    kept = ("model_type", "hidden_size", "num_hidden_layers", "vocab_size", "tie_word_embeddings", "torch_dtype")
    inner = meta.needed("ssm.inner_size")
    return {
        **{key: base[key] for key in kept},
        "intermediate_size": inner,
        "expand": max(inner // max(base["hidden_size"], 1), 1),
        "state_size": meta.needed("ssm.state_size"),
        "conv_kernel": meta.needed("ssm.conv_kernel"),
        "use_bias": meta.biased("ssm_in"),
        "use_conv_bias": meta.biased("ssm_conv1d"),
        "hidden_act": "silu",
    }


def kimi_linear(meta: Meta) -> Config:
    """Kimi Linear: latent attention where a layer has a latent, delta attention in all others."""
    base = base_config(meta, "kimi_linear", uneven=True)
    rope, layers = meta.needed("rope.dimension_count"), base["num_hidden_layers"]
    qk = meta.number("attention.key_length_mla") or meta.needed("attention.key_length")
    shared = meta.number("expert_shared_count")
    found = {
        **{key: value for key, value in base.items() if key != "head_dim"},
        "hidden_act": "silu",
        "layer_types": [FULL if here else LINEAR for here in meta.layers_with("attn_kv_a_mqa", layers)],
        "linear_num_heads": base["num_attention_heads"],
        "linear_head_dim": meta.needed("kda.head_dim"),
        "linear_conv_kernel_dim": meta.needed("ssm.conv_kernel"),
        "kv_lora_rank": meta.needed("attention.kv_lora_rank"),
        "q_lora_rank": meta.number("attention.q_lora_rank"),
        "qk_rope_head_dim": rope,
        "qk_nope_head_dim": qk - rope,
        "v_head_dim": meta.number("attention.value_length_mla") or meta.needed("attention.value_length"),
        "num_experts": meta.needed("expert_count"),
        "num_experts_per_token": meta.needed("expert_used_count"),
        "num_shared_experts": 1 if shared is None else shared,
        "moe_intermediate_size": meta.needed("expert_feed_forward_length"),
        "first_k_dense_replace": meta.number("leading_dense_block_count") or 0,
    }
    return {key: value for key, value in found.items() if key != "tie_word_embeddings"}


def nemotron_h(meta: Meta) -> Config:
    """Layers of one half each, told by their tensors."""
    base = base_config(meta, "nemotron_h", uneven=True)
    layers, heads = base["num_hidden_layers"], meta.needed("ssm.time_step_rank")
    stems = {"ssm_in": LINEAR, "attn_q": FULL, "ffn_up_exps": "moe", "ffn_up": "mlp"}
    places = {kind: meta.layers_with(stem, layers) for stem, kind in stems.items()}
    return {
        **base,
        "layers_block_type": [
            next((k for k, at in places.items() if at[i]), "mlp") for i in range(len(places[LINEAR]))
        ],
        "mlp_hidden_act": "relu2",
        "mlp_bias": meta.biased_in_any("ffn_up"),
        "use_bias": meta.biased_in_any("ssm_in"),
        "use_conv_bias": meta.biased_in_any("ssm_conv1d"),
        "mamba_num_heads": heads,
        "mamba_head_dim": meta.needed("ssm.inner_size") // max(heads, 1),
        "ssm_state_size": meta.needed("ssm.state_size"),
        "n_groups": meta.needed("ssm.group_count"),
        "conv_kernel": meta.needed("ssm.conv_kernel"),
        "n_routed_experts": meta.number("expert_count"),
        "num_experts_per_tok": meta.number("expert_used_count"),
        "moe_intermediate_size": meta.number("expert_feed_forward_length"),
        "moe_shared_expert_intermediate_size": meta.number("expert_shared_feed_forward_length"),
        "moe_latent_size": meta.number("moe_latent_size"),
    }
