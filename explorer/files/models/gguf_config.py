"""From GGUF metadata to the config that the model families read: the same figures under their names there.

Keys: the GGUF specification and the `gguf` package's table of keys.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from explorer.analysis.models import supported
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.text import shown
from explorer.files.models.gguf import GgufFile

Config = dict[str, Any]
_PLAIN_BLOCK: Final = frozenset(
    {
        "attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "attn_q_norm", "attn_k_norm", "post_attention_norm",
        "ffn_norm", "post_ffw_norm", "ffn_gate", "ffn_up", "ffn_down", "ffn_gate_inp", "ffn_gate_exps", "ffn_up_exps",
        "ffn_down_exps", "exp_probs_b", "attn_rot_embd", "rope_freqs",
    }
)  # fmt: skip
_WIDE: Final = {"fp32": "float32", "fp16": "float16", "bf16": "bfloat16"}


class Read(NamedTuple):
    """A config, and the architecture it stands in for where no family reads that one."""

    config: Config
    read_as: str = ""


class Meta:
    """Metadata of one architecture by key, and what the tensors tell."""

    def __init__(self, file: GgufFile, architecture: str) -> None:
        self.file = file
        self.architecture = architecture
        self.stems = {_stem(t.name) for t in file.tensors}
        self.names = {t.name for t in file.tensors}

    def number(self, key: str) -> int | None:
        """A whole number; of one per layer the largest."""
        value = self.file.metadata.get(f"{self.architecture}.{key}")
        if isinstance(value, tuple):
            value = max(value, default=None)
        whole = isinstance(value, int | float) and not isinstance(value, bool) and value == value // 1
        return int(value) if whole and isinstance(value, int | float) else None

    def varies(self, key: str) -> bool:
        """Whether layers differ in a number."""
        value = self.file.metadata.get(f"{self.architecture}.{key}")
        return isinstance(value, tuple) and len(set(value)) > 1

    def needed(self, key: str) -> int:
        """A number that every model has; raise Refused."""
        value = self.number(key)
        if value is None:
            raise Refused(Problem("gguf.key", values={"key": f"{self.architecture}.{key}"}))
        return value

    def has(self, stem: str) -> bool:
        """Whether any block holds a tensor of this name."""
        return stem in self.stems

    def biased(self, stem: str) -> bool:
        """Whether the first block's tensor has a bias."""
        return f"blk.0.{stem}.bias" in self.names

    def size(self, name: str, axis: int) -> int | None:
        """One size of a tensor, innermost first."""
        sizes = self.file.shapes.get(name, ())
        return sizes[axis] if len(sizes) > axis else None


def _stem(name: str) -> str:
    words = name.split(".")
    return ".".join(words[2:-1] if words[0] == "blk" and len(words) > 3 else words[:-1])


def config_of(file: GgufFile) -> Read:
    """The config of a model's file.

    Raises
    ------
    Refused
        The file holds no language model, lacks a figure, or its architecture is not known and not like Llama's.
    """
    architecture = file.metadata.get("general.architecture")
    kind = file.metadata.get("general.type", "model")
    if not isinstance(architecture, str) or kind not in {"model", ""} or architecture == "clip":
        raise Refused(
            Problem("gguf.not_a_model", values={"kind": shown(str(architecture if kind == "model" else kind))})
        )
    meta = Meta(file, architecture)
    reader = _READERS.get(architecture)
    if reader is not None:
        config = reader(meta)
        if config["model_type"] in supported():
            return Read({k: v for k, v in config.items() if v is not None or k in _NULLABLE})
    return Read(_like_llama(meta), architecture)


_NULLABLE: Final = frozenset({"sliding_window", "q_lora_rank", "n_routed_experts"})


