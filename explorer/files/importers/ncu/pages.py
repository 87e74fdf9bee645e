"""The three layouts of Nsight Compute's CSV, by the names of their columns."""

import csv
import re
from collections.abc import Iterable
from typing import Final, Protocol

from explorer.analysis.measured.imported import Imported
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.importers.figures import decimal_mark, finite
from explorer.files.importers.findings import Findings
from explorer.files.importers.ncu.kernel import Kernel, point
from explorer.files.importers.ncu.metrics import meaning
from explorer.files.importers.source import SourceText

_WHOLE: Final = re.compile(r"\d{1,3}([.,])\d{3}")
_COUNTED: Final = {"byte", "inst", "sector"}
_EVIDENCE: Final = 2_000
_SLOTS, _LONG_SLOT = 10_000, 1_000
_NO_LINE: Final = "\n"  # no line begins like this
Kernels = dict[tuple[str, ...], Kernel]


class _Page(Protocol):
    def rows(self, lines: list[str], start: int, first: int) -> int:
        """Read lines from `start` to the next header or the end, and return where; `first` is line 0's number."""
        ...


class Evidence:
    """Texts of figures, from which the file's decimal mark is told."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.whole: str | None = None
        self.metrics: set[str] = set()

    @property
    def open(self) -> bool:
        """Whether more is wanted."""
        return len(self.texts) < _EVIDENCE

    def add(self, metric: str, unit: str, text: str) -> None:
        """A figure as printed; counts are whole, so a mark in front of three digits parts their thousands."""
        self.texts.append(text)
        if self.whole is None and unit in _COUNTED and metric.endswith(".sum") and (m := _WHOLE.fullmatch(text)):
            self.whole = "," if m[1] == "." else "."

    @property
    def mark(self) -> str:
        """`.` or `,`."""
        return decimal_mark([*self.texts, *(["1,5"] if self.whole == "," else [])])


def is_header(line: str) -> bool:
    """Whether a line names the columns of a page."""
    cells = set(cells_of(line, delimiter_of(line)))
    known = {"ID", "Process ID", "Invocations", "Metric Name"}
    return "Kernel Name" in cells and bool(cells & known) and len(cells) > 3


def delimiter_of(line: str) -> str:
    """A header's delimiter."""
    return ";" if line.count(";") > line.count(",") else ","


