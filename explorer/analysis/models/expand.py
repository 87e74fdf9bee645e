"""From operators to rows: everything static is prepared once, a step fills in the rest."""

from collections.abc import Mapping
from math import inf

import msgspec
import numpy as np

from explorer.analysis.models.checkpoint.storage import STORED_BYTES
from explorer.analysis.models.naming import collapse, unique_names
from explorer.analysis.models.parts import Architecture, Op, Per, Storage, Symbol
from explorer.analysis.step.rows import Number, Row, Step

PHASES = ("prefill", "decode")
CACHED: tuple[Symbol, ...] = ("keys", "cached")


class Formats(msgspec.Struct, frozen=True):
    """Format ids of a step by use; `linear_input` is what linear layers read, `stored` all other activations."""

    linear: str
    experts: str
    kept: str
    wide: str
    linear_input: str
    stored: str
    kv: str
    as_stored: bool = False  # weights as the model's file has them

    def weights_of(self, storage: Storage) -> str:
        """Format of weights of one kind of storage."""
        if storage == "linear":
            return self.linear
        return self.experts if storage == "experts" else self.kept if storage == "kept" else self.wide


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
    """Row templates of each phase; `stored` has the formats of weights in the model's file."""
    collapsed = collapse(architecture)
    return {phase: _of_phase(phase, collapsed, stored or {}) for phase in PHASES}


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
    """Rows of a step from the templates of its phase; `file_bytes` is the size of a quick model's file, or 0."""
    symbols = _symbols(step, file_bytes)
    values: dict[tuple[Symbol, float], Number] = {}
    for template in prepared:
        for _, key, _ in template.following:
            if key not in values:
                values[key] = _cut(symbols[key[0]], key, step.phase)
    return tuple(_row(template, values, formats) for template in prepared)


def _row(template: Template, values: Mapping[tuple[Symbol, float], Number], formats: Formats) -> Row:
    dims: dict[str, Number] = {**template.static}
    for dim, key, factor in template.following:
        dims[dim] = values[key] if factor == 1.0 else values[key] * factor
    op = template.op
    quantised = op.storage in {"linear", "experts"}
    as_stored = template.stored if formats.as_stored else ""
    if template.bias and (template.alone or not as_stored):  # a file's biases are in the bits of its weights
        dims["bias"] = float(template.bias * STORED_BYTES.get(as_stored or formats.wide, 2))
    return Row(
        template.name,
        op.kind,
        dims,
        template.count,
        as_stored or formats.weights_of(op.storage),
        formats.linear_input if quantised else formats.stored,
        formats.kv if op.output == "kv" else formats.stored,
        formats.kv if op.keys == "kv" else formats.stored,
        None,
        op.group,
        False,  # noqa: FBT003 - positional for speed: a slider step makes every row anew
    )


def _symbols(step: Step, file_bytes: float) -> dict[Symbol, Number]:
    """What a step's dims follow, as float64."""
    batch, context = step.batch * 1.0, step.context * 1.0
    decode = step.phase == "decode"
    tokens = batch if decode else batch * context
    return {
        "tokens": tokens,
        "batch": batch,
        "queries": 1.0 if decode else context,
        "keys": context,
        "cached": context if decode else 0.0,
        "positions": 1.0 if decode else context,
        "logit_rows": tokens if step.logits == "all" else batch,
        "masked": 0.0 if step.attention_count == "full" else 1.0,
        "file_bytes": file_bytes,
    }


def _cut(value: Number, key: tuple[Symbol, float], phase: str) -> Number:
    """A windowed layer holds at most its window in decode; in prefill the mask does the cutting."""
    symbol, limit = key
    if limit == inf or phase != "decode" or symbol not in CACHED:
        return value
    return np.minimum(value, limit) if isinstance(value, np.ndarray) else min(value, limit)
