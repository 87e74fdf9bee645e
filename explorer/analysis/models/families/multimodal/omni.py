"""Qwen2.5-Omni: a text model that sees and hears, and beside it what speaks."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.vision.wrapper import Side, Wrapper
from explorer.analysis.models.parts import Architecture, count_values
from explorer.analysis.models.towers.parts import resident
from explorer.analysis.models.towers.speech import spoken
from explorer.analysis.problem import Value

SPEAKS: Final = "enable_audio_output"


class Speaking(msgspec.Struct, frozen=True):
    """A thinker in `thinker_config`, whose text the phases run, and what speaks unless the config leaves it out."""

    thinker: Wrapper
    label: str

    @property
    def defaults(self) -> Mapping[str, Value | None]:
        return {SPEAKS: True}

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        speech = resident("", spoken(fields)) if fields.flag(SPEAKS) else ()
        if speech and not fields.problems:
            fields.note("model.speech_counted", parameters=count_values(speech))
        made = self.thinker(fields.within("thinker_config"), storage)
        return replace(made, extra=(*made.extra, *speech))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return self.thinker.max_context(fields.within("thinker_config"))


THINKER: Final = Wrapper(
    "Qwen2.5-Omni thinker",
    "qwen2_5_omni_text",
    (
        Side("qwen2_5_omni_vision_encoder", place="visual", fixed=True),
        Side("qwen2_5_omni_audio_encoder", field="audio_config", place="audio_tower", sense="audio", fixed=True),
    ),
    ties="alone",
)

FAMILIES: Final = (
    Family(("qwen2_5_omni_thinker",), THINKER),
    Family(("qwen2_5_omni",), Speaking(THINKER, "Qwen2.5-Omni")),
)
