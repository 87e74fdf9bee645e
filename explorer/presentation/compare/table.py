"""The table of a comparison, texts final: rows against the baseline, figures with their ratio or difference."""

from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import ComparedCell, ComparedRow, Comparison, compare
from explorer.analysis.ask.comparison.figures.step_figures import prompts_routed
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.choices import CompareAs, Vary
from explorer.presentation.compare.columns import ComparedColumn, columns_of
from explorer.presentation.compare.flip_chips import FlipLine, flip_line
from explorer.presentation.compare.names import measured_on, paper_note, row_note, shorter_names
from explorer.presentation.compare.reckoned import reckoned_text
from explorer.presentation.compare.values import figure_text, relation_text, value_text
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.views.compared.subject_names import subject_colour
from explorer.presentation.words.messages import TEMPLATES, Message, of_note, render
from explorer.presentation.words.said.routing import pace_text
from explorer.presentation.words.visible import one_line

_ONE: Final = "1"


class ComparedEntry(msgspec.Struct, frozen=True):
    """One cell: value, below it the ratio or difference; `tip` says why it is missing or what is to be known.

    `share` is how full a bar is drawn, None without one; `over`: more is held than there is room for.
    """

    text: str
    relation: str = ""
    best: bool = False
    muted: bool = False
    tip: str = ""
    share: float | None = None
    over: bool = False


class ComparedLine(msgspec.Struct, frozen=True):
    """One row: its names from long to short, what stands under them, colour and dash, and a cell for each column."""

    key: str
    entry: str
    names: tuple[str, ...]
    note: str
    paper_note: str
    colour: int
    baseline: bool
    room: bool
    entries: tuple[ComparedEntry, ...]


class ComparedTable(msgspec.Struct, frozen=True):
    """Everything side by side; `swatches`: each row has its colour in the charts."""

    vary: Vary
    shown: CompareAs
    header: str
    columns: tuple[ComparedColumn, ...]
    lines: tuple[ComparedLine, ...]
    flips: FlipLine
    legend: str
    best: str
    baseline: str
    swatches: bool
    dropped_one: str = ""
    dropped: str = ""
    empty_text: str = ""

    def dropped_text(self, count: int) -> str:
        """What is said of columns for which there is no room."""
        return self.dropped_one if count == 1 else self.dropped.format(count=count) if count else ""


def compare_table(evaluation: Evaluation, look: Look = ENGLISH, vary: Vary | None = None) -> ComparedTable:
    """The table of what stands side by side; `vary` of the study's view where none is given."""
    shown = varied(evaluation, vary)
    return table_of(shown, compare(shown), look)


def varied(evaluation: Evaluation, vary: Vary | None) -> Evaluation:
    """The evaluation as seen with something else side by side."""
    study = evaluation.study
    if vary is None or vary == study.view.vary:
        return evaluation
    return evaluation.viewed(replace(study, view=replace(study.view, vary=vary)))


def table_of(evaluation: Evaluation, found: Comparison, look: Look = ENGLISH) -> ComparedTable:
    """The table of a comparison."""
    view = evaluation.study.view
    columns = columns_of(found, _words(evaluation, found, look), view.compare_sort, look) if found.rows else ()
    names = shorter_names(evaluation, found, look)
    return ComparedTable(
        vary=found.vary,
        shown=view.compare_as,
        header=_on_device(evaluation, found, render(Message(f"compare.{found.vary}"), look), look),
        columns=columns,
        lines=tuple(_line(evaluation, found, row, columns, names, look) for row in found.rows),
        flips=flip_line(found, {key: forms[-1] for key, forms in names.items()}, look),
        legend=render(Message(f"compare.legend.{view.compare_as}"), look),
        best=render(Message("compare.best"), look),
        baseline=render(Message("compare.baseline"), look),
        swatches=found.vary != "measurements",
        dropped_one=render(Message("compare.dropped_one"), look),
        dropped=render(Message("compare.dropped", {"count": "{count}"}), look),
        empty_text="" if found.rows else render(Message(f"compare.empty.{found.vary}"), look),
    )


def reason_text(cell: ComparedCell, look: Look = ENGLISH) -> str:
    """Why a figure is missing, what is to be known of it, or why it has no ratio."""
    note = cell.why or cell.no_ratio
    return "" if note is None else render(of_note(note), look)


def _line(
    evaluation: Evaluation,
    found: Comparison,
    row: ComparedRow,
    columns: tuple[ComparedColumn, ...],
    names: dict[str, tuple[str, ...]],
    look: Look,
) -> ComparedLine:
    writer = _Writer(evaluation, found, row, look)
    return ComparedLine(
        key=row.subject.key,
        entry=row.subject.entry.id,
        names=names[row.subject.key],
        note=row_note(row, found.vary, look) or measured_on(evaluation, found, row, look),
        paper_note=paper_note(row, found.vary, look) or measured_on(evaluation, found, row, look),
        colour=subject_colour(evaluation, row.subject),
        baseline=row.is_baseline,
        room=row.room,
        entries=tuple(writer.entry(column.figure) for column in columns),
    )


