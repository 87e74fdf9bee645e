"""Qwen3-VL and Qwen3.5 with their towers."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.towers import qwen_deep_tower, qwen_tower
from explorer.analysis.models.config.windows import full
from explorer.analysis.models.families.dense.qwen import QWEN3
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.recurrent.delta import QWEN35, QWEN35_MOE
from explorer.analysis.models.families.sparse.qwen_moe import QWEN3_MOE
from explorer.analysis.models.families.vision.vision_language import VisionLanguage

QWEN3_VL_TEXT = replace(QWEN3, label="Qwen3-VL", windows=full)
QWEN3_VL_MOE_TEXT = replace(
    QWEN3_MOE,
    label="Qwen3-VL MoE",
    windows=full,
    defaults={
        **{k: v for k, v in QWEN3_MOE.defaults.items() if k != "head_dim"},
        "num_key_value_heads": 16,
        "tie_word_embeddings": True,
    },
)

FAMILIES: Final = (
    Family(("qwen3_vl_text",), QWEN3_VL_TEXT),
    Family(("qwen3_vl_moe_text",), QWEN3_VL_MOE_TEXT),
    Family(("qwen3_vl",), VisionLanguage("Qwen3-VL", {"qwen3_vl_text": QWEN3_VL_TEXT}, qwen_deep_tower)),
    Family(
        ("qwen3_vl_moe",), VisionLanguage("Qwen3-VL MoE", {"qwen3_vl_moe_text": QWEN3_VL_MOE_TEXT}, qwen_deep_tower)
    ),
    Family(("qwen3_5",), VisionLanguage("Qwen3.5", {"qwen3_5_text": QWEN35}, qwen_tower)),
    Family(("qwen3_5_moe",), VisionLanguage("Qwen3.5 MoE", {"qwen3_5_moe_text": QWEN35_MOE}, qwen_tower)),
)
