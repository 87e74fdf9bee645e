"""InternLM2: Llama under other names."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.transformer import Decoder, Half


def _internlm2(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, head="output")


def _internlm2_mlps(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    only("hidden_act", be="silu")(fields)
    block = GatedMlp(hidden, fields.size("intermediate_size"), gate="w1", up="w3", down="w2", parent="feed_forward")
    return (block,) * layers


FAMILIES: Final = (
    Family(
        ("internlm2",),
        DecoderReader(
            "InternLM2",
            {**BASE, "bias": True},
            qkv_bias="bias",
            out_bias="bias",
            names=Names("attention", "wo", "wqkv"),
            norms=NormScheme("attention_norm", "", "ffn_norm"),
            mlps=_internlm2_mlps,
            embedding="tok_embeddings",
            finish=_internlm2,
        ),
    ),
)
