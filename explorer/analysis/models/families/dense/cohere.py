"""Cohere: parallel halves under one layer norm without shift, scaled logits."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.windows import every
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import attention, per_head_norms, windowed
from explorer.analysis.models.transformer import Decoder


def _scaled_logits(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, parallel=True, scaled_logits=True)


COHERE = DecoderReader(
    "Cohere",
    {**BIASED, "tie_word_embeddings": True, "use_qk_norm": False},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    norms=NormScheme("input_layernorm", "", "", "", "norm", "layer_norm", weights=1),
    mixers=per_head_norms("use_qk_norm"),
    finish=_scaled_logits,
)

FAMILIES: Final = (
    Family(("cohere",), COHERE),
    Family(
        ("cohere2",),
        replace(
            COHERE,
            label="Cohere 2",
            defaults={**BIASED, "tie_word_embeddings": True, "sliding_window": 4096},
            windows=every(4, stated=True),
            mixers=attention(turned=windowed),
        ),
    ),
)
