"""A model whose bytes are those of its file: every row takes the formats its tensors are stored in."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.held import Held, Ops, path_of, stored_as
from explorer.analysis.models.checkpoint.storage import WIDE_FORMATS
from explorer.analysis.models.checkpoint.stored_formats import Stored, StoredFormat
from explorer.analysis.models.checkpoint.tensor_names import (
    EMBEDDING,
    FINAL_NORM,
    HEAD,
    POSITIONS,
    Place,
    belongs,
    place_of,
)
from explorer.analysis.models.model import Model
from explorer.analysis.models.parts import Architecture, Op, stacks
from explorer.analysis.problem import Note, Problem, Refused, Value
from explorer.analysis.study.study import TensorEntry, TensorSummary
from explorer.analysis.study.tensor_check import PACKED, layers_of

_FEW: Final = 0.002  # of the file's bytes: rotary tables, sinks
_MOST_MISSING: Final = 0.05  # of the parameters
_ODD: Final = 2.5  # times as many values as the architecture has

SIDES: Final = ("encoder", "decoder")


class _Scope(msgspec.Struct, frozen=True):
    """Operators of one kind of layer, or before and after all layers; of one `side` where the model has two."""

    layers: frozenset[int]
    ops: Ops
    side: str = ""


def with_tensors(model: Model, summary: TensorSummary) -> Model:
    """The model with weight bytes and formats of rows as its file has them.

    Raises
    ------
    Refused
        The tensors are not those of this architecture.
    """
    if model.runs_once and _uniform(model, summary):
        return _in_one_format(model, summary)
    scopes = _scopes(model.architecture)
    expected = _expected(scopes)
    held, idle = _matched(summary.entries, scopes, expected)
    _share_table(model, held)
    missing = _missing(expected, held)
    _check(model, expected, held, missing)
    resident = float(sum(e.bytes for e in summary.entries))
    stored = stored_as(model, summary.label, resident, held, expected)
    notes = (*model.assumptions, *_notes(summary, idle, missing))
    storage = replace(model.storage, weights=stored.label)
    return replace(model, storage=storage, stored=stored, assumptions=notes)


def _uniform(model: Model, summary: TensorSummary) -> bool:
    """Whether every tensor has one wide format, and there are as many values as the model has."""
    values = sum(e.values for e in summary.entries)
    return summary.label in WIDE_FORMATS and abs(values - model.parameters) <= _MOST_MISSING * model.parameters


def _in_one_format(model: Model, summary: TensorSummary) -> Model:
    """Pictures and sound: names of modules differ between releases, but one format is that of every row."""
    resident = float(sum(e.bytes for e in summary.entries))
    whole = StoredFormat(summary.label, 8 * resident / model.parameters, summary.label)
    stored = Stored(label=summary.label, resident=resident, active=resident, formats=(whole,), by_op={})
    storage = replace(model.storage, weights=summary.label)
    notes = (*model.assumptions, *_notes(summary, (), {}))
    return replace(model, storage=storage, stored=stored, assumptions=notes)


def _scopes(architecture: Architecture) -> tuple[_Scope, ...]:
    if architecture.encoder is None:
        return _of_stack(architecture, "")
    return (*_of_stack(architecture, "decoder"), *_of_stack(architecture.encoder, "encoder"))


def _of_stack(architecture: Architecture, side: str) -> tuple[_Scope, ...]:
    outer = _Scope(frozenset(), (*architecture.before, *architecture.after), side)
    return (outer, *(_Scope(frozenset(layer.indices[: layer.owned]), layer.ops, side) for layer in architecture.layers))


def _expected(scopes: Iterable[_Scope]) -> dict[Op, float]:
    """Weight values of every operator over all layers, biases apart; a table of decoder and encoder counts once."""
    found: Counter[Op] = Counter()
    for scope in scopes:
        for op in scope.ops:
            values = sum(t.values * t.count for t in op.tensors if t.role != "bias")
            if scope.layers:
                found[op] += len(scope.layers) * values
            else:
                found[op] = values
    return dict(found)


def _matched(
    entries: Iterable[TensorEntry], scopes: Sequence[_Scope], expected: Mapping[Op, float]
) -> tuple[dict[Ops, Held], list[TensorEntry]]:
    """What the file holds for each group of operators, and the entries that no operator uses."""
    held: dict[Ops, Held] = {}
    idle: list[TensorEntry] = []
    for entry in entries:
        layers = layers_of(entry.layers)
        place = place_of(entry.name, layered=bool(layers))
        groups = [] if place.aside else _groups(place, layers, _on_side(entry.name, scopes))
        if not groups:
            idle.append(entry)
        for group, share in groups:
            weights = [sum(expected[op] for op in ops) for ops in group]
            for ops, weight in zip(group, weights, strict=True):
                part = weight / sum(weights) if sum(weights) else 1.0 / len(group)
                _add(held.setdefault(ops, Held()), entry, share * part, main=place.main or _steps(entry, ops))
    return held, idle


def _steps(entry: TensorEntry, ops: Ops) -> bool:
    """Whether a tensor that is named a bias is the one of a state's steps, a weight of its own."""
    return entry.name.endswith("_dt.bias") and any(t.name.endswith("dt_bias") for op in ops for t in op.tensors)


