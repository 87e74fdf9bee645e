"""nvbandwidth: matrices of copy bandwidth between devices, as text or JSON; each test is a link or the memory."""

import json
import re
from statistics import median
from typing import Any, Final

from explorer.analysis.measured import Ceiling, Imported
from explorer.files.importers.figures import finite
from explorer.files.importers.found import Found
from explorer.files.importers.source import Source

TOOL: Final = "nvbandwidth"
_RUNNING: Final = re.compile(r"^\s*Running\s+([\w.-]+?)\.?\s*$")
_TITLE: Final = re.compile(r"^\s*\S.*\b(?:bandwidth|latency)\b.*\(([^()]+)\)\s*$", re.IGNORECASE)
_ROW: Final = re.compile(r"^\s*(\d+)((?:\s+(?:[\d.]+|N/A))+)\s*$")
_UNIT: Final = re.compile(r"\(([^()]+)\)\s*$")
_GPU: Final = re.compile(r"^Device \d+: (.+?)(?: \(|$)", re.MULTILINE)
_UNITS: Final = {"gb/s": 1e9, "mb/s": 1e6, "tb/s": 1e12, "gib/s": 2.0**30}


def recognises(source: Source) -> bool:
    """Whether it holds a bandwidth matrix, or nvbandwidth's JSON."""
    start = source.start
    if '"testcases"' in start and '"bandwidth_matrix"' in start:
        return True
    return any(_TITLE.match(line) and "memcpy" in line.lower() for line in start.splitlines())


def read(source: Source) -> Imported:
    """One ceiling per test: the middle of its matrix, with its lowest and highest."""
    text = source.text(16 << 20)
    found = Found(TOOL, "ceilings")
    if text.lstrip().startswith("{"):
        _json(text, found)
    else:
        _text(text, found)
    return found.imported()


def _text(text: str, found: Found) -> None:
    if gpu := _GPU.search(text):
        found.device = gpu[1][:100]
    test, unit, title = "", "", ""
    values: list[float] = []
    at = 0
    for number, line in enumerate(text.splitlines(), 1):
        if running := _RUNNING.match(line):
            _add(test or title, unit, values, f"line {at}", found, title)
            test, unit, title, values, at = running[1], "", "", [], number
        elif heading := _TITLE.match(line):
            _add(test or title, unit, values, f"line {at}", found, title)
            unit, title, values, at = heading[1], line.strip(), [], number
        elif unit and (row := _ROW.match(line)) and not _is_header(row):
            values += [v for v in map(finite, row[2].split()) if v is not None]
    _add(test or title, unit, values, f"line {at}", found, title)


def _is_header(row: re.Match[str]) -> bool:
    """The line of device numbers above a matrix has no decimal point."""
    return "." not in row[0] and "N/A" not in row[0]


def _add(test: str, unit: str, values: list[float], where: str, found: Found, title: str = "") -> None:
    if not unit:
        return
    factor = _UNITS.get(unit.strip().lower())
    both = bool(re.search(r"\btotal\b", title, re.IGNORECASE))
    rates = [v for v in values if v > 0]  # the diagonal of a matrix is 0
    if factor is None:
        found.skip(where, "import.unit", text=test, unit=unit)
    elif both:
        found.skip(where, "import.both_directions", text=test)
    elif not rates:
        found.skip(where, "import.row", text=test)
    else:
        low, middle, high = (f(rates) * factor for f in (min, median, max))
        about: dict[str, Any] = {"name": test, "device": found.device}
        found.ceilings.append(Ceiling(link=test, rate=middle, low=low, high=high, **about))
        if "local" in test:  # each byte copied is read and written
            found.note("import.local_copy")
            found.ceilings.append(Ceiling(level="HBM", rate=2 * middle, low=2 * low, high=2 * high, **about))


def _json(text: str, found: Found) -> None:
    try:
        loaded: Any = json.loads(text)
    except (ValueError, RecursionError):
        found.skip("JSON", "import.broken_json")
        return
    body = loaded.get("nvbandwidth", loaded) if isinstance(loaded, dict) else {}
    tests = body.get("testcases") if isinstance(body, dict) else None
    for test in tests if isinstance(tests, list) else []:
        if not isinstance(test, dict):
            continue
        name = str(test.get("name", ""))[:100]
        matrix = test.get("bandwidth_matrix")
        if not isinstance(matrix, list):
            found.skip(name or "testcases", "import.row", text=str(test.get("status", "")))
            continue
        values = [v for row in matrix for v in map(finite, row if isinstance(row, list) else [row]) if v is not None]
        about = str(test.get("bandwidth_description", ""))
        unit = _UNIT.search(about)
        _add(name, unit[1] if unit else "ns" if "latency" in name else "GB/s", values, name, found, about)
