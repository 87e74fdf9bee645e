"""A transformer layer over a fixed number of rows, with the names of its modules."""

import msgspec

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    added,
    attended,
    dense,
    learnt,
    normed,
    split,
    turned,
    valued,
)
from explorer.analysis.models.blocks.mlp import Activation


class Leaves(msgspec.Struct, frozen=True):
    """Module paths within a layer; "" where there is no such module."""

    first: str = "layer_norm1"
    q: str = "self_attn.q_proj"
    k: str = "self_attn.k_proj"
    v: str = "self_attn.v_proj"
    product: str = "self_attn.attention"
    out: str = "self_attn.out_proj"
    second: str = "layer_norm2"
    inward: str = "mlp.fc1"
    act: str = "mlp.activation_fn"
    outward: str = "mlp.fc2"
    gate: str = ""
    fused: str = ""
    scales: tuple[str, str] = ("", "")
    q_norm: str = ""
    k_norm: str = ""
    adds: tuple[str, str] = ("self_attn.residual_add", "mlp.residual_add")


CLIP_LEAVES = Leaves()


class LayerBlock(msgspec.Struct, frozen=True):
    """A layer: attention, then two linear layers (three where gated), each with a norm and added to the stream.

    `biases` of queries, keys, values and the way out; `on_sum` puts the norms behind the additions.
    """

    width: int
    heads: int
    inner: int
    activation: Activation = "gelu"
    leaves: Leaves = CLIP_LEAVES
    biases: tuple[bool, bool, bool, bool] = (True, True, True, True)
    mlp_bias: bool = True
    on_sum: bool = False
    causal: bool = False
    rotated: int = 0
    head_size: int = 0
    norm_weights: int = 2
    rms: bool = False
    owned_scores: int = 0

    @property
    def size(self) -> int:
        """Values per head."""
        return self.head_size or max(self.width // self.heads, 1)

    def ops(self, rows: int) -> Ops:
        """Its operators over `rows` rows."""
        return (*self.attention(rows), *self.mlp(rows))

    def attention(self, rows: int) -> Ops:
        """The first half."""
        names, inner = self.leaves, self.heads * self.size
        looked = attended(names.product, self.heads, self.size, rows, rows, causal=self.causal, owned=self.owned_scores)
        out = dense(names.out, inner, self.width, rows, bias=self.biases[3], role="attention")
        half = (*self._projections(rows), *self._turned(rows), looked, out)
        return self._joined(half, names.first, 0, rows)

    def mlp(self, rows: int) -> Ops:
        """The second half."""
        names, bias = self.leaves, self.mlp_bias
        inward = dense(names.inward, self.width, self.inner, rows, bias=bias, role="mlp")
        kind = f"gated_{self.activation}" if names.gate or names.fused else self.activation
        act = valued(names.act, kind, rows * self.inner)
        out = dense(names.outward, self.inner, self.width, rows, bias=bias, role="mlp")
        inwards: Ops = (inward,)
        if names.fused:
            inwards = (dense(names.fused, self.width, 2 * self.inner, rows, bias=bias, role="mlp"),)
        elif names.gate:
            inwards = (dense(names.gate, self.width, self.inner, rows, bias=bias, role="mlp"), inward)
        return self._joined((*inwards, act, out), names.second, 1, rows)

    def _projections(self, rows: int) -> Ops:
        names, inner = self.leaves, self.heads * self.size
        sides = zip((names.q, names.k, names.v), self.biases[:3], strict=True)
        made = tuple(dense(name, self.width, inner, rows, bias=b, role="attention") for name, b in sides)
        normalised = tuple(
            normed(name, self.size, rows * self.heads, weights=1 if self.rms else self.norm_weights, rms=self.rms)
            for name in (names.q_norm, names.k_norm)
            if name
        )
        return (*made, *normalised)

    def _turned(self, rows: int) -> Ops:
        if not self.rotated:
            return ()
        parent, _ = split(self.leaves.product)
        return (turned(f"{parent}.rotary_emb", self.rotated or rows, 2 * self.heads, self.size),)

    def _joined(self, half: Ops, norm: str, index: int, rows: int) -> Ops:
        names, values = self.leaves, rows * self.width
        normal = (
            (normed(norm, self.width, rows, weights=1 if self.rms else self.norm_weights, rms=self.rms),)
            if norm
            else ()
        )
        scale = names.scales[index]
        scaled = (learnt(scale, self.width, values, group="residual"),) if scale else ()
        add = added(names.adds[index], values)
        return (*half, *scaled, add, *normal) if self.on_sum else (*normal, *half, *scaled, add)
