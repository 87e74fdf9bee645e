"""Bound and measured time of every step that was timed, as paired bars; one chart for work that is alike."""

from explorer.analysis.ask.comparison.compared import ComparedRow, Comparison
from explorer.presentation.compare.table import ComparedLine, ComparedTable
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.views.compared.paired import PairedBar, PairedFigure, PairedGroup, PairedSubject
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render
from explorer.presentation.words.phases import phase_word

_FIGURES = ("bound", "measured")

register(
    {
        "measured_bars.title": QT_TRANSLATE_NOOP("messages", "Bound and measured time"),
        "measured_bars.of": QT_TRANSLATE_NOOP("messages", "Bound and measured time, {phase}"),
        "measured_bars.others": QT_TRANSLATE_NOOP("messages", "{count} more in the table"),
    }
)


def measured_bars(found: Comparison, table: ComparedTable, look: Look = ENGLISH) -> tuple[PairedFigure, ...]:
    """Charts of measurements that have one baseline, in the table's order, with the table's own texts."""
    lines = {line.key: line for line in table.lines}
    alike = dict.fromkeys(row.against for row in found.rows)
    runs = ([(row, lines[row.subject.key]) for row in found.rows if row.against == key] for key in alike)
    return tuple(_figure(rows, table, look) for rows in runs)


def _figure(rows: list[tuple[ComparedRow, ComparedLine]], table: ComparedTable, look: Look) -> PairedFigure:
    groups = tuple(_group(row, line, table) for row, line in rows)
    heads = {column.figure: column.alone for column in table.columns}
    blank = PairedBar(None, "", "", "")
    evaluation = rows[0][0].subject.evaluation
    title = Message("measured_bars.title")
    if evaluation is not None:
        title = Message("measured_bars.of", {"phase": phase_word(evaluation.study.workload.phase, "listed", look)})
    return PairedFigure(
        title=render(title, look),
        finding="",
        subjects=tuple(PairedSubject(f, heads[f], place, blank) for place, f in enumerate(_FIGURES)),
        groups=groups,
        rests=tuple(_rest(groups[n:], blank, look) for n in range(len(groups) + 1)),
        beyond=("",) * (len(_FIGURES) + 1),
    )


def _group(row: ComparedRow, line: ComparedLine, table: ComparedTable) -> PairedGroup:
    places = {column.figure: place for place, column in enumerate(table.columns)}
    bars = [(row.cells[f].value, line.entries[places[f]]) for f in _FIGURES]
    name = " · ".join(filter(None, (line.names[0], line.paper_note)))
    return PairedGroup(name, tuple(PairedBar(value, entry.text, "", entry.tip) for value, entry in bars), (line.key,))


def _rest(groups: tuple[PairedGroup, ...], blank: PairedBar, look: Look) -> PairedGroup:
    """Measurements for which a chart has no room: they stand in the table above it."""
    name = render(Message("measured_bars.others", {"count": len(groups)}), look) if groups else ""
    return PairedGroup(name, (blank,) * len(_FIGURES), tuple(row for g in groups for row in g.rows))
