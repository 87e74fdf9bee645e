"""GPT-NeoX and Pythia: halves side by side where the config says so."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import DENSE, plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import rotary_share
from explorer.analysis.models.transformer import Decoder


def _gpt_neox(fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, parallel=fields.flag("use_parallel_residual"))


GPT_NEOX = DecoderReader(
    "GPT-NeoX",
    {"tie_word_embeddings": False, "hidden_act": "gelu", "attention_bias": True, "use_parallel_residual": True},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    multi_head=True,
    rotary=rotary_share(0.25, "rotary_pct"),
    names=Names("attention", "dense", "query_key_value"),
    norms=NormScheme("input_layernorm", "", "post_attention_layernorm", "", "final_layer_norm", "layer_norm"),
    mlps=plain(("intermediate_size",), "hidden_act", names=DENSE, derived=False),
    embedding="embed_in",
    finish=_gpt_neox,
)

FAMILIES: Final = (Family(("gpt_neox",), GPT_NEOX),)
