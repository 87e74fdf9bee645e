"""From the operators that torch dispatched to operator rows; what no kind expresses is listed with its bytes."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import msgspec

from explorer.analysis.problem import Note
from explorer.analysis.study.edits import id_base
from explorer.analysis.study.study import OwnRow
from explorer.bench.protocol import Operators, TracedOperator

Shape = tuple[int, ...]
Dims = dict[str, float]
Expressed = tuple[str, Dims]

_NAMED: Final = 20  # fields of a config
_LARGEST: Final = 2.0**62
_MOST_PARTS: Final = 9
_LONGEST_BASE: Final = 180  # of a name, which ends at 200 characters with its number

_FORMATS: Final = {
    "float64": ("fp64", 8),
    "float32": ("fp32", 4),
    "bfloat16": ("bf16", 2),
    "float16": ("fp16", 2),
    "float8_e4m3fn": ("fp8", 1),
    "float8_e5m2": ("fp8", 1),
    "int8": ("int8", 1),
    "uint8": ("int8", 1),
}
_WIDTHS: Final = {"int64": 8, "int32": 4, "int16": 2, "bool": 1, "complex64": 8, "complex128": 16}
# They move nothing, or make what a program would hold ready.
_IGNORED: Final = frozenset(
    [
        "empty",
        "empty_like",
        "new_empty",
        "empty_strided",
        "new_empty_strided",
        "_unsafe_view",
        "lift_fresh",
        "lift_fresh_copy",
        "detach_",
        "randn",
        "rand",
        "randint",
        "ones",
        "zeros",
        "full",
        "arange",
        "scalar_tensor",
        "eye",
        "normal_",
        "uniform_",
        "zero_",
        "fill_",
        "set_",
        "resize_",
        "ones_like",
        "zeros_like",
        "full_like",
        "rand_like",
        "randn_like",
        "new_zeros",
        "new_ones",
        "new_full",
        "random_",
        "sym_size",
    ]
)


class Unknown(msgspec.Struct, frozen=True):
    """An operator that no kind expresses: bytes read and written per call, and how often it came."""

    name: str
    module: str
    bytes_read: float
    bytes_written: float
    count: int


class Traced(msgspec.Struct, frozen=True):
    """A trace as operator rows, what they could not express, and what to bear in mind."""

    rows: tuple[OwnRow, ...]
    unknown: tuple[Unknown, ...]
    notes: tuple[Note, ...] = ()
    parameters: int = 0


def traced(said: Operators) -> Traced:
    """All that a worker's trace says."""
    found = traced_rows(said.operators)
    notes = [Note("measure.guessed", {"count": said.guessed})] if said.guessed else []
    if said.dropped:
        notes.append(Note("measure.dropped", {"fields": ", ".join(said.dropped[:_NAMED])}))
    return msgspec.structs.replace(found, notes=tuple(notes), parameters=said.parameters)


def traced_rows(operators: Iterable[TracedOperator]) -> Traced:
    """Return the rows of a trace; the same operator in repeated layers is one row with a count.

    FLOPs and bytes come from the kinds' own formulas; tensors are counted whole, each operand touched once.
    """
    rows: dict[tuple[object, ...], tuple[str, TracedOperator, Expressed, int]] = {}
    unknown: dict[tuple[str, str, float, float], int] = {}
    for operator in operators:
        name = operator.op.removeprefix("aten::").removeprefix("torch::")
        if name in _IGNORED or not operator.outputs:
            continue
        expressed = _expressed(name, operator)
        pattern = re.sub(r"(^|\.)\d+(?=\.|$)", "", operator.module).strip(".")
        if expressed is None:
            key = (name, pattern, _moved(operator.inputs), _moved(operator.outputs))
            unknown[key] = unknown.get(key, 0) + operator.count
            continue
        place = (pattern, name, expressed[0], tuple(sorted(expressed[1].items())), _dtypes(operator))
        count = rows[place][3] if place in rows else 0
        rows[place] = (pattern, operator, expressed, count + operator.count)
    found = tuple(Unknown(*key, count) for key, count in unknown.items())
    return Traced(tuple(_named(list(rows.values()))), found)


def _moved(tensors: Sequence[tuple[str, Shape]]) -> float:
    return float(sum(math.prod(shape) * _width(dtype) for dtype, shape in tensors))


def _width(dtype: str) -> int:
    return _FORMATS[dtype][1] if dtype in _FORMATS else _WIDTHS.get(dtype, 1)


def _dtypes(operator: TracedOperator) -> tuple[str, ...]:
    return tuple(d for d, _ in (*operator.inputs, *operator.outputs[:1]))


