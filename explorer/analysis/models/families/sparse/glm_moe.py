"""GLM with experts: grouped queries, or DeepSeek's latent attention."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BIASED, DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import rotary_part
from explorer.analysis.models.families.sparse.deepseek import DEEPSEEK, experts_from, indexed, latent, typed_experts
from explorer.analysis.models.transformer import Half, Mixer


def _normed_where_said(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Queries and keys are normed where `use_qk_norm` says so."""
    return grouped_query(replace(family, qk_norm="head" if fields.flag("use_qk_norm") else ""), fields, hidden, layers)


def _lite(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Latent attention; `head_dim` is another name of the rotated part, and its word counts."""
    stated = {"qk_rope_head_dim": fields.config["head_dim"]} if fields.has("head_dim") else {}
    return latent(family, fields.restated(**stated), hidden, layers)


def _lite_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """As `mlp_layer_types` says, else in all layers but the first, whatever `first_k_dense_replace` says."""
    return typed_experts(fields.restated(first_k_dense_replace=1), hidden, layers)


FAMILIES: Final = (
    Family(
        ("glm4_moe",),
        DecoderReader(
            "GLM-4 MoE",
            {
                **BIASED,
                "use_qk_norm": False,
                "first_k_dense_replace": 1,
                "n_shared_experts": 1,
                "num_key_value_heads": 8,
            },
            qkv_bias="attention_bias",
            rotary=rotary_part(otherwise=0.5),
            mixers=_normed_where_said,
            mlps=experts_from,
        ),
    ),
    Family(("glm4_moe_lite",), DecoderReader("GLM-4 MoE Lite", BIASED, mixers=_lite, mlps=_lite_experts)),
    Family(
        ("glm_moe_dsa",), DecoderReader("GLM MoE with sparse attention", DEEPSEEK, mixers=indexed, mlps=typed_experts)
    ),
)
