"""BabelStream, GPU-STREAM and STREAM: bandwidth of copy, mul, add, triad, dot as a table or as CSV."""

import csv
import re
from typing import Final

from msgspec.structs import replace

from explorer.analysis.measured.imported import Ceiling, Imported
from explorer.files.importers.ceilings import cache_of
from explorer.files.importers.figures import positive
from explorer.files.importers.findings import Findings
from explorer.files.importers.importer import Importer
from explorer.files.importers.source import SourceText, lines_of

TOOL: Final = "BabelStream"
_TABLE: Final = re.compile(
    r"\s*+Function\s++(?:Best\s++)?+(?:Rate\s++)?+\(?(M|G)(i?)B(?:ytes)?/s(?:ec)?\b", re.IGNORECASE
)
_RATE: Final = re.compile(r"max_(m|g)(i?)bytes_per_sec", re.IGNORECASE)
_CSV: Final = (
    re.compile(r"\b(?:function|phase)\b", re.IGNORECASE),
    re.compile(r"\bmax_[mg]i?bytes_per_sec\b", re.IGNORECASE),
)
_DEVICE: Final = re.compile(r"Using (?:\S++ )?device:? (?=.*\S)", re.IGNORECASE)
_TOTAL: Final = re.compile(  # what all arrays take; GPU-STREAM and BabelStream count in 1e6, STREAM in 2^20
    r"\s*+Total (?:size|memory required)\s*+[:=]\s*+([\d.]++)\s*+([KMG])(i?)B", re.IGNORECASE
)
_ARRAYS: Final = 3
_SMALL: Final = 128 * 1024**2  # caches of common devices hold less
_LONGEST: Final = 100_000  # of a line of the CSV
_LEVEL: Final = "DRAM"
_KERNELS: Final = {"copy", "mul", "add", "triad", "dot", "nstream", "read", "write", "scale"}


def recognises(source: SourceText) -> bool:
    """Whether it holds a table of functions with their bandwidth."""
    return any(_TABLE.match(line) or _is_header(line) for line in source.start_lines)


def _is_header(line: str) -> bool:
    """Whether a line names the columns of the CSV."""
    function, rate = _CSV
    at = function.search(line)
    return at is not None and rate.search(line, at.end()) is not None


def read(source: SourceText) -> Imported:
    """One ceiling per function."""
    found = Findings(TOOL, "ceilings")
    unit, size, width = 0.0, 0.0, 0
    names: list[str] = []
    text = source.text()
    unended = "" if text.endswith("\n") else text[text.rfind("\n") + 1 :]
    for number, line in enumerate(lines_of(text), 1):
        if not found.device and (device := _DEVICE.match(line)):
            found.device = line[device.end() :].strip()[:100]
        if total := _TOTAL.match(line):
            size = (positive(total[1]) or 0.0) * _factor(total[2], total[3])
        if header := _TABLE.match(line):
            unit, names = _factor(header[1], header[2]), []
        elif _is_header(line):
            names = [n.strip().lower() for n in _cells(line)]
        elif names and line.count(",") >= len(names) - 1:
            size = _csv_row(names, _cells(line), found, number) or size
        elif unit and (words := line.split()):
            if line == unended and len(words) < width:
                found.skip(f"line {number}", "import.cut_row")
                continue
            width = max(width, len(words)) if words[0].rstrip(":").lower() in _KERNELS else width
            _table_row(words, unit, found, number)
    _judge(found, size)
    return found.imported()


def _judge(found: Findings, size: float) -> None:
    """Take back what was measured in a cache: of the device where its name tells it, else where arrays are small."""
    if not size or not found.ceilings:
        return
    cache = cache_of(found.device)
    if cache is None and size < _SMALL:
        found.note("import.small_arrays", size=int(size))
        found.ceilings[:] = [replace(c, doubtful=True) for c in found.ceilings]
    elif cache is not None and size <= cache:
        found.skip(found.ceilings[0].name, "import.in_cache", size=int(size), cache=int(cache))
        found.ceilings.clear()


def _table_row(words: list[str], unit: float, found: Findings, number: int) -> None:
    name = words[0].rstrip(":")
    if name.lower() in _KERNELS and len(words) > 1:
        _add(name, positive(words[1]), unit, found, number)


def _csv_row(names: list[str], cells: list[str], found: Findings, number: int) -> float:
    """Add a row; return what all arrays take by its columns, 0 where they do not say."""
    row = dict(zip(names, cells, strict=False))
    column, unit = next(((n, _factor(match[1], match[2])) for n in names if (match := _RATE.fullmatch(n))), ("", 0.0))
    name = row.get("function") or row.get("phase", "")
    if name.lower() not in _KERNELS:
        found.skip(f"line {number}", "import.row", text=name)
        return 0.0
    _add(name, positive(row.get(column)), unit, found, number)
    return _ARRAYS * (positive(row.get("n_elements")) or 0.0) * (positive(row.get("sizeof")) or 0.0)


def _add(name: str, value: float | None, unit: float, found: Findings, number: int) -> None:
    if value is None:
        found.skip(f"line {number}", "import.rate", text=name)
        return
    found.ceilings.append(Ceiling(level=_LEVEL, rate=value * unit, name=name, device=found.device))


def _factor(prefix: str, binary: str) -> float:
    power = "KMG".index(prefix.upper()) + 1
    return float(1024**power if binary else 1000**power)


def _cells(line: str) -> list[str]:
    if len(line) > _LONGEST:
        return []
    try:
        return [c.strip() for c in next(csv.reader([line]), [])]
    except csv.Error:
        return []


IMPORTER: Final = Importer(TOOL, TOOL, recognises, read)
