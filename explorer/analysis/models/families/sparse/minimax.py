"""MiniMax-M2: Mixtral's experts, queries and keys normed over their whole width."""

from typing import Final

from explorer.analysis.models.config.drafts import note_drafts
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.sparse import mixtral_experts
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.transformer import Decoder


def _minimax_rotary(fields: Fields, head_dim: int) -> int:
    """`rotary_dim` values of a head, else the part that the rope parameters say."""
    if fields.has("rotary_dim"):
        return fields.size("rotary_dim")
    rope = fields.part("rope_parameters")
    return int(head_dim * rope.fraction("partial_rotary_factor", otherwise=1.0))


def _minimax(fields: Fields, decoder: Decoder) -> Decoder:
    if fields.config.get("use_mtp") is True:
        note_drafts(fields, decoder, fields.config.get("num_mtp_modules"))
    return decoder


FAMILIES: Final = (
    Family(
        ("minimax_m2",),
        DecoderReader(
            "MiniMax-M2",
            {**BASE, "head_dim": 128, "num_key_value_heads": 8},
            qk_norm="width",
            rotary=_minimax_rotary,
            mlps=mixtral_experts,
            finish=_minimax,
        ),
    ),
)
