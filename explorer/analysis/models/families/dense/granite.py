"""Granite: Llama with multipliers."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.feedforward import dense
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.transformer import Decoder


def _granite(fields: Fields, decoder: Decoder) -> Decoder:
    """Embedding and logits are scaled where their multipliers are not 1; the residual's is fused into its addition."""
    names = ("embedding_multiplier", "logits_scaling")
    scaled = [fields.config.get(name) not in (None, 1, 1.0) for name in names]
    return replace(decoder, scaled_embedding=scaled[0], scaled_logits=scaled[1])


FAMILIES: Final = (
    Family(
        ("granite",),
        DecoderReader(
            "Granite",
            {**BIASED, "mlp_bias": False},
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            mlps=dense(bias="mlp_bias"),
            finish=_granite,
        ),
    ),
)
