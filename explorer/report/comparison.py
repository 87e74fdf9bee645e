"""The comparison as text for a terminal: the finding, the figures that decide with their ratios, what flips."""

from collections.abc import Callable
from typing import Final

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.finding import compare_title
from explorer.presentation.compare.paper import deciding_places
from explorer.presentation.compare.table import ComparedLine, ComparedTable, compare_table
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.tables.columns import Column, as_text
from explorer.presentation.words.messages import Message, render
from explorer.report.text_table import aligned_text

_SHOWN: Final = 9  # columns


def comparison_text(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """The finding, the table, and what flips, for a terminal."""
    table = compare_table(evaluation, look)
    if not table.lines:
        return table.empty_text + "\n"
    text = f"{compare_title(evaluation, look)}\n{aligned_text(_columns(table, look), table.lines, look)}"
    return text + (f"{table.flips.text}\n" if table.flips.title else "")


def _columns(table: ComparedTable, look: Look) -> list[Column[ComparedLine]]:
    """The columns that decide, each figure with its ratio beside it."""
    shown = deciding_places(table, _SHOWN)
    said = render(Message("compare.baseline"), look)
    columns = [_text_column("name", table.header, lambda line: _named(line, said), right=False)]
    columns += [_text_column(table.columns[i].figure, table.columns[i].alone, _reading(i)) for i in shown]
    return columns


def _named(line: ComparedLine, baseline: str) -> str:
    note = ", ".join(filter(None, (baseline if line.baseline else "", line.note)))
    return f"{line.names[0]} ({note})" if note else line.names[0]


def _reading(place: int) -> Callable[[ComparedLine], str]:
    def read(line: ComparedLine) -> str:
        entry = line.entries[place]
        relation = "" if line.baseline and entry.relation == "1" else entry.relation
        return f"{entry.text} ({relation})" if relation else entry.text

    return read


def _text_column(
    key: str, title: str, read: Callable[[ComparedLine], str], *, right: bool = True
) -> Column[ComparedLine]:
    return Column(key, Message("compare.literal", {"text": title}), read, as_text, right=right)
