"""Kimi's delta attention (arXiv 2510.26692): the gated delta rule with a decay for every channel of a key."""

import msgspec

from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.blocks.states.recurrent import convolution, convolution_state, recurrent
from explorer.analysis.models.parts import Cache, Op, State, elementwise, linear

PARENT = "self_attn"


class DeltaAttention(msgspec.Struct, frozen=True):
    """Linear attention of one layer; decays and the output gate come through bottlenecks of a head's size."""

    hidden: int
    heads: int
    size: int
    kernel: int

    @property
    def code(self) -> str:
        return "linear"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    @property
    def states(self) -> tuple[State, ...]:
        return (State(self.heads * self.size * self.size), convolution_state(3 * self._width, self.kernel))

    @property
    def _width(self) -> int:
        return self.heads * self.size

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        hidden, width, gate = self.hidden, self._width, f"{PARENT}.forget_gate"
        return (
            *(linear(name, hidden, width, "attention", parent=PARENT) for name in ("q_proj", "k_proj", "v_proj")),
            convolution(3 * width, self.kernel, PARENT),
            elementwise("conv1d.act", "silu", 3 * width, "activation", parent=PARENT),
            linear("f_a_proj", hidden, self.size, "attention", parent=gate),
            linear("f_b_proj", self.size, width, "attention", parent=gate),
            linear("b_proj", hidden, self.heads, "attention", parent=PARENT),
            self._rule(),
            linear("g_a_proj", hidden, self.size, "attention", parent=PARENT),
            linear("g_b_proj", self.size, width, "attention", parent=PARENT),
            norm("o_norm", self.size, parent=PARENT, rows=self.heads),
            elementwise("o_norm.gate", "gated_sigmoid", width, "activation", parent=PARENT),
            linear("o_proj", width, hidden, "attention", parent=PARENT),
        )

    def _rule(self) -> Op:
        dims = {"heads": self.heads, "key_heads": self.heads, "D_k": self.size, "D_v": self.size, "decays": self.size}
        weights = {"forget_gate.dt_bias": self._width, "forget_gate.A_log": self.heads}
        return recurrent("delta_rule", "gated_delta_rule", {k: float(v) for k, v in dims.items()}, PARENT, weights)
