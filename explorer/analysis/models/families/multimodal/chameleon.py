"""Chameleon: a decoder over words and over codes of images, which a VQ-GAN makes."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import dense
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BIASED, DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import with_norms
from explorer.analysis.models.families.vision.wrapper import Side
from explorer.analysis.models.transformer import Decoder, Mixer

CODES: Final = Side("chameleon_vqgan", field="vq_config", place="vqmodel", fixed=True)
AFTER: Final = NormScheme("", "input_layernorm", "", "post_attention_layernorm")
SCALE_AND_SHIFT: Final = 2


def _normed(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Queries and keys under layer norms, one for each head."""
    return with_norms(grouped_query(family, fields, hidden, layers), "each", SCALE_AND_SHIFT)


def _with_codes(fields: Fields, decoder: Decoder) -> Decoder:
    """Norms stand behind each half where `swin_norm` says so."""
    made = replace(decoder, norms=AFTER) if fields.flag("swin_norm") else decoder
    return replace(made, extra=CODES.tensors(fields, fields, decoder.hidden))


FAMILIES: Final = (
    Family(
        ("chameleon",),
        DecoderReader(
            "Chameleon",
            {**BIASED, "mlp_bias": False, "swin_norm": False, "num_key_value_heads": 32},
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            mixers=_normed,
            mlps=dense(bias="mlp_bias"),
            ignored=("head_dim",),
            finish=_with_codes,
        ),
    ),
)
