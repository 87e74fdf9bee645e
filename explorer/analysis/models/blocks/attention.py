"""Grouped-query attention: multi-head, multi-query and windowed attention are its special cases."""

from math import inf
from typing import Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.norms import NormKind, norm
from explorer.analysis.models.parts import Cache, Dim, Op, Per, Tensor, elementwise, linear

QkNorm = Literal["", "head", "each", "width"]
EVERY_KEY = 1e18  # the attention kind's own default: no window


class Names(msgspec.Struct, frozen=True):
    """Module names of an attention block; `fused` is the one projection of queries, keys and values."""

    parent: str = "self_attn"
    out: str = "o_proj"
    fused: str = ""
    q: str = "q_proj"
    k: str = "k_proj"
    v: str = "v_proj"
    q_norm: str = "q_norm"
    k_norm: str = "k_norm"


class GroupedQuery(msgspec.Struct, frozen=True):
    """Attention of one layer; `rotary` is the rotated size per head, `sinks` one learnt score per head.

    Norms of queries and keys span a `head`, with one set of weights or a scale for `each` head, or the whole `width`.
    What attention finds may go through a `gate` of its own, a linear layer of the stream, and an `inner_norm`. The
    cache keeps what a `window` no longer sees where it is `kept_whole`.
    `width_out` is the width of what it says where it is not the one it is fed.
    """

    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    window: int | None = None
    qkv_bias: bool = False
    key_bias: bool = True
    out_bias: bool = False
    qk_norm: QkNorm = ""
    qk_kind: NormKind = "rms_norm"
    qk_weights: int | None = None
    rotary: int = 0
    sinks: bool = False
    names: Names = Names()
    gate: str = ""
    inner_norm: str = ""
    inner_kind: NormKind = "rms_norm"
    kept_whole: bool = False
    width_out: int | None = None

    @property
    def code(self) -> str:
        return f"sliding {self.window}" if self.window else "full"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return (Cache(2 * self.kv_heads * self.head_dim, None if self.kept_whole else self.window),)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order; `mixed` where other layers of the model see other windows."""
        label = "sliding" if mixed and self.window else ""
        looks = (*self._projections(), *self._qk_norms(), *self._rotary(), self._attention(label))
        return (*looks, *self._gated(), *self._inner_norm(), self._out())

    def _projections(self) -> tuple[Op, ...]:
        width, kv_width = self.heads * self.head_dim, self.kv_heads * self.head_dim
        parent, fused, bias = self.names.parent, self.names.fused, self.qkv_bias
        if fused:
            whole = linear(fused, self.hidden, width + 2 * kv_width, "attention", parent=parent, bias=bias)
            return (replace(whole, kind="qkv_matmul", dims=(*whole.dims, ("n_kv", 2.0 * kv_width))),)
        return (
            linear(self.names.q, self.hidden, width, "attention", parent=parent, bias=bias),
            linear(
                self.names.k,
                self.hidden,
                kv_width,
                "attention",
                parent=parent,
                bias=bias and self.key_bias,
                output="kv",
            ),
            linear(self.names.v, self.hidden, kv_width, "attention", parent=parent, bias=bias, output="kv"),
        )

    def _qk_norms(self) -> tuple[Op, ...]:
        if not self.qk_norm:
            return ()
        sides = ((self.names.q_norm, self.heads), (self.names.k_norm, self.kv_heads))
        return tuple(self._qk_norm(name, heads) for name, heads in sides)

    def _qk_norm(self, name: str, heads: int) -> Op:
        parent, size, kind, weights = self.names.parent, self.head_dim, self.qk_kind, self.qk_weights
        if self.qk_norm == "width":
            return norm(name, heads * size, parent=parent, kind=kind, weights=weights)
        each = heads * (weights or 1) if self.qk_norm == "each" else weights
        return norm(name, size, parent=parent, rows=heads, kind=kind, weights=each)

    def _rotary(self) -> tuple[Op, ...]:
        return (rotary(self.heads + self.kv_heads, self.rotary, self.names.parent),) if self.rotary else ()

    def _attention(self, label: str) -> Op:
        parent = self.names.parent
        sinks = (Tensor(f"{parent}.sinks", self.heads, "bias"),) if self.sinks else ()
        dims = attention_dims(self.heads, self.kv_heads, self.head_dim, self.head_dim, self.window)
        return Op("attention", "attention", dims, "attention", parent=parent, tensors=sinks, label=label)

    def _gated(self) -> tuple[Op, ...]:
        if not self.gate:
            return ()
        width, parent = self.heads * self.head_dim, self.names.parent
        return (
            linear(self.gate, self.hidden, width, "attention", parent=parent),
            elementwise("gate", "gated_sigmoid", width, "activation", parent=parent),
        )

    def _inner_norm(self) -> tuple[Op, ...]:
        width = self.heads * self.head_dim
        if not self.inner_norm:
            return ()
        return (norm(self.inner_norm, width, kind=self.inner_kind, parent=self.names.parent),)

    def _out(self) -> Op:
        width, names = self.heads * self.head_dim, self.names
        hidden = self.width_out or self.hidden
        outer, _, leaf = names.out.rpartition(".")  # the projection out may stand in a module of its own
        return linear(leaf, width, hidden, "attention", parent=outer or names.parent, bias=self.out_bias)


def rotary(heads: int, dim: int, parent: str) -> Op:
    """The rotary embedding of queries and keys."""
    dims = (("tokens", Per("tokens")), ("positions", Per("positions")), ("heads", float(heads)), ("dim", float(dim)))
    return Op("rotary_emb", "rotary", dims, "rotary", parent=parent)


def attention_dims(
    heads: int, kv_heads: int, qk_size: int, v_size: int, window: int | None = None, *, shared: bool = False
) -> tuple[tuple[str, Dim], ...]:
    """Dims of the attention kind: in decode a windowed layer holds min(context, window) keys."""
    limit = float(window) if window else inf
    return (
        ("b", Per("batch")),
        ("heads", float(heads)),
        ("kv_heads", float(kv_heads)),
        ("S_q", Per("queries")),
        ("S_k", Per("keys", limit=limit)),
        ("D_qk", float(qk_size)),
        ("D_v", float(v_size)),
        ("window", float(window) if window else EVERY_KEY),
        ("causal", Per("masked")),
        ("cached", Per("cached", limit=limit)),
        ("shared_kv", float(shared)),
    )