def _named(found: Sequence[tuple[str, TracedOperator, Expressed, int]]) -> Iterable[OwnRow]:
    """Rows by the shortest end of their module's path that tells them apart; several in one module by operator."""
    modules = [module or operator.op.rpartition(":")[2] for module, operator, _, _ in found]
    counts = Counter(modules)
    ends = Counter(end for module in counts for end in _ends(module))
    names, ids = _Taken(" "), _Taken("-")
    for module, (_, operator, (kind, dims), count) in zip(modules, found, strict=True):
        short = next((end for end in _ends(module) if ends[end] == 1), module)
        wanted = short if counts[module] == 1 else f"{short}.{operator.op.rpartition(':')[2].strip('_')}"
        name = names.free(wanted)
        row_id = ids.free(id_base(name))
        yield OwnRow(id=row_id, name=name, kind=kind, dims=dims, count=float(count), **_row_formats(operator))  # type: ignore[arg-type]  # by their names


class _Taken:
    """Names given away, none twice; each search for a free number goes on where the last one ended."""

    def __init__(self, joint: str) -> None:
        self._joint = joint
        self._names: set[str] = set()
        self._next: dict[str, int] = {}

    def free(self, base: str) -> str:
        """`base`, with a number behind it where it is taken."""
        base = base[:_LONGEST_BASE]
        name, number = base, self._next.get(base, 2)
        while name in self._names:
            name, number = f"{base}{self._joint}{number}", number + 1
        self._next[base] = number
        self._names.add(name)
        return name


def _ends(module: str) -> Iterator[str]:
    """The ends of a module's path, the shortest first, and the whole."""
    parts = module.split(".")
    yield from (".".join(parts[-n:]) for n in range(1, min(len(parts), _MOST_PARTS)))
    yield module


def _row_formats(operator: TracedOperator) -> dict[str, str]:
    floats = [_FORMATS[d][0] for d, _ in operator.inputs if d in _FORMATS]
    out = next((_FORMATS[d][0] for d, _ in operator.outputs if d in _FORMATS), None)
    first = floats[0] if floats else out or "fp32"
    matrix = floats[1] if len(floats) > 1 else first
    return {"activations": first, "weights": matrix, "kv": matrix, "output": out or first}


# --- one function per operator: its kind and dims, or None where no kind says it


def _expressed(name: str, operator: TracedOperator) -> Expressed | None:
    make = _KINDS.get(name.rstrip("_")) or _KINDS.get(name)
    if make is None or operator.outputs[0][0] not in _FORMATS:  # bookkeeping in whole numbers has no format of a row
        return None
    try:
        expressed = make(operator)
        return expressed if expressed is None or all(0 <= v <= _LARGEST for v in expressed[1].values()) else None
    except (IndexError, ValueError, ArithmeticError, TypeError):
        return None  # shapes or arguments of a form not met before: listed, never guessed


def _shapes(operator: TracedOperator) -> list[Shape]:
    return [shape for _, shape in operator.inputs]


def _mm(operator: TracedOperator) -> Expressed:
    (m, k), (_, n) = _shapes(operator)[-2:]
    return "matmul", {"m": m, "n": n, "k": k}


def _bmm(operator: TracedOperator) -> Expressed:
    (b, m, k), (_, _, n) = _shapes(operator)[-2:]
    return "batched_matmul", {"b": b, "m": m, "n": n, "k": k}


def _grouped(operator: TracedOperator) -> Expressed:
    (m, k), (groups, _, n) = _shapes(operator)[:2]
    return "grouped_matmul", {"groups": groups, "m": m, "n": n, "k": k}


def _convolution(operator: TracedOperator) -> Expressed | None:
    """Transposed ones by the convolution they undo: the same products, reads and writes exchanged."""
    x, w = _shapes(operator)[:2]
    y = operator.outputs[0][1]
    stride, pad, dilation, transposed, _, groups = operator.arguments[3:9]
    if transposed:
        x, y = y, x
    reach = [d * (k - 1) + 1 for d, k in zip(dilation, w[2:], strict=True)]
    if len(x) == 3:
        dims = {"N": x[0], "C_in": x[1], "C_out": y[1], "L": x[2] - reach[0] + w[2], "K": w[2]}
        return "conv1d", {**dims, "stride": stride[0], "pad": pad[0], "groups": groups}
    if len(x) != 4 or stride[0] != stride[-1]:
        return None
    least = min(pad)  # what one side is padded more is counted with the input
    high, wide = (x[i + 2] - reach[i] + w[i + 2] + 2 * (pad[i] - least) for i in (0, 1))
    dims = {"N": x[0], "C_in": x[1], "C_out": y[1], "H": high, "W": wide, "K_h": w[2], "K_w": w[3]}
    return "conv2d", {**dims, "stride": stride[0], "pad": least, "groups": groups}


