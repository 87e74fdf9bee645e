"""Llama 4 with its tower."""

from typing import Final

from explorer.analysis.models.config.towers import llama4_tower
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.sparse.llama4 import LLAMA4_TEXT
from explorer.analysis.models.families.vision.vision_language import VisionLanguage

FAMILIES: Final = (Family(("llama4",), VisionLanguage("Llama 4", {"llama4_text": LLAMA4_TEXT}, llama4_tower)),)
