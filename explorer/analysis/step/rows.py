"""Operator rows: what is evaluated, placed and listed, one per distinct operator of a step."""

from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Number = float | Array


class Row(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One operator of a step: its kind, dims and formats; `count` calls per step.

    Dims may be arrays (batch shaped (B, 1), context (1, C)) and broadcast.
    Formats are ids of number formats; `own` rows belong to the user, not to a model.
    """

    name: str
    kind: str
    dims: Mapping[str, Number]
    count: float = 1.0
    weights: str = "bf16"
    activations: str = "bf16"
    output: str = "bf16"
    kv: str = "bf16"
    accumulate: str | None = None
    group: str = ""
    own: bool = False


class SequenceGroup(NamedTuple):
    """Sequences that are alike in a step: new tokens of each, tokens that each then has, how many there are."""

    tokens: Number
    context: Number
    sequences: Number


class Step(msgspec.Struct, frozen=True, eq=False):
    """What a model is asked to expand: one phase for groups of sequences (numbers or arrays that broadcast)."""

    phase: str
    groups: tuple[SequenceGroup, ...]
    weights: str | None = None
    activations: str | None = None
    kv: str | None = None
    attention_count: str = "causal"
    logits: str = "last"
    skew: float = 0.0

    @property
    def batch(self) -> Number:
        """Sequences of a step of one group."""
        (group,) = self.groups
        return group.sequences

    @property
    def context(self) -> Number:
        """Tokens of each sequence of a step of one group."""
        (group,) = self.groups
        return group.context
