"""Models of the BigCode project: GPT BigCode with one KV head, StarCoder2."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.windows import everywhere
from explorer.analysis.models.families.classic.gpt2 import GPT2
from explorer.analysis.models.families.decoder import DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.transformer import Mixer


def _bigcode_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """One KV head for all queries unless `multi_query` is off."""
    only("add_cross_attention", be=False)(fields)
    many = grouped_query(replace(family, multi_head=True), fields, hidden, layers)
    if not fields.flag("multi_query"):
        return many
    return tuple(replace(m, kv_heads=1) if isinstance(m, GroupedQuery) else m for m in many)


GPT_BIGCODE = replace(
    GPT2,
    label="GPT BigCode",
    defaults={
        "tie_word_embeddings": True,
        "activation_function": "gelu_pytorch_tanh",
        "n_inner": None,
        "multi_query": True,
    },
    multi_head=False,
    mixers=_bigcode_mixers,
)
STARCODER2 = DecoderReader(
    "StarCoder2",
    {
        "tie_word_embeddings": True,
        "hidden_act": "gelu_pytorch_tanh",
        "use_bias": True,
        "num_key_value_heads": 2,
        "sliding_window": None,
    },
    qkv_bias="use_bias",
    out_bias="use_bias",
    norms=NormScheme(kind="layer_norm"),
    windows=everywhere,
    mlps=plain(("intermediate_size",), "hidden_act", bias="use_bias", derived=False),
)

FAMILIES: Final = (
    Family(("gpt_bigcode",), GPT_BIGCODE),
    Family(("starcoder2",), STARCODER2),
)
