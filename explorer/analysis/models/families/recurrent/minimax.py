"""MiniMax-01: lightning attention beside full attention, and Mixtral's experts."""

from typing import Final

from explorer.analysis.models.blocks.states.lightning import Lightning
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.sparse import mixtral_experts
from explorer.analysis.models.families.decoder import BASE, DecoderReader, head_dim
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.recurrent.mixers import FULL, LINEAR, attention, chosen, listed
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.transformer import Decoder, Mixer


def _lightning(family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    heads = family.size(fields, "num_attention_heads")
    return Lightning(hidden, heads, head_dim(family, fields, hidden, heads))


def _in_turn(_fields: Fields, layers: int) -> tuple[str, ...]:
    return tuple(LINEAR if i % 2 else FULL for i in range(layers))


def _unwindowed(fields: Fields, decoder: Decoder) -> Decoder:
    only("sliding_window", be="null")(fields)
    return decoder


FAMILIES: Final = (
    Family(
        ("minimax",),
        DecoderReader(
            "MiniMax-01",
            {**BASE, "num_key_value_heads": 8, "num_local_experts": 8, "num_experts_per_tok": 2},
            mixers=chosen(
                listed((FULL, LINEAR), _in_turn, "layer_types"), full_attention=attention, linear_attention=_lightning
            ),
            mlps=mixtral_experts,
            finish=_unwindowed,
        ),
    ),
)
