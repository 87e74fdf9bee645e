"""MPT: ALiBi, norms without shift."""

from typing import Final

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import PlainNames, plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.transformer import Mixer


def _mpt_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Multi-head attention with ALiBi, as the transformers library has it; other variants are refused."""
    part = fields.part("attn_config")
    only("attn_type", be="multihead_attention")(part)
    only("alibi", be=True)(part)
    only("qk_ln", be=False)(part)
    only("no_bias", be=True)(fields)
    only("expansion_ratio", be=4)(fields)
    return grouped_query(family, fields, hidden, layers)


MPT = DecoderReader(
    "MPT",
    {"tie_word_embeddings": True},
    multi_head=True,
    rotary="none",
    names=Names("attn", "out_proj", "Wqkv"),
    norms=NormScheme("norm_1", "", "norm_2", "", "norm_f", "layer_norm", weights=1),
    mixers=_mpt_mixers,
    mlps=plain((), "", names=PlainNames("up_proj", "act", "down_proj", "ffn"), bias=False),
    embedding="wte",
    aliases={
        "hidden_size": ("d_model", "hidden_size"),
        "num_hidden_layers": ("n_layers", "num_hidden_layers"),
        "num_attention_heads": ("n_heads", "num_attention_heads"),
        "max_position_embeddings": ("max_seq_len",),
    },
)

FAMILIES: Final = (Family(("mpt",), MPT),)
