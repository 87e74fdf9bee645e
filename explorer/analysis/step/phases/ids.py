"""The ids of the phases: what a study's file, a measurement and an operator of a model say."""

from typing import Final, Literal

PhaseId = Literal["prefill", "decode"]
PREFILL: Final = "prefill"
DECODE: Final = "decode"