def _base(meta: Meta, model_type: str) -> Config:
    """What every decoder states."""
    heads = meta.needed("attention.head_count")
    for key in ("attention.head_count", "attention.head_count_kv", "feed_forward_length"):
        if meta.varies(key):
            raise Refused(Problem("gguf.layers_differ", values={"key": f"{meta.architecture}.{key}"}))
    hidden = meta.needed("embedding_length")
    return {
        "model_type": model_type,
        "hidden_size": hidden,
        "num_hidden_layers": meta.needed("block_count") - (meta.number("nextn_predict_layers") or 0),
        "num_attention_heads": heads,
        "num_key_value_heads": meta.number("attention.head_count_kv") or heads,
        "head_dim": meta.number("attention.key_length") or hidden // max(heads, 1),
        "intermediate_size": meta.number("feed_forward_length"),
        "vocab_size": _vocabulary(meta),
        "max_position_embeddings": meta.number("context_length"),
        "tie_word_embeddings": "output.weight" not in meta.names,
        "torch_dtype": _dtype(meta.file),
    }


def _vocabulary(meta: Meta) -> int | None:
    return (
        meta.size("token_embd.weight", 1)
        or meta.number("vocab_size")
        or _counted(meta.file.metadata, "tokenizer.ggml.tokens")
    )


def _counted(metadata: Mapping[str, Any], key: str) -> int | None:
    found = metadata.get(f"{key}#")
    return found if isinstance(found, int) else None


def _dtype(file: GgufFile) -> str:
    """What activations are taken to be: the file's own 16 bit, else fp16, in which llama.cpp keeps its KV cache."""
    bytes_of: dict[str, int] = {}
    for tensor in file.tensors:
        bytes_of[tensor.format] = bytes_of.get(tensor.format, 0) + tensor.bytes
    most = max(bytes_of, key=lambda name: bytes_of[name])
    return _WIDE.get(most, "float16")


def _experts(meta: Meta) -> Config:
    """Experts under the names of the Qwen family."""
    return {
        "num_experts": meta.needed("expert_count"),
        "num_experts_per_tok": meta.needed("expert_used_count"),
        "moe_intermediate_size": meta.number("expert_feed_forward_length") or meta.size("blk.0.ffn_up_exps.weight", 1),
        "decoder_sparse_step": 1,
        "mlp_only_layers": [],
    }


def _llama(meta: Meta) -> Config:
    """Llama and Mistral; with experts, Mixtral."""
    base = _base(meta, "llama")
    biases = {"attention_bias": meta.biased("attn_q"), "mlp_bias": meta.biased("ffn_gate")}
    if not meta.number("expert_count"):
        return {**base, **biases, "hidden_act": "silu"}
    inner = meta.number("expert_feed_forward_length") or base["intermediate_size"]
    return {
        **base, "model_type": "mixtral", "hidden_act": "silu", "sliding_window": None, "intermediate_size": inner,
        "num_local_experts": meta.needed("expert_count"), "num_experts_per_tok": meta.needed("expert_used_count"),
    }  # fmt: skip


def _qwen2(meta: Meta) -> Config:
    return {**_base(meta, "qwen2"), "hidden_act": "silu", "use_sliding_window": False}


def _qwen2_moe(meta: Meta) -> Config:
    shared = meta.number("expert_shared_feed_forward_length") or meta.size("blk.0.ffn_up_shexp.weight", 1)
    return {
        **_base(meta, "qwen2_moe"), **_experts(meta), "hidden_act": "silu", "use_sliding_window": False,
        "shared_expert_intermediate_size": shared,
    }  # fmt: skip


def _qwen3(meta: Meta) -> Config:
    return {**_base(meta, "qwen3"), "hidden_act": "silu", "use_sliding_window": False, "attention_bias": False}


def _qwen3_moe(meta: Meta) -> Config:
    return {**_qwen3(meta), "model_type": "qwen3_moe", **_experts(meta)}


def _gemma(model_type: str) -> Callable[[Meta], Config]:
    def read(meta: Meta) -> Config:
        return {
            **_base(meta, model_type),
            "hidden_activation": "gelu_pytorch_tanh",
            "attention_bias": False,
            "sliding_window": meta.number("attention.sliding_window"),
        }

    return read


def _phi3(meta: Meta) -> Config:
    window = meta.number("attention.sliding_window") or None
    return {**_base(meta, "phi3"), "hidden_act": "silu", "sliding_window": window}


def _gpt2(meta: Meta) -> Config:
    base = _base(meta, "gpt2")
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


