"""The Measurements table: measured beside bound, the gap in words for what is selected."""

from collections.abc import Generator, Sequence
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QItemSelection, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence, QShowEvent
from PySide6.QtWidgets import QFrame, QSplitter, QWidget

from explorer.analysis.measured.gap import Gap
from explorer.analysis.measured.gap_memory import remembered_gap
from explorer.analysis.measured.predict import Predictor
from explorer.analysis.study.edit_measurements import add_measured, change_measurement, remove_measurements
from explorer.analysis.study.study import Measurement, Study
from explorer.files.typed.pasted_measurements import parse_measurements
from explorer.presentation.actions import table_key
from explorer.presentation.measured.gap import gap_sentences
from explorer.presentation.tables.columns import Column
from explorer.presentation.tables.measurement_columns import MeasurementRow, measurement_columns, measurement_rows
from explorer.presentation.tables.shared_names import what_differs
from explorer.ui.forms.problem_list import ProblemList
from explorer.ui.grid.editors import CellEditor, ChoiceCell
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.tables.measurement_edits import (
    FIELDS,
    WITH_UNITS,
    choices,
    chosen,
    edited,
    reader,
    typed_text,
)
from explorer.ui.tables.panel import PanelSettings, TablePanel
from explorer.ui.widgets.after_paint import AfterPaint
from explorer.ui.widgets.modal import open_once
from explorer.ui.widgets.plain_text import SafeBrowser

_RESTING = 2  # of what gaps read: measurements and hardware
_SLICE = 50  # gaps between two looks at the clock