def _on_side(name: str, scopes: Sequence[_Scope]) -> Sequence[_Scope]:
    """The scopes of the side that a tensor's name tells; all where it tells none."""
    words = name.split(".")
    told = next((side for side in SIDES if side in words or side[:3] == words[0]), "")
    return [s for s in scopes if s.side in {"", told}] if told else scopes


def _add(held: Held, entry: TensorEntry, share: float, *, main: bool) -> None:
    held.bytes += share * entry.bytes
    if main:
        held.values += share * entry.values
        held.formats[entry.format] += entry.bytes
        held.main_bytes += share * entry.bytes
        held.packed |= entry.format in PACKED


def _groups(place: Place, layers: frozenset[int], scopes: Sequence[_Scope]) -> list[tuple[tuple[Ops, ...], float]]:
    """Groups of operators in every scope that an entry reaches, and the share of the entry that lies there."""
    if not layers:
        found = [groups for s in scopes if not s.layers and (groups := _find(place, s.ops))]
        owners = [groups for groups in found if any(op.tensors for ops in groups for op in ops)]
        return [(groups, 1.0) for groups in (owners or found)[:1]]
    reached = [(s, len(s.layers & layers)) for s in scopes if s.layers & layers]
    matches = [(_find(place, scope.ops), count) for scope, count in reached]
    return [(found, count / len(layers)) for found, count in matches if found]


def _find(place: Place, ops: Ops) -> tuple[Ops, ...]:
    """The first candidate whose modules are all there: one group of operators for each of its modules."""
    for candidate in place.candidates:
        groups = tuple(_ops_of(name, ops) for name in candidate)
        if all(groups):
            return groups
    return ()


def _ops_of(name: str, ops: Ops) -> Ops:
    if name.startswith("@"):
        return _special(name, ops)
    exact = tuple(op for op in ops if path_of(op) == name)
    return exact or _of_one_path(tuple(op for op in ops if belongs(name, path_of(op)))) or _owners(name, ops)


def _owners(name: str, ops: Ops) -> Ops:
    """Operators that own a tensor of this very name: sinks, decays."""
    return _of_one_path(
        tuple(op for op in ops if any(belongs(name, t.name.removesuffix(".weight")) for t in op.tensors))
    )


def _of_one_path(ops: Ops) -> Ops:
    return ops if len({path_of(op) for op in ops}) == 1 else ()


def _special(name: str, ops: Ops) -> Ops:
    tables = [op for op in ops if op.kind == "embedding"]
    norms = [op for op in ops if op.group == "norm" and "embed" not in op.name]
    heads = [op for op in ops if op.group == "head" and op.kind == "matmul"]
    found = {EMBEDDING: tables[:1], POSITIONS: tables[1:2], FINAL_NORM: norms[-1:], HEAD: heads[-1:]}[name]
    return tuple(found)


def _share_table(model: Model, held: dict[Ops, Held]) -> None:
    """A tied head reads the embedding table, a decoder that of its encoder where it has none."""
    outer = (*model.architecture.before, *model.architecture.after)
    head, table = _special(HEAD, outer), _special(EMBEDDING, outer)
    tables = (table, *(_special(EMBEDDING, stack.before) for stack in stacks(model.architecture)))
    read = next((t for t in tables if t in held), None)
    for ops in (head, table):
        if model.tied and ops and read and ops not in held:
            held[ops] = held[read]


def _missing(expected: Mapping[Op, float], held: Mapping[Ops, Held]) -> dict[Op, float]:
    """Operators with weights of which the file holds none."""
    there = {op for ops in held for op in ops}
    return {op: values for op, values in expected.items() if values and op not in there and op.name != "attention"}


def _check(model: Model, expected: Mapping[Op, float], held: Mapping[Ops, Held], missing: Mapping[Op, float]) -> None:
    lacking = sum(missing.values())
    if lacking > _MOST_MISSING * model.parameters:
        worst = max(missing, key=lambda op: missing[op])
        raise Refused(Problem("tensors.lacking", "tensors", {"module": path_of(worst)}))
    for ops, found in held.items():
        wanted = sum(expected[op] for op in ops)
        if wanted and found.values and not found.packed and not 1 / _ODD < found.values / wanted < _ODD:
            values: dict[str, Value] = {"module": path_of(ops[0]), "got": round(found.values), "wanted": round(wanted)}
            raise Refused(Problem("tensors.other_model", "tensors", values))


def _notes(summary: TensorSummary, idle: Sequence[TensorEntry], missing: Mapping[Op, float]) -> Iterator[Note]:
    total = sum(e.bytes for e in summary.entries)
    unused = sum(e.bytes for e in idle)
    yield Note("model.from_file", {"label": summary.label, "bytes": total})
    if summary.read_as:
        yield Note("model.read_as", {"architecture": summary.read_as})
    if unused > _FEW * total:
        names = ", ".join(e.name for e in sorted(idle, key=lambda e: -e.bytes)[:3])
        yield Note("model.tensors_idle", {"bytes": unused, "names": names})
    if missing:
        names = ", ".join(path_of(op) for op in sorted(missing, key=lambda op: -missing[op])[:3])
        yield Note("model.tensors_missing", {"names": names})
