"""GLM and GLM-4: half of a head is rotated, gate and up projection in one."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import dense
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import rotary_share

GLM = DecoderReader(
    "GLM",
    {**BASE, "attention_bias": True, "head_dim": 128, "num_key_value_heads": 2},
    qkv_bias="attention_bias",
    rotary=rotary_share(0.5),
    mlps=dense(fused="gate_up_proj"),
)

FAMILIES: Final = (
    Family(("glm",), GLM),
    Family(
        ("glm4",),
        replace(
            GLM,
            label="GLM-4",
            norms=NormScheme(
                "input_layernorm", "post_self_attn_layernorm", "post_attention_layernorm", "post_mlp_layernorm"
            ),
        ),
    ),
)
