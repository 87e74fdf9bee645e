"""A text model and a vision tower, each described by a config of its own.

Field names, class defaults and module structure: the transformers library, version 5.24.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.config.towers import Tower, counted
from explorer.analysis.models.families.family import Reader
from explorer.analysis.models.families.vision.wrapper import width_of
from explorer.analysis.models.parts import Architecture, Tensor
from explorer.analysis.problem import Value

Defaults = Mapping[str, Value | None]


class VisionLanguage(msgspec.Struct, frozen=True):
    """A text model in `text_config`, of one of several types, and the tower in `vision_config`.

    `newline` models have one more learnt vector that ends a row of an image; the head is `tied` where no config speaks.
    """

    label: str
    texts: Mapping[str, Reader]
    tower: Tower
    newline: bool = False
    tied: bool = False

    @property
    def defaults(self) -> Defaults:
        return {"tie_word_embeddings": self.tied}

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        family, inner = self._text(fields)
        fields.refuse_faults()
        inner.config = {**inner.config, "tie_word_embeddings": self._tied(fields, inner)}
        hidden = width_of(family, inner)
        extra = counted(fields, self.tower, hidden)
        if self.newline and extra:
            extra = (*extra, Tensor("image_newline", hidden, "vision"))
        made = family(inner, storage)
        return replace(made, extra=(*made.extra, *extra))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        family, inner = self._text(fields)
        return family.max_context(inner)

    def _text(self, fields: Fields) -> tuple[Reader, Fields]:
        inner = fields.within("text_config")
        first = next(iter(self.texts))
        kind = inner.text("model_type") if inner.has("model_type") else first
        if kind not in self.texts:
            inner.fault("model.text_unknown", "model_type", value=brief(kind))
            kind = first
        family = self.texts[kind]
        inner.defaults = family.defaults
        return family, inner

    def _tied(self, fields: Fields, inner: Fields) -> bool:
        """What the outer config says; where it says nothing or no, LLaVA's inner one may still say yes."""
        if not fields.has("tie_word_embeddings") and inner.has("tie_word_embeddings"):
            return inner.flag("tie_word_embeddings")
        return fields.flag("tie_word_embeddings")
