"""From the counters of one launch to a measured point; what counters miss is left out, never guessed."""

import math
import re
from dataclasses import dataclass, field
from functools import lru_cache
from operator import mul
from typing import Final, NamedTuple

from explorer.analysis.measured.imported import MeasuredPoint
from explorer.analysis.problem import Note
from explorer.files.disk import limits
from explorer.files.importers.figures import localised
from explorer.files.importers.findings import LONGEST
from explorer.files.importers.ncu.metrics import FAMILIES, OPERATIONS, scale

_SECTOR: Final = 32.0
_PAIRS: Final = (("read", "write"), ("op_read", "op_write"), ("fbpa_read", "fbpa_write"))
_SECTOR_PAIRS: Final = (("sectors_read", "sectors_write"), ("sectors_op_read", "sectors_op_write"))
_TENSOR_NAME: Final = re.compile(
    r"16816|1688|\d884|h884|tensorop|hmma|imma|wgmma|wmma|gmma|xmma|tcgen05|nvjet|flash_(fwd|bwd)|fmha|mma_sync",
    re.IGNORECASE,
)
_COUNTS: Final = {f: tuple(f"inst:{f}{o}" for o in OPERATIONS) for f in FAMILIES}
_PER_CYCLE: Final = {f: (*(f"per_cycle:{f}{o}" for o in OPERATIONS), f"per_cycle:{f}fma_x2") for f in FAMILIES}
_NOT_THERE: Final = frozenset({"n/a", "N/A", "(!) n/a", "no data", "nan", "NaN", "-"})  # what was not collected
Values = dict[str, float]


