"""Disentangled attention (DeBERTa): content against content, content against distances, distances against content."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.parts import Cache, Dim, Op, Per, Tensor, linear

Side = Literal["c2p", "p2c"]


class Distances(msgspec.Struct, frozen=True):
    """What is told apart: `span` distances to either side, or as many as there are tokens where `near`.

    `sides` are the products with them. Without projections of their own they go through those of the content
    (`shared`: both of them, whatever the sides).
    """

    span: int
    sides: tuple[Side, ...]
    shared: bool = False
    near: bool = False
    names: tuple[str, str] = ("pos_key_proj", "pos_query_proj")
    key_bias: bool = True

    @property
    def rows(self) -> Dim:
        """Embeddings of distances in a pass."""
        return Per("near", 2.0, limit=float(self.span)) if self.near else 2.0 * self.span


class Disentangled(msgspec.Struct, frozen=True):
    """Attention of one layer; `own_biases` of queries and values stand beside one projection without any."""

    content: Bidirectional
    distances: Distances | None = None
    own_biases: bool = False

    @property
    def code(self) -> str:
        return self.content.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order: the projections, those of distances, the products."""
        own = self.content.ops(mixed=mixed)
        at = next(i for i, op in enumerate(own) if op.kind == "attention")
        before = (replace(own[0], tensors=self._fused(own[0])), *own[1:at]) if self.own_biases else own[:at]
        return (*before, *self._of_distances(), *own[at:])

    def _fused(self, op: Op) -> tuple[Tensor, ...]:
        width, parent = self.content.heads * self.content.head_dim, self.content.names.parent
        biases = tuple(Tensor(f"{parent}.{name}", width, "bias") for name in ("q_bias", "v_bias"))
        return (*(t for t in op.tensors if t.role != "bias"), *biases)

    def _of_distances(self) -> tuple[Op, ...]:
        told = self.distances
        if told is None:
            return ()
        return (*self._projections(told), *(self._product(side, told.rows) for side in told.sides))

    def _projections(self, told: Distances) -> tuple[Op, ...]:
        names = self.content.names
        if told.shared:
            made = (self._projection(name, told.rows, biased=True) for name in (names.q, names.k))
            return tuple(replace(op, tensors=(), label="distances") for op in made)
        key, query = told.names
        sides = {"c2p": (key, told.key_bias), "p2c": (query, True)}
        return tuple(
            self._projection(name, told.rows, biased=bias) for name, bias in map(sides.__getitem__, told.sides)
        )

    def _projection(self, name: str, rows: Dim, *, biased: bool) -> Op:
        content, names = self.content, self.content.names
        width = content.heads * content.head_dim
        made = linear(name, content.hidden, width, "attention", parent=names.parent, bias=biased)
        return replace(made, dims=tuple((dim, rows if dim == "m" else value) for dim, value in made.dims))

    def _product(self, side: Side, rows: Dim) -> Op:
        content: Bidirectional = self.content
        dims: tuple[tuple[str, Dim], ...] = (
            ("b", Per("batch", float(content.heads))), ("m", Per("queries")), ("n", rows),
            ("k", float(content.head_dim)),
        )  # fmt: skip
        return Op(side, "batched_matmul", dims, "attention", parent=content.names.parent)


FIRST_NAMES = Names("attention.self", "attention.output.dense", "in_proj")
SECOND_NAMES = Names("attention.self", "attention.output.dense", "", "query_proj", "key_proj", "value_proj")
