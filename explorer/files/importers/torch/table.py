"""Tables of key_averages(): columns by the blanks that part them, times and counts of each operator."""

import re
from typing import Any, Final

import msgspec

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.measured.imported import Imported, MeasuredPoint
from explorer.analysis.problem import Note, Problem, Refused
from explorer.files.catalogue import load_catalogue
from explorer.files.disk import limits
from explorer.files.importers.figures import finite, positive, whole
from explorer.files.importers.findings import LONGEST, Findings
from explorer.files.importers.importer import Importer
from explorer.files.importers.source import SourceText, lines_of
from explorer.files.importers.torch.names import HEAVY, NOTHING, class_of
from explorer.files.importers.torch.work import Call, CallWork, work

TOOL: Final = "torch profiler table"
_HEADER: Final = re.compile(r"\s*+Name\s{2}")
_CALLS: Final = ("# of Calls", "Number of Calls")
_DASHES: Final = re.compile(r"-{3,}+")
_MOST_COLUMNS: Final = 100  # the tool has some twenty
_TIME: Final = re.compile(r"([\d.]++)\s*+(ns|us|ms|s)")
_SECONDS: Final = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
_FLOPS: Final = re.compile(r"Total ([KMGTP]?)FLOPs", re.IGNORECASE)
_POWERS: Final = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_HOST: Final = re.compile(r"(cuda|hip|cu|xpu|ze|mtia)[A-Z]\w*+$|(cuda|hip)\w++$")
_ACROSS: Final = ("HtoD", "DtoH", "PtoP")
_OLD: Final = {"Self CPU total": "Self CPU", "Self CUDA total": "Self CUDA"}
_OWN_SHARE: Final = 0.5
_SHAPE: Final = re.compile(r"\[\[.*\]\]|\[\]")


def recognises(source: SourceText) -> bool:
    """Whether it holds a table of the profiler."""
    return any(_is_header(line) for line in source.start_lines)


def _is_header(line: str) -> bool:
    """Whether a line names the columns of a table."""
    at = line.find("Self CPU")
    return at >= 0 and _HEADER.match(line) is not None and any(line.find(c, at) > 0 for c in _CALLS)


def _rule(line: str) -> list[tuple[int, int]]:
    """The spans of the dashes that part a table's header from its rows; none where it is another line."""
    words = line.split(None, _MOST_COLUMNS) if line.lstrip()[:3] == "---" else []
    if not 2 <= len(words) <= _MOST_COLUMNS or any(len(w) < 3 or w.strip("-") for w in words):
        return []
    return [m.span() for m in _DASHES.finditer(line)]


def read(source: SourceText) -> Imported:
    """The rows of every table: by device time where the table has any, else by CPU time, each without its children."""
    found = Findings(TOOL, "points")
    rows: list[tuple[int, dict[str, str]]] = []
    spans: list[tuple[int, int]] = []
    columns: list[tuple[int, int]] = []
    names: list[str] = []
    for number, line in enumerate(lines_of(source.text()), 1):
        if dashes := _rule(line):
            spans = dashes
        elif spans and _is_header(line):
            _finish(rows, found)
            rows, names, columns = [], [_OLD.get(n, n) for n in _cut(line, spans)], spans
        elif names and line.strip() and not line.lstrip().startswith(("Self ", "STAGE", "Total")):
            if len(rows) >= limits.TOOL_POINTS:
                raise Refused(Problem("import.many", values={"limit": limits.TOOL_POINTS}))
            rows.append((number, dict(zip(names, _cut(line, columns), strict=True))))
    _finish(rows, found)
    return found.imported()


def _cut(line: str, spans: list[tuple[int, int]]) -> list[str]:
    """The cells under the dashes; a cell that is longer than its dashes takes what touches it."""
    cells, start = [], 0
    for index, (_, end) in enumerate(spans):
        stop = max(end, start)
        if index == len(spans) - 1:
            stop = len(line)
        elif line[stop : stop + 1].strip(" "):
            stop = line.find(" ", stop)
            stop = len(line) if stop < 0 else stop
        cells.append(line[start:stop].strip())
        start = max(stop, start)
    return cells


def _finish(rows: list[tuple[int, dict[str, str]]], found: Findings) -> None:
    if not rows:
        return
    device = next((n for n in rows[0][1] if n.startswith("Self ") and n[5:] in _DEVICES), "")
    timed = [(number, row, _seconds(row.get(device, ""))) for number, row in rows] if device else []
    on_device = any(s for _, _, s in timed)
    ops_have_it = any(s and "::" in row.get("Name", "") and not _is_kernel(row) for _, row, s in timed)
    ranges = {row.get("Name", "") for _, row in rows if not _is_kernel(row)}
    table = _Table(found, device if on_device else "Self CPU", ops_have_it, ranges)
    for number, row in rows:
        table.row(row, f"line {number}")


