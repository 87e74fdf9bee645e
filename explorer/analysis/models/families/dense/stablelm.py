"""StableLM: a quarter of a head is rotated, halves may stand side by side."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import per_head_norms, rotary_share
from explorer.analysis.models.transformer import Decoder


def _stablelm(fields: Fields, decoder: Decoder) -> Decoder:
    if not fields.flag("use_parallel_residual"):
        return decoder
    return replace(decoder, parallel=True, norms=replace(decoder.norms, before_mlp=""))


STABLELM = DecoderReader(
    "StableLM",
    {
        **BASE,
        "num_key_value_heads": 32,
        "use_qkv_bias": False,
        "qk_layernorm": False,
        "use_parallel_residual": False,
    },
    qkv_bias="use_qkv_bias",
    ignored=("head_dim",),
    rotary=rotary_share(0.25),
    names=Names(q_norm="q_layernorm", k_norm="k_layernorm"),
    norms=NormScheme(kind="layer_norm"),
    mixers=per_head_norms("qk_layernorm"),
    finish=_stablelm,
)

FAMILIES: Final = (Family(("stablelm",), STABLELM),)