def cells_of(line: str, delimiter: str) -> list[str]:
    """The cells of one line."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _is_plain(line: str) -> bool:
    """Whether every cell stands in quotes and none holds any, as the tool writes most: then a split is a parse."""
    return line[:1] == '"' and line.endswith('"') and '""' not in line


class LongPage:
    """One row per metric of a launch (details), or of a kernel (summary: minimum, maximum, average)."""

    def __init__(self, names: list[str], delimiter: str, kernels: Kernels, told: Evidence) -> None:
        self._kernels, self._told, self._delimiter = kernels, told, delimiter
        at = {name: i for i, name in enumerate(names)}
        self._summary = "Average" in at
        self._metric, self._unit = at["Metric Name"], at.get("Metric Unit", -1)
        self._value = at["Average" if self._summary else "Metric Value"]
        self._name, self._calls = at["Kernel Name"], at.get("Invocations")
        self._keys = [at[n] for n in ("Process ID", "ID", "Kernel Name", "Block Size", "Grid Size") if n in at]
        own = [i for n, i in at.items() if n in {"Section Name", "Metric Name", "Metric Unit"} or i == self._value]
        self._split = min(own)
        self._needed = max(self._value, self._metric, self._unit, self._name, *self._keys, self._calls or 0)
        self._numbered = self._summary or "ID" in at
        self._quick = (
            self._numbered and self._unit >= 0 and max([self._name, *self._keys, self._calls or 0]) < self._split
        )
        self._joint = f'"{delimiter}"'
        self._prefix, self._kernel = _NO_LINE, Kernel("", "")
        self._slots: dict[str, tuple[str, str] | None] = {}

    def rows(self, lines: list[str], start: int, first: int) -> int:
        """Read rows; those of one launch share their beginning, and what stands before a value recurs in every launch.

        Kept short: it runs for every metric of every launch.
        """
        joint, slots = self._joint, self._slots
        prefix, keep, keep_text = self._prefix, self._kernel.metrics.append, self._kernel.texts.append
        sure, behind = not self._told.open, len(prefix)
        for index in range(start, len(lines)):
            line = lines[index]
            if not line.startswith(prefix):
                if "Kernel Name" in line and is_header(line):
                    return index
                self._whole(line, first + index)
                prefix, keep, keep_text = self._prefix, self._kernel.metrics.append, self._kernel.texts.append
                sure, behind = not self._told.open, len(prefix)
                continue
            tail = line[behind:]
            before, _, text = tail.rpartition(joint)
            if sure and before in slots:
                metric = slots[before]
                if metric is not None:
                    keep(metric)
                    keep_text(text.rstrip('",; '))
            else:
                self._tail(tail, before)
        return len(lines)

    def _tail(self, tail: str, before: str) -> None:
        """The end of a row that stands for the first time, or whose value is not the last."""
        parts = tail.split(self._joint)
        if len(parts) <= self._needed - self._split:
            return
        at = self._value - self._split
        metric, unit = parts[self._metric - self._split], parts[self._unit - self._split]
        if len(parts) == at + 1 and len(self._slots) < _SLOTS and len(before) < _LONG_SLOT:
            self._slots[before] = (metric, unit) if self._wants(metric) else None
        self._figure(metric, unit, parts[at].strip('",; '))

    def _whole(self, line: str, number: int) -> None:
        cells = self._cells(line)
        if len(cells) <= self._needed:
            return
        key = tuple(cells[i] for i in self._keys)
        kernel = self._kernels.get(key)
        if kernel is not None and not self._numbered and kernel.has(cells[self._metric], cells[self._unit]):
            self._kernels[*key, str(number)] = self._kernels.pop(key)  # the metric again: another launch
            kernel = None
        if kernel is None:
            calls = 1.0 if self._calls is None else finite(cells[self._calls].replace(",", "")) or 1.0
            kernel = self._kernels[key] = Kernel(f"line {number}", cells[self._name], calls)
            _count(self._kernels)
        self._kernel = kernel
        self._prefix = self._beginning(line, cells) if self._quick else _NO_LINE
        self._figure(cells[self._metric], cells[self._unit] if self._unit >= 0 else "", cells[self._value])

    def _cells(self, line: str) -> list[str]:
        if _is_plain(line):
            return line[1:-1].split(self._joint)
        return cells_of(line, self._delimiter) if self._delimiter in line else []

    def _beginning(self, line: str, cells: list[str]) -> str:
        """What a row shares with the next ones of its launch, where it can be told from the text alone."""
        if _is_plain(line):
            return f'"{self._joint.join(cells[: self._split])}{self._joint}' if self._split else _NO_LINE
        parts = line.split(self._joint, self._split)
        same = [p.strip('"').replace('""', '"') for p in parts[: self._split]] == cells[: self._split]
        return line[: -len(parts[-1])] if same and parts[-1] else _NO_LINE

    def _figure(self, metric: str, unit: str, text: str) -> None:
        if self._told.open and text:
            self._told.add("" if self._summary else metric, unit, text)
        if self._wants(metric):
            self._told.metrics.add(metric)
            if len(self._told.metrics) > limits.TOOL_COLUMNS:
                raise _too_many(limits.TOOL_COLUMNS)
            self._kernel.add(metric, unit, text)

    @staticmethod
    def _wants(metric: str) -> bool:
        return bool(metric) and meaning(metric) is not None


class RawPage:
    """One row per launch, one column per metric; the first row below the header holds the units."""

    def __init__(self, names: list[str], delimiter: str, kernels: Kernels, told: Evidence) -> None:
        self._kernels, self._told, self._delimiter = kernels, told, delimiter
        bare = [_bracketed(n) for n in names]
        first = {n: i for i, (n, _) in reversed(list(enumerate(bare)))}
        self.kept = 0
        self._width = len(names)
        self._name = names.index("Kernel Name")
        self._id = names.index("ID") if "ID" in names else self._name
        self._wanted = [(i, n) for i, (n, _) in enumerate(bare) if first[n] == i and meaning(n) is not None]
        self._units = {i: u for i, (_, u) in enumerate(bare) if u is not None}

    def rows(self, lines: list[str], start: int, first: int) -> int:
        """Read rows."""
        for index in range(start, len(lines)):
            if "Kernel Name" in lines[index] and is_header(lines[index]):
                return index
            self._row(lines[index], first + index)
        return len(lines)

    def _row(self, line: str, number: int) -> None:
        """A line: the units, a launch, or noise."""
        cells = cells_of(line, self._delimiter)
        if len(cells) != self._width:
            return
        if not cells[self._name].strip() and not cells[self._id].strip():
            self._units |= {i: cells[i] for i, _ in self._wanted}
            return
        if self.kept > limits.TOOL_FIGURES:
            raise _too_many(limits.TOOL_FIGURES)
        kernel = self._kernels[str(number),] = Kernel(f"line {number}", cells[self._name])
        _count(self._kernels)
        self.kept += len(self._wanted)
        for i, name in self._wanted:
            if cells[i]:
                unit = self._units.get(i, "?")
                if self._told.open:
                    self._told.add(name, unit, cells[i])
                kernel.add(name, unit, cells[i])


def _bracketed(name: str) -> tuple[str, str | None]:
    """A metric and its unit, where the column's name ends in it: `Duration [us]`."""
    at = name.find(" [", 1)
    return (name[:at], name[at + 2 : -1]) if at > 0 and name.endswith("]") else (name, None)


