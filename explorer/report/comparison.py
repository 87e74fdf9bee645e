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
    tables = "\n".join(aligned_text(columns, table.lines, look) for columns in _columns(table, look))
    text = f"{compare_title(evaluation, look)}\n{tables}"
    return text + (f"{table.flips.text}\n" if table.flips.title else "")


def _columns(table: ComparedTable, look: Look) -> list[list[Column[ComparedLine]]]:
    """Every column, each figure with its ratio beside it: a table of those that decide, the others in further ones."""
    shown = deciding_places(table, _SHOWN)
    others = [i for i in range(len(table.columns)) if i not in shown]
    said = render(Message("compare.baseline"), look)
    name = _text_column("name", table.header, lambda line: _named(line, said), right=False)
    parts = [shown, *(others[i : i + _SHOWN] for i in range(0, len(others), _SHOWN))]
    return [
        [name, *(_text_column(table.columns[i].figure, table.columns[i].alone, _reading(i)) for i in part)]
        for part in parts
    ]


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
