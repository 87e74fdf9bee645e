"""RecurrentGemma: Griffin's recurrent blocks, with windowed attention in a pattern."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.states.griffin import Griffin
from explorer.analysis.models.config.feedforward import gated_activation
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.config.windows import Windows
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.recurrent.mixers import attention, chosen
from explorer.analysis.models.families.rules import rotary_part
from explorer.analysis.models.transformer import Decoder, Half, Mixer
from explorer.analysis.problem import Value

RECURRENT, ATTENTION = "recurrent", "attention"
GEMMA: Mapping[str, Value | None] = {
    "tie_word_embeddings": True,
    "hidden_activation": "gelu_pytorch_tanh",
    "attention_bias": False,
    "attention_window_size": 2048,
    "conv1d_width": 4,
}
gelu = gated_activation("hidden_activation")


def _kinds(fields: Fields, layers: int) -> tuple[str, ...]:
    """The pattern of `block_types`, over and over."""
    known = (RECURRENT, ATTENTION)
    pattern = fields.items("block_types", lambda item: isinstance(item, str))
    if pattern is None:
        fields.assumed["block_types"] = "recurrent, recurrent, attention"
        pattern = (RECURRENT, RECURRENT, ATTENTION)
    odd = next((i for i, kind in enumerate(pattern) if kind not in known), None)
    if odd is not None or not pattern:
        name = f"block_types[{odd}]" if pattern else "block_types"
        value = brief(pattern[odd or 0]) if pattern else "[]"
        fields.fault("model.layer_type_unknown", name, value=value, known=", ".join(known))
        return (ATTENTION,) * layers
    return tuple(pattern[i % len(pattern)] for i in range(layers))


def _recurrent(family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    heads, width = family.size(fields, "num_attention_heads"), fields.size("lru_width", otherwise=hidden)
    fields.check(width % heads == 0, "model.hidden_not_divisible", "lru_width", hidden=width, heads=heads)
    return Griffin(hidden, width, heads, fields.size("conv1d_width"))


def _window(fields: Fields, layers: int) -> Windows:
    return (fields.size("attention_window_size", "sliding_window"),) * layers


def _blocks(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Gated blocks with biases, of half the stated size."""
    inner = max(fields.size("intermediate_size") // 2, 1)
    return (GatedMlp(hidden, inner, gelu(fields), bias=True, parent="mlp_block"),) * layers


def _finish(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, capped_logits=True, parents=("temporal_block", "mlp_block"))


FAMILIES: Final = (
    Family(
        ("recurrent_gemma",),
        DecoderReader(
            "RecurrentGemma",
            GEMMA,
            qkv_bias="attention_bias",
            out_bias="always",
            rotary=rotary_part(otherwise=0.5),
            names=Names("temporal_block"),
            norms=NormScheme("temporal_pre_norm", "", "channel_pre_norm", "", "final_norm"),
            windows=_window,
            mixers=chosen(_kinds, recurrent=_recurrent, attention=attention),
            mlps=_blocks,
            scaled_embedding=True,
            finish=_finish,
        ),
    ),
)
