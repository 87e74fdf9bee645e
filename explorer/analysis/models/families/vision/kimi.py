"""Kimi K2.5: DeepSeek's decoder with a tower."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.towers import kimi_tower
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.sparse.deepseek import DEEPSEEK_V3
from explorer.analysis.models.families.vision.vision_language import VisionLanguage

KIMI_TEXT = dict.fromkeys(("deepseek_v3", "kimi_k2"), replace(DEEPSEEK_V3, label="Kimi K2"))

FAMILIES: Final = (Family(("kimi_k25",), VisionLanguage("Kimi K2.5", KIMI_TEXT, kimi_tower, tied=True)),)
