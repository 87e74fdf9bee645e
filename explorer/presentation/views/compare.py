"""The comparison as a figure: its table, the verdicts that flip, and the charts below."""

from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import compare
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.finding import compare_conditions, compare_title
from explorer.presentation.compare.table import ComparedTable, table_of
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.views.declared import VIEWS, Says, body_of, register_build

_ON_PAPER: Final = 9  # ranks of columns that stand on paper
_CHARTS: Final = ("paired", "frontier")


class ComparedChart(msgspec.Struct, frozen=True, eq=False):
    """A chart below the table: the view that it is, and its figure."""

    view: str
    figure: object


class ComparedPage(msgspec.Struct, frozen=True, eq=False):
    """Everything side by side on paper; texts are final."""

    table: ComparedTable
    charts: tuple[ComparedChart, ...] = ()


def compare_page(evaluation: Evaluation, look: Look = ENGLISH) -> ComparedPage:
    """The comparison of the study's view on paper, with the charts that stand below it in the window."""
    found = compare(evaluation)
    chosen = evaluation.study.view.compare_charts or _CHARTS
    charts = [name for name in chosen if name in VIEWS][:2] if found.vary == "machines" and len(found.rows) > 1 else []
    return ComparedPage(
        on_paper(table_of(evaluation, found, look)),
        tuple(ComparedChart(name, body_of(name, evaluation, look)) for name in charts),
    )


def on_paper(table: ComparedTable) -> ComparedTable:
    """The table with the columns that decide: paper can neither be widened nor scrolled."""
    kept = [i for i, column in enumerate(table.columns) if column.rank < _ON_PAPER]
    lines = (replace(line, entries=tuple(line.entries[i] for i in kept)) for line in table.lines)
    columns = tuple(replace(table.columns[i], order="") for i in kept)
    return replace(table, columns=columns, lines=tuple(lines), dropped="", dropped_one="")


register_build(
    "compare",
    lambda evaluation, look, _texts: compare_page(evaluation, look),
    Says(title=compare_title, subtitle=compare_conditions),
)
