"""rocprof-compute: `roofline.csv` (ceilings of each device) and `pmc_perf.csv` (counters of each kernel)."""

import csv
import re
from collections.abc import Mapping
from itertools import chain
from typing import Final

from explorer.analysis.measured.imported import Ceiling, Imported, MeasuredPoint
from explorer.analysis.problem import Note
from explorer.files.disk import limits
from explorer.files.importers.ceilings import precision
from explorer.files.importers.figures import finite, positive
from explorer.files.importers.findings import LONGEST, Findings
from explorer.files.importers.importer import Importer
from explorer.files.importers.source import SourceText

TOOL: Final = "rocprof-compute"
_BANDWIDTH: Final = re.compile(r"(HBM|MALL|L2|L1|LDS)Bw", re.IGNORECASE)
_COMPUTE: Final = re.compile(r"(MFMA)?(?:_FLOPs_)?(F6F4|(?:BF|FP|F|I)\d++)(?:Flops|Ops)?", re.IGNORECASE)
_ROOF: Final = re.compile(r"(?:HBM|MALL|L2|L1|LDS)Bw|(?:MFMA)?(?:BF|FP|F|I)\d++(?:Flops|Ops)", re.IGNORECASE)
_DEVICES: Final = {"device", "devid", "dev_id", "device_id"}
_MATRIX: Final = re.compile(r"SQ_INSTS_VALU_MFMA_MOPS_B?F\d\w*+")
_COUNTERS: Final = ("SQ_INSTS_VALU_", "TCC_")
_NAMES: Final = ("Kernel_Name", "KernelName")
_STARTS: Final = ("Start_Timestamp", "BeginNs")
_ENDS: Final = ("End_Timestamp", "EndNs")
_VALU: Final = ("F16", "F32", "F64")
_PREAMBLE: Final = 200  # lines that may stand above the header
_LANES, _MFMA_UNIT = 64, 512  # lanes of a wavefront; FLOPs of one counted matrix operation


def recognises(source: SourceText) -> bool:
    """Whether a header names its roofs or its counters."""
    return any(_kind(line) for line in source.start_lines[:_PREAMBLE])


def _kind(line: str) -> str:
    cells = {c.strip().strip('"') for c in line.split(",")}
    if sum(bool(_ROOF.fullmatch(c)) for c in cells) > 1:
        return "ceilings"
    named = cells & set(_NAMES) and cells & set(_STARTS) and cells & set(_ENDS)
    return "points" if named and any(c.startswith(("SQ_", "TCC_", "GRBM_")) for c in cells) else ""


def read(source: SourceText) -> Imported:
    """The rows under the header, whatever stands above it."""
    lines = enumerate(chain.from_iterable(source.lines(limit=limits.TOOL_TABLE)), 1)
    at, first = next(((n, line) for n, line in lines if _kind(line)), (0, ""))
    ceilings = _kind(first) == "ceilings"
    found = Findings(TOOL, "ceilings" if ceilings else "points")
    try:
        header = [n.strip() for n in next(csv.reader([first]), [])][: limits.TOOL_COLUMNS]
        for number, cells in enumerate(csv.reader(line for _, line in lines), at + 1):
            if not cells:
                continue
            if len(cells) != len(header):
                found.skip(f"line {number}", "import.columns", given=len(cells), wanted=len(header))
                continue
            row = dict(zip(header, cells, strict=True))
            (_roofs if ceilings else _kernel)(row, f"line {number}", found)
    except csv.Error:
        found.skip(f"line {at}", "import.header", text="CSV")
    return found.imported()


def _roofs(row: Mapping[str, str], where: str, found: Findings) -> None:
    device = next((f"device {v.strip()[:100]}" for n, v in row.items() if n.lower() in _DEVICES), "")
    lower = {n.lower(): v for n, v in row.items()}
    for name, text in row.items():
        memory, compute = _BANDWIDTH.fullmatch(name), _COMPUTE.fullmatch(name)
        if not (memory or compute):
            continue
        rate = positive(text)
        if rate is None:
            found.skip(f"{where}, {name}", "import.rate", text=text)
            continue
        spread = [_scaled(lower.get(f"{name.lower()}{end}")) for end in ("low", "high")]
        about = {"rate": rate * 1e9, "name": name, "device": device, "low": spread[0], "high": spread[1]}
        if memory:
            found.ceilings.append(Ceiling(level=memory[1].upper(), **about))  # type: ignore[arg-type]
        elif compute and (known := precision(compute[2])):
            unit = "tensor" if compute[1] else "vector"
            found.ceilings.append(Ceiling(format=known, unit=unit, **about))  # type: ignore[arg-type]
        else:
            found.skip(f"{where}, {name}", "import.precision", text=name)


def _scaled(text: str | None) -> float | None:
    value = positive(text)
    return None if value is None else value * 1e9


def _kernel(row: Mapping[str, str], where: str, found: Findings) -> None:
    name = next(row[n] for n in _NAMES if n in row)
    start, end = (next((finite(row[n]) for n in names if n in row), None) for names in (_STARTS, _ENDS))
    if start is None or end is None or end <= start:
        found.skip(where, "import.no_time", text=name)
        return
    counters = {n: v for n, t in row.items() if n.startswith(_COUNTERS) and (v := finite(t)) is not None}
    flops, moved = flops_of(counters), bytes_of(counters)
    notes = [Note("import.no_flop_counters")] if flops is None else []
    notes += [Note("import.no_byte_counters")] if moved is None else []
    gpu = next((f"GPU {row[n][:100]}" for n in ("GPU_ID", "gpu-id") if n in row), "")
    found.points.append(
        MeasuredPoint(
            name=name[:LONGEST], time_s=(end - start) * 1e-9, flops=flops, bytes=moved, device=gpu, notes=tuple(notes)
        )
    )  # fmt: skip


def flops_of(counters: Mapping[str, float]) -> float | None:
    """FLOPs of the vector and matrix units: 64 lanes, a fused multiply-add counts 2, a matrix operation 512.

    None where a counter that this needs was not collected: a part of the FLOPs would be a wrong point.
    """
    total = 0.0
    for kind in _VALU:
        for operation, weight in (("ADD", 1), ("MUL", 1), ("TRANS", 1), ("FMA", 2)):
            value = counters.get(f"SQ_INSTS_VALU_{operation}_{kind}")
            if value is None:
                return None
            total += _LANES * weight * value
    matrix = [v for n, v in counters.items() if _MATRIX.fullmatch(n)]
    return total + _MFMA_UNIT * sum(matrix) if matrix else None


def bytes_of(counters: Mapping[str, float]) -> float | None:
    """Bytes to and from device memory: reads of 32, 64 and (newer devices) 128 bytes, writes of 32 and 64."""
    for name in ("TCC_EA_", "TCC_EA0_"):
        parts = [counters.get(f"{name}{part}_sum") for part in ("RDREQ", "RDREQ_32B", "WRREQ", "WRREQ_64B")]
        if None not in parts:
            reads, short, writes, long = (p or 0.0 for p in parts)
            wide = counters.get("TCC_BUBBLE_sum", 0.0)
            return 128 * wide + 32 * short + 64 * (reads - wide - short) + 64 * long + 32 * (writes - long)
    return None


IMPORTER: Final = Importer(TOOL, TOOL, recognises, read)
