"""Collapsing identical layers, and row names: module names, prefixed and suffixed until unique."""

from collections import Counter
from collections.abc import Sequence

from explorer.analysis.models.parts import Architecture, Op, stacks


def collapse(architecture: Architecture) -> list[tuple[Op, int]]:
    """Operators in execution order with their calls per step; equal ones of different layers are one."""
    return [pair for stack in stacks(architecture) for pair in _collapsed(stack)]


def _collapsed(architecture: Architecture) -> list[tuple[Op, int]]:
    counts: Counter[Op] = Counter()
    order: list[Op] = []
    for layer in architecture.layers:
        counts.update({op: len(layer.indices) for op in layer.ops})
        _merge(order, layer.ops)
    once = [(op, 1) for op in architecture.before], [(op, 1) for op in architecture.after]
    return [*once[0], *((op, counts[op]) for op in order), *once[1]]


def _merge(order: list[Op], ops: Sequence[Op]) -> None:
    """Insert the operators not yet in `order` just before their next common one."""
    anchor = len(order)
    for op in reversed(ops):
        if op in order:
            anchor = order.index(op)
        else:
            order.insert(anchor, op)


def unique_names(ops: Sequence[Op]) -> list[str]:
    """A distinct name for every operator."""
    names = [_labelled(_told(op), op) for op in ops]
    names = _lengthen(
        names, [f"{name}[unquantised]" if op.storage == "kept" else "" for name, op in zip(names, ops, strict=True)]
    )
    names = _lengthen(names, _with_formats(names, ops))
    names = _lengthen(names, [_whole(name, op) if op.parent else "" for name, op in zip(names, ops, strict=True)])
    return _numbered(names)


def _with_formats(names: list[str], ops: Sequence[Op]) -> list[str]:
    """Names with the format of the weights, of modules that some layers store in another one."""
    formats: dict[tuple[str, str], set[str]] = {}
    for name, op in zip(names, ops, strict=True):
        if op.packing is not None:
            formats.setdefault((op.parent, name), set()).add(op.packing.format)
    return [
        f"{name}[{op.packing.format}]" if op.packing and len(formats[op.parent, name]) > 1 else ""
        for name, op in zip(names, ops, strict=True)
    ]


def _whole(name: str, op: Op) -> str:
    """A name led by all of its parents, none of them twice."""
    outer = op.parent if _told(op) == op.name else op.parent.removesuffix(_telling(op)).rstrip(".")
    return f"{outer}.{name}" if outer else name


def _told(op: Op) -> str:
    """A module's name; a bare number says nothing without its parent's, or without what it does."""
    if not _is_number(op.name):
        return op.name
    return f"{_telling(op) or op.kind}.{op.name}"


def _telling(op: Op) -> str:
    """The end of the parents' path from its last word that is no number."""
    words = op.parent.split(".")
    at = max((i for i, word in enumerate(words) if not _is_number(word)), default=0)
    return ".".join(words[at:])


def _is_number(name: str) -> bool:
    return name.replace(".", "").isdigit()


def _labelled(name: str, op: Op) -> str:
    return f"{name}[{op.label}]" if op.label else name


def _lengthen(names: list[str], longer: list[str]) -> list[str]:
    """Take the longer form of each name that stands more than once, where it has one."""
    times = Counter(names)
    return [long if times[name] > 1 and long else name for name, long in zip(names, longer, strict=True)]


def _numbered(names: list[str]) -> list[str]:
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        seen[name] += 1
        result.append(name if seen[name] == 1 else f"{name}[{seen[name]}]")
    return result
