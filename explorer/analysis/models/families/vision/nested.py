"""What a text model's config leaves out inside another model: the sizes of its class in the transformers library 5.24.

A config that stands alone must state them; inside another model only what differs from the class is written.
"""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.problem import Value

_SEVEN: Final[Mapping[str, Value | None]] = {
    "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32_000,
    "intermediate_size": 11_008,
}  # fmt: skip

_QWEN2_VL: Final[Mapping[str, Value | None]] = {
    "hidden_size": 8192, "num_hidden_layers": 80, "num_attention_heads": 64, "vocab_size": 152_064,
    "intermediate_size": 29_568,
}  # fmt: skip

NESTED: Final[dict[str, Mapping[str, Value | None]]] = {
    "llama": _SEVEN,
    "granite": _SEVEN,
    "mistral": {**_SEVEN, "intermediate_size": 14_336},
    "ministral3": {
        **_SEVEN, "num_hidden_layers": 34, "vocab_size": 131_072, "intermediate_size": 14_336, "head_dim": 128,
        "num_key_value_heads": 8,
    },
    "qwen2": {**_SEVEN, "num_key_value_heads": 32, "vocab_size": 151_936, "intermediate_size": 22_016},
    "qwen3": {**_SEVEN, "num_key_value_heads": 32, "vocab_size": 151_936, "intermediate_size": 22_016},
    **dict.fromkeys(("qwen2_vl_text", "qwen2_5_vl_text"), _QWEN2_VL),
    "gemma": {
        "hidden_size": 3072, "num_hidden_layers": 28, "num_attention_heads": 16, "vocab_size": 256_000,
        "intermediate_size": 24_576,
    },
    "gemma2": {
        "hidden_size": 2304, "num_hidden_layers": 26, "num_attention_heads": 8, "num_key_value_heads": 4,
        "vocab_size": 256_000, "intermediate_size": 9216,
    },
    "cohere2": {
        "hidden_size": 8192, "num_hidden_layers": 40, "num_attention_heads": 64, "vocab_size": 256_000,
        "intermediate_size": 22_528,
    },
    "lfm2": {
        "hidden_size": 2560, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
        "vocab_size": 65_536, "intermediate_size": 12_288,
    },
    "mllama_text_model": {**_SEVEN, "num_hidden_layers": 40, "vocab_size": 128_256, "intermediate_size": 14_336},
    "glm4v_text": {**_SEVEN, "num_hidden_layers": 40, "vocab_size": 151_552, "intermediate_size": 13_696},
    "glm_ocr_text": {
        "hidden_size": 1024, "num_hidden_layers": 16, "num_attention_heads": 16, "vocab_size": 59_392,
        "intermediate_size": 4096,
    },
    "glm4v_moe_text": {
        **_SEVEN, "num_hidden_layers": 46, "num_attention_heads": 96, "vocab_size": 151_424,
        "intermediate_size": 10_944,
    },
    "paddleocr_vl_text": {
        "hidden_size": 1024, "num_hidden_layers": 18, "num_attention_heads": 16, "vocab_size": 103_424,
        "intermediate_size": 3072,
    },
    "aria_text": {**_SEVEN, "intermediate_size": 4096},
    "opt": {
        "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "vocab_size": 50_272, "ffn_dim": 3072,
        "max_position_embeddings": 2048,
    },
}  # fmt: skip
