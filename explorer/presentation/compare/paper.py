"""The table of a comparison on paper, which can neither be widened nor scrolled."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.table import ComparedTable, compare_table
from explorer.presentation.look import ENGLISH, Look

_ON_PAPER: Final = (8, 9)  # columns on paper; of measurements


def on_paper(table: ComparedTable) -> ComparedTable:
    """The table with the columns that decide."""
    ranks = sorted(column.rank for column in table.columns)[: _ON_PAPER[table.vary == "measurements"]]
    kept = [i for i, column in enumerate(table.columns) if column.rank in ranks]
    lines = (replace(line, entries=tuple(line.entries[i] for i in kept)) for line in table.lines)
    columns = tuple(replace(table.columns[i], order="") for i in kept)
    return replace(table, columns=columns, lines=tuple(lines), dropped="", dropped_one="")


def beside_a_view(evaluation: Evaluation, look: Look = ENGLISH) -> ComparedTable | None:
    """The machines of any slide against the baseline; None where there is but one."""
    table = on_paper(compare_table(evaluation, look, "machines"))
    return table if len(table.lines) > 1 else None
