"""The mLSTM layer of xLSTM (arXiv 2405.04517, 2503.13427): a matrix memory with exponential gates."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.blocks.states.recurrent import recurrent
from explorer.analysis.models.parts import Cache, Op, State, elementwise, linear

PARENT = "mlstm_layer"
CAP = 3.0  # divide, tanh, multiply


class MatrixLstm(msgspec.Struct, frozen=True):
    """A memory of one D_qk x D_v matrix per head, a running sum of keys and a maximum; `fused` has few projections."""

    hidden: int
    heads: int
    key_width: int
    value_width: int
    fused: bool = False

    @property
    def code(self) -> str:
        return "mlstm"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    @property
    def states(self) -> tuple[State, ...]:
        keys, values = self.key_width // self.heads, self.value_width // self.heads
        return (State(self.heads * (keys * values + keys + 1)),)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - every layer is alike
        """Operators in execution order."""
        width, heads = self.value_width, float(self.heads)
        sizes = {"heads": heads, "D_k": self.key_width / heads, "D_v": width / heads, "normed": 1.0}
        cap = elementwise("gate_soft_cap", "scale", 2 * heads, "attention", parent=PARENT)
        return (
            *self._inward(),
            replace(cap, dims=(*cap.dims, ("per_value", CAP))),
            recurrent("mlstm_backend", "decayed_attention", sizes, PARENT, {}),
            self._norm(),
            elementwise("ogate_act_fn", "gated_sigmoid", width, "activation", parent=PARENT),
            linear("out_proj", width, self.hidden, "attention", parent=PARENT),
        )

    def _inward(self) -> tuple[Op, ...]:
        """Projections, and the gates of the memory, which alone have biases."""
        keys, values, heads = self.key_width, self.value_width, self.heads
        if self.fused:
            return (
                self._linear("qkv_opreact", 2 * (keys + values)),
                self._linear("ifgate_preact", 2 * heads, gate=True),
            )
        widths = {"q": keys, "k": keys, "v": values, "ogate_preact": values}
        gates = (self._linear(name, heads, gate=True) for name in ("igate_preact", "fgate_preact"))
        return (*(self._linear(name, width) for name, width in widths.items()), *gates)

    def _linear(self, name: str, outputs: int, *, gate: bool = False) -> Op:
        return linear(name, self.hidden, outputs, "attention", parent=PARENT, bias=gate)

    def _norm(self) -> Op:
        """A layer norm over each head, with a scale for every channel of all heads."""
        size = self.value_width // self.heads
        return norm("multihead_norm", size, kind="layer_norm", parent=PARENT, rows=self.heads, weights=self.heads)
