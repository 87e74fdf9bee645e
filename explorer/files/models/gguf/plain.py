"""Configs of plain decoders, one entry each: what their family asks for beside what every decoder states."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from explorer.files.models.gguf.metadata import Config, Meta, base_config

Read = Callable[[Meta], Any]
FULL, SLIDING = "full_attention", "sliding_attention"


class PlainDecoder:
    """A decoder of this type: `more` are fields of its own, read of the file or always the same."""

    def __init__(self, model_type: str, **more: Read | Any) -> None:
        self.model_type = model_type
        self.more = more

    def __call__(self, meta: Meta) -> Config:
        """The config of a file."""
        own = {name: value(meta) if callable(value) else value for name, value in self.more.items()}
        return {**base_config(meta, self.model_type), "hidden_act": "silu", **own}


def biased(stem: str) -> Read:
    return lambda meta: meta.biased(stem)


def number(*keys: str) -> Read:
    """The first of these figures that is there."""
    return lambda meta: next((found for key in keys if (found := meta.number(key)) is not None), None)


def needed(key: str) -> Read:
    return lambda meta: meta.needed(key)


def none_of(key: str) -> Read:
    return lambda meta: meta.number(key) or 0


def scale(key: str) -> Read:
    """A factor, 1 where the file has none."""

    def read(meta: Meta) -> float:
        value: object = meta.file.metadata.get(f"{meta.architecture}.{key}")
        return float(value) if isinstance(value, int | float) else 1.0

    return read


def window(meta: Meta) -> int | None:
    return meta.number("attention.sliding_window") or None


def layer_types(meta: Meta) -> list[str] | None:
    """Which layers have a window, where there is one and the file lists them."""
    listed = meta.file.metadata.get(f"{meta.architecture}.attention.sliding_window_pattern")
    if not window(meta):
        return None
    return [SLIDING if windowed else FULL for windowed in listed] if isinstance(listed, tuple) else None


def rotary_share(meta: Meta) -> float:
    """The part of a head that is rotated."""
    size = int(base_config(meta, "")["head_dim"])
    return (meta.number("rope.dimension_count") or size) / max(size, 1)


def shared_experts(meta: Meta) -> int:
    """How many experts' width always works, by its key, else by its tensors."""
    stated = meta.number("expert_shared_count")
    if stated is not None:
        return stated
    inner = meta.number("expert_feed_forward_length") or 1
    return (meta.size_in_any("ffn_up_shexp", 1) or 0) // inner


def inner_of_experts(meta: Meta) -> int | None:
    return meta.number("expert_feed_forward_length") or meta.number("feed_forward_length")


def granite_moe(meta: Meta) -> Config:
    """Granite with experts, and with one that always works where the file has its size."""
    shared = meta.number("expert_shared_feed_forward_length")
    reader = PlainDecoder(
        "granitemoeshared" if shared else "granitemoe", attention_bias=biased("attn_q"),
        num_local_experts=needed("expert_count"), num_experts_per_tok=needed("expert_used_count"),
        intermediate_size=inner_of_experts, **GRANITE,
    )  # fmt: skip
    return {**reader(meta), **({"shared_intermediate_size": shared} if shared else {})}


def exaone4(meta: Meta) -> Config:
    """EXAONE 4, with windows in the layers that the file lists, or in three of four."""
    seen = window(meta)
    base = PlainDecoder("exaone4", sliding_window=seen)(meta)
    listed = layer_types(meta)
    return {**base, "layer_types": listed or (None if seen else [FULL] * min(base["num_hidden_layers"], MOST))}


