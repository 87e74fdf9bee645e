"""Mixtral: Mistral with experts."""

from typing import Final

from explorer.analysis.models.config.sparse import mixtral_experts
from explorer.analysis.models.config.windows import everywhere
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family

FAMILIES: Final = (
    Family(
        ("mixtral",),
        DecoderReader(
            "Mixtral",
            {**BASE, "num_key_value_heads": 8, "sliding_window": None},
            windows=everywhere,
            mlps=mixtral_experts,
        ),
    ),
)
