"""Grouped-query attention with more to it: a norm of its own, differences of two, a mask that is learnt."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.blocks.norms import norm, unit_norm
from explorer.analysis.models.parts import Cache, Op, Tensor, elementwise, linear
from explorer.analysis.models.transformer import Half

LAMBDAS = ("lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2")


class Normed(msgspec.Struct, frozen=True):
    """Attention behind a layer norm that not every layer has, with `weights` values per channel."""

    inner: GroupedQuery
    name: str
    weights: int

    @property
    def code(self) -> str:
        return self.inner.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.inner.caches

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        first = norm(self.name, self.inner.hidden, kind="layer_norm", weights=self.weights)
        return (first, *self.inner.ops(mixed=mixed))


class Differential(msgspec.Struct, frozen=True):
    """The difference of two attentions, each with half of the values (arXiv 2410.05258), as two calls."""

    inner: GroupedQuery

    @property
    def code(self) -> str:
        return self.inner.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.inner.caches

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        one, parent = self.inner, self.inner.names.parent
        width = one.heads * one.head_dim
        learnt = tuple(Tensor(f"{parent}.{name}", one.head_dim, "bias") for name in LAMBDAS)
        difference = elementwise("lambda", "residual_add", width, "attention", parent=parent)
        made: list[Op] = []
        for op in one.ops(mixed=mixed):
            if op.name != "attention":
                made.append(op)
                continue
            twice = tuple((name, 2.0 * one.heads if name == "heads" else value) for name, value in op.dims)
            made += [replace(op, dims=twice, tensors=learnt), difference, unit_norm("groupnorm", width, parent)]
        return tuple(made)


class Dynamic(msgspec.Struct, frozen=True):
    """Attention under a mask that the values give, and a residual with weights (Doge, arXiv 2412.11834)."""

    inner: GroupedQuery
    bias: bool = False

    @property
    def code(self) -> str:
        return self.inner.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.inner.caches

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        one, parent = self.inner, self.inner.names.parent
        weights = linear(
            "dt_proj", one.kv_heads * one.head_dim, one.kv_heads, "attention", parent=parent, bias=self.bias
        )
        mask = elementwise("dt_exp", "scale", one.kv_heads, "attention", parent=parent)
        learnt = replace(
            mask, dims=(*mask.dims, ("per_value", 4.0)), tensors=(Tensor(f"{parent}.A", one.kv_heads, "bias"),)
        )
        made: list[Op] = []
        for op in one.ops(mixed=mixed):
            made += [weights, learnt, op] if op.name == "attention" else [op]
        return (*made, weighted("input_residual", one.hidden))


class WeightedMlp(msgspec.Struct, frozen=True):
    """A feed-forward block whose residual has weights of its own."""

    inner: Half
    hidden: int

    @property
    def code(self) -> str:
        return self.inner.code

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        return (*self.inner.ops(mixed=mixed), weighted("post_attention_residual", self.hidden))


def weighted(name: str, hidden: int) -> Op:
    """The stream times learnt weights."""
    return replace(elementwise(name, "scale", hidden, "residual"), tensors=(Tensor(name, hidden, "bias"),))
