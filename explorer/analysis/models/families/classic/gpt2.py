"""GPT-2: learnt positions, layer norms, one projection of queries, keys and values."""

from typing import Final

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.transformer import Mixer


def _no_cross_attention(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    only("add_cross_attention", be=False)(fields)
    return grouped_query(family, fields, hidden, layers)


GPT2 = DecoderReader(
    "GPT-2",
    defaults={"tie_word_embeddings": True, "activation_function": "gelu_new", "n_inner": None},
    qkv_bias="always",
    out_bias="always",
    multi_head=True,
    rotary="none",
    names=Names("attn", "c_proj", "c_attn"),
    norms=NormScheme("ln_1", "", "ln_2", "", "ln_f", "layer_norm"),
    mlps=plain(("n_inner", "intermediate_size"), "activation_function"),
    embedding="wte",
    learned_positions=True,
    mixers=_no_cross_attention,
    aliases={
        "hidden_size": ("n_embd", "hidden_size"),
        "num_hidden_layers": ("n_layer", "num_hidden_layers"),
        "num_attention_heads": ("n_head", "num_attention_heads"),
        "max_position_embeddings": ("n_positions", "max_position_embeddings", "n_ctx"),
    },
)

FAMILIES: Final = (Family(("gpt2",), GPT2),)
