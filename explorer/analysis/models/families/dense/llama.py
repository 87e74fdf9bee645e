"""Llama: the plainest of today's decoders."""

from typing import Final

from explorer.analysis.models.config.feedforward import dense
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family

LLAMA = DecoderReader(
    "Llama",
    {**BIASED, "mlp_bias": False},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    mlps=dense(bias="mlp_bias"),
)

FAMILIES: Final = (Family(("llama",), LLAMA),)
