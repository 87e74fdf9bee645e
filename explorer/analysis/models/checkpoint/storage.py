"""How a checkpoint is stored: its formats, and how the weights of each module are packed."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from explorer.analysis.models.parts import Op

if TYPE_CHECKING:
    from explorer.analysis.models.checkpoint.assignment import Assignment
    from explorer.analysis.models.checkpoint.layout import WeightLayout

STORED_BYTES = {"fp64": 8, "fp32": 4, "tf32": 4, "bf16": 2, "fp16": 2}
WIDE_FORMATS = frozenset(STORED_BYTES)


class Storage(msgspec.Struct, frozen=True):
    """Formats of a checkpoint: weights, activations, the KV cache ("": that of the activations).

    `assignment` says how each module is packed, None where nothing is quantised; `kv_scales` are bytes of the cache's
    scales in each layer.
    """

    weights: str
    activations: str
    kv: str = ""
    kv_scales: float = 0.0
    assignment: "Assignment | None" = None

    def layouts(self, ops: Sequence[Op], index: int) -> "tuple[WeightLayout | None, ...]":
        """How the weights of the operators of a layer are stored; empty where nothing is quantised."""
        return () if self.assignment is None else self.assignment.layouts(ops, index)


def packed_as(ops: tuple[Op, ...], layouts: "tuple[WeightLayout | None, ...]") -> tuple[Op, ...]:
    """Operators with weights packed as their layouts say; untouched without layouts."""
    if not layouts:
        return ops
    from explorer.analysis.models.checkpoint.assignment import packed

    return packed(ops, layouts)
