"""A model with the weights of a quantised checkpoint: its formats, what they are called together, what is quantised."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.checkpoint.assignment import MATRICES, Assignment, with_outer
from explorer.analysis.models.checkpoint.holding import INPUT_QUANTISED, INPUT_QUANTISED_IN_PART
from explorer.analysis.models.checkpoint.storage import STORED_BYTES
from explorer.analysis.models.checkpoint.stored_formats import StoredFormat
from explorer.analysis.models.model import Model
from explorer.analysis.models.parts import Architecture, Op, Packing, stacks
from explorer.analysis.problem import Note, Value

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
    packed, unpacked = sum(values_of.values()), sum(group.values for group in made.tensors if group.packing is None)
    if names and unpacked > packed:  # most of the model is as wide as ever
        wide = model.storage.weights
        label = f"{wide} with {label}"
        held = sum(bytes_of.values()) + unpacked * STORED_BYTES.get(wide, 2)
        formats.append(StoredFormat(label, 8 * held / (packed + unpacked), wide))
    elif len(names) > 1:
        whole = 8 * sum(bytes_of.values()) / packed
        formats.append(StoredFormat(label, whole, packings[names[0]].like))
    return replace(
        made,
        storage=replace(model.storage, weights=label),
        packed_formats=tuple(formats),
        untied_bytes=sum(values * packing.bits / 8 + packing.beside for packing, values in own),
        assumptions=(*model.assumptions, *_notes(made), *_idle(assignment, frozenset(packings))),
    )


def _idle(assignment: Assignment, found: frozenset[str]) -> Iterator[Note]:
    """Formats that the config gives to modules which the model does not have."""
    own = [rule.layout for rule in assignment.rules if rule.names is not None or not found]
    stated = {layout.format for layout in (*own, None if found else assignment.default) if layout is not None}
    if idle := sorted(stated - found):
        yield Note("model.formats_idle", {"formats": ", ".join(idle[:_NAMED])})


def _untied(architecture: Architecture) -> Iterator[tuple[Packing, float]]:
    """How a head is packed although its table is the embedding's, and its values."""
    for op in architecture.after:
        if op.packing is not None and not any(t.packing for t in op.tensors):
            dims = dict(op.dims)
            yield op.packing, float(dims["n"]) * float(dims["k"])  # type: ignore[arg-type]


def _notes(model: Model) -> Iterator[Note]:
    """What inputs are quantised to, and of how many of all weights that linear layers multiply with."""
    values_of: Counter[str] = Counter()
    for times, op in _matrices(model.architecture):
        values_of[op.packing.input if op.packing is not None else ""] += times * _values(op)
    total = values_of.total()
    for name, count in values_of.most_common():
        values: dict[str, Value] = {"format": name, "stored": model.storage.activations}
        if name and count == total:
            yield Note(INPUT_QUANTISED, values)
        elif name and count:
            yield Note(INPUT_QUANTISED_IN_PART, {**values, "values": count, "total": total})


def _matrices(architecture: Architecture) -> Iterator[tuple[int, Op]]:
    """Every operator that multiplies with a matrix of weights, and the layers that own it."""
    for stack in stacks(architecture):
        yield from ((1, op) for op in (*stack.before, *stack.after) if op.kind in MATRICES)
        yield from ((layer.owned, op) for layer in stack.layers for op in layer.ops if op.kind in MATRICES)


def _values(op: Op) -> int:
    """Values of an operator's matrices; a head that is the embedding table has none of its own."""
    if op.tensors:
        return sum(t.values * t.count for t in op.tensors if t.role != "bias")
    dims = {name: value for name, value in op.dims if isinstance(value, float)}
    return round(dims.get("n", 0) * dims.get("k", 0))


def _ops(architecture: Architecture) -> Iterator[Op]:
    for stack in stacks(architecture):
        yield from (*stack.before, *(op for layer in stack.layers for op in layer.ops), *stack.after)
