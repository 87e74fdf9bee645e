"""Tables as CSV, TSV, Markdown and aligned text, from the column descriptors of the window's tables."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TypeVar

from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.tables.columns import Column
from explorer.presentation.tables.spreadsheet import cell_of_file
from explorer.presentation.words.visible import one_line
from explorer.report.markdown import inline

Row = TypeVar("Row")


def separated_text(columns: Sequence[Column[Row]], rows: Iterable[Row], separator: str, look: Look = ENGLISH) -> str:
    """CSV or TSV: values in base units, units in the header; figures in full precision."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    titles = (f"{c.title(look)} ({c.unit})" if c.unit else c.title(look) for c in columns)
    writer.writerow([cell_of_file(title) for title in titles])
    writer.writerows([[_cell(c.value(row)) for c in columns] for row in rows])
    return out.getvalue()


def markdown_text(columns: Sequence[Column[Row]], rows: Iterable[Row], look: Look = ENGLISH) -> str:
    """A Markdown table of the texts that the window shows."""
    lines = [[inline(c.title(look)) for c in columns], ["--:" if c.right else ":--" for c in columns]]
    lines += [[inline(c.text(row, look)) for c in columns] for row in rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def aligned_text(columns: Sequence[Column[Row]], rows: Iterable[Row], look: Look = ENGLISH) -> str:
    """A table for a terminal: columns two blanks apart, figures to the right."""
    lines = [[one_line(c.title(look)) for c in columns]]
    lines += [[one_line(c.text(row, look)) for c in columns] for row in rows]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    return "".join("  ".join(_padded(columns, cells, widths)).rstrip() + "\n" for cells in lines)


def _padded(columns: Sequence[Column[Row]], cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    parts = zip(columns, cells, widths, strict=True)
    return [text.rjust(width) if column.right else text.ljust(width) for column, text, width in parts]


def _cell(value: float | str | None) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return cell_of_file(value)
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(float(value))
