"""Text models that stand inside others: what sets each apart from the decoder that it was made of."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import dense, silu
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BASE, BIASED, DecoderReader
from explorer.analysis.models.families.dense.glm import GLM
from explorer.analysis.models.families.dense.qwen import QWEN2
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import rotary_part
from explorer.analysis.models.families.sparse.deepseek import typed_experts
from explorer.analysis.models.transformer import Half

QWEN2_VL_TEXT: Final = replace(
    QWEN2,
    label="Qwen2-VL",
    defaults={**QWEN2.defaults, "num_key_value_heads": 8, "max_window_layers": 80},
    ignored=("head_dim",),
)
GLM4V_TEXT: Final = replace(
    GLM,
    label="GLM-4V",
    defaults={**BASE, "num_key_value_heads": 2},
    qkv_bias="always",
    rotary=rotary_part(otherwise=1.0),
    norms=NormScheme("input_layernorm", "post_self_attn_layernorm", "post_attention_layernorm", "post_mlp_layernorm"),
    ignored=("head_dim",),
)


def _aria_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Every layer: fused experts and a block as wide as the shared ones together."""
    experts, top_k = fields.size("moe_num_experts"), fields.size("moe_topk")
    fields.check(top_k <= experts, "model.top_k_over_experts", "moe_topk", top_k=top_k, experts=experts)
    block = Experts(
        hidden,
        fields.size("intermediate_size"),
        experts,
        top_k,
        shared=fields.size("moe_num_shared_experts"),
        activation=silu(fields),
        router="router",
        shared_bias=fields.flag("mlp_bias"),
        fused=True,
    )
    return (block,) * layers


FAMILIES: Final = (
    Family(("qwen2_vl_text",), QWEN2_VL_TEXT),
    Family(("qwen2_5_vl_text",), replace(QWEN2_VL_TEXT, label="Qwen2.5-VL")),
    Family(
        ("qwen2_5_omni_text",),
        replace(
            QWEN2,
            label="Qwen2.5-Omni",
            defaults={
                **QWEN2.defaults,
                "num_key_value_heads": 4,
                "tie_word_embeddings": True,
                "sliding_window": 32_768,
            },
        ),
    ),
    Family(("glm4v_text",), GLM4V_TEXT),
    Family(
        ("glm_ocr_text",),
        replace(
            GLM4V_TEXT,
            label="GLM-OCR",
            defaults={**BASE, "num_key_value_heads": 8},
            qkv_bias="never",
            ignored=(),
        ),
    ),
    Family(
        ("glm4v_moe_text",),
        DecoderReader(
            "GLM-4.5V",
            {
                **BIASED,
                "attention_bias": True,
                "num_key_value_heads": 8,
                "first_k_dense_replace": 1,
                "n_shared_experts": 1,
                "n_routed_experts": 128,
                "num_experts_per_tok": 8,
                "moe_intermediate_size": 1408,
            },
            qkv_bias="attention_bias",
            rotary=rotary_part(otherwise=0.5),
            mlps=typed_experts,
            ignored=("mlp_layer_types", "moe_layer_freq", "mlp_bias"),
        ),
    ),
    Family(
        ("paddleocr_vl_text",),
        DecoderReader(
            "PaddleOCR-VL",
            {**BASE, "tie_word_embeddings": True, "use_bias": False, "head_dim": 128, "num_key_value_heads": 2},
            qkv_bias="use_bias",
            out_bias="use_bias",
            mlps=dense(bias="use_bias"),
        ),
    ),
    Family(
        ("aria_text",),
        DecoderReader(
            "Aria",
            {**BIASED, "mlp_bias": False, "moe_num_experts": 8, "moe_topk": 2, "moe_num_shared_experts": 2},
            qkv_bias="attention_bias",
            out_bias="attention_bias",
            mlps=_aria_experts,
        ),
    ),
)
