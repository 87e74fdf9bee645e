"""The parts of a llama-bench text in their order: tables, JSON, CSV, SQL; what lies between tells device and model."""

import csv
import json
import re
from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from explorer.analysis.measured import Imported
from explorer.files.importers.found import Found
from explorer.files.importers.llama.rows import of_fields
from explorer.files.importers.llama.table import Table, cells_of, header_of, is_rule

_DEVICES: Final = (
    re.compile(r"^\s*Device \d+: (.+?), (?:compute capability|gfx)"),
    re.compile(r"^ggml_vulkan: \d+ = (.+?) \| "),
    re.compile(r"GPU name:\s+(.+?)\s*$"),
    re.compile(r"picking default device: (.+?)\s*$"),
)
_MORE_DEVICES: Final = re.compile(r"found \d+ (?:CUDA|ROCm|HIP|Vulkan|SYCL|OpenCL) devices?", re.IGNORECASE)
_MODEL: Final = re.compile(r"^(?:Model:\s*|##\s+)(?:https?://\S+/)?([\w.-]+/)?([\w.-]+)\s*$")
_INSERT: Final = re.compile(r"INSERT\s+INTO\s+\S+\s*\(([^()]*)\)\s*VALUES", re.IGNORECASE)
_TUPLE: Final = re.compile(r"\s*,?\s*\(((?:[^()']|'(?:[^']|'')*')*)\)")
_VALUE: Final = re.compile(r"\s*(?:'((?:[^']|'')*)'|([^,']*?))\s*(?:,|$)")
_OBJECT: Final = re.compile(r"[\s,]*\{")
_FAILURES, _LONG = 200, 100_000  # long pieces of broken JSON that are tried before the rest is taken as prose


def bare(line: str) -> str:
    """A line without the marks of a quotation."""
    return line.strip().lstrip("> ")


class Walk:
    """Reads line by line and hands each part to its form."""

    def __init__(self, text: str) -> None:
        self._found = Found("llama-bench", "points")
        self._text = text
        self._devices: list[str] = []
        self._model = ""
        self._table: Table | None = None
        self._rows_seen: set[tuple[str, ...]] = set()
        self._csv: list[str] | None = None
        self._failures = 0
        self._decoder = json.JSONDecoder()

    def imported(self) -> Imported:
        """Everything the text holds."""
        position, number = 0, 0
        while position < len(self._text):
            end = self._text.find("\n", position)
            end = len(self._text) if end < 0 else end
            number += 1
            after = self._line(self._text[position:end], position, number)
            if after > end:
                number += self._text.count("\n", end, after)
                after = self._text.find("\n", after)
                end = len(self._text) if after < 0 else after
            position = end + 1
        return self._found.imported()

    def _line(self, line: str, position: int, number: int) -> int:
        """Read a line that starts at a position; return where its part ends."""
        text = bare(line)
        if text.startswith("|"):
            self._table_row(text, number)
            return 0
        self._end_table()
        if text.startswith(("{", "[")):
            return self._json(position + line.index(text[0]), number)
        if text[:6].upper() == "INSERT":
            return self._sql(position, number)
        if not self._csv_row(text, number):
            self._context(line)
        return 0

    # --- Markdown

    def _table_row(self, line: str, number: int) -> None:
        cells = cells_of(line)
        if header := header_of(cells):
            self._table = Table(header, cells, " + ".join(dict.fromkeys(self._devices)), self._model)
        elif is_rule(cells):
            return
        elif self._table is None:
            self._found.skip(f"line {number}", "import.no_header", together="header")
        else:
            self._data(self._table, cells, number)

    def _data(self, table: Table, cells: list[str], number: int) -> None:
        key = (table.device, table.model, *table.header, *cells)
        if key in self._rows_seen:
            self._found.skip(f"line {number}", "import.repeated", together="repeated")
            return
        self._rows_seen.add(key)
        points = table.points(cells)
        if isinstance(points, str):
            self._found.skip(
                f"line {number}", points, text=" | ".join(cells), given=len(cells), wanted=len(table.header)
            )
        else:
            self._found.points += points

    def _end_table(self) -> None:
        if self._table is not None:
            self._table = None
            self._devices = []

    # --- JSON, one object or an array, with or without a log around

    def _json(self, start: int, number: int) -> int:
        if self._failures > _FAILURES:
            return 0
        values, end = self._decoded(start)
        if not values and self._text[start] == "[":  # an array cut short still has whole members
            values, end = self._members(start + 1)
        rows = [row for value in values for row in (value if isinstance(value, list) else [value])]
        tests = [r for r in rows if isinstance(r, dict) and "n_prompt" in r]
        for index, row in enumerate(tests):
            self._fields(row, f"line {number}" if len(tests) == 1 else f"line {number}, entry {index + 1}")
        return end

    def _decoded(self, start: int) -> tuple[list[Any], int]:
        """One JSON value and where it ends; none where it is broken."""
        try:
            value, end = self._decoder.raw_decode(self._text, start)
        except (ValueError, RecursionError) as error:
            self._failures += getattr(error, "pos", start) - start > _LONG or isinstance(error, RecursionError)
            return [], 0
        return [value], end

    def _members(self, start: int) -> tuple[list[Any], int]:
        members: list[Any] = []
        end = 0
        while (found := _OBJECT.match(self._text, start)) is not None:
            value, after = self._decoded(found.end() - 1)
            if not value:
                break
            members += value
            start = end = after
        return members, end

    def _fields(self, row: Mapping[str, Any], where: str) -> None:
        point = of_fields(row)
        if isinstance(point, str):
            self._found.skip(where, point, text=str(row.get("model_type", "")))
        else:
            self._found.points.append(point)

    # --- SQL

    def _sql(self, position: int, number: int) -> int:
        found = _INSERT.search(self._text, position, position + 100_000)
        if found is None or self._text.count("\n", position, found.start()):
            return 0
        names = [n.strip().strip('`"[]') for n in found[1].split(",")]
        if "n_prompt" not in names:
            return found.end()
        end = found.end()
        while row := _TUPLE.match(self._text, end):
            self._named(names, _values(row[1]), f"line {number}")
            end = row.end()
        return end

    def _named(self, names: list[str], values: list[str], where: str) -> None:
        if len(values) != len(names):
            self._found.skip(where, "import.columns", given=len(values), wanted=len(names))
            return
        self._fields(dict(zip(names, values, strict=True)), where)

    # --- CSV

    def _csv_row(self, line: str, number: int) -> bool:
        if "n_prompt" in line and "n_gen" in line and "," in line:
            self._csv = [n.strip() for n in _csv_cells(line)]
            return True
        if self._csv is None or not line.count(","):
            return False
        cells = _csv_cells(line)
        if len(cells) < len(self._csv) // 2:
            return False
        self._named(self._csv, cells, f"line {number}")
        return True

    # --- what lies between

    def _context(self, line: str) -> None:
        if len(line) > 300:
            return
        if _MORE_DEVICES.search(line):
            self._devices = []
        self._devices += [found[1].strip() for pattern in _DEVICES if (found := pattern.search(line))]
        if named := _MODEL.match(line):
            self._model = named[2]


def _csv_cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _values(text: str) -> list[str]:
    found = list(islice(_VALUE.finditer(text), 10_000))
    if found and not text.rstrip().endswith(",") and found[-1].start() == len(text) and not found[-1][0]:
        found.pop()  # the empty match behind the last value
    return [(f[1].replace("''", "'") if f[1] is not None else f[2]) for f in found]
