"""From operators to rows: everything static is prepared once, a step fills in the rest."""

from collections.abc import Mapping, Sequence
from math import inf

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.checkpoint.storage import STORED_BYTES
from explorer.analysis.models.naming import collapse, unique_names
from explorer.analysis.models.parts import Architecture, Op, Packing, Per, Storage, Symbol
from explorer.analysis.step.numbers import smaller
from explorer.analysis.step.phases.decode import ONE
from explorer.analysis.step.phases.phase import Phase
from explorer.analysis.step.phases.registry import PHASES, phase_of
from explorer.analysis.step.rows import Number, Row, SequenceGroup, Step

CACHED: tuple[Symbol, ...] = ("keys", "cached")
OF_A_GROUP: frozenset[Symbol] = frozenset({"queries", "keys", "cached", "positions", "near", "padded"})
SUMMED: tuple[Symbol, ...] = ("tokens", "batch", "logit_rows")


class Formats(msgspec.Struct, frozen=True):
    """Format ids of a step by use; `linear_input` is what linear layers read, `stored` all other activations."""

    linear: str
    kept: str
    wide: str
    linear_input: str
    stored: str
    kv: str
    as_stored: bool = False  # weights as the model's file has them
    as_packed: bool = False  # weights as the checkpoint packs them
    quantises: bool = False  # inputs as the checkpoint quantises them

    def weights_of(self, storage: Storage) -> str:
        """Format of weights of one kind of storage."""
        return self.linear if storage == "linear" else self.kept if storage == "kept" else self.wide


class Template(msgspec.Struct, frozen=True):
    """A row without what the step decides."""

    name: str
    op: Op
    count: float
    static: Mapping[str, float]
    following: tuple[tuple[str, tuple[Symbol, float], float], ...]  # dim, (symbol, limit), factor
    stored: str = ""  # the format of its weights in the model's file
    bias: int = 0  # values of what stays wide beside its weights, of one expert where it has several
    alone: bool = False  # there are no weights beside it


def templates(architecture: Architecture, stored: Mapping[Op, str] | None = None) -> dict[str, tuple[Template, ...]]:
    """Row templates by the id of the phase whose they are; `stored` has the formats of weights in the model's file."""
    collapsed = collapse(architecture)
    return {run: _of_phase(run, collapsed, stored or {}) for run in {phase.runs for phase in PHASES.values()}}


def _of_phase(phase: str, collapsed: list[tuple[Op, int]], stored: Mapping[Op, str]) -> tuple[Template, ...]:
    chosen = [(op, count) for op, count in collapsed if op.phase in {"", phase}]
    names = unique_names([op for op, _ in chosen])
    return tuple(
        _template(name, op, count, stored.get(op, "")) for name, (op, count) in zip(names, chosen, strict=True)
    )


def _template(name: str, op: Op, count: int, stored: str) -> Template:
    static = {dim: value for dim, value in op.dims if not isinstance(value, Per)}
    following = tuple((dim, (p.symbol, p.limit), p.factor) for dim, p in op.dims if isinstance(p, Per))
    bias = sum(t.values for t in op.tensors if t.role == "bias")
    alone = all(t.role == "bias" for t in op.tensors)
    return Template(name, op, float(count), static, following, stored, bias, alone)


def expand(prepared: tuple[Template, ...], step: Step, formats: Formats, file_bytes: float = 0.0) -> tuple[Row, ...]:
    """Rows of a step from the templates of its phase; `file_bytes` is the size of a quick model's file, or 0.

    Of several groups, operators that look at each sequence for itself have a row for each group, all others one for
    the tokens of all.
    """
    phase = phase_of(step.phase)
    each = [_Values(_of_group(step, phase, group, file_bytes), group) for group in step.groups]
    if len(each) == 1:
        return tuple([_row(t, each[0], formats) for t in prepared])
    every = _Values(_summed([s.symbols for s in each]), None)
    found = []
    for template in prepared:
        if not any(symbol in OF_A_GROUP for _, (symbol, _), _ in template.following):
            found.append(_row(template, every, formats))
            continue
        rows = (_row(template, values, formats) for values in each)
        found += [replace(row, name=f"{row.name} [group {i}]") for i, row in enumerate(rows, start=1)]
    return tuple(found)