_DEVICES: Final = {"CUDA", "XPU", "HPU", "MTIA", "PrivateUse1", "Device", "HIP"}


def _is_kernel(row: dict[str, str]) -> bool:
    """A kernel's row has no time on the CPU; an operator's always has."""
    return not _seconds(row.get("CPU total", "")) and not row.get("Name", "").startswith("aten::")


class _Table:
    """One table: which column times it, and whether its operators carry the time of their kernels."""

    def __init__(self, found: Findings, column: str, ops_have_it: bool, ranges: set[str]) -> None:
        self._found, self._column, self._ops_have_it, self._ranges = found, column, ops_have_it, ranges
        self._catalogue: Catalogue | None = None

    def row(self, row: dict[str, str], where: str) -> None:
        """A row as a point, or why not."""
        name, calls = row.get("Name", ""), whole(row.get("# of Calls", row.get("Number of Calls")))
        total = _seconds(row.get(self._column, ""))
        why = self._why_not(row, name, calls, total)
        if why or not calls or total is None:
            self._found.skip(where, why or "import.row", together=why if why in _COMMON else "", text=name)
            return
        done = self._work(row, name, calls)
        shapes = row.get("Input Shapes", "")
        self._found.points.append(
            MeasuredPoint(
                name=(f"{name} {shapes}".strip() if shapes and shapes != "[]" else name)[:LONGEST],
                calls=float(calls),
                time_s=total / calls,
                total_s=total,
                flops=done.flops,
                bytes=done.bytes,
                notes=done.notes,
            )
        )

    def _why_not(self, row: dict[str, str], name: str, calls: int | None, total: float | None) -> str:
        on_device = self._column != "Self CPU"
        checks = (
            (not calls or total is None or not name, "import.row"),
            (bool(_HOST.match(name)), "import.host_call"),
            (not total, "import.no_kernel" if on_device else "import.no_time"),
            (any(a in name for a in _ACROSS), "import.link_copy"),
            (on_device and _is_kernel(row) and name in self._ranges, "import.does_nothing"),  # a range, on the device
            (on_device and self._ops_have_it and _is_kernel(row), "import.in_operator"),
            (not on_device and class_of(name) == NOTHING, "import.does_nothing"),
            (self._wraps(row, total), "import.wrapper"),
        )
        return next((code for failed, code in checks if failed), "")

    def _wraps(self, row: dict[str, str], own: float | None) -> bool:
        """Whether an operator spends its time in others that stand in rows of their own."""
        whole = _seconds(row.get(self._column.replace("Self ", "") + " total", ""))
        return bool(own and whole and "::" in row.get("Name", "") and own < _OWN_SHARE * whole)

    def _work(self, row: dict[str, str], name: str, calls: int) -> CallWork:
        dims = _dims(row.get("Input Shapes", ""))
        done = work(Call(name, dims, [], []), self._known()) if dims else CallWork(notes=(Note("import.no_shapes"),))
        if done.flops is None and (told := self._told(row)) is not None:
            return CallWork(told / calls, None, "", (Note("import.tools_flops"),))
        return done if class_of(name) != HEAVY or done.flops else CallWork(notes=done.notes)

    def _told(self, row: dict[str, str]) -> float | None:
        """FLOPs of all calls that the tool itself counted."""
        for column, text in row.items():
            if (unit := _FLOPS.fullmatch(column)) and (value := positive(text)) is not None:
                return value * _POWERS[unit[1].upper()]
        return None

    def _known(self) -> Catalogue:
        if self._catalogue is None:
            self._catalogue = load_catalogue(devices=False)
        return self._catalogue


_COMMON: Final = {
    f"import.{why}" for why in ("no_kernel", "no_time", "does_nothing", "in_operator", "host_call", "wrapper")
}


def _seconds(text: str) -> float | None:
    found = _TIME.fullmatch(text.strip())
    number = finite(found[1]) if found else None
    return None if found is None or number is None else number * _SECONDS[found[2]]


def _dims(text: str) -> list[Any]:
    if not _SHAPE.fullmatch(text):  # shortened shapes end in dots
        return []
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return []
    return found if isinstance(found, list) else []


IMPORTER: Final = Importer(TOOL, "torch profiler traces and tables", recognises, read)
