"""What a row costs: FLOPs, bytes and kernels per call, from its kind's formulas."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.catalogue.formula import compile_function, is_name, names_in, parse
from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.rows import Number, Row

BYTES_PER = ("a", "w", "o", "kv")
FORMAT_FIELDS = ("activations", "weights", "output", "kv")  # of a row, in the order of `BYTES_PER`
RESULTS = ("flops", "bytes_read", "bytes_written", "kernels", "weight_bytes", "kv_bytes")


class Costs(NamedTuple):
    """Per call: FLOPs, bytes read and written, kernels; and the weight and KV-cache parts of the traffic."""

    flops: Number
    bytes_read: Number
    bytes_written: Number
    kernels: Number
    weight_bytes: Number
    kv_bytes: Number


class CompiledKind:
    """A kind whose formulas are one function of its dims and of bytes per value, compiled when first needed."""

    def __init__(self, kind: OperatorKind) -> None:
        self.kind: Final = kind
        self.defaults: Final = tuple((d.name, d.default) for d in kind.dims)

    @cached_property
    def function(self) -> Callable[..., tuple[Any, ...]]:
        """The formulas as one function; raises Refused with every fault of the kind."""
        return _compiled(self.kind)

    @cached_property
    def partner(self) -> str:
        """Which second operand meets the activations: weights, the KV cache, or other activations."""
        return _partner(self.kind)

    @cached_property
    def reads(self) -> tuple[str, ...]:
        """The formats of a row that the formulas ask for."""
        return _reads(self.kind)

    def costs(self, row: Row, formats: Any) -> Costs:
        """Costs of a row; `formats` maps ids to number formats."""
        return priced(row, self.pricing(row, formats))

    def pricing(self, row: Row, formats: Any) -> "Pricing":
        """What prices a row of these formats, whatever its dims."""
        a, w, o, kv = formats[row.activations], formats[row.weights], formats[row.output], formats[row.kv]
        return self.function, self.defaults, (a.bytes, w.bytes, o.bytes, kv.bytes)


# the formulas, the dims with their defaults, and the bytes per value in the order of `BYTES_PER`
Pricing = tuple[Callable[..., tuple[Any, ...]], tuple[tuple[str, float], ...], tuple[float, ...]]


def priced(row: Row, pricing: Pricing) -> Costs:
    """Costs of a row."""
    function, defaults, per_value = pricing
    dims = row.dims
    found = function(*[dims.get(name, default) for name, default in defaults], *per_value)
    return tuple.__new__(Costs, found)  # as `Costs(*found)`, in a third of the time


def summed(rows: Sequence[Row], costs: Sequence[Costs], figure: str) -> Number:
    """One figure over all calls of all rows, each row in its own shape: most are plain numbers even over a grid."""
    total: Number = 0.0
    for row, cost in zip(rows, costs, strict=True):
        total = total + row.count * getattr(cost, figure)
    return total


@lru_cache(maxsize=512)
def known_kind(kind: OperatorKind) -> CompiledKind:
    """A kind of the program's own, whose formulas are sound: few of them are ever needed."""
    return CompiledKind(kind)


def compile_kind(kind: OperatorKind) -> CompiledKind:
    """Compile a kind's formulas.

    Raises
    ------
    Refused
        Every fault of the kind, each with its field path.
    """
    made = known_kind(kind)
    made.function  # noqa: B018 - compiles it
    return made


def _compiled(kind: OperatorKind) -> Callable[..., tuple[Any, ...]]:
    problems: list[Problem] = []
    names = [d.name for d in kind.dims]
    problems += _name_problems([*names, *(d.name for d in kind.derived)])
    known = [*names, *BYTES_PER]
    assigned = []
    for i, derived in enumerate(kind.derived):
        assigned.append((derived.name, _parsed(derived.formula, known, f"derived[{i}].formula", problems)))
        known.append(derived.name)
    results = [_parsed(getattr(kind, name), known, name, problems) for name in RESULTS]
    if problems:
        raise Refused(*problems)
    return compile_function([*names, *BYTES_PER], assigned, results)


def _name_problems(names: list[str]) -> list[Problem]:
    bad = [Problem("kind.name", "dims", {"name": n}) for n in names if not is_name(n)]
    twice = {n for n in names if names.count(n) > 1}
    return bad + [Problem("kind.duplicate", "dims", {"name": n}) for n in sorted(twice)]


def _parsed(text: str, known: list[str], path: str, problems: list[Problem]) -> Any:
    try:
        return parse(text, known, path)
    except Refused as refused:
        problems.extend(refused.problems)
        return None


def _reads(kind: OperatorKind) -> tuple[str, ...]:
    texts = (*(getattr(kind, name) for name in RESULTS), *(d.formula for d in kind.derived))
    used = frozenset[str]().union(*map(names_in, texts))
    return tuple(field for name, field in zip(BYTES_PER, FORMAT_FIELDS, strict=True) if name in used)


def _partner(kind: OperatorKind) -> str:
    used: set[str] = set()
    for text in (kind.bytes_read, *(d.formula for d in kind.derived)):
        used |= names_in(text)
    return "weights" if "w" in used else "kv" if "kv" in used else "activations"


def row_costs(row: Row, catalogue: Catalogue) -> Costs:
    """Costs of one row under a catalogue."""
    return compile_kind(catalogue.kind_by_id[row.kind]).costs(row, catalogue.format_by_id)


def checked_costs(row: Row, kind: CompiledKind, formats: Mapping[str, NumberFormat], path: str = "") -> Costs:
    """Costs of a row whose dims or kind a user wrote.

    Raises
    ------
    Refused
        A figure is complex, not finite or negative, or cannot be computed.
    """
    try:
        with np.errstate(all="ignore"):
            costs = kind.costs(row, formats)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise Refused(Problem("formula.value", path, {"name": row.name})) from error
    for name, value in zip(RESULTS, costs, strict=True):
        if not _sound(value):
            raise Refused(Problem("formula.result", f"{path}.{name}" if path else name, {"name": row.name}))
    return costs


def _sound(value: Number) -> bool:
    """Whether a figure is finite and not negative; plain floats, the usual case, without the cost of an array."""
    if isinstance(value, float):
        return math.isfinite(value) and value >= 0
    array = np.asarray(value)
    return not np.iscomplexobj(array) and bool(np.all(np.isfinite(array))) and not np.any(array < 0)
