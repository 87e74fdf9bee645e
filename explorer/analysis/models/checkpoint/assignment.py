"""Which module of a checkpoint is stored how: rules in order, the first that names a module counts."""

from collections.abc import Iterable, Iterator, Sequence
from math import prod
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.module_names import ModuleNames
from explorer.analysis.models.parts import Architecture, Op, Packing

Kind = Literal["linear", "experts", "fused", "router", "head", "embedding"]  # `fused`: experts in one tensor
LINEAR: Final = frozenset[Kind]({"linear", "experts", "fused"})
LINEAR_AND_HEAD: Final = LINEAR | frozenset[Kind]({"head"})
MATRICES: Final = frozenset({"matmul", "qkv_matmul", "moe_matmul"})
_ALIASES: Final = (  # Mixtral's checkpoints, and all that are written after it
    ("mlp.experts.0.gate_proj", "block_sparse_moe.experts.0.w1"),
    ("mlp.experts.0.down_proj", "block_sparse_moe.experts.0.w2"),
    ("mlp.experts.0.up_proj", "block_sparse_moe.experts.0.w3"),
    ("mlp.gate", "block_sparse_moe.gate"),
)
_PARTS: Final = "absorbed_matmul"
_FUSED: Final = "experts.gate_up_proj"
_FUSED_OF: Final = {"gate_proj": "gate_up_proj", "up_proj": "gate_up_proj"}


class Rule(msgspec.Struct, frozen=True):
    """Modules by name, by kind or by both, and their layout; None: they stay as wide as the checkpoint."""

    layout: WeightLayout | None
    names: ModuleNames | None = None
    kinds: frozenset[Kind] | None = None

    def holds(self, paths: tuple[str, ...], kind: Kind) -> bool:
        """Whether a module is meant, known by any of its names."""
        if self.kinds is not None and kind not in self.kinds:
            return False
        return self.names is None or self.names.any(paths)


class Assignment(msgspec.Struct, frozen=True):
    """The rules of a checkpoint, and how all others of the kinds `covers` are stored.

    `shared` is set where experts in one tensor have one set of global scales. A head that is the embedding table
    follows the table (`ties`), stays wide, or has a matrix of its own (`unties`).
    """

    rules: tuple[Rule, ...]
    default: WeightLayout | None = None
    covers: frozenset[Kind] = LINEAR
    ties: bool = False
    unties: bool = False

    def layouts(self, ops: Sequence[Op], index: int | None = None) -> tuple[WeightLayout | None, ...]:
        """How the weights of the operators of layer `index` are stored, or of those outside of the layers."""
        fused = experts_are_fused(ops)
        return tuple(self._layout(op, index, kind_of(op, fused=fused)) for op in ops)

    def _layout(self, op: Op, index: int | None, kind: Kind | None) -> WeightLayout | None:
        if kind is None:
            return None
        paths = tuple(_paths(op, index, kind))
        for rule in self.rules:
            if rule.holds(paths, kind):
                return rule.layout
        return self.default if kind in self.covers else None


def kind_of(op: Op, *, fused: bool = False) -> Kind | None:
    """What a method may quantise of an operator; `fused` where the experts of its layer are one tensor."""
    if op.kind == "embedding":
        return "embedding"
    if op.kind == "moe_matmul":
        return "fused" if fused else "experts"
    if op.storage == "linear":
        return "linear"
    if op.kind not in MATRICES:
        return None
    return "head" if op.group == "head" else "router"


def experts_are_fused(ops: Iterable[Op]) -> bool:
    """Whether a layer's experts lie in one tensor for each of their matrices."""
    return any(op.name == _FUSED for op in ops)


def packed(ops: Sequence[Op], layouts: Sequence[WeightLayout | None]) -> tuple[Op, ...]:
    """Operators whose weights are stored so; without a layout they stay wide."""
    fused = experts_are_fused(ops)
    made = tuple(_packed(op, layout, fused=fused) for op, layout in zip(ops, layouts, strict=True))
    owners = {op.name: op for op in made if op.packing is not None and op.tensors and op.packing.beside}
    return tuple(_beside(op, owners.get(op.name.split("[")[0])) for op in made)


def _beside(op: Op, owner: Op | None) -> Op:
    """An operator that reads a part of another one's matrix, with as large a part of what lies beside it."""
    if op.packing is None or owner is None or owner.packing is None or op.kind != _PARTS:
        return op
    part = prod(value for name, value in op.dims if name in {"heads", "n", "k"} and isinstance(value, float))
    whole = sum(t.values for t in owner.tensors if t.role != "bias")
    return replace(op, packing=replace(op.packing, beside=owner.packing.beside * part / whole))


def _packed(op: Op, layout: WeightLayout | None, *, fused: bool = False) -> Op:
    if layout is None:
        return _kept(op)
    packing = _packing(op, layout, fused=fused)
    tensors = tuple(t if t.role == "bias" else replace(t, packing=packing) for t in op.tensors)
    return replace(op, packing=packing, tensors=tensors)


def _packing(op: Op, layout: WeightLayout, *, fused: bool) -> Packing:
    if op.kind != "embedding" and op.kind not in MATRICES:  # reads the matrix of another operator
        return Packing(layout.format, layout.bits, layout.like, 0.0, layout.input)
    dims = {name: value for name, value in op.dims if isinstance(value, float)}
    size = (dims["vocab"], dims["hidden"]) if op.kind == "embedding" else (dims["n"], dims["k"])
    return layout.packing(*size, shared=int(dims["experts"]) if fused and "experts" in dims else 1)


def _kept(op: Op) -> Op:
    if op.storage != "linear":
        return op
    tensors = tuple(replace(t, storage="kept") if t.storage == "linear" else t for t in op.tensors)
    return replace(op, storage="kept", tensors=tensors)


def with_outer(architecture: Architecture, assignment: Assignment | None) -> Architecture:
    """The same architecture with embedding, head and what else stands outside of its layers as it is stored."""
    if assignment is None:
        return architecture
    before = assignment.layouts(architecture.before)
    after = assignment.layouts(architecture.after)
    if architecture.tied and not assignment.unties:
        pairs = zip(architecture.before, before, strict=True)
        own = next((layout for op, layout in pairs if op.kind == "embedding"), None) if assignment.ties else None
        after = tuple(
            own if op.group == "head" and op.kind in MATRICES else layout
            for op, layout in zip(architecture.after, after, strict=True)
        )
    return replace(
        architecture,
        before=packed(architecture.before, before),
        after=packed(architecture.after, after),
        encoder=None if architecture.encoder is None else with_outer(architecture.encoder, assignment),
    )


def _paths(op: Op, index: int | None, kind: Kind) -> Iterator[str]:
    """The names a module may have: as one of several experts, as all of them, in older checkpoints."""
    name = op.name.split("[")[0]
    path = f"{op.parent}.{name}" if op.parent else name
    lead = "" if index is None else f"layers.{index}."
    yield lead + path
    if kind in {"experts", "fused"}:
        outer, _, leaf = path.rpartition(".")
        numbered = f"{outer}.0.{leaf}"
        yield from (lead + other for other in (numbered, outer, f"{outer}.{_FUSED_OF.get(leaf, leaf)}"))
        path = numbered
    yield from (lead + new for old, new in _ALIASES if path == old)
