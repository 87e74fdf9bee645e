"""gpt-oss: sinks, every other layer windowed, experts with biases."""

from typing import Final

from explorer.analysis.models.config.sparse import gpt_oss_experts
from explorer.analysis.models.config.windows import every
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family

FAMILIES: Final = (
    Family(
        ("gpt_oss",),
        DecoderReader(
            "gpt-oss",
            {**BASE, "attention_bias": True, "head_dim": 64, "sliding_window": 128, "num_key_value_heads": 8},
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            sinks=True,
            windows=every(2),
            mlps=gpt_oss_experts,
        ),
    ),
)
