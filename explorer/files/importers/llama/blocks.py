"""The parts of a llama-bench text in their order: tables, JSON, CSV, SQL; what lies between tells device and model."""

import csv
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.measured.imported import Imported
from explorer.files.disk import limits
from explorer.files.importers.findings import Findings
from explorer.files.importers.llama.devices import LoggedDevice, begins_anew, devices_of
from explorer.files.importers.llama.rows import of_fields
from explorer.files.importers.llama.table import Table, cells_of, header_of, is_rule, mark_of

_MODEL: Final = re.compile(r"(?:Model:\s*+|##\s++)(?:https?://)?(\S++)\s*+")
_MODEL_NAME: Final = re.compile(r"[\w.-]++")
_INSERT: Final = re.compile(r"INSERT\s++INTO\s++[^\s(]++\s*+\(([^()]*+)\)\s*+VALUES", re.IGNORECASE)
_OPEN: Final = re.compile(r"\s*+,?\s*+\(")
_VALUE: Final = re.compile(r"\s*+(?:'((?:[^']++|'')*+)'|([^,'()]*+))\s*+([,)])")
_MEMBER: Final = re.compile(r"[\s,]*+(?=\{)")
_LONGEST: Final = 300  # of a line that tells of the device or model
_MOST_VALUES: Final = 10_000
_PIECE: Final = 1 << 9  # a JSON value is tried in pieces of this size and larger, so that a broken one costs little
_LARGEST_ROW: Final = 1 << 20
_NEAR: Final = 32  # a fault this near to the end of a piece may be no fault of the whole


def unquoted_line(line: str) -> str:
    """A line without the marks of a quotation."""
    return line.strip().lstrip("> ")


