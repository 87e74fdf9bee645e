"""Gated DeltaNet (arXiv 2412.06464) and the gated attention beside it, as Qwen3-Next and Qwen3.5 have them."""

import msgspec

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.blocks.states.recurrent import convolution, convolution_state, recurrent
from explorer.analysis.models.parts import Cache, Op, State, elementwise, linear

PARENT = "linear_attn"


class GatedDeltaNet(msgspec.Struct, frozen=True):
    """Linear attention of one layer, whose state is one D_k x D_v matrix per value head.

    `split` has an own projection for queries, keys and values, for the output gate, and for either gate of the state;
    without it two projections do all; `apart` has one for each of them.
    """

    hidden: int
    key_heads: int
    value_heads: int
    key_size: int
    value_size: int
    kernel: int
    split: bool = False
    apart: bool = False

    @property
    def code(self) -> str:
        return "linear"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    @property
    def states(self) -> tuple[State, ...]:
        matrix = State(self.value_heads * self.key_size * self.value_size)
        return (matrix, convolution_state(self._channels, self.kernel))

    @property
    def _values(self) -> int:
        return self.value_heads * self.value_size

    @property
    def _channels(self) -> int:
        return 2 * self.key_heads * self.key_size + self._values

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        return (
            *(linear(name, self.hidden, n, "attention", parent=PARENT) for name, n in self._inward()),
            convolution(self._channels, self.kernel, PARENT),
            elementwise("conv1d.act", "silu", self._channels, "activation", parent=PARENT),
            self._rule(),
            norm("o_norm" if self.apart else "norm", self.value_size, parent=PARENT, rows=self.value_heads),
            elementwise("norm.gate", "gated_silu", self._values, "activation", parent=PARENT),
            linear("o_proj" if self.apart else "out_proj", self._values, self.hidden, "attention", parent=PARENT),
        )

    def _inward(self) -> tuple[tuple[str, int], ...]:
        heads = self.value_heads
        if self.apart:
            keys, values = self.key_heads * self.key_size, self._values
            made = ("q_proj", keys), ("k_proj", keys), ("v_proj", values)
            return (*made, ("a_proj", heads), ("b_proj", heads), ("g_proj", values))
        if not self.split:
            return (("in_proj_qkvz", self._channels + self._values), ("in_proj_ba", 2 * heads))
        each = ("in_proj_z", self._values), ("in_proj_b", heads), ("in_proj_a", heads)
        return (("in_proj_qkv", self._channels), *each)

    def _rule(self) -> Op:
        dims = {"heads": self.value_heads, "key_heads": self.key_heads, "D_k": self.key_size, "D_v": self.value_size}
        weights = {"dt_bias": self.value_heads, "A_log": self.value_heads}
        return recurrent("delta_rule", "gated_delta_rule", {k: float(v) for k, v in dims.items()}, PARENT, weights)


class GatedAttention(msgspec.Struct, frozen=True):
    """Attention whose query projection also makes a gate for what it finds."""

    inner: GroupedQuery

    @property
    def code(self) -> str:
        return self.inner.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.inner.caches

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        made: list[Op] = []
        for op in self.inner.ops(mixed=mixed):
            made.append(self._queries() if op.name == "q_proj" else op)
            if op.name == "attention":
                made.append(elementwise("gate", "gated_sigmoid", self._width, "activation", parent=op.parent))
        return tuple(made)

    @property
    def _width(self) -> int:
        return self.inner.heads * self.inner.head_dim

    def _queries(self) -> Op:
        one = self.inner
        return linear("q_proj", one.hidden, 2 * self._width, "attention", parent=one.names.parent, bias=one.qkv_bias)
