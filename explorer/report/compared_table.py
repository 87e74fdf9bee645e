"""What stands side by side, for a spreadsheet or a page: each figure and its ratio to the baseline."""

import csv
import io
from typing import Final

from explorer.analysis.ask.comparison.compared import ComparedCell, ComparedRow, Comparison, compare
from explorer.analysis.ask.comparison.figures.figure import ComparedFigure, FigureUnit
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.finding import compare_conditions, compare_title
from explorer.presentation.compare.names import subject_name
from explorer.presentation.compare.table import reason_text, table_of
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.tables.spreadsheet import cell_of_file
from explorer.presentation.words.messages import Message, render
from explorer.report.markdown import inline, paragraph

_LIST: Final = "; "
_SEPARATORS: Final = {"csv": ",", "tsv": "\t"}
# base units, as in the other tables for spreadsheets
_UNITS: Final[dict[FigureUnit, str]] = {
    "bandwidth": "B/s",
    "bytes": "B",
    "capacity": "B",
    "flops": "FLOP/s",
    "inputs": "1/s",
    "inputs_per_joule": "1/J",
    "intensity": "FLOP/B",
    "power": "W",
    "time": "s",
    "tokens": "1/s",
    "tokens_per_joule": "1/J",
}


def compared_text(evaluation: Evaluation, kind: str, look: Look = ENGLISH) -> str:
    """The comparison as `csv`, `tsv` (base units, full precision) or `md` (as on screen, with title and conditions)."""
    found = compare(evaluation)
    return _figures(evaluation, found, _SEPARATORS[kind]) if kind in _SEPARATORS else _page(evaluation, found, look)


def _figures(evaluation: Evaluation, found: Comparison, separator: str) -> str:
    """Headers are the figures' ids, in English words: every copy reads the same."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    header = [render(Message(f"compare.{found.vary}")), render(Message("compare.file.baseline"))]
    marks = [render(Message(f"compare.file.{mark}")) for mark in ("best", "least", "remarks")]
    writer.writerow([*header, *(title for figure in found.figures for title in _titles(figure)), *marks])
    for row in found.rows:
        name = cell_of_file(subject_name(evaluation, row.subject, found.vary))
        cells = [part for figure in found.figures for part in _parts(figure, row.cells[figure.id])]
        writer.writerow([name, int(row.is_baseline), *cells, *map(cell_of_file, _marks(found, row))])
    return out.getvalue()


def _titles(figure: ComparedFigure) -> list[str]:
    unit = _UNITS.get(figure.unit)
    title = _plain(figure)
    named = f"{title} ({unit})" if unit else title
    return [named, render(Message("compare.file.ratio", {"figure": title}))] if figure.compared == "both" else [named]


def _parts(figure: ComparedFigure, cell: ComparedCell) -> list[str]:
    return [_number(cell.value), *([_number(cell.ratio)] if figure.compared == "both" else [])]


def _marks(found: Comparison, row: ComparedRow) -> tuple[str, str, str]:
    """In which figures a row is the best, which are bounds from below, and why others are missing or have no ratio."""
    cells = {_plain(figure): row.cells[figure.id] for figure in found.figures}
    why = {name: reason_text(cell) for name, cell in cells.items()}
    return (
        _LIST.join(name for name, cell in cells.items() if cell.best),
        _LIST.join(name for name, cell in cells.items() if cell.least),
        _LIST.join(f"{name}: {text}" for name, text in why.items() if text),
    )


def _plain(figure: ComparedFigure) -> str:
    return figure.id.replace("_", " ")


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return str(int(value)) if float(value).is_integer() and abs(value) < 2**53 else repr(float(value))


def _page(evaluation: Evaluation, found: Comparison, look: Look) -> str:
    table = table_of(evaluation, found, look)
    lines = [[table.header, *(c.alone for c in table.columns)], [":--", *("--:" for _ in table.columns)]]
    for line in table.lines:
        name = f"{line.names[0]} ({line.note})" if line.note else line.names[0]
        lines.append([name, *(f"{e.text}, {e.relation}" if e.relation else e.text for e in line.entries)])
    rows = "".join(f"| {' | '.join(c if i == 1 else inline(c) for c in cells)} |\n" for i, cells in enumerate(lines))
    head = [compare_title(evaluation, look, found), compare_conditions(evaluation, look, found)]
    parts = [paragraph(text) + "\n" for text in head if text]
    return "\n".join([*parts, rows, *([paragraph(table.flips.text) + "\n"] if table.flips.title else [])])
