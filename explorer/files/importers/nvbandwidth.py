"""nvbandwidth: matrices of copy bandwidth between devices, as text or JSON; each test is a link or the memory."""

import json
import re
from statistics import median
from typing import Any, Final

from explorer.analysis.measured.imported import Ceiling, Imported
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.text import printable
from explorer.files.importers.figures import finite
from explorer.files.importers.findings import Findings
from explorer.files.importers.importer import Importer
from explorer.files.importers.source import SourceText, lines_of

TOOL: Final = "nvbandwidth"
_RUNNING: Final = "Running"
_TEST: Final = re.compile(r"[\w.-]++")
_ABOUT: Final = re.compile(r"\b(?:bandwidth|latency)\b", re.IGNORECASE)
_GPU: Final = re.compile(r"Device \d++: ")
_FIGURE: Final = frozenset("0123456789.")
_UNITS: Final = {"gb/s": 1e9, "mb/s": 1e6, "tb/s": 1e12, "gib/s": 2.0**30}


def recognises(source: SourceText) -> bool:
    """Whether it holds a bandwidth matrix, or nvbandwidth's JSON."""
    start = source.start
    if '"testcases"' in start and '"bandwidth_matrix"' in start:
        return True
    return any("memcpy" in line.lower() and _unit(line) for line in source.start_lines if "(" in line)


def read(source: SourceText) -> Imported:
    """One ceiling per test: the middle of its matrix, with its lowest and highest."""
    text = source.text()
    found = Findings(TOOL, "ceilings")
    if text.lstrip().startswith("{"):
        if len(text) > limits.TOOL_JSON:
            raise Refused(Problem("file.too_large", values={"limit": limits.TOOL_JSON}))
        _json(text, found)
    else:
        _text(text, found)
    return found.imported()


def _text(text: str, found: Findings) -> None:
    test, unit, title = "", "", ""
    values: list[float] = []
    at = 0
    for number, line in enumerate(lines_of(text), 1):
        if not found.device:
            found.device = _device(line)
        if running := _running(line):
            _add(test or title, unit, values, f"line {at}", found, title)
            test, unit, title, values, at = running, "", "", [], number
        elif heading := _unit(line):
            _add(test or title, unit, values, f"line {at}", found, title)
            unit, title, values, at = heading, line.strip()[:200], [], number
        elif unit:
            values += _row(line)
    _add(test or title, unit, values, f"line {at}", found, title)


def _device(line: str) -> str:
    named = _GPU.match(line)
    return line[named.end() :].partition(" (")[0].strip()[:100] if named else ""


def _running(line: str) -> str:
    """The test that a line announces."""
    words = line.split(None, 2)
    if len(words) != 2 or words[0] != _RUNNING or not _TEST.fullmatch(words[1]):
        return ""
    return (words[1].removesuffix(".") or words[1])[:200]


def _unit(line: str) -> str:
    """The unit at the end of a line that heads a matrix of bandwidths or latencies."""
    about, _, unit = line.strip().rpartition("(")
    unit = unit.removesuffix(")") if unit.endswith(")") else ""
    return unit[:100] if unit and ")" not in unit and _ABOUT.search(about, 1) else ""


def _row(line: str) -> list[float]:
    """The figures of a matrix's row; the line of device numbers above it has no decimal point."""
    words = line.split()
    if len(words) < 2 or not words[0].isdecimal() or not ("." in line or "N/A" in line):
        return []
    if not all(w == "N/A" or _FIGURE.issuperset(w) for w in words[1:]):
        return []
    return [v for v in map(finite, words[1:]) if v is not None]


def _add(test: str, unit: str, values: list[float], where: str, found: Findings, title: str = "") -> None:
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


def _json(text: str, found: Findings) -> None:
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
        name = _plain(test.get("name", ""))[:100]
        matrix = test.get("bandwidth_matrix")
        if not isinstance(matrix, list):
            found.skip(name or "testcases", "import.row", text=_plain(test.get("status", "")))
            continue
        values = [v for row in matrix for v in map(finite, row if isinstance(row, list) else [row]) if v is not None]
        about = _plain(test.get("bandwidth_description", ""))[:200]
        bracket = about.strip().rpartition("(")[2]
        unit = bracket.removesuffix(")") if bracket.endswith(")") else ""
        _add(name, unit or ("ns" if "latency" in name else "GB/s"), values, name, found, about)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else printable(value)


IMPORTER: Final = Importer(TOOL, TOOL, recognises, read)
