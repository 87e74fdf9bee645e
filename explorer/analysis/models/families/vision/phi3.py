"""Phi-3 vision: Phi-3 with a tower."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.vision import phi3_tower
from explorer.analysis.models.families.dense.phi import PHI3
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.transformer import Decoder


def _with_images(fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, extra=phi3_tower(fields, decoder.hidden))


FAMILIES: Final = (Family(("phi3_v",), replace(PHI3, label="Phi-3 vision", finish=_with_images)),)
