"""Attention whose queries and outputs are experts', over keys and values that all share (JetMoE, arXiv 2404.07413)."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import attention_dims, rotary
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.parts import Cache, Op, Tensor, elementwise, linear

PARENT = "self_attention"
INNER = f"{PARENT}.experts"


class AttentionExperts(msgspec.Struct, frozen=True):
    """`top_k` of `experts` pairs of projections, each with `kv_heads` heads."""

    hidden: int
    kv_heads: int
    head_dim: int
    experts: int
    top_k: int

    @property
    def code(self) -> str:
        return f"full, {self.top_k} of {self.experts} experts"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return (Cache(2 * self.kv_heads * self.head_dim),)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - every layer is alike
        """Operators in execution order."""
        width, heads = self.kv_heads * self.head_dim, self.kv_heads * self.top_k
        one = Experts(self.hidden, width, self.experts, self.top_k, router="router.layer", parent=INNER)
        dims = attention_dims(heads, self.kv_heads, self.head_dim, self.head_dim)
        keys = linear("kv_proj", self.hidden, 2 * width, "attention", parent=PARENT, output="kv")
        router, choice = one.routing()
        # the router stands inside the experts, a row of it in each: those not chosen count as idle with their expert
        rows = Tensor(router.tensors[0].name, self.hidden, "router", count=self.experts, active=self.top_k)
        return (
            replace(router, tensors=(rows,)),
            choice,
            replace(one.expert("input_linear", self.hidden, width), name="input_linear"),
            keys,
            rotary(heads + self.kv_heads, self.head_dim, PARENT),
            Op("attention", "attention", dims, "attention", parent=PARENT),
            replace(one.expert("output_linear", width, self.hidden), name="output_linear"),
            one.combine(),
            bias_of(INNER, self.hidden),
        )


class BiasedExperts(msgspec.Struct, frozen=True):
    """Experts with one bias for the sum of what they say."""

    inner: Experts

    @property
    def code(self) -> str:
        return self.inner.code

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        return (*self.inner.ops(mixed=mixed), bias_of(self.inner.parent, self.inner.hidden))


def bias_of(parent: str, width: int) -> Op:
    """The addition of a bias that belongs to no linear layer."""
    bias = Tensor(f"{parent}.bias", width, "bias")
    return replace(elementwise("bias.add", "scale", width, "moe", parent=parent), tensors=(bias,))
