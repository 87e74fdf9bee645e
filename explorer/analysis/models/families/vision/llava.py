"""LLaVA and LLaVA-NeXT around Llama, Mistral or Qwen."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.towers import llava_tower
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.dense.llama import LLAMA
from explorer.analysis.models.families.dense.mistral import MISTRAL
from explorer.analysis.models.families.dense.qwen import QWEN2, QWEN3
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.vision.vision_language import Defaults, VisionLanguage

SIZES: Defaults = {"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32}
NESTED: dict[str, DecoderReader] = {  # inside another model a config names only what differs from its class
    "llama": replace(
        LLAMA,
        defaults={**LLAMA.defaults, **SIZES, "vocab_size": 32_000, "intermediate_size": 11_008},
    ),
    "mistral": replace(
        MISTRAL,
        defaults={**MISTRAL.defaults, **SIZES, "vocab_size": 32_000, "intermediate_size": 14_336},
    ),
    "qwen2": replace(
        QWEN2,
        defaults={
            **QWEN2.defaults, **SIZES, "num_key_value_heads": 32, "vocab_size": 151_936,
            "intermediate_size": 22_016,
        },
    ),
    "qwen3": QWEN3,
}  # fmt: skip


class Llava(VisionLanguage, frozen=True):
    """LLaVA, whose text model is tied where either config says so."""

    def _tied(self, fields: Fields, inner: Fields) -> bool:
        outer = fields.flag("tie_word_embeddings")
        return outer or (inner.has("tie_word_embeddings") and inner.flag("tie_word_embeddings"))


FAMILIES: Final = (
    Family(("llava",), Llava("LLaVA", NESTED, llava_tower)),
    Family(("llava_next",), Llava("LLaVA-NeXT", NESTED, llava_tower, newline=True)),
)
