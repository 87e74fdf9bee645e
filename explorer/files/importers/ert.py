"""Empirical Roofline Toolkit: `roofline.json` and the summary text; rates in GFLOP/s and GB/s."""

import json
import re
from typing import Any, Final

from explorer.analysis.measured.imported import Ceiling, Imported
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.disk.text import printable
from explorer.files.importers.ceilings import precision
from explorer.files.importers.figures import positive
from explorer.files.importers.findings import Findings
from explorer.files.importers.importer import Importer
from explorer.files.importers.source import SourceText, lines_of

TOOL: Final = "ERT"
_JSON: Final = re.compile(r'"empirical"\s*+:')
_GBYTES: Final = re.compile(r'"gbytes"\s*+:')
_LABEL: Final = re.compile(r"GFLOPs?(?:/s)?|L\d++|DRAM|HBM|MCDRAM")
_FIGURE: Final = frozenset("0123456789.eE+-")
_LONGEST: Final = 200
_DEFAULT: Final = "fp64"  # its kernel computes in double where the label names no precision


def recognises(source: SourceText) -> bool:
    """Whether it is a result of ERT, as JSON or as text."""
    start = source.start
    if _JSON.search(start) and _GBYTES.search(start):
        return True
    labels = {label.split()[-1] for label, _ in map(_rate, source.start_lines) if _known(label)}
    return any(label.startswith("GFLOP") for label in labels) and bool(labels & {"DRAM", "HBM", "MCDRAM", "L1", "L2"})


def read(source: SourceText) -> Imported:
    """The empirical roofs; what the sheet says (`spec`) is no measurement."""
    text = source.text()
    found = Findings(TOOL, "ceilings")
    if text.lstrip().startswith("{"):
        if len(text) > limits.TOOL_JSON:
            raise Refused(Problem("file.too_large", values={"limit": limits.TOOL_JSON}))
        _json(text, found)
    else:
        _text(text, found)
    return found.imported()


def _json(text: str, found: Findings) -> None:
    try:
        loaded: Any = json.loads(text)
    except (ValueError, RecursionError):
        found.skip("JSON", "import.broken_json")
        return
    empirical = _at(loaded, "empirical")
    for part in ("gflops", "gbytes"):
        listed = _list(_at(empirical, part, "data"))
        if len(listed) > limits.TOOL_POINTS:
            raise Refused(Problem("import.many", values={"limit": limits.TOOL_POINTS}))
        for index, entry in enumerate(listed):
            where = f"empirical.{part}.data[{index}]"
            if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str):
                _add(entry[0], entry[1], where, found)
            else:
                found.skip(where, "import.row", text=printable(entry))
    if _at(loaded, "spec") is not None:
        found.skip("spec", "import.not_measured")
    host = _at(empirical, "metadata", "HOSTNAME")
    found.device = host[:100] if isinstance(host, str) else ""


def _text(text: str, found: Findings) -> None:
    results, _, meta = text.partition("META_DATA")
    for number, line in enumerate(lines_of(results), 1):
        label, value = _rate(line)
        if label:
            _add(label, value, f"line {number}", found)
    if host := re.search(r"HOSTNAME\s++\(?'?([\w.-]++)", meta):
        found.device = host[1][:100]


def _rate(line: str) -> tuple[str, str]:
    """What a line of the summary names, and its figure; both empty where it is no such line."""
    value, label = (*line.split(None, 1), "", "")[:2]
    return (label.rstrip(), value) if label and _FIGURE.issuperset(value) else ("", "")


def _known(label: str) -> bool:
    words = label.split(None, 2)
    if not words or len(words) > 2 or not _LABEL.fullmatch(words[-1]):
        return False
    return len(words) == 1 or words[-1].startswith("GFLOP")


def _add(label: str, value: object, where: str, found: Findings) -> None:
    rate = positive(value)
    label = label[:_LONGEST]
    words = label.split()
    if rate is None or not words:
        found.skip(where, "import.rate", text=f"{label} {printable(value)}")
    elif words[-1].upper().startswith("GFLOP"):
        named = precision(words[0]) if len(words) > 1 else _DEFAULT
        if named is None:
            found.skip(where, "import.precision", text=label)
        else:
            found.ceilings.append(Ceiling(format=named, rate=rate * 1e9, name=label))
    elif re.fullmatch(r"L\d+|DRAM|HBM\w*|MCDRAM|SLC|LLC", label, re.IGNORECASE):
        found.ceilings.append(Ceiling(level=label, rate=rate * 1e9, name=label))
    else:
        found.skip(where, "import.not_a_rate", text=label)


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


IMPORTER: Final = Importer(TOOL, TOOL, recognises, read)
