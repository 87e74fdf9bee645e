"""Kimi Linear: delta attention, with latent attention without positions in every few layers, and experts."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.mla import Latent
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.states.delta_attention import DeltaAttention
from explorer.analysis.models.config.feedforward import silu
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.layer_lists import kinds_of
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.recurrent.mixers import FULL, LINEAR, chosen, listed
from explorer.analysis.models.families.sparse.deepseek import SPARSE, latent
from explorer.analysis.models.transformer import Decoder, Half, Mixer
from explorer.analysis.problem import Value

KIMI: Mapping[str, Value | None] = {
    **BIASED,
    "q_lora_rank": None,
    "kv_lora_rank": 512,
    "qk_rope_head_dim": 64,
    "qk_nope_head_dim": 128,
    "v_head_dim": 128,
    "linear_head_dim": 128,
    "linear_num_heads": 32,
    "linear_conv_kernel_dim": 4,
    "num_experts": 256,
    "num_experts_per_token": 8,
    "num_shared_experts": 1,
    "first_k_dense_replace": 1,
}


def _kinds(fields: Fields, layers: int) -> tuple[str, ...]:
    """As `linear_attn_config` counts them, from 1 on; else every fourth but the first is full."""
    inner = fields.part("linear_attn_config")
    full = inner.items("full_attn_layers", lambda item: isinstance(item, int))
    linear = inner.items("kda_layers", lambda item: isinstance(item, int))
    if full is None or linear is None:
        return tuple(FULL if i and i % 4 == 0 else LINEAR for i in range(layers))
    every = sorted([*full, *linear]) == list(range(1, layers + 1))
    inner.check(every, "model.layer_types_count", "full_attn_layers", count=len(full) + len(linear), layers=layers)
    return tuple(FULL if i + 1 in full else LINEAR for i in range(layers))


def _latent(family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    """Latent attention, which knows no positions."""
    one = latent(family, fields, hidden, 1)[0]
    return replace(one, turned=False) if isinstance(one, Latent) else one


def _delta(_family: DecoderReader, fields: Fields, hidden: int) -> Mixer:
    """Delta attention, its sizes from `linear_attn_config` where the config has one."""
    inner = fields.part("linear_attn_config")
    sizes = ("num_heads", "linear_num_heads"), ("head_dim", "linear_head_dim"), (
        "short_conv_kernel_size", "linear_conv_kernel_dim",
    )  # fmt: skip
    heads, size, kernel = (inner.size(a) if inner.has(a) else fields.size(b) for a, b in sizes)
    return DeltaAttention(hidden, heads, size, kernel)


def _blocks(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Experts where `mlp_layer_types` says sparse, else from `first_k_dense_replace` on."""
    kinds = kinds_of(fields, "mlp_layer_types", layers, SPARSE)
    if kinds is None:
        first = fields.natural("first_k_dense_replace")
        kinds = tuple(SPARSE[i >= first] for i in range(layers))
    act = silu(fields)
    plain = GatedMlp(hidden, fields.size("intermediate_size"), act)
    if "sparse" not in kinds:
        return (plain,) * layers
    experts = _experts(fields, hidden)
    return tuple(experts if kind == "sparse" else plain for kind in kinds)


def _experts(fields: Fields, hidden: int) -> Experts:
    count = fields.size("num_experts", "num_local_experts")
    top_k = fields.size("num_experts_per_token", "num_experts_per_tok")
    fields.check(top_k <= count, "model.top_k_over_experts", "num_experts_per_token", top_k=top_k, experts=count)
    shared = fields.size("num_shared_experts", "n_shared_experts")
    return Experts(hidden, fields.size("moe_intermediate_size"), count, top_k, shared=shared, activation=silu(fields))


def _untied(fields: Fields, decoder: Decoder) -> Decoder:
    """The head never is the embedding table."""
    if decoder.tied:
        fields.note("model.head_untied")
    return replace(decoder, tied=False)


FAMILIES: Final = (
    Family(
        ("kimi_linear",),
        DecoderReader(
            "Kimi Linear",
            KIMI,
            mixers=chosen(
                listed((FULL, LINEAR), _kinds, "layer_types"), full_attention=_latent, linear_attention=_delta
            ),
            mlps=_blocks,
            aliases={"max_position_embeddings": ("model_max_length", "max_position_embeddings")},
            finish=_untied,
        ),
    ),
)
