"""Feed-forward blocks of one layer: gated (SwiGLU, GeGLU) and plain."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.parts import Op, Role, Tensor, elementwise, linear

Activation = Literal["silu", "gelu", "relu", "relu2", "xielu"]
Gate = Literal["silu", "gelu", "relu2"]
XIELU = 6.0  # of the longer branch: min, exp, difference, two products, sum (arXiv 2411.13010)


class GatedMlp(msgspec.Struct, frozen=True):
    """down(act(gate(x)) x up(x)); `fused` names one projection for gate and up, the other names the modules.

    `inner_norm` names an RMS norm before the projection down.
    """

    hidden: int
    inner: int
    activation: Gate = "silu"
    bias: bool = False
    fused: str = ""
    prefix: str = ""
    role: Role = "mlp"
    gate: str = "gate_proj"
    up: str = "up_proj"
    down: str = "down_proj"
    parent: str = "mlp"
    inner_norm: str = ""

    @property
    def code(self) -> str:
        return "dense"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order; `mixed` where other layers of the model are not dense."""
        label = "dense" if mixed and not self.prefix else ""
        return (
            *(self._linear(name, self.hidden, n, label) for name, n in self._inward()),
            elementwise(
                f"{self.prefix}act_fn",
                f"gated_{self.activation}",
                self.inner,
                "activation",
                parent=self.parent,
                label=label,
            ),
            *([norm(self.inner_norm, self.inner, parent=self.parent)] if self.inner_norm else []),
            self._linear(self.down, self.inner, self.hidden, label),
        )

    def _inward(self) -> tuple[tuple[str, int], ...]:
        if self.fused:
            return ((self.fused, 2 * self.inner),)
        return ((self.gate, self.inner), (self.up, self.inner))

    def _linear(self, name: str, inputs: int, outputs: int, label: str) -> Op:
        group = "moe" if self.prefix else "mlp"
        path = f"{self.prefix}{name}"
        return linear(path, inputs, outputs, self.role, parent=self.parent, bias=self.bias, label=label, group=group)


class PlainMlp(msgspec.Struct, frozen=True):
    """out(act(in(x))), the block of the first transformers."""

    hidden: int
    inner: int
    activation: Activation = "gelu"
    bias: bool = True
    inward: str = "c_fc"
    act: str = "act"
    outward: str = "c_proj"
    parent: str = "mlp"

    @property
    def code(self) -> str:
        return "dense"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order; `mixed` where other layers of the model are not dense."""
        label = "dense" if mixed else ""
        return (
            self._linear(self.inward, self.hidden, self.inner, label),
            self._act(label),
            self._linear(self.outward, self.inner, self.hidden, label),
        )

    def _act(self, label: str) -> Op:
        if self.activation != "xielu":
            return elementwise(self.act, self.activation, self.inner, "activation", parent=self.parent, label=label)
        plain = elementwise(self.act, "scale", self.inner, "activation", parent=self.parent, label=label)
        learnt = tuple(Tensor(f"{self.parent}.{self.act}.{name}", 1, "bias") for name in ("alpha_p", "alpha_n"))
        return replace(plain, dims=(*plain.dims, ("per_value", XIELU)), tensors=learnt)

    def _linear(self, name: str, inputs: int, outputs: int, label: str) -> Op:
        outer, _, leaf = name.rpartition(".")  # a linear layer may stand in a module of its own
        if leaf.isdigit():  # a number is no name of a row
            outer, leaf = "", name
        return linear(leaf, inputs, outputs, "mlp", parent=outer or self.parent, bias=self.bias, label=label)
