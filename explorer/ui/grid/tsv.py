"""Rows as tab-separated text for a spreadsheet, in base units and full digits, and fit to be pasted back."""

from collections.abc import Sequence
from typing import Any

from explorer.presentation.quantities.dims import number_text
from explorer.presentation.tables.columns import Column, Value
from explorer.presentation.tables.spreadsheet import cell


def tsv(rows: Sequence[Any], columns: Sequence[Column[Any]]) -> str:
    """A header line and one line for each row; headers are English, so that every copy can be pasted back."""
    lines = ["\t".join(_title(c) for c in columns)]
    lines += ["\t".join(_cell(c.value(row)) for c in columns) for row in rows]
    return "\n".join(lines) + "\n"


def with_inputs(shown: Sequence[Column[Any]], every: Sequence[Column[Any]]) -> list[Column[Any]]:
    """The shown columns, and behind them the hidden ones that a user can type: with them a row is whole."""
    keys = {c.key for c in shown}
    return [*shown, *(c for c in every if c.edit is not None and c.key not in keys)]


def _title(column: Column[Any]) -> str:
    title = column.whole_title()
    return _cell(f"{title} ({column.unit})" if column.unit else title)


def _cell(value: Value) -> str:
    if value is None:
        return ""
    return number_text(value) if isinstance(value, int | float) else _quoted(cell(value.replace("\t", " ")))


def _quoted(text: str) -> str:
    """A spreadsheet reads on behind a leading quote until it finds another one, over the ends of lines."""
    return '"' + text.replace('"', '""') + '"' if text.startswith('"') else text
