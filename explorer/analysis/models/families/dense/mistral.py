"""Mistral: Llama with a window over every layer."""

from typing import Final

from explorer.analysis.models.config.windows import everywhere
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family

MISTRAL = DecoderReader("Mistral", {**BASE, "num_key_value_heads": 8, "sliding_window": 4096}, windows=everywhere)

FAMILIES: Final = (Family(("mistral",), MISTRAL),)