@dataclass(slots=True)
class Kernel:
    """One launch (or one kernel of a summary): what it is called and its wanted metrics with unit and text."""

    where: str
    name: str
    calls: float = 1.0
    metrics: list[tuple[str, str]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    _seen: set[tuple[str, str]] = field(default_factory=set)
    _looked: int = 0

    def add(self, metric: str, unit: str, text: str) -> None:
        """Append one metric."""
        self.metrics.append((metric, unit))
        self.texts.append(text)

    def has(self, metric: str, unit: str) -> bool:
        """Whether a metric was added before."""
        self._seen.update(self.metrics[self._looked :])
        self._looked = len(self.metrics)
        return (metric, unit) in self._seen


def point(kernel: Kernel, mark: str) -> tuple[MeasuredPoint | None, tuple[tuple[str, str], ...]]:
    """The point of a launch, and its metrics whose unit is not known; none without a time."""
    values, tensor, odd = _values(kernel, mark)
    time = _time(values)
    if time is None or time <= 0:
        return None, odd
    notes: list[Note] = []
    flops = _flops(values, tensor, kernel.name, time, notes)
    moved = _bytes(values, time, notes)
    busy = values.get("dram_busy")
    if busy is None and (busy := values.get("memory_busy")) is not None:
        notes.append(Note("import.busy_with_hits"))
    return MeasuredPoint(
        name=kernel.name[:LONGEST],
        calls=kernel.calls,
        time_s=time,
        flops=flops,
        bytes=moved,
        memory_busy=busy,
        compute_busy=values.get("compute_busy"),
        notes=tuple(notes),
    ), odd


def _values(kernel: Kernel, mark: str) -> tuple[Values, Values, tuple[tuple[str, str], ...]]:
    """Figures in base units: plain ones, those of tensor cores, and metrics whose unit is not known."""
    metrics, texts = kernel.metrics[: limits.TOOL_COLUMNS], kernel.texts
    if not _NOT_THERE.isdisjoint(texts):  # such a metric has no unit either
        there = [i for i, text in enumerate(texts[: len(metrics)]) if text not in _NOT_THERE]
        metrics, texts = [metrics[i] for i in there], [texts[i] for i in there]
    layout = _layout(tuple(metrics))  # repeats: the first of a kind stays
    numbers = _numbers([texts[i] for i in layout.order], mark)
    values = dict(zip(layout.keys, map(mul, numbers, layout.factors), strict=True))
    total = sum(values.values())
    if not total < math.inf or (values and min(values.values()) < 0):
        values = {k: v for k, v in values.items() if 0 <= v < math.inf}
    if not layout.tensor:
        return values, {}, layout.odd
    return values, {k: values.pop(k) for k in layout.tensor if k in values}, layout.odd


class _Layout(NamedTuple):
    """The metrics of a launch in the order they are taken, the first of a kind last, so that it stays."""

    order: tuple[int, ...]
    keys: tuple[str, ...]
    factors: tuple[float, ...]
    tensor: tuple[str, ...]
    odd: tuple[tuple[str, str], ...]


@lru_cache(maxsize=64)
def _layout(metrics: tuple[tuple[str, str], ...]) -> _Layout:
    """Launches have the same metrics again and again; what they mean is worked out once."""
    scales = [scale(metric, unit) for metric, unit in metrics]
    known = [(i, *s) for i, s in enumerate(scales) if s is not None][::-1]
    return _Layout(
        order=tuple(i for i, _, _, _ in known),
        keys=tuple(key for _, key, _, _ in known),
        factors=tuple(factor for _, _, factor, _ in known),
        tensor=tuple(dict.fromkeys(key for _, key, _, into_tensor in known if into_tensor)),
        odd=tuple(metric for metric, s in zip(metrics, scales, strict=True) if s is None),
    )


def _numbers(texts: list[str], mark: str) -> list[float]:
    if mark == ".":
        try:
            return [float(text.replace(",", "")) for text in texts]
        except ValueError:
            pass
    return [_number(text, mark) for text in texts]


def _number(text: str, mark: str) -> float:
    """A figure, not a number where it is none."""
    number = localised(text, mark)
    return math.nan if number is None else number


def _time(values: Values) -> float | None:
    for name in ("time", "time_active"):
        if name in values:
            return values[name]
    pairs = (
        ("cycles", "clock"), ("cycles_max", "clock"), ("gpc_cycles", "gpc_clock"), ("elapsed_cycles", "sm_frequency")
    )  # fmt: skip
    for cycles, clock in pairs:
        if values.get(clock) and cycles in values:
            return values[cycles] / values[clock]
    return None


def _bytes(values: Values, time: float, notes: list[Note]) -> float | None:
    if "bytes" in values:
        return values["bytes"]
    for weight, pairs in ((1.0, _PAIRS), (_SECTOR, _SECTOR_PAIRS)):
        for read, write in pairs:
            if read in values and write in values:
                return weight * (values[read] + values[write])
    if "sectors" in values:
        return _SECTOR * values["sectors"]
    rate = values.get("rate")
    if rate is None and "rate_read" in values and "rate_write" in values:
        rate = values["rate_read"] + values["rate_write"]
    if rate is not None:
        return rate * time
    half = any(name in values for pair in (*_PAIRS, *_SECTOR_PAIRS) for name in pair)
    notes.append(Note("import.half_of_bytes" if half else "import.no_byte_counters"))
    return None


def _flops(values: Values, tensor: Values, name: str, time: float, notes: list[Note]) -> float | None:
    counted = {f: c for f in FAMILIES if (c := _family(values, f, time)) is not None}
    partly = {f: part for f in FAMILIES if f not in counted and (part := _part(values, f)) is not None}
    operations = _tensor_ops(tensor) if any(map(_is_operation, tensor)) else None
    if operations is None and _uses_tensor(tensor, name):
        notes.append(Note("import.tensor_missed"))
        return None
    if not counted and not partly and not operations:
        notes.append(Note("import.no_flop_counters"))
        return None
    total = sum(counted.values()) + sum(known for known, _ in partly.values()) + (operations or 0.0)
    missing = [lacking for _, lacking in partly.values()]
    if not operations:
        missing += [FAMILIES[f] for f in FAMILIES if f not in counted and f not in partly]
    if missing:
        notes.append(Note("import.part_of_flops", {"missing": ", ".join(missing)}))
        return total or None
    return total


def _part(values: Values, family: str) -> tuple[float, str] | None:
    """FLOPs of one precision of which only some counters are there, a lower bound, and what is missing."""
    counts = {o: values.get(key) for o, key in zip(OPERATIONS, _COUNTS[family], strict=True)}
    if all(c is None for c in counts.values()):
        return None
    known = sum((2 if o == "fma" else 1) * c for o, c in counts.items() if c is not None)
    return known, f"{FAMILIES[family]} {'/'.join(o for o, c in counts.items() if c is None)}"


def _family(values: Values, family: str, time: float) -> float | None:
    """FLOPs of one precision: adds, multiplies, and twice the fused ones; by counts, or by counts per cycle."""
    add, multiply, fma = map(values.get, _COUNTS[family])
    if add is not None and multiply is not None and fma is not None:
        return add + multiply + 2 * fma
    clock = values.get("clock_smsp") or values.get("clock")
    add, multiply, fma, twice = map(values.get, _PER_CYCLE[family])
    twice = 2 * fma if twice is None and fma is not None else twice
    if clock is None or add is None or multiply is None or twice is None:
        return None
    return (add + multiply + twice) * clock * time


def _is_operation(key: str) -> bool:
    return key.startswith("tensor_ops")


def _tensor_ops(tensor: Values) -> float | None:
    """Operations of the tensor cores by their own counters: whole ones, or their dense and sparse parts."""
    whole = {k.partition(":")[2]: v for k, v in tensor.items() if k.startswith("tensor_ops:")}
    parts = [v for k, v in tensor.items() if k.startswith("tensor_ops_") and k.partition(":")[2] not in whole]
    return sum(whole.values()) + sum(parts) if whole or parts else None


def _uses_tensor(tensor: Values, name: str) -> bool:
    return any(v > 0 for v in tensor.values()) if tensor else bool(_TENSOR_NAME.search(name))
