"""Nsight Compute's console output: a line for each kernel, then tables of metric, unit and value."""

import re
from collections.abc import Iterator
from typing import Final

from explorer.analysis.measured.imported import Imported
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.importers.findings import Findings
from explorer.files.importers.ncu.kernel import Kernel
from explorer.files.importers.ncu.metrics import meaning
from explorer.files.importers.ncu.pages import Evidence, add_points
from explorer.files.importers.source import SourceText

_COLUMNS: Final = re.compile(r"\s{2,}+Metric Name\s{2,}+Metric Unit\s{1,}+(?:Metric Value|Minimum|Average)\s*+")
_KERNEL: Final = re.compile(r", Context \d++, Stream \d++")
_LAUNCH: Final = re.compile(r" \(\d++, \d++, \d++\)x\(\d++, \d++, \d++\)|, \d{4}-\w{3}-\d{2} ")
_RULE: Final = re.compile(r"\s*+-{5,}+[-\s]*+")
_GAP: Final = re.compile(r"\s{2,}")
_LONGEST: Final = 2_000  # names of kernels in C++ are that long
_WIDEST: Final = 3


def is_console(source: SourceText) -> bool:
    """Whether a table of metrics stands under a kernel's line."""
    if ", Context " not in source.start:  # most files, looked at no further
        return False
    lines = source.start_lines
    return any(map(_is_kernel, lines)) and any(_is_rule_of_metrics(line) for line in lines)


def _is_rule_of_metrics(line: str) -> bool:
    if len(line) >= _LONGEST:
        return False
    return line.startswith("    Section: ") or ("Metric Name" in line and _COLUMNS.fullmatch(line) is not None)


def _is_kernel(line: str) -> bool:
    return line.startswith("  ") and line[2:3].strip() != "" and len(line) < _LONGEST and bool(_KERNEL.search(line))


def read_console(source: SourceText, tool: str) -> Imported:
    """Every launch of every kernel."""
    found = Findings(tool, "points")
    told = Evidence()
    kernels: list[Kernel] = []
    for number, line in _numbered(source):
        if _is_kernel(line):
            kernels.append(Kernel(f"line {number}", _name(line.strip())))
            if len(kernels) > limits.TOOL_POINTS:
                raise Refused(Problem("import.many", values={"limit": limits.TOOL_POINTS}))
        elif kernels and (row := _row(line)) is not None:
            metric, unit, text = row
            if told.open:
                told.add(metric, unit, text)
            kernels[-1].add(metric, unit, text)
    add_points(kernels, told.mark, found)
    return found.imported()


def _numbered(source: SourceText) -> Iterator[tuple[int, str]]:
    number = 0
    for lines in source.lines():
        for line in lines:
            number += 1
            if number > limits.TOOL_ROWS:
                raise Refused(Problem("import.lines", values={"limit": limits.TOOL_ROWS}))
            yield number, line


def _name(line: str) -> str:
    """The kernel without its launch: grid and block, or in older versions the time of day."""
    found = _LAUNCH.search(line) or _KERNEL.search(line)
    return line[: found.start()] if found else line


def _row(line: str) -> tuple[str, str, str] | None:
    """Metric, unit and value of a row; the unit may be missing."""
    if not line.startswith("    ") or len(line) > _LONGEST or _RULE.fullmatch(line):
        return None
    cells = _GAP.split(line.strip(), _WIDEST)
    if not 2 <= len(cells) <= _WIDEST or meaning(cells[0]) is None:
        return None
    return cells[0], cells[1] if len(cells) == _WIDEST else "", cells[-1]