class Walk:
    """Reads line by line and hands each part to its form."""

    def __init__(self, text: str) -> None:
        self._found = Findings("llama-bench", "points")
        self._text = text
        self._devices: list[LoggedDevice] = []
        self._model = ""
        self._table: Table | None = None
        self._mark = "|"
        self._tabs = 0  # in the rows of the table before, where tabs part them
        self._last = False  # whether the line is the text's last and has no end
        self._rows_seen: set[tuple[int | str, ...]] = set()
        self._header = 0
        self._csv: list[str] | None = None
        self._headers: dict[tuple[str, ...], int] = {}
        self._tries = 2 * len(text) + _PIECE  # characters of broken JSON until the rest is taken as prose
        self._decoder = json.JSONDecoder()

    def imported(self) -> Imported:
        """Everything the text holds."""
        position, number = 0, 0
        while position < len(self._text):
            end = self._text.find("\n", position)
            end = len(self._text) if end < 0 else end
            number += 1
            self._last = end == len(self._text)
            after = self._line(self._text[position:end], position, number)
            if after > end:
                number += self._text.count("\n", end, after)
                after = self._text.find("\n", after)
                end = len(self._text) if after < 0 else after
            position = end + 1
        self._end_table()
        return self._found.imported()

    def _line(self, line: str, position: int, number: int) -> int:
        """Read a line that starts at a position; return where its part ends."""
        text = unquoted_line(line)
        if mark := self._parted_by(text):
            self._table_row(text, mark, number)
            return 0
        self._end_table()
        if text.startswith(("{", "[")):
            return self._json(position + line.index(text[0]), number)
        if text[:6].upper() == "INSERT":
            return self._sql(position + line.index(text[:6]), number)
        if not self._csv_row(text, number):
            self._context(line)
        return 0

    # --- tables, in Markdown or as they are copied from a page

    def _parted_by(self, text: str) -> str:
        """What parts the cells of a line of a table; empty where it is none."""
        if text.startswith("|"):
            return "|"
        if self._table is not None and self._mark in text:
            return self._mark
        return mark_of(text) or ("\t" if self._tabs and text.count("\t") == self._tabs else "")

    def _table_row(self, line: str, mark: str, number: int) -> None:
        cells = cells_of(line, mark)
        if header := header_of(cells):
            self._read_rows()
            devices = tuple(self._devices)
            self._table, self._mark = Table(header, cells, devices, self._model), mark
            self._header = self._headers.setdefault((*header, str(devices), self._model), len(self._headers))
        elif is_rule(cells):
            return
        elif self._table is None:
            self._found.skip(f"line {number}", "import.no_header", together="header")
        elif self._last and self._table.is_cut(line):
            self._found.skip(f"line {number}", "import.cut_row")
        else:
            self._table.rows.append((number, cells))
            self._table.closed |= line.rstrip().endswith("|")

    def _read_rows(self) -> None:
        """The rows of the table that ends; how its figures are written is told by all of them."""
        if self._table is None:
            return
        self._table.tell_decimals()
        for number, cells in self._table.rows:
            self._data(self._table, cells, number)

    def _data(self, table: Table, cells: list[str], number: int) -> None:
        key: tuple[int | str, ...] = (self._header, *cells)
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
            for point in points:
                self._found.points.append(point)

    def _end_table(self) -> None:
        if self._table is not None:
            self._read_rows()
            self._tabs = len(self._table.header) - 1 if self._mark == "\t" else 0
            self._table = None
            self._devices = []

    # --- JSON, one object or an array, with or without a log around

    def _json(self, start: int, number: int) -> int:
        # member by member: an array cut short still has whole ones, and the window is never kept waiting for long
        rows, end = self._members(start + 1) if self._text[start] == "[" else self._decoded(start)
        tests = [r for r in rows if isinstance(r, dict) and "n_prompt" in r]
        for index, row in enumerate(tests):
            self._fields(row, f"line {number}" if len(tests) == 1 else f"line {number}, entry {index + 1}")
        return end

    def _decoded(self, start: int) -> tuple[list[Any], int]:
        """One JSON value and where it ends; none where it is broken, or where too much was broken before."""
        size = _PIECE
        while self._tries > 0 and size <= _LARGEST_ROW:
            piece = self._text[start : start + size]
            try:
                value, end = self._decoder.raw_decode(piece)
            except RecursionError:
                self._tries -= len(piece)
                break
            except ValueError as error:
                at = getattr(error, "pos", 0)  # too many digits have no place
                self._tries -= at + _NEAR
                if start + size >= len(self._text) or not (at + _NEAR >= size or _unended(error)):
                    break
                size *= 8
            else:
                return [value], start + end
        return [], 0

    def _members(self, start: int) -> tuple[list[Any], int]:
        members: list[Any] = []
        end = 0
        while len(members) < limits.TOOL_LINES and (found := _MEMBER.match(self._text, start)) is not None:
            value, after = self._decoded(found.end())
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
        found = _INSERT.match(self._text, position)
        if found is None:
            return 0
        names = [n.strip().strip('`"[]') for n in found[1].split(",", _MOST_VALUES)]
        end = found.end()
        if "n_prompt" not in names:
            return end
        while (opened := _OPEN.match(self._text, end)) is not None:
            values, after = _values(self._text, opened.end())
            if not after:
                break
            self._named(names, values, f"line {number}")
            end = after
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
        if len(line) > _LONGEST:
            return
        if begins_anew(line):
            self._devices = []
        self._devices += devices_of(line)
        self._model = _model_of(line) or self._model


def _unended(error: ValueError) -> bool:
    """Whether it was a text that does not end; its place is where it begins."""
    return str(error).startswith("Unterminated string")


def _model_of(line: str) -> str:
    """The model that a line names, by itself or at the end of an address."""
    named = _MODEL.fullmatch(line)
    name = named[1].rpartition("/")[2] if named else ""
    return name if _MODEL_NAME.fullmatch(name) else ""


def _csv_cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []


def _values(text: str, position: int) -> tuple[list[str], int]:
    """The values behind an opening bracket, and where they end; 0 where they do not end as they should."""
    values: list[str] = []
    while len(values) < _MOST_VALUES and (found := _VALUE.match(text, position)) is not None:
        values.append(found[2].rstrip() if found[1] is None else found[1].replace("''", "'"))
        position = found.end()
        if found[3] == ")":
            return values, position
    return [], 0
