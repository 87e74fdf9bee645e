"""Granite: Llama with multipliers."""

from typing import Final

from explorer.analysis.models.config.feedforward import dense
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import multiplied

FAMILIES: Final = (
    Family(
        ("granite",),
        DecoderReader(
            "Granite",
            {**BIASED, "mlp_bias": False},
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            mlps=dense(bias="mlp_bias"),
            finish=multiplied,
        ),
    ),
)
