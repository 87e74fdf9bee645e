"""The ids of the phases that operators and models name; `registry.PHASES` has all that there are."""

from typing import Final

PhaseId = str  # what a study's file, a measurement and an operator of a model say
PREFILL: Final = "prefill"
DECODE: Final = "decode"
