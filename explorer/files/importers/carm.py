"""CARM benchmarks, one JSON object a line: memory levels in GB/s, arithmetic in GOP/s, one row per thread count."""

import json
import re
from typing import Any, Final

from explorer.analysis.measured.imported import Ceiling, Imported, MeasuredPoint
from explorer.files.importers.ceilings import precision
from explorer.files.importers.figures import positive, whole
from explorer.files.importers.findings import Findings
from explorer.files.importers.importer import Importer
from explorer.files.importers.source import SourceText, lines_of

TOOL: Final = "CARM"
_SIGN: Final = re.compile(r'"(bandwidth_gbps|performance_gops)"\s*+:')


def recognises(source: SourceText) -> bool:
    """Whether its lines hold CARM's own keys."""
    return bool(_SIGN.search(source.start))


def read(source: SourceText) -> Imported:
    """Every memory row and every arithmetic row as a ceiling; mixed rows, where there are, as points."""
    found = Findings(TOOL, "ceilings")
    for number, line in enumerate(lines_of(source.text()), 1):
        bare = line.strip().rstrip(",")
        if bare.startswith("{"):
            _row(bare, f"line {number}", found)
    return found.imported()


def _row(line: str, where: str, found: Findings) -> None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        found.skip(where, "import.broken_json")
        return
    bandwidth, compute = positive(row.get("bandwidth_gbps")), positive(row.get("performance_gops"))
    found.device = found.device or _text(row.get("machine"))
    level = _text(row.get("memory_level_name")) or _text(row.get("cache_level"))
    name = _name(row)
    if bandwidth is not None and compute is not None:
        _mixed(row, compute, bandwidth, where, found)
    elif bandwidth is not None and level:
        found.ceilings.append(Ceiling(level=level, rate=bandwidth * 1e9, name=name, device=_text(row.get("machine"))))
    elif compute is not None:
        known = precision(_text(row.get("data_type")))
        if known is None:
            found.skip(where, "import.precision", text=_text(row.get("data_type")))
            return
        found.ceilings.append(Ceiling(format=known, rate=compute * 1e9, name=name, device=_text(row.get("machine"))))
    else:
        found.skip(where, "import.row", text=name or _text(row.get("type")))


def _mixed(row: dict[str, Any], compute: float, bandwidth: float, where: str, found: Findings) -> None:
    seconds = positive(row.get("time_seconds"))
    if seconds is None:
        found.skip(where, "import.row", text=_name(row))
        return
    found.points.append(
        MeasuredPoint(
            name=_name(row),
            time_s=seconds,
            flops=compute * 1e9 * seconds,
            bytes=bandwidth * 1e9 * seconds,
            threads=whole(row.get("num_threads")),
            format=precision(_text(row.get("data_type"))) or "",
        )
    )


def _name(row: dict[str, Any]) -> str:
    return _text(row.get("name")) or " ".join(filter(None, (_text(row.get("isa")), _text(row.get("operation")))))


def _text(value: object) -> str:
    return value[:200] if isinstance(value, str) else ""


IMPORTER: Final = Importer(TOOL, TOOL, recognises, read)
