"""Zamba: one transformer block that many layers share, in front of the Mamba layer that each has for itself."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.blocks.states.state_space import Mamba, Mamba2
from explorer.analysis.models.parts import Cache, Op, State, Tensor, elementwise, linear


class SharedTransformer(msgspec.Struct, frozen=True):
    """Attention and a gated block over the stream beside the embedding; weights are those of a few blocks for all.

    Every layer adapts the block's way in, and its projections where `adapted`, by two narrow layers of its own.
    """

    hidden: int
    attention: GroupedQuery
    mlp: GatedMlp
    parent: str
    rank: int = 0
    adapted: bool = False

    def tensors(self) -> tuple[Tensor, ...]:
        """What one block holds."""
        return tuple(tensor for op in self._common() for tensor in op.tensors)

    def ops(self) -> tuple[Op, ...]:
        """Operators in execution order; those of the block own no tensors, which count with the model."""
        shared = {op.name: replace(op, tensors=()) for op in self._common()}
        made: list[Op] = [elementwise("concatenate", "copy", 2 * self.hidden, "embedding", parent=self.parent)]
        for name, op in shared.items():
            made.append(op)
            if name in {"v_proj", self.mlp.fused} and name:
                made += self._adapters(name)
        return tuple(made)

    def _common(self) -> tuple[Op, ...]:
        return (
            norm("input_layernorm", 2 * self.hidden, parent=self.parent),
            *self.attention.ops(mixed=False),
            norm("pre_ff_layernorm", self.hidden, parent=self.parent),
            *self.mlp.ops(mixed=False),
        )

    def _adapters(self, name: str) -> tuple[Op, ...]:
        if name == self.mlp.fused:
            made = self._narrow(f"{name}_adapter_list", self.mlp.parent, self.hidden, 2 * self.mlp.inner)
            return made if self.rank else ()
        names, wide, parent = (
            [f"linear_{letter}_adapter_list" for letter in "qkv"],
            2 * self.hidden,
            self.attention.names.parent,
        )
        return tuple(op for one in names for op in self._narrow(one, parent, wide, wide)) if self.adapted else ()

    def _narrow(self, name: str, parent: str, inputs: int, outputs: int) -> tuple[Op, ...]:
        return (
            linear(f"{name}.0", inputs, self.rank, "projection", parent=parent, group="attention"),
            linear(f"{name}.1", self.rank, outputs, "projection", parent=parent, group="attention"),
            elementwise(f"{name}.add", "residual_add", outputs, "attention", parent=parent),
        )


class ZambaLayer(msgspec.Struct, frozen=True):
    """A Mamba layer, with the shared block in front of it where it has one."""

    hidden: int
    mamba: Mamba | Mamba2
    shared: SharedTransformer | None = None

    @property
    def code(self) -> str:
        return f"full + {self.mamba.code}" if self.shared else self.mamba.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.shared.attention.caches if self.shared else ()

    @property
    def states(self) -> tuple[State, ...]:
        return self.mamba.states

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        own = (norm("input_layernorm", self.hidden), *self.mamba.ops(mixed=mixed))
        return (*self._before(), *own)

    def _before(self) -> tuple[Op, ...]:
        if self.shared is None:
            return ()
        bridge = linear("linear", self.hidden, self.hidden, "projection", parent="", group="attention")
        return (*self.shared.ops(), bridge, elementwise("linear.add", "residual_add", self.hidden, "residual"))
