"""Gemma, Gemma 2 and the text models of Gemma 3: norms around both halves, a scaled embedding."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.blocks.norms import SANDWICH
from explorer.analysis.models.config.feedforward import dense, gated_activation
from explorer.analysis.models.config.windows import every
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.problem import Value

GEMMA: Mapping[str, Value | None] = {
    "tie_word_embeddings": True,
    "attention_bias": False,
    "hidden_activation": "gelu_pytorch_tanh",
    "head_dim": 256,
    "sliding_window": 4096,
}
gelu = gated_activation("hidden_activation", "hidden_act")
GEMMA2 = DecoderReader(
    "Gemma 2",
    {**GEMMA, "final_logit_softcapping": 30.0, "num_key_value_heads": 4},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    norms=SANDWICH,
    windows=every(2),
    mlps=dense(gate=gelu),
    scaled_embedding=True,
    final_softcap=True,
)
GEMMA3 = DecoderReader(
    "Gemma 3",
    {**GEMMA, "vocab_size": 262_208, "num_attention_heads": 8, "num_key_value_heads": 4},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    norms=SANDWICH,
    windows=every(6, stated=True),
    mlps=dense(gate=gelu),
    scaled_embedding=True,
    final_softcap=True,
)

FAMILIES: Final = (
    Family(
        ("gemma",),
        DecoderReader(
            "Gemma",
            {**GEMMA, "num_key_value_heads": 16},
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            mlps=dense(gate=gelu),
            scaled_embedding=True,
        ),
    ),
    Family(("gemma2",), GEMMA2),
    Family(("gemma3_text",), GEMMA3),
)
