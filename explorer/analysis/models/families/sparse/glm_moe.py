"""GLM with experts: grouped queries, or DeepSeek's latent attention."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BIASED, DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import rotary_part
from explorer.analysis.models.families.sparse.deepseek import DEEPSEEK, indexed, latent, typed_experts
from explorer.analysis.models.transformer import Mixer


def _normed_where_said(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Queries and keys are normed where `use_qk_norm` says so."""
    return grouped_query(replace(family, qk_norm="head" if fields.flag("use_qk_norm") else ""), fields, hidden, layers)


FAMILIES: Final = (
    Family(
        ("glm4_moe",),
        DecoderReader(
            "GLM-4 MoE",
            {**BIASED, "use_qk_norm": False, "first_k_dense_replace": 1, "n_shared_experts": 1},
            qkv_bias="attention_bias",
            rotary=rotary_part(otherwise=0.5),
            mixers=_normed_where_said,
            mlps=typed_experts,
        ),
    ),
    Family(
        ("glm4_moe_lite",),
        DecoderReader("GLM-4 MoE Lite", {**BIASED, "first_k_dense_replace": 1}, mixers=latent, mlps=typed_experts),
    ),
    Family(
        ("glm_moe_dsa",), DecoderReader("GLM MoE with sparse attention", DEEPSEEK, mixers=indexed, mlps=typed_experts)
    ),
)
