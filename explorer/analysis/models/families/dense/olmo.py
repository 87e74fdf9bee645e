"""OLMo 2 and 3: norms behind the halves, queries and keys normed over their whole width."""

from typing import Final

from explorer.analysis.models.blocks.norms import POST
from explorer.analysis.models.config.windows import every
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family

OLMO2 = DecoderReader(
    "OLMo 2", BIASED, qkv_bias="attention_bias", out_bias="attention_bias", qk_norm="width", norms=POST
)  # fmt: skip

FAMILIES: Final = (
    Family(("olmo2",), OLMO2),
    Family(
        ("olmo3",),
        DecoderReader(
            "OLMo 3",
            {**BIASED, "sliding_window": 4096},
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            qk_norm="width",
            norms=POST,
            windows=every(4),
        ),
    ),
)
