"""Mixture of experts of one layer: router, routed experts, shared experts."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.mlp import Gate, GatedMlp
from explorer.analysis.models.parts import TOKENS, Dim, Op, Tensor, elementwise, linear

PARENT = "mlp"


class Experts(msgspec.Struct, frozen=True):
    """`top_k` of `experts` gated blocks of `inner` values work on a token; `shared` blocks always do.

    `correction` routers own a bias per expert that steers the choice alone. `names` are those of an expert's gate,
    projection up and projection down.
    """

    hidden: int
    inner: int
    experts: int
    top_k: int
    shared: int = 0
    activation: Gate = "silu"
    router: str = "gate"
    router_bias: bool = False
    bias: bool = False
    shared_bias: bool = False
    fused: bool = False
    correction: bool = False
    parent: str = PARENT
    names: tuple[str, str, str] = ("gate_proj", "up_proj", "down_proj")
    shared_name: str = "shared_experts"
    correction_name: str = "e_score_correction_bias"

    @property
    def code(self) -> str:
        routed = f"moe {self.top_k} of {self.experts}"
        return f"{routed} + {self.shared} shared" if self.shared else routed

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        inner, values = self.inner, float(self.top_k * self.inner)
        gate, up, down = self.names
        inward = (("gate_up_proj", 2 * inner),) if self.fused else ((gate, inner), (up, inner))
        return (
            *self.routing(),
            *(self.expert(name, self.hidden, n) for name, n in inward),
            elementwise("experts.act_fn", f"gated_{self.activation}", values, "activation", parent=self.parent),
            self.expert(down, inner, self.hidden),
            self.combine(),
            *self._shared(),
        )

    def combine(self) -> Op:
        """The weighted sum of what a token's experts say."""
        return Op("combine", "combine", self._routed(("hidden", float(self.hidden))), "moe", parent=self.parent)

    def _routed(self, *others: tuple[str, Dim]) -> tuple[tuple[str, Dim], ...]:
        return (("tokens", TOKENS), ("top_k", float(self.top_k)), *others)

    def routing(self) -> tuple[Op, ...]:
        """The router and the choice of experts."""
        chosen = self._routed(("experts", float(self.experts)))
        logits = linear(
            self.router, self.hidden, self.experts, "router", parent=self.parent, bias=self.router_bias, storage="wide"
        )
        if self.correction:
            bias = Tensor(f"{self.parent}.{self.router}.{self.correction_name}", self.experts, "bias")
            logits = replace(logits, tensors=(*logits.tensors, bias))
        return (logits, Op("topk", "router", chosen, "router", parent=self.parent))

    def expert(self, name: str, inputs: int, outputs: int) -> Op:
        """One linear layer of every expert."""
        path, count, active = f"{self.parent}.experts.{name}", self.experts, self.top_k
        weight = Tensor(f"{path}.weight", inputs * outputs, "experts", "linear", count, active)
        bias = (Tensor(f"{path}.bias", outputs, "bias", "wide", count, active),) if self.bias else ()
        dims = self._routed(("experts", float(self.experts)), ("n", float(outputs)), ("k", float(inputs)))
        return Op(
            f"experts.{name}", "moe_matmul", dims, "moe", parent=self.parent, storage="linear", tensors=(weight, *bias)
        )

    def _shared(self) -> tuple[Op, ...]:
        if not self.shared:
            return ()
        block = GatedMlp(
            self.hidden,
            self.shared * self.inner,
            self.activation,
            bias=self.shared_bias,
            prefix=f"{self.shared_name}.",
            role="shared_experts",
            parent=self.parent,
        )
        add = elementwise(f"{self.shared_name}.add", "residual_add", self.hidden, "moe", parent=self.parent)
        return (*block.ops(mixed=False), add)