def gemma4(meta: Meta) -> Config:
    """Gemma 4: heads of windowed layers and of full ones differ, full ones may have no values of their own."""
    base = {**base_config(meta, "gemma4_text", uneven=True), **GELU}
    wide = meta.needed("attention.key_length")
    layers, listed = min(base["num_hidden_layers"], MOST), layer_types(meta)
    kinds = listed or [FULL if (i + 1) % 6 == 0 or i + 1 == layers else SLIDING for i in range(layers)]
    kv = meta.each("attention.head_count_kv", layers) or (base["num_key_value_heads"],) * layers
    valued = meta.layers_with("attn_v", layers)
    full = [i for i, kind in enumerate(kinds[:layers]) if kind == FULL]
    own = meta.layers_with("attn_k", layers)
    alike = any(own[i] and not valued[i] for i in full)
    inner = meta.each("feed_forward_length", layers)
    extra = meta.number("embedding_length_per_layer_input") or 0
    found = {
        **base,
        "head_dim": meta.number("attention.key_length_swa") or wide,
        "global_head_dim": wide,
        "sliding_window": meta.needed("attention.sliding_window"),
        "layer_types": kinds,
        "num_key_value_heads": next((kv[i] for i in range(layers) if i not in full), base["num_key_value_heads"]),
        "num_global_key_value_heads": next((kv[i] for i in full), None),
        "attention_k_eq_v": alike,
        "num_kv_shared_layers": meta.number("attention.shared_kv_layers") or 0,
        "intermediate_size": min(inner, default=base["intermediate_size"]),
        "use_double_wide_mlp": len(set(inner)) > 1,
        "hidden_size_per_layer_input": extra,
        "final_logit_softcapping": meta.file.metadata.get("gemma4.final_logit_softcapping"),
    }
    if extra:
        found["vocab_size_per_layer_input"] = meta.size("per_layer_token_embd.weight", 1) or base["vocab_size"]
    if meta.number("expert_count"):
        found |= {
            "enable_moe_block": True, "num_experts": meta.needed("expert_count"),
            "top_k_experts": meta.needed("expert_used_count"),
            "moe_intermediate_size": meta.needed("expert_feed_forward_length"),
        }  # fmt: skip
    return found


def gemma3n(meta: Meta) -> Config:
    """Gemma 3n: streams, low-rank residuals, blocks of several sizes, the first ones sparse."""
    base = {**base_config(meta, "gemma3n_text", uneven=True), **GELU}
    layers = min(base["num_hidden_layers"], MOST)
    listed = meta.file.metadata.get("gemma3n.activation_sparsity_scale")
    cut = [float(isinstance(item, float) and item > 0) for item in listed] if isinstance(listed, tuple) else None
    return {
        **base,
        "sliding_window": meta.needed("attention.sliding_window"),
        "layer_types": layer_types(meta),
        "intermediate_size": list(meta.each("feed_forward_length", layers)) or base["intermediate_size"],
        "activation_sparsity_pattern": cut,
        "num_kv_shared_layers": meta.number("attention.shared_kv_layers") or 0,
        "hidden_size_per_layer_input": meta.needed("embedding_length_per_layer_input"),
        "vocab_size_per_layer_input": meta.size("per_layer_token_embd.weight", 1) or base["vocab_size"],
        "altup_num_inputs": meta.needed("altup.num_inputs"),
        "laurel_rank": meta.size_in_any("laurel_l", 1),
        "final_logit_softcapping": 30.0,
    }


