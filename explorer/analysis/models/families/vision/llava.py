"""LLaVA and LLaVA-NeXT around any text model that is read."""

from typing import Final

from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.config.towers import llava_tower
from explorer.analysis.models.families.family import Family, Reader
from explorer.analysis.models.families.vision.nested import NESTED
from explorer.analysis.models.families.vision.vision_language import VisionLanguage
from explorer.analysis.models.registry import text_reader_of
from explorer.analysis.problem import Refused


class Llava(VisionLanguage, frozen=True):
    """LLaVA, whose text model is of any type and tied where either config says so."""

    def _text(self, fields: Fields) -> tuple[Reader, Fields]:
        inner = fields.within("text_config")
        kind = inner.text("model_type") if inner.has("model_type") else "llama"
        reader = text_reader_of(kind)
        if reader is None:
            inner.fault("model.text_unknown", "model_type", value=brief(kind))
            raise Refused(*fields.problems)
        inner.defaults = {**reader.defaults, **NESTED.get(kind, {})}
        return reader, inner

    def _tied(self, fields: Fields, inner: Fields) -> bool:
        outer = fields.flag("tie_word_embeddings")
        return outer or (inner.has("tie_word_embeddings") and inner.flag("tie_word_embeddings"))


FAMILIES: Final = (
    Family(("llava",), Llava("LLaVA", {}, llava_tower)),
    Family(("llava_next",), Llava("LLaVA-NeXT", {}, llava_tower, newline=True)),
)
