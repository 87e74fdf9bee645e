"""Attention without a mask: every token sees every other, or those within reach, and nothing is cached."""

import msgspec

from explorer.analysis.models.blocks.attention import Names, attention_dims, rotary
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.parts import Cache, Dim, Op, linear


class Bidirectional(msgspec.Struct, frozen=True):
    """Attention without a mask; `reach` is how far a windowed layer looks to either side.

    `norm` names a layer norm of its own before it, with `norm_weights` values per channel.
    """

    hidden: int
    heads: int
    head_dim: int
    bias: bool = True
    key_bias: bool = True
    reach: int | None = None
    rotary: int = 0
    names: Names = msgspec.field(default_factory=Names)
    norm: str = ""
    norm_weights: int = 2
    kv_heads: int = 0  # 0: as many as queries have

    @property
    def code(self) -> str:
        return f"bidirectional {2 * self.reach + 1}" if self.reach is not None else "bidirectional"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order; `mixed` where other layers of the model see further."""
        names, width = self.names, self.heads * self.head_dim
        label = "sliding" if mixed and self.reach is not None else ""
        turned = (rotary(self.heads + self._kv_heads, self.rotary, names.parent),) if self.rotary else ()
        product = Op(
            "attention", "attention", self._dims(), "attention", parent=names.parent, keys="stored", label=label
        )
        outer, _, leaf = names.out.rpartition(".")  # the projection out may stand in a module of its own
        out = linear(leaf, width, self.hidden, "attention", parent=outer or names.parent, bias=self.bias)
        return (*self._norm(), *self._projections(width), *turned, product, out)

    @property
    def _kv_heads(self) -> int:
        return self.kv_heads or self.heads

    def _norm(self) -> tuple[Op, ...]:
        if not self.norm:
            return ()
        return (norm(self.norm, self.hidden, kind="layer_norm", weights=self.norm_weights),)

    def _projections(self, width: int) -> tuple[Op, ...]:
        names, bias, own = self.names, self.bias, self._kv_heads * self.head_dim
        if names.fused:
            return (linear(names.fused, self.hidden, width + 2 * own, "attention", parent=names.parent, bias=bias),)
        sides = ((names.q, width, bias), (names.k, own, bias and self.key_bias), (names.v, own, bias))
        return tuple(
            linear(name, self.hidden, size, "attention", parent=names.parent, bias=biased)
            for name, size, biased in sides
        )

    def _dims(self) -> tuple[tuple[str, Dim], ...]:
        dims = dict(attention_dims(self.heads, self._kv_heads, self.head_dim, self.head_dim))
        if self.reach is None:
            return tuple({**dims, "causal": 0.0}.items())
        return (*{**dims, "window": self.reach + 1.0}.items(), ("both_ways", 1.0))
