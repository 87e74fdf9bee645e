"""Lightning attention (arXiv 2501.08313): linear attention with a fixed decay for each head."""

import msgspec

from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.blocks.states.recurrent import recurrent
from explorer.analysis.models.parts import Cache, Op, State, elementwise, linear

PARENT = "self_attn"


class Lightning(msgspec.Struct, frozen=True):
    """Linear attention of one layer, whose state is one square matrix per head; a gate weighs what it says."""

    hidden: int
    heads: int
    size: int

    @property
    def code(self) -> str:
        return "linear"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    @property
    def states(self) -> tuple[State, ...]:
        return (State(self.heads * self.size * self.size),)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        width, size = self.heads * self.size, float(self.size)
        sizes = {"heads": float(self.heads), "D_k": size, "D_v": size}
        return (
            linear("qkv_proj", self.hidden, 3 * width, "attention", parent=PARENT),
            elementwise("act_fn", "silu", 3 * width, "activation", parent=PARENT),
            recurrent("lightning_attention", "decayed_attention", sizes, PARENT, {}),
            norm("norm", width, parent=PARENT),
            linear("output_gate", self.hidden, width, "attention", parent=PARENT),
            elementwise("output_gate.act", "gated_sigmoid", width, "activation", parent=PARENT),
            linear("out_proj", width, self.hidden, "attention", parent=PARENT),
        )
