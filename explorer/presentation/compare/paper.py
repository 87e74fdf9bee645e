"""The table of a comparison on paper, which can neither be widened nor scrolled."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.table import ComparedTable, compare_table
from explorer.presentation.look import ENGLISH, Look

_ON_PAPER: Final = (9, 9)  # columns on paper; of measurements


def on_paper(table: ComparedTable) -> ComparedTable:
    """The table with the columns that decide."""
    kept = deciding_places(table, _ON_PAPER[table.vary == "measurements"])
    lines = (replace(line, entries=tuple(line.entries[i] for i in kept)) for line in table.lines)
    columns = tuple(replace(table.columns[i], order="") for i in kept)
    return replace(table, columns=columns, lines=tuple(lines), dropped="", dropped_one="")


def deciding_places(table: ComparedTable, most: int) -> list[int]:
    """Places of the columns that decide; the rate in all is among those at several batches where there are such."""
    swept = any(column.spanned for column in table.columns)
    places = [i for i, column in enumerate(table.columns) if not (swept and column.figure == "in_all")]
    return sorted(sorted(places, key=lambda i: table.columns[i].rank)[:most])


def beside_a_view(evaluation: Evaluation, look: Look = ENGLISH) -> ComparedTable | None:
    """The machines of any slide against the baseline; None where there is but one."""
    table = on_paper(compare_table(evaluation, look, "machines"))
    return table if len(table.lines) > 1 else None