class _Writer:
    """Writes the cells of one row; a short reason stands under the first of those that lack a figure for it."""

    def __init__(self, evaluation: Evaluation, found: Comparison, row: ComparedRow, look: Look) -> None:
        self.row, self.look, self.found = row, look, found
        self.shown = evaluation.study.view.compare_as
        self.said: set[str] = set()

    def entry(self, figure: str) -> ComparedEntry:
        if figure == "expected_low":
            return self._range(self.row.cells["expected_low"], self.row.cells["expected_high"])
        cell = self.row.cells[figure]
        if cell.value is None:
            return self._missing(cell)
        if figure == "held":
            return self._held(cell)
        relation = self._relation(figure, cell)
        return ComparedEntry(value_text(cell, self.look), relation, cell.best, tip=self._tip(figure, cell))

    def _tip(self, figure: str, cell: ComparedCell) -> str:
        """How it was reckoned, and what is to be known of it."""
        base = None if self.row.is_baseline else self.found.row(self.row.against)
        reckoned = "" if base is None else reckoned_text(cell, base.cells[figure], self.shown, self.look)
        return "\n".join(filter(None, (reckoned, reason_text(cell, self.look))))

    def _missing(self, cell: ComparedCell) -> ComparedEntry:
        code = "" if cell.why is None else cell.why.code.replace(".why.", ".short.")
        short = "" if code in self.said or code not in TEMPLATES else render(Message(code), self.look)
        self.said.add(code)
        return ComparedEntry(value_text(cell, self.look), short, muted=True, tip=reason_text(cell, self.look))

    def _held(self, cell: ComparedCell) -> ComparedEntry:
        """What is held of the capacity, as a bar; its ratio where not all hold the same."""
        totals = None if self.row.subject.result is None else self.row.subject.result.totals
        capacity = None if totals is None else totals.capacity
        held = [row.cells["held"].value for row in self.found.rows]
        relation = "" if len(set(held)) == 1 else self._relation("held", cell)
        share = cell.value / capacity if capacity and cell.value is not None else None
        if not relation and capacity:
            relation = render(
                Message("compare.of", {"capacity": figure_text(capacity, "capacity", self.look)}), self.look
            )
        return ComparedEntry(
            value_text(cell, self.look),
            relation,
            cell.best,
            tip=self._tip("held", cell),
            share=share,
            over=not self.row.room,
        )

    def _range(self, low: ComparedCell, high: ComparedCell) -> ComparedEntry:
        if low.value is None or high.value is None:
            return self._missing(low)
        ends = value_text(low, self.look), figure_text(high.value, high.unit, self.look)
        relations = [self._relation("expected_low", cell) for cell in (low, high)]
        relation = relations[0] if relations[0] == relations[1] or not all(relations) else self._between(*relations)
        tips = [self._tip(f"expected_{end}", cell) for end, cell in (("low", low), ("high", high))]
        tip = "\n".join(dict.fromkeys(line for text in tips for line in text.split("\n") if line))
        return ComparedEntry(self._between(*ends), relation, low.best and high.best, tip=tip)

    def _between(self, low: str, high: str) -> str:
        """Two figures as a range, a unit that both have said once."""
        first, second = low.rpartition(" "), high.rpartition(" ")
        low = first[0] if first[0] and first[2] == second[2] else low
        return render(Message("compare.range", {"low": low, "high": high}), self.look)

    def _relation(self, figure: str, cell: ComparedCell) -> str:
        if self.row.is_baseline:
            return _ONE if self.shown == "ratio" and cell.ratio is not None else ""
        relation = relation_text(cell, self.shown, self.look)
        formats = _other_format(self.found, self.row) if figure == "peak" else ""
        if not formats:
            return relation
        return (
            render(Message("compare.in_format", {"format": formats, "ratio": relation}), self.look)
            if relation
            else formats
        )


def _on_device(evaluation: Evaluation, found: Comparison, subject: str, look: Look) -> str:
    """What stands side by side, with the device that it is on where that is not the active one."""
    baseline = evaluation.baseline
    if found.vary not in {"models", "formats", "what_ifs"} or baseline is None or baseline is evaluation.active:
        return subject
    device = names_in(evaluation, look)[baseline.entry.id].label
    return render(Message("compare.on_device", {"subject": subject, "device": one_line(device)}), look)


def _words(evaluation: Evaluation, found: Comparison, look: Look) -> dict[str, str]:
    """What headers say of the step: the format of the peak, and how experts are chosen where that decides."""
    routed = any(figure.id == "routed" for figure in found.figures)
    work = evaluation.study.workload
    return {
        "format": _peak_format(found),
        "routing": pace_text(evaluation, look, "short") if routed else "",
        "prompt_routing": pace_text(evaluation, look, "short")
        if prompts_routed([r.subject for r in found.rows])
        else "",
        "batch": f"{work.batch:,}",
        "context": f"{work.context:,}",
    }


def _peak_format(found: Comparison) -> str:
    """The format whose peak heads the column: that of the baseline, else of the first row that has one."""
    rows = [found.baseline, *found.rows]
    results = [row.subject.result for row in rows if row is not None and row.subject.result is not None]
    return results[0].main_peak.format if results else ""


def _other_format(found: Comparison, row: ComparedRow) -> str:
    """The format of a row's peak where it is another than the one the column is headed by."""
    result = row.subject.result
    own = "" if result is None else result.main_peak.format
    return "" if own == _peak_format(found) else own
