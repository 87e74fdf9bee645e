"""Text models that stand inside others: what sets each apart from the decoder that it was made of."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.families.dense.qwen import QWEN2
from explorer.analysis.models.families.family import Family

QWEN2_VL_TEXT: Final = replace(
    QWEN2,
    label="Qwen2-VL",
    defaults={**QWEN2.defaults, "num_key_value_heads": 8, "max_window_layers": 80},
    ignored=("head_dim",),
)
QWEN25_OMNI_TEXT: Final = replace(QWEN2, label="Qwen2.5-Omni", defaults={**QWEN2.defaults, "num_key_value_heads": 4})

FAMILIES: Final = (
    Family(("qwen2_vl_text",), QWEN2_VL_TEXT),
    Family(("qwen2_5_vl_text",), replace(QWEN2_VL_TEXT, label="Qwen2.5-VL")),
    Family(("qwen2_5_omni_text",), QWEN25_OMNI_TEXT),
)
