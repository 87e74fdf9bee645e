"""The recurrent block of Griffin (arXiv 2402.19427): a short convolution and a gated linear recurrence (RG-LRU)."""

import msgspec

from explorer.analysis.models.blocks.states.recurrent import convolution, convolution_state, per_head, recurrent
from explorer.analysis.models.parts import Cache, Op, State, elementwise, linear

PARENT = "temporal_block"
LRU = f"{PARENT}.rg_lru"


class Griffin(msgspec.Struct, frozen=True):
    """A recurrence over `width` channels, whose two gates are made head by head, beside a branch that weighs it."""

    hidden: int
    width: int
    heads: int
    kernel: int

    @property
    def code(self) -> str:
        return "rg-lru"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    @property
    def states(self) -> tuple[State, ...]:
        return (State(self.width), convolution_state(self.width, self.kernel))

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        hidden, width = self.hidden, self.width
        return (
            linear("linear_y", hidden, width, "attention", parent=PARENT, bias=True),
            linear("linear_x", hidden, width, "attention", parent=PARENT, bias=True),
            convolution(width, self.kernel, PARENT, bias=True, name="conv_1d"),
            self._gate("input_gate"),
            self._gate("recurrent_gate"),
            recurrent("rg_lru", "rg_lru", {"channels": float(width)}, LRU, {"recurrent_param": width}),
            elementwise("act_fn", "gated_gelu", width, "activation", parent=PARENT),
            linear("linear_out", width, hidden, "attention", parent=PARENT, bias=True),
        )

    def _gate(self, name: str) -> Op:
        each = self.width // self.heads
        return per_head(f"{name}_weight", self.heads, each, each, LRU, weight=f"{name}_weight", bias=f"{name}_bias")