class MeasurementsTable(TablePanel):
    """Measurements in the study's order; gaps are worked out after the paint, at each one's own conditions."""

    import_requested = Signal()
    measure_requested = Signal()
    fit_requested = Signal()

    def __init__(self, session: Session, settings: PanelSettings, parent: QWidget | None = None) -> None:
        super().__init__(session, settings, "measurements", parent)
        self.view.setAccessibleName(tr("Measurements"))
        self.view.empty_text = self._empty_text
        self.gaps: dict[str, Gap] = {}
        self._rows: dict[str, MeasurementRow] = {}
        self._short: dict[str, str] = {}
        self._worked_out: tuple[object, ...] = ()
        self.later = AfterPaint(self._work_out, self)
        self.model.haystack = _haystack
        self.words = SafeBrowser(self)
        self._said: list[tuple[str, str]] = []
        self._add_words()
        self._make_commands()
        self.view.opened.connect(lambda _index: self.show_work())
        self.view.selectionModel().selectionChanged.connect(self._on_selection)

    def _add_words(self) -> None:
        self.words.setAccessibleName(tr("The gap in words"))
        self.words.setFrameShape(QFrame.Shape.NoFrame)
        self.words.setOpenLinks(False)
        self.words.document().setDocumentMargin(8)
        self.words.document().setDefaultStyleSheet("p { margin: 0 0 4px 0; }")
        self.words.setMinimumWidth(14 * self.fontMetrics().height())
        self.split = QSplitter(Qt.Orientation.Horizontal, self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.view)
        self.split.addWidget(self.words)
        self.split.setStretchFactor(0, 4)
        self.split.setStretchFactor(1, 1)
        layout = self.layout()
        if layout is not None:
            layout.addWidget(self.split)

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Draw a state; gaps follow after the paint."""
        self.apply_look(old, new)
        if old is None or old.look.unit != new.look.unit:
            self._show_names(new, anew=True)
        if old is None or _listed(old.study) != _listed(new.study):
            self._show_names(new)
            self._show_rows(new.study)
        if old is None or old.look is not new.look:
            self._show_gap()
        self._ask(new)

    def _show_names(self, shown: Shown, *, anew: bool = False) -> None:
        """Columns whose names leave out what many of them share."""
        short = what_differs(m.name for m in shown.study.measurements)
        if anew or short != self._short:
            self._short = short
            self.show_columns(measurement_columns(shown.look, short))

    def _show_rows(self, study: Study) -> None:
        """Rows that stay the same stay the same objects: only the others are announced."""
        rows = []
        for row in measurement_rows(study, self.gaps):
            kept = self._rows.get(row.key)
            rows.append(kept if kept is not None and all(map(_same, kept, row)) else row)
        self._rows = {r.key: r for r in rows}
        self.show_rows(rows)
        self.words.setVisible(bool(rows))  # an empty table has the whole width for what to do

    def _ask(self, shown: Shown) -> None:
        if self.isVisible() and not _unchanged(self._worked_out, _gaps_read(shown)):
            self.later.ask()

    def _work_out(self) -> Generator[None, None, None]:
        shown = self.session.state
        predictor = Predictor(shown.evaluation)
        found: dict[str, Gap] = {}
        # what a tool counted hangs on no workload: a slider's step leaves it as it is
        resting = _unchanged(self._worked_out[:_RESTING], _gaps_read(shown)[:_RESTING])
        for i, measurement in enumerate(shown.study.measurements):
            kept = self.gaps.get(measurement.id) if resting and _quick(measurement) and measurement.format else None
            found[measurement.id] = kept or remembered_gap(predictor, measurement)
            if (i % _SLICE == 0 and kept is None) or not _quick(measurement):
                yield
        others = self.gaps.keys().isdisjoint(found)
        self.gaps, self._worked_out = found, _gaps_read(shown)
        self._show_rows(shown.study)
        if others:
            self.view.widths.renew()
        self._show_gap()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask(self.session.state)

    def _empty_text(self) -> str:
        if self.model.needle:
            return tr("No measurement holds “{needle}”.", needle=self.model.needle)
        return tr(
            "No measurements yet. Time the operators with your own torch, import another tool's file (or drop it on "
            "the window), paste rows of a spreadsheet, or type one."
        )

    def _make_commands(self) -> None:
        key = QKeySequence.StandardKey
        self.add_action = self.command(
            tr("Add…"),
            self.add,
            table_key("table_add"),
            tr("Type a measured time or tokens per second"),
            button=True,
        )
        self.import_action = self.menu_command("import_measurements", tr("Import…"), self.import_requested.emit)
        self.measure_action = self.menu_command("measure_operators", tr("Measure…"), self.measure_requested.emit)
        self.fit_action = self.menu_command("fit_measurements", tr("Fit…"), self.fit_requested.emit)
        self.show_action = self.command(
            tr("Show this work"), self.show_work, "", tr("Set model, phase, batch and context to the selected row's"),
            button=True,
        )  # fmt: skip
        self.delete_action = self.command(tr("Delete"), self.delete, key.Delete, button=True)
        self.separator()
        self.edit_action = self.command(tr("Edit…"), self.edit_entry)
        self.copy_action = self.command(tr("Copy for a spreadsheet"), self.copy, key.Copy)
        self.paste_action = self.command(tr("Paste rows"), self.paste, key.Paste)

    @property
    def _study(self) -> Study:
        return self.session.store.study

    def _selected(self) -> list[Measurement]:
        keys = set(self.view.selected_keys())
        return [m for m in self._study.measurements if m.id in keys]

    def add(self) -> None:
        """Type a measurement."""
        active = self.session.state.evaluation.active
        rows = {r.name for r in self.session.state.evaluation.rows}
        row = next((n for n in self._study.view.selection if n in rows), None)
        work = self._study.workload
        start = Measurement(
            id="measured", name=row or tr("measured step"), row=row, device="" if active is None else active.entry.id,
            phase=work.phase, batch=work.batch, context=work.context,
        )  # fmt: skip
        self._ask_for(start, self._add)

    def _add(self, found: Measurement) -> None:
        self.session.store.replace(add_measured(self._study, [found]), tr("Add {name}", name=found.name))

    def edit_entry(self) -> None:
        """Change the first selected measurement in a form."""
        for measurement in self._selected()[:1]:
            self._ask_for(measurement, self._change)

    def _change(self, found: Measurement) -> None:
        fields = {f: getattr(found, f) for f in found.__struct_fields__ if f not in _KEPT}
        study = change_measurement(self._study, found.id, **fields)
        self.session.store.replace(study, tr("Edit {name}", name=found.name))

    def _ask_for(self, start: Measurement, then: Any) -> None:
        from explorer.ui.forms.measurement_form import MeasurementForm

        self.measurement_form = MeasurementForm(self.session, then, start, self)
        open_once(self.measurement_form)

    def delete(self) -> None:
        """Take the selected measurements out."""
        gone = self._selected()
        if gone:
            words = tr("Delete {name}", name=gone[0].name) if len(gone) == 1 else tr("Delete measurements")
            self.session.store.replace(remove_measurements(self._study, frozenset(m.id for m in gone)), words)

    def show_work(self) -> None:
        """Set the study to what the selected measurement timed, so that the chart shows it."""
        for measurement in self._selected()[:1]:
            stated = {"phase": measurement.phase, "batch": measurement.batch, "context": measurement.context}
            fields = {name: value for name, value in stated.items() if value is not None}
            study = self._study
            model = measurement.model if any(m.id == measurement.model for m in study.models) else study.active_model
            words = tr("Show {name}", name=measurement.name)
            self.session.store.edit(words, active_model=model, workload=replace(study.workload, **fields))
            entry = Predictor(self.session.state.evaluation).entry_of(measurement)
            chosen_row = (measurement.row,) if measurement.row else ()
            active = self._study.view.active_hardware if entry is None else entry.id
            self.session.store.set_view(selection=chosen_row, active_hardware=active)

    def paste(self) -> None:
        """Paste measurements: the good lines in one undo step, the others listed."""
        rows = [r.name for r in self.session.state.evaluation.rows]
        found, problems = parse_measurements(QGuiApplication.clipboard().text(), self._study, rows)
        if found:
            words = tr("Paste {name}", name=found[0].name) if len(found) == 1 else tr("Paste measurements")
            self.session.store.replace(add_measured(self._study, found), words)
            self.said.emit(tr("Pasted measurements: {count}.", count=len(found)))
        if problems:
            self.problem_list = ProblemList(problems, len(found), self.session.look, self)
            open_once(self.problem_list)

    # words

    def _on_selection(self, _chosen: QItemSelection, _left: QItemSelection) -> None:
        self._show_gap()

    def _show_gap(self) -> None:
        """The gap of the first selected measurement in words."""
        places = self.view.selected_places()
        row = self.model.rows[places[0]] if places and places[0] < len(self.model.rows) else None
        text = self._gap_paragraphs(row)
        if text != self._said:
            self._said = text
            self.words.show_paragraphs(text)

    def _gap_paragraphs(self, row: MeasurementRow | None) -> list[tuple[str, str]]:
        if row is None:
            hint = tr("Select a measurement to read how far it is from its bound, and why.")
            return [("p", hint)] if self.model.rows else []
        if row.gap is None:
            return []
        lines = gap_sentences(row.gap, self.session.look, row.device)
        return [("b", row.measurement.name), *(("p", line) for line in lines)]

    # cells

    def make_editor(self, parent: QWidget, row: MeasurementRow, column: Column[Any]) -> CellEditor:
        evaluation = self.session.state.evaluation
        if column.edit == "format":
            now = chosen(row.measurement, column.key, evaluation)
            return ChoiceCell(parent, choices(column.key, evaluation), now)
        if column.key in WITH_UNITS:
            value = getattr(row.measurement, FIELDS[column.key])
            return self.figure_editor(parent, row, column, value, reader(column.key))
        return self.text_editor(parent, typed_text(row.measurement, column.key), reader(column.key))

    def edit_cell(self, row: MeasurementRow, column: Column[Any], value: Any) -> None:
        typed = isinstance(value, str) and column.edit == "text"
        taken = reader(column.key)(value) if typed else value
        self.session.store.replace(*edited(self._study, row.measurement, column.key, taken))

    def select(self, ids: Sequence[str]) -> None:
        """Select measurements by id and bring the first into sight."""
        selection = QItemSelection()
        last = len(self.model.columns) - 1
        places = [p for p in map(self.model.position, ids) if p >= 0]
        for place in places:
            selection.select(self.model.index(place, 0), self.model.index(place, last))
        flag = self.view.selectionModel().SelectionFlag.ClearAndSelect
        self.view.selectionModel().select(selection, flag)
        if places:
            self.view.scrollTo(self.model.index(places[0], 0))


_KEPT = frozenset(
    ["id", "quartiles_s", "runs", "cached", "weights", "flops", "bytes", "format", "memory_busy", "compute_busy",
     "total_s", "calls", "depth", "tool"]
)  # fmt: skip


def _quick(measurement: Measurement) -> bool:
    return measurement.flops is not None or measurement.bytes is not None


def _same(one: object, other: object) -> bool:
    return one is other or (isinstance(one, str) and one == other)


def _listed(study: Study) -> tuple[object, ...]:
    """What of a study the table shows, the gaps apart."""
    return study.measurements, study.hardware, study.models, study.active_model


def _gaps_read(shown: Shown) -> tuple[object, ...]:
    """What the gaps depend on."""
    study = shown.study
    return (
        study.measurements, study.hardware, study.models, study.active_model, study.workload, study.overrides,
        study.operators, study.kinds, shown.evaluation.catalogue,
    )  # fmt: skip


def _unchanged(before: tuple[object, ...], now: tuple[object, ...]) -> bool:
    return len(before) == len(now) and all(a is b or a == b for a, b in zip(before, now, strict=True))


def _haystack(row: MeasurementRow) -> str:
    measurement = row.measurement
    return f"{measurement.name} {measurement.row or ''} {row.device} {row.model} {measurement.source}".lower()