def _deepseek2(meta: Meta) -> Config:
    rope = meta.needed("rope.dimension_count")
    qk = meta.number("attention.key_length_mla") or meta.needed("attention.key_length")
    base = _base(meta, "deepseek_v3" if meta.has("exp_probs_b") else "deepseek_v2")
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


def _gpt_oss(meta: Meta) -> Config:
    return {
        **_base(meta, "gpt_oss"),
        "hidden_act": "silu",
        "attention_bias": meta.biased("attn_q"),
        "sliding_window": meta.number("attention.sliding_window"),
        "intermediate_size": meta.number("expert_feed_forward_length") or meta.number("feed_forward_length"),
        "num_local_experts": meta.needed("expert_count"),
        "num_experts_per_tok": meta.needed("expert_used_count"),
    }


def _olmo2(meta: Meta) -> Config:
    return {**_base(meta, "olmo2"), "hidden_act": "silu", "attention_bias": False}


def _starcoder2(meta: Meta) -> Config:
    window = meta.number("attention.sliding_window") or None
    return {
        **_base(meta, "starcoder2"), "hidden_act": "gelu_pytorch_tanh", "use_bias": meta.biased("attn_q"),
        "sliding_window": window,
    }  # fmt: skip


def _phi2(meta: Meta) -> Config:
    base = _base(meta, "phi")
    share = (meta.number("rope.dimension_count") or base["head_dim"]) / max(base["head_dim"], 1)
    return {**base, "hidden_act": "gelu_new", "qk_layernorm": False, "partial_rotary_factor": share}


def _bert(meta: Meta) -> Config:
    base = _base(meta, "bert")
    kept = ("model_type", "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size")
    types = meta.size("token_types.weight", 1) or 2
    return {
        **{key: base[key] for key in kept}, "torch_dtype": base["torch_dtype"], "hidden_act": "gelu",
        "max_position_embeddings": meta.size("position_embd.weight", 1) or base["max_position_embeddings"],
        "type_vocab_size": types,
    }  # fmt: skip


def _glm4_moe(meta: Meta) -> Config:
    drafts = meta.number("nextn_predict_layers") or 0
    return {
        **_base(meta, "glm4_moe"),
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


def _qwen3_next(meta: Meta) -> Config:
    heads = meta.needed("ssm.time_step_rank")
    return {
        **_base(meta, "qwen3_next"),
        **_experts(meta),
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


def _like_llama(meta: Meta) -> Config:
    """Any decoder whose blocks hold nothing but what Llama's, Qwen's or Mixtral's hold; raise Refused."""
    blocks = {s for t, s in ((t.name, _stem(t.name)) for t in meta.file.tensors) if t.startswith("blk.")}
    odd = sorted(blocks - _PLAIN_BLOCK)
    needed = {"attn_q", "attn_k", "attn_v", "attn_output"} - blocks
    if odd or needed:
        values = {"architecture": shown(meta.architecture), "tensor": shown(odd[0] if odd else min(needed))}
        raise Refused(Problem("gguf.architecture", values=values))
    normed = meta.has("attn_q_norm")
    if meta.number("expert_count") and meta.has("ffn_gate_exps"):
        return _qwen3_moe(meta) if normed else _llama(meta)
    if meta.biased("attn_q") and not meta.biased("attn_output"):
        return _qwen2(meta)
    return _qwen3(meta) if normed else _llama(meta)


_READERS: Final[dict[str, Callable[[Meta], Config]]] = {
    "llama": _llama,
    "mistral3": _llama,
    "qwen2": _qwen2,
    "qwen2vl": _qwen2,
    "qwen2moe": _qwen2_moe,
    "qwen3": _qwen3,
    "qwen3vl": _qwen3,
    "qwen3moe": _qwen3_moe,
    "qwen3vlmoe": _qwen3_moe,
    "gemma": _gemma("gemma"),
    "gemma2": _gemma("gemma2"),
    "gemma3": _gemma("gemma3_text"),
    "phi2": _phi2,
    "phi3": _phi3,
    "gpt2": _gpt2,
    "deepseek2": _deepseek2,
    "gpt-oss": _gpt_oss,
    "glm4moe": _glm4_moe,
    "qwen3next": _qwen3_next,
    "bert": _bert,
    "olmo2": _olmo2,
    "starcoder2": _starcoder2,
}