class _Values(dict[tuple[Symbol, float], Number]):
    """What the dims of a group follow, each cut at its limits once, when a row first asks for it."""

    def __init__(self, symbols: Mapping[Symbol, Number], group: SequenceGroup | None) -> None:
        super().__init__()
        self.symbols = symbols
        self._group = group

    def __missing__(self, key: tuple[Symbol, float]) -> Number:
        found = self[key] = _cut(self.symbols[key[0]], key, self._group)
        return found


def _row(template: Template, values: Mapping[tuple[Symbol, float], Number], formats: Formats) -> Row:
    dims: dict[str, Number] = {**template.static}
    for dim, key, factor in template.following:
        dims[dim] = values[key] if factor == 1.0 else values[key] * factor
    op = template.op
    packing = op.packing if formats.as_packed else None
    as_stored = template.stored if formats.as_stored else ""
    if template.bias and (template.alone or not as_stored):  # a file's biases are in the bits of its weights
        dims["bias"] = float(template.bias * STORED_BYTES.get(as_stored or formats.wide, 2))
    if packing is not None and packing.beside and not as_stored and op.kind != "embedding":
        dims["bias"] = dims.get("bias", 0.0) + packing.beside
    return Row(
        template.name,
        op.kind,
        dims,
        template.count,
        as_stored or (formats.weights_of(op.storage) if packing is None else packing.format),
        _input(packing, op.storage, formats),
        formats.kv if op.output == "kv" else formats.stored,
        formats.kv if op.keys == "kv" else formats.stored,
        None,
        op.group,
        False,  # noqa: FBT003 - positional for speed: a slider step makes every row anew
    )


def _input(packing: Packing | None, storage: Storage, formats: Formats) -> str:
    """The format of what an operator reads."""
    if packing is not None and formats.quantises:
        return packing.input or formats.stored
    return formats.linear_input if storage == "linear" else formats.stored


def _of_group(step: Step, phase: Phase, group: SequenceGroup, file_bytes: float) -> dict[Symbol, Number]:
    """What the dims of a group's rows follow, as float64."""
    batch, context = group.sequences * 1.0, group.context * 1.0
    queries = context if group.tokens is group.context else group.tokens * 1.0
    tokens = batch * queries
    return {
        "tokens": tokens,
        "batch": batch,
        "queries": queries,
        "keys": context,
        "cached": phase.cached(group) * 1.0,
        "positions": queries,
        "near": queries,
        "padded": queries,
        "logit_rows": tokens if step.logits == "all" else batch,
        "masked": 0.0 if step.attention_count == "full" else 1.0,
        "file_bytes": file_bytes,
    }


def _summed(groups: Sequence[Mapping[Symbol, Number]]) -> dict[Symbol, Number]:
    """What the dims of rows for all groups follow."""
    found = dict(groups[0])
    for symbols in groups[1:]:
        for symbol in SUMMED:
            found[symbol] = found[symbol] + symbols[symbol]
    return found


def _cut(value: Number, key: tuple[Symbol, float], group: SequenceGroup | None) -> Number:
    """A windowed layer holds at most the keys that its newest tokens see; of a whole prompt the mask does the cutting.

    The last of t new tokens sees `limit` keys, the first t - 1 more.
    """
    symbol, limit = key
    if symbol == "padded" and group is not None:
        return group.sequences * (-(-value // limit) * limit)
    if symbol == "near":  # distances that are told apart: no more than the tokens
        return smaller(value, limit)
    if limit == inf or group is None or symbol not in CACHED or group.tokens is group.context:
        return value
    most = limit if symbol == "cached" or group.tokens is ONE else limit + group.tokens - 1.0
    return smaller(value, most)
