"""Empirical Roofline Toolkit: `roofline.json` and the summary text; rates in GFLOP/s and GB/s."""

import json
import re
from typing import Any, Final

from explorer.analysis.measured import Ceiling, Imported
from explorer.files.importers.ceilings import precision
from explorer.files.importers.figures import positive
from explorer.files.importers.found import Found
from explorer.files.importers.source import Source

TOOL: Final = "ERT"
_JSON: Final = re.compile(r'"empirical"\s*:')
_GBYTES: Final = re.compile(r'"gbytes"\s*:')
_RATE: Final = re.compile(
    r"^\s*([\d.eE+-]+)[ \t]+((?:\w+[ \t]+)?GFLOPs?(?:/s)?|L\d+|DRAM|HBM|MCDRAM)\s*$", re.MULTILINE
)
_LINE: Final = re.compile(r"^\s*([\d.eE+-]+)[ \t]+(\S.*?)\s*$")
_DEFAULT: Final = "fp64"  # its kernel computes in double where the label names no precision


def recognises(source: Source) -> bool:
    """Whether it is a result of ERT, as JSON or as text."""
    start = source.start
    if _JSON.search(start) and _GBYTES.search(start):
        return True
    labels = {label.split()[-1] for _, label in _RATE.findall(start)}
    return any(label.startswith("GFLOP") for label in labels) and bool(labels & {"DRAM", "HBM", "MCDRAM", "L1", "L2"})


def read(source: Source) -> Imported:
    """The empirical roofs; what the sheet says (`spec`) is no measurement."""
    text = source.text(16 << 20)
    found = Found(TOOL, "ceilings")
    if text.lstrip().startswith("{"):
        _json(text, found)
    else:
        _text(text, found)
    return found.imported()


def _json(text: str, found: Found) -> None:
    try:
        loaded: Any = json.loads(text)
    except (ValueError, RecursionError):
        found.skip("JSON", "import.broken_json")
        return
    empirical = _at(loaded, "empirical")
    for part in ("gflops", "gbytes"):
        for index, entry in enumerate(_list(_at(empirical, part, "data"))):
            where = f"empirical.{part}.data[{index}]"
            if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str):
                _add(entry[0], entry[1], where, found)
            else:
                found.skip(where, "import.row", text=str(entry))
    if _at(loaded, "spec") is not None:
        found.skip("spec", "import.not_measured")
    host = _at(empirical, "metadata", "HOSTNAME")
    found.device = host[:100] if isinstance(host, str) else ""


def _text(text: str, found: Found) -> None:
    results, _, meta = text.partition("META_DATA")
    for number, line in enumerate(results.splitlines(), 1):
        if match := _LINE.match(line):
            _add(match[2], match[1], f"line {number}", found)
    if host := re.search(r"HOSTNAME\s+\(?'?([\w.-]+)", meta):
        found.device = host[1]


def _add(label: str, value: object, where: str, found: Found) -> None:
    rate = positive(value)
    words = label.split()
    if rate is None or not words:
        found.skip(where, "import.rate", text=f"{label} {value}")
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
