"""Qwen2.5-Omni and Qwen3-Omni: a text model that sees and hears, and beside it what speaks."""

from collections.abc import Callable, Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.windows import full
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.sparse.qwen_moe import QWEN3_MOE
from explorer.analysis.models.families.vision.wrapper import Side, Wrapper
from explorer.analysis.models.parts import Architecture, Tensor, count_values
from explorer.analysis.models.towers.parts import resident
from explorer.analysis.models.towers.speech import spoken
from explorer.analysis.models.towers.speech3 import spoken3
from explorer.analysis.problem import Value

SPEAKS: Final = "enable_audio_output"


class Speaking(msgspec.Struct, frozen=True):
    """A thinker in `thinker_config`, whose text the phases run, and what speaks unless the config leaves it out."""

    thinker: Wrapper
    label: str
    speech: Callable[[Fields], tuple[Tensor, ...]]

    @property
    def defaults(self) -> Mapping[str, Value | None]:
        return {SPEAKS: True}

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        speech = self.speech(fields) if fields.flag(SPEAKS) else ()
        if speech and not fields.problems:
            fields.note("model.speech_counted", parameters=count_values(speech))
        made = self.thinker(fields.within("thinker_config"), storage)
        return replace(made, extra=(*made.extra, *speech))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return self.thinker.max_context(fields.within("thinker_config"))


def _spoken(fields: Fields) -> tuple[Tensor, ...]:
    return resident("", spoken(fields))


THINKER: Final = Wrapper(
    "Qwen2.5-Omni thinker",
    "qwen2_5_omni_text",
    (
        Side("qwen2_5_omni_vision_encoder", place="visual", fixed=True),
        Side("qwen2_5_omni_audio_encoder", field="audio_config", place="audio_tower", sense="audio", fixed=True),
    ),
    ties="alone",
)

THINKER3: Final = Wrapper(
    "Qwen3-Omni thinker",
    "qwen3_omni_moe_text",
    (
        Side("qwen3_omni_moe_vision_encoder", place="visual", fixed=True),
        Side("qwen3_omni_moe_audio_encoder", field="audio_config", place="audio_tower", sense="audio", fixed=True),
    ),
    ties="alone",
)
TEXT3: Final = replace(
    QWEN3_MOE,
    label="Qwen3-Omni",
    windows=full,
    defaults={
        **{name: value for name, value in QWEN3_MOE.defaults.items() if name != "head_dim"},
        "num_key_value_heads": 4, "num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768,
    },
)  # fmt: skip

FAMILIES: Final = (
    Family(("qwen2_5_omni_thinker",), THINKER),
    Family(("qwen2_5_omni",), Speaking(THINKER, "Qwen2.5-Omni", _spoken)),
    Family(("qwen3_omni_moe_text",), TEXT3),
    Family(("qwen3_omni_moe_thinker",), THINKER3),
    Family(("qwen3_omni_moe",), Speaking(THINKER3, "Qwen3-Omni", spoken3)),
)
