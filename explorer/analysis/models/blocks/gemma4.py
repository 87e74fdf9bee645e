"""Halves of Gemma 4: they bring their norms and add themselves to the stream, which goes on after the second half.

Module structure: the transformers library, version 5.24 (gemma4).
"""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import attention_dims, rotary
from explorer.analysis.models.blocks.mixture import within
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.parts import Cache, Op, Tensor, elementwise, linear, residual

ATTENTION, MLP = "self_attn", "mlp"


class Gemma4Attention(msgspec.Struct, frozen=True):
    """Attention of one layer; `keys_are_values` without a projection of values, `reuses` the cache of another layer."""

    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    rotary: int
    window: int | None = None
    bias: bool = False
    keys_are_values: bool = False
    reuses: bool = False

    @property
    def code(self) -> str:
        seen = f"sliding {self.window}" if self.window else "full"
        return f"{seen}, shared KV" if self.reuses else seen

    @property
    def caches(self) -> tuple[Cache, ...]:
        return () if self.reuses else (Cache(2 * self.kv_heads * self.head_dim, self.window),)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order, norms and residual included; `mixed` where layers differ."""
        label = "sliding" if mixed and self.window else ""
        turned = self.heads if self.reuses else self.heads + self.kv_heads
        dims = attention_dims(self.heads, self.kv_heads, self.head_dim, self.head_dim, self.window)
        return (
            norm("input_layernorm", self.hidden),
            self._linear("q_proj", self.heads, label),
            self._norm("q_norm", self.heads, label),
            *self._keys_and_values(label),
            replace(rotary(turned, self.rotary, ATTENTION), label=label),
            Op("attention", "attention", dims, "attention", parent=ATTENTION, label=label),
            linear(
                "o_proj", self.heads * self.head_dim, self.hidden, "attention",
                parent=ATTENTION, bias=self.bias, label=label,
            ),
            norm("post_attention_layernorm", self.hidden),
            residual(self.hidden, ATTENTION),
        )  # fmt: skip

    def _keys_and_values(self, label: str) -> tuple[Op, ...]:
        if self.reuses:
            return ()
        keys = self._linear("k_proj", self.kv_heads, label)
        values = self._linear("v_proj", self.kv_heads, label)
        plain = norm("v_norm", self.head_dim, parent=ATTENTION, rows=self.kv_heads, weights=0)
        made = (keys,) if self.keys_are_values else (keys, values)
        return (
            *(replace(op, output="kv") for op in made),
            self._norm("k_norm", self.kv_heads, label),
            replace(plain, label=label, output="kv" if self.keys_are_values else "stored"),
        )

    def _linear(self, name: str, heads: int, label: str) -> Op:
        width = heads * self.head_dim
        return linear(name, self.hidden, width, "attention", parent=ATTENTION, bias=self.bias, label=label)

    def _norm(self, name: str, heads: int, label: str) -> Op:
        return replace(norm(name, self.head_dim, parent=ATTENTION, rows=heads), label=label)


class Gemma4FeedForward(msgspec.Struct, frozen=True):
    """A dense block, experts beside it where there are any, then the layer's own input (`extra` values wide)."""

    hidden: int
    inner: int
    experts: Experts | None = None
    extra: int = 0

    @property
    def code(self) -> str:
        return f"dense + {self.experts.code}" if self.experts else "dense"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - the dense block is in every layer
        """Operators in execution order, norms and residuals included."""
        dense = GatedMlp(self.hidden, self.inner, "gelu")
        return (
            norm("pre_feedforward_layernorm", self.hidden),
            *dense.ops(mixed=False),
            *self._sparse(),
            norm("post_feedforward_layernorm", self.hidden),
            residual(self.hidden, MLP),
            *self._own_input(),
            elementwise("layer_scalar", "scale", self.hidden, "residual"),
        )

    def _sparse(self) -> tuple[Op, ...]:
        """Experts read the stream, not what the dense block has made of it; the router norms and scales it first."""
        if self.experts is None:
            return ()
        count = self.experts.experts
        scale = Tensor("router.scale", self.hidden, "bias")
        each = Tensor("router.per_expert_scale", count, "bias")
        first, choice = self.experts.routing()
        return (
            norm("post_feedforward_layernorm_1", self.hidden),
            norm("norm", self.hidden, parent="router", weights=0),
            replace(elementwise("scale", "scale", self.hidden, "router", parent="router"), tensors=(scale,)),
            *within((first, replace(choice, tensors=(each,))), ""),
            norm("pre_feedforward_layernorm_2", self.hidden),
            *within(self.experts.ops(mixed=False)[2:], ""),
            norm("post_feedforward_layernorm_2", self.hidden),
            elementwise("experts.add", "residual_add", self.hidden, "moe", parent=MLP),
        )

    def _own_input(self) -> tuple[Op, ...]:
        if not self.extra:
            return ()
        return (
            linear("per_layer_input_gate", self.hidden, self.extra, "mlp", parent=""),
            elementwise("per_layer_input", "gated_gelu", self.extra, "activation"),
            linear("per_layer_projection", self.extra, self.hidden, "mlp", parent=""),
            norm("post_per_layer_input_norm", self.hidden),
            residual(self.hidden, "per_layer_input"),
        )
