"""BLOOM: ALiBi, and a norm behind the embedding."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import DENSE, plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.transformer import Decoder

BLOOM_NORMS = NormScheme("input_layernorm", "", "post_attention_layernorm", "", "ln_f", "layer_norm")


def _bloom(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, embedding_norm="word_embeddings_layernorm")


BLOOM = DecoderReader(
    "BLOOM",
    {"tie_word_embeddings": True},
    qkv_bias="always",
    out_bias="always",
    multi_head=True,
    rotary="none",
    names=Names("self_attention", "dense", "query_key_value"),
    norms=BLOOM_NORMS,
    mlps=plain((), "", names=replace(DENSE, act="gelu_impl")),
    embedding="word_embeddings",
    aliases={
        "hidden_size": ("n_embed", "hidden_size"),
        "num_hidden_layers": ("n_layer", "num_hidden_layers"),
        "num_attention_heads": ("n_head", "num_attention_heads"),
        "max_position_embeddings": ("seq_length",),
    },
    finish=_bloom,
)

FAMILIES: Final = (Family(("bloom",), BLOOM),)
