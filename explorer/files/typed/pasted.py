"""Operator rows from a pasted table: our own copy, or a spreadsheet's tab-separated cells."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device_check import ACCUMULATORS
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.costs import checked_costs, compile_kind
from explorer.analysis.step.expand import as_row
from explorer.analysis.study.study import OwnRow, Study
from explorer.files.typed.cells import read_calls, read_dims, read_name
from explorer.presentation.tables.conditions import MARK
from explorer.presentation.tables.spreadsheet import from_cell

LARGEST: Final = 1_000_000
MOST_ROWS: Final = 2_000
ORDER: Final = ("name", "kind", "count", "dims", "weights", "activations", "kv", "output", "accumulate")
_HEADERS: Final[Mapping[str, str]] = {
    "operator": "name", "name": "name", "kind": "kind", "calls": "count", "count": "count", "dims": "dims",
    "weights": "weights", "activations": "activations", "kv cache": "kv", "kv": "kv", "output": "output",
    "accumulator": "accumulate", "accumulate": "accumulate", "fused": "fused", "counted": "enabled",
    "enabled": "enabled",
}  # fmt: skip
_ABSENT: Final = frozenset({"", "–", "-"})
_YES: Final = frozenset({"1", "1.0", "yes", "true", "✓", "x"})
_NO: Final = frozenset({"0", "0.0", "no", "false"})

Cells = Mapping[str, str]


def parse_rows(text: str, catalogue: Catalogue) -> tuple[tuple[OwnRow, ...], tuple[Problem, ...]]:
    """Rows of a pasted table and the problems of the lines that were left out, by `line 3`.

    The header is optional; without one the columns are name, kind, calls, dims, weights, activations, KV cache, output
    and accumulator, the later ones optional. Computed columns of our own copy are passed over. Ids number the rows.
    """
    if len(text) > LARGEST:
        return (), (Problem("pasted.large", "", {"limit": LARGEST}),)
    lines = list(islice(_lines(text), MOST_ROWS + 3))
    if len(lines) > 1 and lines[0][1][0].startswith(MARK) and _header(lines[1][1]) is not None:
        del lines[0]  # of our own copy: what its figures hold for
    if not lines:
        return (), (Problem("pasted.empty"),)
    header = _header(lines[0][1])
    if len(lines) - (header is not None) > MOST_ROWS:
        return (), (Problem("pasted.large", "", {"limit": MOST_ROWS}),)
    if header is not None and (twice := _twice(header)):
        return (), (Problem("pasted.twice", f"line {lines[0][0]}", {"name": twice}),)
    return _rows(lines if header is None else lines[1:], header or ORDER, catalogue)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line that is not empty."""
    for i, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        cells = [unquoted(c) for c in line.split("\t")]
        if any(cells):
            yield i, cells


def unquoted(cell: str) -> str:
    """A cell without the quotes that spreadsheets put around blanks and quotes, and without our mark of a text."""
    stripped = cell.strip()
    if len(stripped) >= 2 and stripped[0] == stripped[-1] == '"':
        return from_cell(stripped[1:-1].replace('""', '"').strip())
    return from_cell(stripped)


def _header(cells: Sequence[str]) -> tuple[str, ...] | None:
    """The field of each column, "" for one that is passed over; None where the first line is a row already."""
    fields = tuple(_HEADERS.get(c.lower(), "") for c in cells)
    return fields if "kind" in fields and "name" in fields else None


def _twice(fields: Sequence[str]) -> str:
    return next((f for f in fields if f and fields.count(f) > 1), "")


def _rows(
    lines: Sequence[tuple[int, list[str]]], fields: Sequence[str], catalogue: Catalogue
) -> tuple[tuple[OwnRow, ...], tuple[Problem, ...]]:
    rows: list[OwnRow] = []
    problems: list[Problem] = []
    for number, cells in lines:
        try:
            rows.append(_row(cells, fields, catalogue, f"row-{number}"))
        except Refused as refused:
            problems += (Problem(p.code, _place(number, p.path), p.values) for p in refused.problems)
    return tuple(rows), tuple(problems)


def _place(number: int, path: str) -> str:
    return f"line {number}, {path}" if path else f"line {number}"


def _row(cells: Sequence[str], fields: Sequence[str], catalogue: Catalogue, row_id: str) -> OwnRow:
    if any(cells[len(fields) :]):
        raise Refused(Problem("pasted.columns"))
    found = {field: cell for field, cell in zip(fields, cells, strict=False) if field and cell not in _ABSENT}
    if "kind" not in found:
        raise Refused(Problem("pasted.no_kind", "kind"))
    kind = catalogue.kind_by_id.get(found["kind"])
    if kind is None:
        raise Refused(Problem("row.kind", "kind", {"kind": found["kind"][:60], "name": found.get("name", "")[:60]}))
    row = OwnRow(
        id=row_id,
        name=read_name(found.get("name", kind.id)),
        kind=kind.id,
        dims=read_dims(found.get("dims", ""), kind),
        count=read_calls(found["count"]) if "count" in found else 1.0,
        weights=_choice(found, "weights", catalogue.format_by_id),
        activations=_choice(found, "activations", catalogue.format_by_id),
        kv=_choice(found, "kv", catalogue.format_by_id),
        output=_choice(found, "output", catalogue.format_by_id),
        accumulate=_choice(found, "accumulate", ACCUMULATORS),
        fused=_yes(found, "fused", otherwise=False),
        enabled=_yes(found, "enabled", otherwise=True),
    )
    checked_costs(as_row(row, Study()), compile_kind(kind), dict(catalogue.format_by_id))
    return row


def _choice(found: Cells, field: str, known: Mapping[str, object] | Sequence[str]) -> str | None:
    value = found.get(field)
    if value is None or value in known:
        return value
    spelled: Callable[[str], bool] = lambda name: name.lower() == value.lower()  # noqa: E731
    near = next(filter(spelled, known), None)
    if near is None:
        raise Refused(Problem("study.number_format", field, {"got": value[:60], "known": ", ".join(known)}))
    return near


def _yes(found: Cells, field: str, *, otherwise: bool) -> bool:
    value = found.get(field, "").lower()
    if not value:
        return otherwise
    if value in _YES or value in _NO:
        return value in _YES
    raise Refused(Problem("typed.yes_no", field, {"got": value[:40]}))