GELU: Final[Mapping[str, Any]] = {"hidden_activation": "gelu_pytorch_tanh", "attention_bias": False}
MOST: Final = 2_001  # layers, one more than a model can have
UNNORMED: Final = 128  # experts of Maverick, whose queries and keys llama.cpp leaves as they are
GRANITE: Final[Mapping[str, Read]] = {
    "embedding_multiplier": scale("embedding_scale"), "logits_scaling": scale("logit_scale"),
}  # fmt: skip
ROUTED: Final[Mapping[str, Read]] = {
    "num_experts_per_tok": needed("expert_used_count"),
    "moe_intermediate_size": needed("expert_feed_forward_length"),
}
PLAIN: Final[dict[str, Callable[[Meta], Config]]] = {
    "olmo": PlainDecoder("olmo", attention_bias=False),
    "exaone4": exaone4,
    "ernie4_5": PlainDecoder("ernie4_5", use_bias=biased("attn_q")),
    "seed_oss": PlainDecoder(
        "seed_oss", attention_bias=biased("attn_q"), attention_out_bias=biased("attn_output"), mlp_bias=biased("ffn_up")
    ),
    "smollm3": PlainDecoder("smollm3", attention_bias=biased("attn_q"), mlp_bias=biased("ffn_up")),
    "hunyuan-dense": PlainDecoder("hunyuan_v1_dense", attention_bias=biased("attn_q")),
    "apertus": PlainDecoder("apertus", attention_bias=biased("attn_q"), hidden_act="xielu"),
    "arcee": PlainDecoder("arcee", attention_bias=biased("attn_q"), mlp_bias=biased("ffn_up"), hidden_act="relu2"),
    "nemotron": PlainDecoder(
        "nemotron", attention_bias=biased("attn_q"), mlp_bias=biased("ffn_up"), hidden_act="relu2",
        partial_rotary_factor=rotary_share,
    ),
    "granite": PlainDecoder("granite", attention_bias=biased("attn_q"), mlp_bias=biased("ffn_up"), **GRANITE),
    "granitemoe": granite_moe,
    "olmoe": PlainDecoder(
        "olmoe", attention_bias=biased("attn_q"), num_experts=needed("expert_count"),
        num_experts_per_tok=needed("expert_used_count"), intermediate_size=inner_of_experts,
    ),
    "ernie4_5-moe": PlainDecoder(
        "ernie4_5_moe", use_bias=biased("attn_q"), moe_num_experts=needed("expert_count"),
        moe_k=needed("expert_used_count"), moe_intermediate_size=needed("expert_feed_forward_length"),
        moe_num_shared_experts=shared_experts, moe_layer_start_index=none_of("leading_dense_block_count"),
        moe_layer_interval=lambda meta: meta.number("interleave_moe_layer_step") or 1,
    ),
    "hunyuan-moe": PlainDecoder(
        "hunyuan_v1_moe", attention_bias=biased("attn_q"), num_experts=needed("expert_count"),
        moe_topk=needed("expert_used_count"), intermediate_size=inner_of_experts,
    ),
    "dots1": PlainDecoder(
        "dots1", attention_bias=biased("attn_q"), sliding_window=None, n_routed_experts=needed("expert_count"),
        n_shared_experts=shared_experts, first_k_dense_replace=none_of("leading_dense_block_count"), **ROUTED,
    ),
    "phimoe": PlainDecoder(
        "phimoe", attention_bias=biased("attn_output"), sliding_window=window, num_local_experts=needed("expert_count"),
        num_experts_per_tok=needed("expert_used_count"), intermediate_size=inner_of_experts,
        lm_head_bias=lambda meta: "output.bias" in meta.names,
    ),
    "afmoe": PlainDecoder(
        "afmoe", attention_bias=biased("attn_q"), sliding_window=window, layer_types=layer_types,
        num_experts=needed("expert_count"), num_shared_experts=shared_experts,
        num_dense_layers=none_of("leading_dense_block_count"), mup_enabled=True, **ROUTED,
    ),
    "gemma3n": gemma3n,
    "gemma4": gemma4,
    "llama4": PlainDecoder(
        "llama4_text", attention_bias=False, use_qk_norm=lambda meta: meta.number("expert_count") != UNNORMED,
        num_local_experts=needed("expert_count"), num_experts_per_tok=needed("expert_used_count"),
        intermediate_size=needed("expert_feed_forward_length"), intermediate_size_mlp=number("feed_forward_length"),
        interleave_moe_layer_step=lambda meta: meta.number("interleave_moe_layer_step") or 1,
    ),
}  # fmt: skip
