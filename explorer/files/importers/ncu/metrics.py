"""Which of Nsight Compute's metrics say something here, and their units."""

import re
from functools import lru_cache
from typing import Final, NamedTuple

from explorer.files.importers.figures import scaled

_CLOCKS: Final = {
    "cycle/second": 1.0,
    "cycle/s": 1.0,
    "cycle/msecond": 1e3,
    "cycle/usecond": 1e6,
    "cycle/nsecond": 1e9,
    "cycle/us": 1e6,
    "cycle/ns": 1e9,
}
OPERATIONS: Final = ("add", "mul", "fma")
FAMILIES: Final = {"d": "fp64", "f": "fp32", "h": "fp16"}
_OPERATION: Final = re.compile(
    r"(derived__)?sm(?:sp)?__sass_thread_inst_executed_op_([dfh])(add|mul|fma)_pred_on(_x2)?(\.sum)?(\.per_cycle_elapsed)?"
)
_TENSOR_OPS: Final = ("sm__ops_path_tensor_", ".sum")
_SPARSITY: Final = ("_sparsity_on", "_sparsity_off")
_WORD: Final = re.compile(r"src_\w++")
_LONGEST: Final = 300  # of a metric's name; longer ones are not the tool's
_TENSOR_USED: Final = re.compile(r"pipe_tensor|_hmma|_imma|_dmma|_wgmma|pipe_tc", re.IGNORECASE)
_SUMMABLE: Final = re.compile(r"\.(sum|avg|max)(\.pct_of_peak_sustained_(active|elapsed))?$|cycles_active")


class Meaning(NamedTuple):
    """What a metric stands for; `kind` says which unit it must have."""

    key: str
    kind: str


_PLAIN: Final = {
    "gpu__time_duration.sum": Meaning("time", "time"),
    "gpu__time_duration.avg": Meaning("time", "time"),
    "gpu__time_active.sum": Meaning("time_active", "time"),
    "Duration": Meaning("time", "time"),
    "sm__cycles_elapsed.avg": Meaning("cycles", "cycle"),
    "sm__cycles_elapsed.max": Meaning("cycles_max", "cycle"),
    "gpc__cycles_elapsed.max": Meaning("gpc_cycles", "cycle"),
    "Elapsed Cycles": Meaning("elapsed_cycles", "cycle"),
    "SM Frequency": Meaning("sm_frequency", "clock"),
    "sm__cycles_elapsed.avg.per_second": Meaning("clock", "clock"),
    "smsp__cycles_elapsed.avg.per_second": Meaning("clock_smsp", "clock"),
    "gpc__cycles_elapsed.avg.per_second": Meaning("gpc_clock", "clock"),
    "dram__bytes.sum": Meaning("bytes", "byte"),
    "dram__bytes_read.sum": Meaning("read", "byte"),
    "dram__bytes_write.sum": Meaning("write", "byte"),
    "dram__bytes_op_read.sum": Meaning("op_read", "byte"),
    "dram__bytes_op_write.sum": Meaning("op_write", "byte"),
    "fbpa__dram_read_bytes.sum": Meaning("fbpa_read", "byte"),
    "fbpa__dram_write_bytes.sum": Meaning("fbpa_write", "byte"),
    "dram__sectors.sum": Meaning("sectors", "sector"),
    "dram__sectors_read.sum": Meaning("sectors_read", "sector"),
    "dram__sectors_write.sum": Meaning("sectors_write", "sector"),
    "dram__sectors_op_read.sum": Meaning("sectors_op_read", "sector"),
    "dram__sectors_op_write.sum": Meaning("sectors_op_write", "sector"),
    "dram__bytes.sum.per_second": Meaning("rate", "rate"),
    "dram__bytes_read.sum.per_second": Meaning("rate_read", "rate"),
    "dram__bytes_write.sum.per_second": Meaning("rate_write", "rate"),
    "Memory Throughput": Meaning("throughput", "rate or share"),
    "DRAM Throughput": Meaning("dram_busy", "share"),
    "dram__throughput.avg.pct_of_peak_sustained_elapsed": Meaning("dram_busy", "share"),
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed": Meaning("dram_busy", "share"),
    "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed": Meaning("memory_busy", "share"),
    "Memory [%]": Meaning("memory_busy", "share"),
    "SOL DRAM": Meaning("dram_busy", "share"),
    "Compute (SM) Throughput": Meaning("compute_busy", "share"),
    "SM [%]": Meaning("compute_busy", "share"),
    "SOL SM": Meaning("compute_busy", "share"),
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": Meaning("compute_busy", "share"),
}


_UNITS: Final = {"time": ("second", "s"), "byte": ("byte", "B"), "rate": ("byte/second", "byte/s", "B/s")}


@lru_cache(maxsize=4096)
def meaning(metric: str) -> Meaning | None:
    """What a metric stands for; None for the thousand others."""
    if len(metric) > _LONGEST:
        return None
    return _PLAIN.get(metric) or _operation(metric) or _tensor(metric)


def _operation(metric: str) -> Meaning | None:
    found = _OPERATION.fullmatch(metric)
    if found is None:
        return None
    derived, family, operation, doubled, summed, per_cycle = found.groups()
    if derived:
        return Meaning(f"per_cycle:{family}fma_x2", "inst") if doubled and operation == "fma" else None
    if summed and not doubled:
        return Meaning(f"{'per_cycle' if per_cycle else 'inst'}:{family}{operation}", "inst")
    return None


def _tensor(metric: str) -> Meaning | None:
    front, end = _TENSOR_OPS
    if metric.startswith(front) and metric.endswith(end):
        operands = metric.removeprefix(front).removesuffix(end)
        sparsity = next((s for s in _SPARSITY if operands.endswith(s)), "")
        operands = operands.removesuffix(sparsity)
        if _WORD.fullmatch(operands) and operands.partition("_dst_")[2]:
            return Meaning(f"tensor_ops{sparsity}:{operands}", "inst")
    if _TENSOR_USED.search(metric) and _SUMMABLE.search(metric) and ".peak_" not in metric:
        return Meaning(f"tensor:{metric}", "any")
    return None


@lru_cache(maxsize=4096)
def scale(metric: str, unit: str) -> tuple[str, float, bool] | None:
    """A metric's key, what one of its unit is in the base unit, and whether it is of tensor cores; None: odd unit."""
    meant = meaning(metric)
    if meant is None:
        return None
    key, kind = meant
    if kind == "rate or share":
        key, kind = ("memory_busy", "share") if unit.strip() == "%" else ("rate", "rate")
    number = factor(kind, unit)
    return None if number is None else (key, number, key.startswith("tensor"))


def factor(kind: str, unit: str) -> float | None:
    """What one of a unit is in seconds, bytes, B/s, Hz, sectors or instructions; shares in 1; None: not its unit."""
    unit = unit.strip()
    if kind in _UNITS:
        return scaled(unit, _UNITS[kind])
    match kind:
        case "share":
            return 0.01 if unit == "%" else None
        case "clock":
            return _CLOCKS.get(unit) or _hertz(unit)
        case "cycle" | "sector":
            return scaled(unit, (kind,))
        case "any":
            return 1.0
        case _:
            return 1.0 if unit in {"", "op", "inst/cycle", "op/cycle"} else scaled(unit, ("inst", "op"))


def _hertz(unit: str) -> float | None:
    return scaled(unit[:-2] + "hz", ("hz",)) if unit.lower().endswith("hz") else None
