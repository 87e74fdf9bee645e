"""GPT-J: halves side by side, a head with a bias."""

from typing import Final

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import PlainNames, plain
from explorer.analysis.models.families.classic.gpt2 import GPT2
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import biased_head, rotary_size

GPTJ = DecoderReader(
    "GPT-J",
    {"tie_word_embeddings": False, "activation_function": "gelu_new", "rotary_dim": 64, "n_inner": None},
    multi_head=True,
    rotary=rotary_size,
    names=Names("attn", "out_proj"),
    norms=NormScheme("ln_1", "", "", "", "ln_f", "layer_norm"),
    mlps=plain(("n_inner", "intermediate_size"), "activation_function", names=PlainNames("fc_in", "act", "fc_out")),
    embedding="wte",
    aliases=GPT2.aliases,
    finish=biased_head,
)

FAMILIES: Final = (Family(("gptj",), GPTJ),)
