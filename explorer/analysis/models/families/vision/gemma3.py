"""Gemma 3 with its tower."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.vision import gemma3_tower
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.dense.gemma import GEMMA3
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import assemble
from explorer.analysis.problem import Value


class Gemma3Multimodal(msgspec.Struct, frozen=True):
    """Gemma 3 with its vision tower: the decoder is described by `text_config`."""

    text: DecoderReader
    label: str = "Gemma 3"

    @property
    def defaults(self) -> Mapping[str, Value | None]:
        return self.text.defaults

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        inner = fields.within("text_config")
        if fields.has("tie_word_embeddings"):  # the outer model's word counts
            inner.config = {**inner.config, "tie_word_embeddings": fields.config["tie_word_embeddings"]}
        decoder = self.text.decoder(inner)
        tower = gemma3_tower(fields, decoder.hidden)
        fields.refuse_faults()
        return assemble(replace(decoder, extra=tower), storage)

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return self.text.max_context(fields.within("text_config"))


FAMILIES: Final = (Family(("gemma3",), Gemma3Multimodal(GEMMA3)),)