def _count(kernels: Kernels) -> None:
    if len(kernels) > limits.TOOL_POINTS:
        raise _too_many(limits.TOOL_POINTS)


def _too_many(limit: int) -> Refused:
    return Refused(Problem("import.many", values={"limit": limit}))


def read_pages(source: SourceText, tool: str) -> Imported:
    """All pages of a file, one after the other."""
    found = Findings(tool, "points")
    kernels: Kernels = {}
    told = Evidence()
    page: _Page | None = None
    first, pages = 1, 0
    for lines in source.lines():
        at = 0
        while at < len(lines):
            if page is not None:
                at = page.rows(lines, at, first)
            if at < len(lines):
                if "Kernel Name" in lines[at] and is_header(lines[at]):
                    page = _page(lines[at], kernels, told, found, first + at)
                    pages += 1
                    if pages > limits.TOOL_PAGES:
                        raise _too_many(limits.TOOL_PAGES)
                at += 1
        first += len(lines)
        if first > limits.TOOL_ROWS:
            raise Refused(Problem("import.lines", values={"limit": limits.TOOL_ROWS}))
        if first > limits.TOOL_FIGURES and sum(len(k.texts) for k in kernels.values()) > limits.TOOL_FIGURES:
            raise _too_many(limits.TOOL_FIGURES)
    add_points(kernels.values(), told.mark, found)
    return found.imported()


def _page(line: str, kernels: Kernels, told: Evidence, found: Findings, number: int) -> _Page | None:
    delimiter = delimiter_of(line)
    names = [n.strip() for n in cells_of(line, delimiter)]
    if len(names) > limits.TOOL_COLUMNS:
        found.skip(f"line {number}", "import.header", text=f"{len(names)} columns")
        return None
    if "Metric Name" in names:
        if "Metric Value" in names or "Average" in names:
            return LongPage(names, delimiter, kernels, told)
        found.skip(f"line {number}", "import.header", text=", ".join(names))
        return None
    return RawPage(names, delimiter, kernels, told)


def add_points(kernels: Iterable[Kernel], mark: str, found: Findings) -> None:
    """The points of all launches; what could not be used says why."""
    for kernel in kernels:
        made, odd = point(kernel, mark)
        for metric, unit in odd:
            found.skip(kernel.where, "import.unit", together=f"{metric} {unit}", text=metric, unit=unit)
        if made is None:
            found.skip(kernel.where, "import.no_time", together="time", text=kernel.name)
        else:
            found.points.append(made)
