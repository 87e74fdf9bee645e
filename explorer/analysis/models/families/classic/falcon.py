"""Falcon, whose flags change its very layers."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import DENSE, plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.transformer import Decoder, Mixer

SEPARATE = 2
TWO_NORMS = NormScheme("ln_attn", "", "ln_mlp", "", "ln_f", "layer_norm")
ONE_NORM = NormScheme("input_layernorm", "", "", "", "ln_f", "layer_norm")
IN_TURN = NormScheme("input_layernorm", "", "post_attention_layernorm", "", "ln_f", "layer_norm")


def _falcon_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """KV heads: those stated in the new architecture, else one where `multi_query` says so, else one per head."""
    new = fields.flag("new_decoder_architecture")
    single = not new and fields.flag("multi_query")
    alibi = fields.flag("alibi")
    found = grouped_query(replace(family, multi_head=not new), fields, hidden, layers)
    return tuple(
        replace(m, kv_heads=1 if single else m.kv_heads, rotary=0 if alibi else m.rotary)
        if isinstance(m, GroupedQuery)
        else m
        for m in found
    )


def _falcon(fields: Fields, decoder: Decoder) -> Decoder:
    """Two norms, one or norms in turn, by architecture and `parallel_attn`."""
    if fields.flag("new_decoder_architecture"):
        only("parallel_attn", be=True)(fields)
        separate = fields.natural("num_ln_in_parallel_attn", otherwise=2)
        return replace(decoder, parallel=True, norms=TWO_NORMS if separate == SEPARATE else ONE_NORM)
    if not fields.flag("parallel_attn"):
        return replace(decoder, norms=IN_TURN)
    only("num_ln_in_parallel_attn", be=1)(fields)
    return replace(decoder, parallel=True, norms=ONE_NORM)


FALCON = DecoderReader(
    "Falcon",
    {
        "tie_word_embeddings": True,
        "new_decoder_architecture": False,
        "multi_query": True,
        "parallel_attn": True,
        "alibi": False,
        "bias": False,
        "activation": "gelu",
    },
    qkv_bias="bias",
    out_bias="bias",
    names=Names("self_attention", "dense", "query_key_value"),
    mixers=_falcon_mixers,
    mlps=plain(("ffn_hidden_size",), "activation", names=DENSE, bias="bias"),
    embedding="word_embeddings",
    aliases={
        "hidden_size": ("hidden_size", "n_embed"),
        "num_hidden_layers": ("num_hidden_layers", "n_layer"),
        "num_attention_heads": ("num_attention_heads", "n_head"),
        "num_key_value_heads": ("num_kv_heads", "n_head_kv"),
    },
    finish=_falcon,
)

FAMILIES: Final = (
    Family(("falcon", "RefinedWebModel"), FALCON),
    Family(("RefinedWeb",), replace(FALCON, defaults={**FALCON.defaults, "new_decoder_architecture": True})),
)
