"""Phi: parallel halves at first, then Llama's with fused projections."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import FC, dense, plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.windows import everywhere
from explorer.analysis.models.families.classic.gpt2 import GPT2
from explorer.analysis.models.families.decoder import BASE, DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import (
    biased_head,
    rotary_part,
    rotary_share,
    rotary_size,
    square,
    with_norms,
)
from explorer.analysis.models.transformer import Decoder, Mixer


def qk_layernorm(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Queries and keys under a layer norm per head where `qk_layernorm` says so."""
    mixers = grouped_query(family, fields, hidden, layers)
    return with_norms(mixers, "head", 2) if fields.flag("qk_layernorm") else mixers


def _phi(fields: Fields, decoder: Decoder) -> Decoder:
    """Norms of queries and keys are as wide as a share of the stream."""
    return biased_head(fields, square(fields, decoder) if fields.flag("qk_layernorm") else decoder)


PHI = DecoderReader(
    "Phi",
    {"tie_word_embeddings": False, "hidden_act": "gelu_new", "qk_layernorm": False},
    qkv_bias="always",
    out_bias="always",
    rotary=rotary_share(0.5),
    names=Names(out="dense", q_norm="q_layernorm", k_norm="k_layernorm"),
    norms=NormScheme("input_layernorm", "", "", "", "final_layernorm", "layer_norm"),
    mixers=qk_layernorm,
    mlps=plain(("intermediate_size",), "hidden_act", names=FC, derived=False),
    finish=_phi,
)
PHI_MSFT = DecoderReader(
    "Phi (first code)",
    {"tie_word_embeddings": False, "activation_function": "gelu_new", "n_inner": None, "rotary_dim": 32},
    qkv_bias="always",
    out_bias="always",
    rotary=rotary_size,
    names=Names("mixer", "out_proj", "Wqkv"),
    norms=NormScheme("ln", "", "", "", "lm_head.ln", "layer_norm"),
    mlps=plain(("n_inner",), "activation_function", names=replace(FC, act="act")),
    embedding="wte",
    aliases={
        **{name: GPT2.aliases[name][:1] for name in ("hidden_size", "num_hidden_layers", "num_attention_heads")},
        "num_key_value_heads": ("n_head_kv",),
        "max_position_embeddings": ("n_positions",),
    },
    finish=biased_head,
)
PHI3 = DecoderReader(
    "Phi-3",
    {**BASE, "sliding_window": None},
    rotary=rotary_part(otherwise=1.0),
    names=Names(fused="qkv_proj"),
    windows=everywhere,
    mlps=dense(fused="gate_up_proj"),
)

FAMILIES: Final = (
    Family(("phi",), PHI),
    Family(("phi-msft",), PHI_MSFT),
    Family(("phi3",), PHI3),
)
