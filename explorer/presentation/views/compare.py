"""The comparison as a figure: its table, the verdicts that flip, and the charts below."""

from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import compare
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.finding import compare_conditions, compare_title
from explorer.presentation.compare.paper import on_paper
from explorer.presentation.compare.table import ComparedTable, table_of
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.views.compared.measured_bars import measured_bars
from explorer.presentation.views.compared.paired import PairedFigure
from explorer.presentation.views.compared.reading import reading
from explorer.presentation.views.declared import VIEWS, Says, body_of, register_build

_CHARTS: Final = ("paired", "frontier", "rooflines")  # what has nothing to show gives way to the next
_MOST_CHARTS: Final = 2
_MOST_GROUPS: Final = 5  # of operators, below a table


class ComparedChart(msgspec.Struct, frozen=True, eq=False):
    """A chart below the table: the view that it is, and its figure."""

    view: str
    figure: object


class ComparedPage(msgspec.Struct, frozen=True, eq=False):
    """Everything side by side on paper; texts are final."""

    table: ComparedTable
    charts: tuple[ComparedChart, ...] = ()

    @property
    def empty_text(self) -> str:
        """Why there is nothing side by side."""
        return self.table.empty_text


def compare_page(evaluation: Evaluation, look: Look = ENGLISH) -> ComparedPage:
    """The comparison of the study's view on paper, with the charts that stand below it in the window."""
    found = compare(evaluation)
    table = table_of(evaluation, found, look)
    if found.vary == "measurements":
        bars = measured_bars(found, table, look)[:_MOST_CHARTS]
        return ComparedPage(on_paper(table), tuple(ComparedChart("paired", figure) for figure in bars))
    charts = _charts(evaluation, look) if len(found.rows) > 1 else ()
    return ComparedPage(on_paper(table), charts)


def _charts(evaluation: Evaluation, look: Look) -> tuple[ComparedChart, ...]:
    """The charts asked for, then others, until there are two that have something to show."""
    found: list[ComparedChart] = []
    for name in dict.fromkeys((*evaluation.study.view.compare_charts, *_CHARTS)):
        if name in VIEWS and len(found) < _MOST_CHARTS:
            figure = body_of(name, evaluation, look)
            if not getattr(figure, "empty_text", ""):
                found.append(ComparedChart(name, _few(figure)))
    return tuple(found)


def _few(figure: object) -> object:
    """A chart with so few groups of operators that its type is as large as the table's."""
    if not isinstance(figure, PairedFigure):
        return figure
    return replace(figure, groups=figure.groups[:_MOST_GROUPS], rests=figure.rests[: _MOST_GROUPS + 1])


register_build(
    "compare",
    lambda evaluation, look, _texts: compare_page(evaluation, look),
    Says(compare_title, reading("compare"), compare_conditions),
)
