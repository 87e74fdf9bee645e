"""A model with the weights of a quantised checkpoint: its formats, what they are called together, what is quantised."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.checkpoint.assignment import with_outer
from explorer.analysis.models.checkpoint.stored_formats import StoredFormat
from explorer.analysis.models.model import Model
from explorer.analysis.models.parts import Architecture, Op, Packing, stacks
from explorer.analysis.problem import Note

_NAMED: Final = 3  # formats in the name of a mix


def with_packing(model: Model) -> Model:
    """The model with embedding, head and label as its checkpoint has them."""
    assignment = model.storage.assignment
    if assignment is None:
        return model
    made = replace(model, architecture=with_outer(model.architecture, assignment))
    own = tuple(_untied(made.architecture)) if assignment.unties else ()
    bytes_of: dict[str, float] = {}
    values_of: dict[str, float] = {}
    packings = {op.packing.format: op.packing for op in _ops(made.architecture) if op.packing is not None}
    for packing, values in (*((group.packing, group.values) for group in made.tensors), *own):
        if packing is not None:
            packings.setdefault(packing.format, packing)
            values_of[packing.format] = values_of.get(packing.format, 0.0) + values
            bytes_of[packing.format] = bytes_of.get(packing.format, 0.0) + values * packing.bits / 8
    formats = [StoredFormat(p.format, p.bits, p.like) for p in packings.values()]
    names = sorted(bytes_of, key=lambda name: -bytes_of[name])
    label = "+".join(names[:_NAMED]) or model.storage.weights
    if len(names) > 1:
        whole = 8 * sum(bytes_of.values()) / sum(values_of.values())
        formats.append(StoredFormat(label, whole, packings[names[0]].like))
    return replace(
        made,
        storage=replace(model.storage, weights=label),
        packed_formats=tuple(formats),
        untied_bytes=sum(values * packing.bits / 8 + packing.beside for packing, values in own),
        assumptions=(*model.assumptions, *_notes(made)),
    )


def _untied(architecture: Architecture) -> Iterator[tuple[Packing, float]]:
    """How a head is packed although its table is the embedding's, and its values."""
    for op in architecture.after:
        if op.packing is not None and not any(t.packing for t in op.tensors):
            dims = dict(op.dims)
            yield op.packing, float(dims["n"]) * float(dims["k"])  # type: ignore[arg-type]


def _notes(model: Model) -> Iterator[Note]:
    inputs = {op.packing.input for op in _ops(model.architecture) if op.packing is not None and op.packing.input}
    if inputs:
        values = {"format": ", ".join(sorted(inputs)), "stored": model.storage.activations}
        yield Note("model.input_quantised", values)


def _ops(architecture: Architecture) -> Iterator[Op]:
    for stack in stacks(architecture):
        yield from (*stack.before, *(op for layer in stack.layers for op in layer.ops), *stack.after)