def _attention(operator: TracedOperator) -> Expressed:
    q, k, v = _shapes(operator)[:3]
    causal = bool(operator.flags.get("is_causal"))
    dims = {"b": math.prod(q[:-3]), "heads": q[-3], "kv_heads": k[-3], "S_q": q[-2], "S_k": k[-2]}
    return "attention", {**dims, "D_qk": q[-1], "D_v": v[-1], "causal": float(causal)}


def _layer_norm(operator: TracedOperator) -> Expressed:
    x, *weights = _shapes(operator)
    channels = math.prod(operator.arguments[1])
    return "layer_norm", {"rows": math.prod(x) // channels, "channels": channels, "per_channel": len(weights)}


def _channel_norm(operator: TracedOperator) -> Expressed:
    """Batch and group norm: as many FLOPs per value as a layer norm, weights per channel."""
    x, *weights = _shapes(operator)
    return "layer_norm", {"rows": math.prod(x) // x[1], "channels": x[1], "per_channel": len(weights)}


def _rms_norm(operator: TracedOperator) -> Expressed:
    x, w = _shapes(operator)[:2]
    return "rms_norm", {"rows": math.prod(x) // math.prod(w), "channels": math.prod(w)}


def _embedding(operator: TracedOperator) -> Expressed:
    table, chosen = _shapes(operator)[:2]
    return "embedding", {"tokens": math.prod(chosen), "hidden": table[1], "vocab": table[0]}


def _values(kind: str) -> Callable[[TracedOperator], Expressed]:
    """A kind that is told its output's values alone."""
    return lambda operator: (kind, {"values": math.prod(operator.outputs[0][1])})


def _reduction(operator: TracedOperator) -> Expressed:
    return "reduction", {"values": math.prod(operator.inputs[0][1])}


def _elementwise(operator: TracedOperator) -> Expressed:
    """Of two tensors of the output's size an addition, of one a scaling: one FLOP per value either way."""
    values = math.prod(operator.outputs[0][1])
    whole = sum(math.prod(shape) == values for _, shape in operator.inputs)
    return ("residual_add", {"values": values}) if whole > 1 else ("scale", {"values": values})


def _copied(operator: TracedOperator) -> Expressed:
    before, after = operator.inputs[-1][0], operator.outputs[0][0]
    return ("copy" if before == after else "cast"), {"values": math.prod(operator.outputs[0][1])}


_ELEMENTWISE: Final = [
    "add",
    "sub",
    "mul",
    "div",
    "rsub",
    "pow",
    "exp",
    "log",
    "sqrt",
    "rsqrt",
    "tanh",
    "sigmoid",
    "neg",
    "abs",
    "sin",
    "cos",
    "reciprocal",
    "clamp",
    "clamp_min",
    "clamp_max",
    "maximum",
    "minimum",
    "where",
    "masked_fill",
    "hardtanh",
    "hardswish",
    "leaky_relu",
    "elu",
    "softplus",
    "erf",
    "square",
]
_KINDS: Final[dict[str, Callable[[TracedOperator], Expressed | None]]] = {
    "mm": _mm,
    "addmm": _mm,
    "bmm": _bmm,
    "baddbmm": _bmm,
    "_grouped_mm": _grouped,
    "convolution": _convolution,
    "scaled_dot_product_attention": _attention,
    "native_layer_norm": _layer_norm,
    "native_batch_norm": _channel_norm,
    "_native_batch_norm_legit_no_training": _channel_norm,
    "native_group_norm": _channel_norm,
    "rms_norm": _rms_norm,
    "embedding": _embedding,
    "_softmax": _values("softmax"),
    "_log_softmax": _values("softmax"),
    "relu": _values("relu"),
    "silu": _values("silu"),
    "gelu": _values("gelu"),
    "clone": _copied,
    "copy": _copied,
    "_to_copy": _copied,
    "cat": _values("copy"),
    "stack": _values("copy"),
    "repeat": _values("copy"),
    **dict.fromkeys(("sum", "mean", "amax", "amin", "max", "min", "norm", "linalg_vector_norm", "prod"), _reduction),
    **dict.fromkeys(_ELEMENTWISE, _elementwise),
}
