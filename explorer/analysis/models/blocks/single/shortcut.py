"""Layers of two attentions and two dense blocks, with experts beside all but the first attention (LongCat-Flash).

Module structure: the transformers library, version 5.24 (longcat_flash).
"""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.mla import Latent
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.parts import Cache, Op, elementwise, linear, residual

ATTENTION = "self_attn"


def numbered(ops: tuple[Op, ...], old: str, new: str) -> tuple[Op, ...]:
    """Operators of a module that stands in the layer more than once."""
    return tuple(
        replace(
            op,
            parent=op.parent.replace(old, new, 1),
            tensors=tuple(replace(t, name=t.name.replace(old, new, 1)) for t in op.tensors),
        )
        for op in ops
    )


class FirstAttention(msgspec.Struct, frozen=True):
    """The first attention of a layer, whose cache is the layer's: both attentions'."""

    latent: Latent

    @property
    def code(self) -> str:
        return "mla, twice"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return (*self.latent.caches, *self.latent.caches)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - every layer is alike
        """Operators in execution order, norm and residual included."""
        return half(self.latent, 0)


class ShortcutRest(msgspec.Struct, frozen=True):
    """Experts beside a dense block, the second attention and the second dense block.

    Of `choices` of the router all beyond the experts hand the stream on as it is.
    """

    latent: Latent
    experts: Experts
    inner: int
    choices: int

    @property
    def code(self) -> str:
        return f"2 dense + {self.experts.code}"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - every layer is alike
        """Operators in execution order, norms and residuals included."""
        hidden, one = self.latent.hidden, self.experts
        _, choice, *routed = one.ops(mixed=False)
        router = linear(
            one.router, hidden, self.choices, "router", parent=one.parent, bias=one.router_bias, storage="wide"
        )
        wide = tuple((name, float(self.choices) if name == "experts" else value) for name, value in choice.dims)
        return (
            norm("post_attention_layernorm.0", hidden),
            router,
            replace(choice, dims=wide),
            *routed,
            *self._dense(0),
            *half(self.latent, 1),
            norm("post_attention_layernorm.1", hidden),
            *self._dense(1),
            elementwise("shortcut.add", "residual_add", hidden, "residual", parent="mlp"),
        )

    def _dense(self, number: int) -> tuple[Op, ...]:
        parent = f"mlps.{number}"
        block = GatedMlp(self.latent.hidden, self.inner, self.experts.activation, parent=parent)
        return (*block.ops(mixed=False), residual(self.latent.hidden, parent))


def half(latent: Latent, number: int) -> tuple[Op, ...]:
    """One of a layer's attentions, norm and residual included."""
    made = numbered(latent.ops(mixed=False), ATTENTION, f"{ATTENTION}.{number}")
    first = norm(f"input_layernorm.{number}", latent.hidden)
    return (first, *made, residual(latent.hidden, f"{ATTENTION}.{number}"))
