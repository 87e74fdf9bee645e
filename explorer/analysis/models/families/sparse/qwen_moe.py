"""Qwen2 MoE and Qwen3 MoE: experts, with a gated shared one in the older."""

from typing import Final

from explorer.analysis.models.blocks.mixture import WithSharedExpert
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.sparse import qwen_experts
from explorer.analysis.models.config.windows import Windows, by_type, from_layer_on, full
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.dense.qwen import QWEN
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.transformer import Half


def qwen_with_shared(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Qwen's experts, each mixture with a gated shared expert."""
    inner = fields.size("shared_expert_intermediate_size")
    return tuple(
        WithSharedExpert(half, inner, gated=True) if isinstance(half, Experts) else half
        for half in qwen_experts(fields, hidden, layers)
    )


def _qwen2_windows(fields: Fields, layers: int) -> Windows:
    """Off unless `use_sliding_window`; `layer_types`, else every other layer below `max_window_layers`."""
    if not fields.flag("use_sliding_window"):
        return full(fields, layers)
    window = fields.optional_size("sliding_window")
    if window is None or fields.has("layer_types"):
        return by_type(fields, layers, window)
    last = fields.natural("max_window_layers")
    return tuple(window if i < last and (i + 1) % 2 else None for i in range(layers))


QWEN3_MOE = DecoderReader(
    "Qwen3 MoE",
    {**QWEN, "attention_bias": False, "decoder_sparse_step": 1, "num_key_value_heads": 4},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    windows=from_layer_on,
    mlps=qwen_experts,
)

FAMILIES: Final = (
    Family(
        ("qwen2_moe",),
        DecoderReader(
            "Qwen2 MoE",
            {**QWEN, "qkv_bias": True, "decoder_sparse_step": 1, "num_key_value_heads": 16},
            qkv_bias="qkv_bias",
            windows=_qwen2_windows,
            mlps=qwen_with_shared,
        ),
    ),
    Family(("qwen3_moe",), QWEN3_MOE),
)
