"""Families of a text model and a vision tower, each described by a config of its own.

Field names, class defaults and module structure: the transformers library, version 5.24.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields, shown
from explorer.analysis.models.config.towers import (
    Tower,
    counted,
    kimi_tower,
    llama4_tower,
    llava_tower,
    qwen_deep_tower,
    qwen_tower,
)
from explorer.analysis.models.config.windows import full
from explorer.analysis.models.families.decoders import FAMILIES, QWEN3, Family
from explorer.analysis.models.families.moe import LLAMA4_TEXT
from explorer.analysis.models.families.recurrent import QWEN35, QWEN35_MOE
from explorer.analysis.models.parts import Architecture, Tensor
from explorer.analysis.models.transformer import assemble
from explorer.analysis.problem import Value

Defaults = Mapping[str, Value | None]
SIZES: Defaults = {"hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32}
NESTED: dict[str, Family] = {  # inside another model a config names only what differs from its class
    "llama": replace(
        FAMILIES["llama"],
        defaults={**FAMILIES["llama"].defaults, **SIZES, "vocab_size": 32_000, "intermediate_size": 11_008},
    ),
    "mistral": replace(
        FAMILIES["mistral"],
        defaults={**FAMILIES["mistral"].defaults, **SIZES, "vocab_size": 32_000, "intermediate_size": 14_336},
    ),
    "qwen2": replace(
        FAMILIES["qwen2"],
        defaults={
            **FAMILIES["qwen2"].defaults, **SIZES, "num_key_value_heads": 32, "vocab_size": 151_936,
            "intermediate_size": 22_016,
        },
    ),
    "qwen3": QWEN3,
}  # fmt: skip


class VisionLanguage(msgspec.Struct, frozen=True):
    """A text model in `text_config`, of one of several types, and the tower in `vision_config`.

    `newline` models have one more learnt vector that ends a row of an image.
    """

    label: str
    texts: Mapping[str, Family]
    tower: Tower
    newline: bool = False

    @property
    def defaults(self) -> Defaults:
        return {"tie_word_embeddings": False}

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        family, inner = self._text(fields)
        fields.refuse_faults()
        inner.config = {**inner.config, "tie_word_embeddings": self._tied(fields, inner)}
        decoder = family.decoder(inner)
        extra = counted(fields, self.tower, decoder.hidden)
        if self.newline and extra:
            extra = (*extra, Tensor("image_newline", decoder.hidden, "vision", active=0))
        fields.refuse_faults()
        return assemble(replace(decoder, extra=extra), storage)

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        family, inner = self._text(fields)
        return family.max_context(inner)

    def _text(self, fields: Fields) -> tuple[Family, Fields]:
        inner = fields.within("text_config")
        first = next(iter(self.texts))
        kind = inner.text("model_type") if inner.has("model_type") else first
        if kind not in self.texts:
            known = ", ".join(self.texts)
            inner.fault("model.text_unknown", "model_type", value=shown(kind), known=known)
            kind = first
        family = self.texts[kind]
        inner.defaults = family.defaults
        return family, inner

    def _tied(self, fields: Fields, inner: Fields) -> bool:
        """What the outer config says; where it says nothing or no, LLaVA's inner one may still say yes."""
        if not fields.has("tie_word_embeddings") and inner.has("tie_word_embeddings"):
            return inner.flag("tie_word_embeddings")
        return fields.flag("tie_word_embeddings")


class Llava(VisionLanguage, frozen=True):
    """LLaVA, whose text model is tied where either config says so."""

    def _tied(self, fields: Fields, inner: Fields) -> bool:
        outer = fields.flag("tie_word_embeddings")
        return outer or (inner.has("tie_word_embeddings") and inner.flag("tie_word_embeddings"))


QWEN3_VL_TEXT = replace(QWEN3, label="Qwen3-VL", windows=full)
QWEN3_VL_MOE_TEXT = replace(
    FAMILIES["qwen3_moe"],
    label="Qwen3-VL MoE",
    windows=full,
    defaults={k: v for k, v in FAMILIES["qwen3_moe"].defaults.items() if k != "head_dim"},
)
TEXTS = {"qwen3_vl_text": QWEN3_VL_TEXT, "qwen3_vl_moe_text": QWEN3_VL_MOE_TEXT}
KIMI_TEXT = dict.fromkeys(("deepseek_v3", "kimi_k2"), replace(FAMILIES["deepseek_v3"], label="Kimi K2"))
VISION: dict[str, VisionLanguage | Family] = {
    "qwen3_vl": VisionLanguage("Qwen3-VL", {"qwen3_vl_text": QWEN3_VL_TEXT}, qwen_deep_tower),
    "qwen3_vl_moe": VisionLanguage("Qwen3-VL MoE", {"qwen3_vl_moe_text": QWEN3_VL_MOE_TEXT}, qwen_deep_tower),
    "qwen3_5": VisionLanguage("Qwen3.5", {"qwen3_5_text": QWEN35}, qwen_tower),
    "qwen3_5_moe": VisionLanguage("Qwen3.5 MoE", {"qwen3_5_moe_text": QWEN35_MOE}, qwen_tower),
    "kimi_k25": VisionLanguage("Kimi K2.5", KIMI_TEXT, kimi_tower),
    "llama4": VisionLanguage("Llama 4", {"llama4_text": LLAMA4_TEXT}, llama4_tower),
    "llava": Llava("LLaVA", NESTED, llava_tower),
    "llava_next": Llava("LLaVA-NeXT", NESTED, llava_tower, newline=True),
    **TEXTS,
}
