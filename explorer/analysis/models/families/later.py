"""Readers of the families that are read only when a config names one of them."""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.vision import gemma3_tower
from explorer.analysis.models.families.classic import CLASSIC
from explorer.analysis.models.families.decoders import GEMMA3, Family
from explorer.analysis.models.families.deepseek_v4 import DeepSeekV4
from explorer.analysis.models.families.encoders import ENCODERS
from explorer.analysis.models.families.gemma4 import Gemma4
from explorer.analysis.models.families.moe import MOE
from explorer.analysis.models.families.nas import NemotronNas
from explorer.analysis.models.families.recurrent import RECURRENT
from explorer.analysis.models.families.t5 import T5_FAMILY
from explorer.analysis.models.families.variants import VARIANTS
from explorer.analysis.models.families.vision import VISION
from explorer.analysis.models.families.whisper import WHISPER
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.reader import Reader
from explorer.analysis.models.transformer import assemble
from explorer.analysis.problem import Value


class Gemma3Multimodal(msgspec.Struct, frozen=True):
    """Gemma 3 with its vision tower: the decoder is described by `text_config`."""

    text: Family
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


MORE: dict[str, Reader] = {
    **CLASSIC,
    **VARIANTS,
    **MOE,
    **RECURRENT,
    **VISION,
    "nemotron-nas": NemotronNas(),
    "deepseek_v4": DeepSeekV4(),
    **ENCODERS,
    **T5_FAMILY,
    "whisper": WHISPER,
    "gemma3": Gemma3Multimodal(GEMMA3),
    "gemma4": Gemma4("Gemma 4", nested=True),
    "gemma4_text": Gemma4("Gemma 4"),
}
