"""Configs of decoders with one feed-forward block a layer, and of encoders."""

from collections.abc import Callable

from explorer.files.models.gguf.metadata import Config, Meta, base_config


def llama(meta: Meta) -> Config:
    """Llama and Mistral; with experts, Mixtral."""
    base = base_config(meta, "llama")
    biases = {"attention_bias": meta.biased("attn_q"), "mlp_bias": meta.biased("ffn_gate")}
    if not meta.number("expert_count"):
        return {**base, **biases, "hidden_act": "silu"}
    inner = meta.number("expert_feed_forward_length") or base["intermediate_size"]
    return {
        **base, "model_type": "mixtral", "hidden_act": "silu", "sliding_window": None, "intermediate_size": inner,
        "num_local_experts": meta.needed("expert_count"), "num_experts_per_tok": meta.needed("expert_used_count"),
    }  # fmt: skip


def qwen2(meta: Meta) -> Config:
    return {**base_config(meta, "qwen2"), "hidden_act": "silu", "use_sliding_window": False}


def qwen3(meta: Meta) -> Config:
    return {**base_config(meta, "qwen3"), "hidden_act": "silu", "use_sliding_window": False, "attention_bias": False}


def gemma(model_type: str) -> Callable[[Meta], Config]:
    def read(meta: Meta) -> Config:
        return {
            **base_config(meta, model_type),
            "hidden_activation": "gelu_pytorch_tanh",
            "attention_bias": False,
            "sliding_window": meta.number("attention.sliding_window"),
        }

    return read


def phi3(meta: Meta) -> Config:
    window = meta.number("attention.sliding_window") or None
    return {**base_config(meta, "phi3"), "hidden_act": "silu", "sliding_window": window}


def phi2(meta: Meta) -> Config:
    base = base_config(meta, "phi")
    share = (meta.number("rope.dimension_count") or base["head_dim"]) / max(base["head_dim"], 1)
    return {**base, "hidden_act": "gelu_new", "qk_layernorm": False, "partial_rotary_factor": share}


def gpt2(meta: Meta) -> Config:
    base = base_config(meta, "gpt2")
    return {
        "model_type": "gpt2",
        "n_embd": base["hidden_size"],
        "n_layer": base["num_hidden_layers"],
        "n_head": base["num_attention_heads"],
        "n_positions": base["max_position_embeddings"],
        "n_inner": base["intermediate_size"],
        "vocab_size": base["vocab_size"],
        "activation_function": "gelu_new",
        "tie_word_embeddings": base["tie_word_embeddings"],
        "torch_dtype": base["torch_dtype"],
    }


def olmo2(meta: Meta) -> Config:
    return {**base_config(meta, "olmo2"), "hidden_act": "silu", "attention_bias": False}


def starcoder2(meta: Meta) -> Config:
    window = meta.number("attention.sliding_window") or None
    return {
        **base_config(meta, "starcoder2"), "hidden_act": "gelu_pytorch_tanh", "use_bias": meta.biased("attn_q"),
        "sliding_window": window,
    }  # fmt: skip


def t5(meta: Meta) -> Config:
    """T5 with its decoder; gated where its blocks have gates."""
    layers = meta.needed("block_count")
    return {
        "model_type": "t5",
        "d_model": meta.needed("embedding_length"),
        "d_kv": meta.needed("attention.key_length"),
        "d_ff": meta.needed("feed_forward_length"),
        "num_heads": meta.needed("attention.head_count"),
        "num_layers": layers,
        "num_decoder_layers": meta.number("decoder_block_count") or layers,
        "vocab_size": base_config(meta, "t5")["vocab_size"],
        "relative_attention_num_buckets": meta.number("attention.relative_buckets_count"),
        "feed_forward_proj": "gated-gelu" if "enc.blk.0.ffn_gate.weight" in meta.names else "relu",
        "tie_word_embeddings": "output.weight" not in meta.names,
        "torch_dtype": base_config(meta, "t5")["torch_dtype"],
    }


def bert(meta: Meta) -> Config:
    base = base_config(meta, "bert")
    kept = ("model_type", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size")
    types = meta.size("token_types.weight", 1) or 2
    return {
        **{key: base[key] for key in kept}, "torch_dtype": base["torch_dtype"], "hidden_act": "gelu",
        "max_position_embeddings": meta.size("position_embd.weight", 1) or base["max_position_embeddings"],
        "type_vocab_size": types,
    }  # fmt: skip
