"""Kimi K2: DeepSeek-V3 with a learnt bias of the choice."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.sparse import deepseek_experts
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.sparse.deepseek import latent
from explorer.analysis.models.transformer import Half


def _kimi_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """DeepSeek's experts; in Kimi's own code the bias that steers their choice is a parameter."""
    found = deepseek_experts(fields.restated(mlp_bias=False), hidden, layers)
    return tuple(replace(half, correction=True) if isinstance(half, Experts) else half for half in found)


FAMILIES: Final = (Family(("kimi_k2",), DecoderReader("Kimi K2", BIASED, mixers=latent, mlps=_kimi_experts)),)
