"""Experts stored in a format of their own."""

from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.parts import Architecture, Layer, Op


def with_experts(architecture: Architecture, storage: Storage) -> Architecture:
    """The same architecture, its experts marked where the checkpoint has another format for them."""
    if not storage.experts:
        return architecture
    return replace(architecture, layers=tuple(_marked(layer) for layer in architecture.layers))


def _marked(layer: Layer) -> Layer:
    return replace(layer, ops=tuple(_expert(op) if op.storage == "linear" else op for op in layer.ops))


def _expert(op: Op) -> Op:
    if not any(tensor.role == "experts" for tensor in op.tensors):
        return op
    tensors = tuple(replace(t, storage="experts") if t.role == "experts" else t for t in op.tensors)
    return replace(op, storage="experts", tensors=tensors)
