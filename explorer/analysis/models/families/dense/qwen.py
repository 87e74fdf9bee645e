"""Qwen2 and Qwen3: biased or normed queries and keys, windows from a layer on."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.config.windows import from_layer_on
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.problem import Value

QWEN: Mapping[str, Value | None] = {
    **BASE, "use_sliding_window": False, "sliding_window": 4096, "max_window_layers": 28
}  # fmt: skip
QWEN3 = DecoderReader(
    "Qwen3",
    {**QWEN, "attention_bias": False, "head_dim": 128, "num_key_value_heads": 32},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    windows=from_layer_on,
)
QWEN2 = DecoderReader("Qwen2", {**QWEN, "num_key_value_heads": 32}, qkv_bias="always", windows=from_layer_on)

FAMILIES: Final = (
    Family(("qwen2",), QWEN2),
    Family(("qwen3",), QWEN3),
)
