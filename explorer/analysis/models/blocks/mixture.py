"""Mixtures of experts that differ from the usual one: a shared expert of its own size, or experts without gates."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import PARENT, Experts
from explorer.analysis.models.parts import Op, elementwise, linear


def within(ops: tuple[Op, ...], parent: str) -> tuple[Op, ...]:
    """The same operators in a module of another name."""
    return tuple(replace(op, parent=parent) for op in ops)


class WithSharedExpert(msgspec.Struct, frozen=True):
    """Routed experts beside one of `inner` values that always works, behind a gate of its own where `gated`."""

    routed: Experts
    inner: int
    gated: bool = False
    parent: str = PARENT
    name: str = "shared_expert"
    fused: str = ""
    down: str = "down_proj"

    @property
    def code(self) -> str:
        return f"{self.routed.code} + 1 shared"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        hidden, name = self.routed.hidden, self.name
        block = GatedMlp(
            hidden, self.inner, self.routed.activation, prefix=f"{name}.", role="shared_experts",
            fused=self.fused, down=self.down,
        )  # fmt: skip
        add = elementwise(f"{name}.add", "residual_add", hidden, "moe", parent=PARENT)
        return within((*self.routed.ops(mixed=mixed), *block.ops(mixed=False), *self._gate(), add), self.parent)

    def _gate(self) -> tuple[Op, ...]:
        if not self.gated:
            return ()
        hidden, name = self.routed.hidden, f"{self.name}_gate"
        weight = linear(name, hidden, 1, "router", parent=PARENT, storage="wide", group="moe")
        return (weight, elementwise(f"{name}.mul", "scale", hidden, "moe", parent=PARENT))


class WithSharedBlock(msgspec.Struct, frozen=True):
    """Routed experts and a dense block in a module of its own, which always works."""

    routed: Experts
    shared: GatedMlp

    @property
    def code(self) -> str:
        return f"{self.routed.code} + 1 shared"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        add = elementwise("shared.add", "residual_add", self.routed.hidden, "moe", parent=self.shared.parent)
        return (*self.routed.ops(mixed=mixed), *self.shared.ops(mixed=False), add)


class UngatedExperts(msgspec.Struct, frozen=True):
    """Experts of two linear layers around a squared ReLU, all in a narrower `latent` space where there is one."""

    hidden: int
    inner: int
    experts: int
    top_k: int
    shared_inner: int
    latent: int | None = None
    bias: bool = False
    parent: str = "mixer"

    @property
    def code(self) -> str:
        return f"moe {self.top_k} of {self.experts} + 1 shared"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        width = self.latent or self.hidden
        choice = Experts(self.hidden, self.inner, self.experts, self.top_k)
        routed = replace(choice, hidden=width)
        ops = (
            *choice.routing(),
            *self._bridge("fc1_latent_proj", self.hidden, width),
            routed.expert("up_proj", width, self.inner),
            elementwise("experts.act_fn", "relu2", self.top_k * self.inner, "activation", parent=PARENT),
            routed.expert("down_proj", self.inner, width),
            routed.combine(),
            *self._bridge("fc2_latent_proj", width, self.hidden),
            *self._shared(),
        )
        return within(ops, self.parent)

    def _bridge(self, name: str, inputs: int, outputs: int) -> tuple[Op, ...]:
        if self.latent is None:
            return ()
        return (linear(name, inputs, outputs, "mlp", parent=self.parent, bias=self.bias, group="moe"),)

    def _shared(self) -> tuple[Op, ...]:
        block = SquaredMlp(self.hidden, self.shared_inner, self.bias, prefix="shared_experts.")
        add = elementwise("shared_experts.add", "residual_add", self.hidden, "moe", parent=self.parent)
        return (*block.ops(mixed=False), add)


class SquaredMlp(msgspec.Struct, frozen=True):
    """down(relu(up(x)) squared)."""

    hidden: int
    inner: int
    bias: bool = False
    prefix: str = ""
    parent: str = "mixer"

    @property
    def code(self) -> str:
        return "dense"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order; `mixed` where other layers of the model are not dense."""
        label = "dense" if mixed and not self.prefix else ""
        group = "moe" if self.prefix else "mlp"
        up, down = (
            linear(
                f"{self.prefix}{name}", n, m, "shared_experts" if self.prefix else "mlp",
                parent=self.parent, bias=self.bias, label=label, group=group,
            )
            for name, n, m in (("up_proj", self.hidden, self.inner), ("down_proj", self.inner, self.hidden))
        )  # fmt: skip
        act = elementwise(f"{self.prefix}act_fn", "relu2", self.inner, "activation", parent=self.parent, label=label)
        return (up, act, down)


class Absent(msgspec.Struct, frozen=True):
    """A half that a layer does not have."""

    @property
    def code(self) -> str:
        return "none"

    @property
    def caches(self) -> tuple[()]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002
        """Nothing."""
        return ()


ABSENT = Absent()
