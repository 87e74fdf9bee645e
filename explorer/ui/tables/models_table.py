"""The Models table: every model of the study beside the others, one of them active."""

from collections.abc import Generator
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence, QShowEvent
from PySide6.QtWidgets import QWidget

from explorer.analysis.ask.compare import ModelFigures, model_figures
from explorer.analysis.problem import Refused
from explorer.analysis.step.expand import model_in
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.edit_models import (
    change_model,
    duplicate_model,
    file_size_of,
    remove_models,
    with_file_size,
)
from explorer.analysis.study.edit_rows import moved, shifted
from explorer.analysis.study.edits import add_model
from explorer.analysis.study.study import ModelEntry, Study
from explorer.files.typed.cells import read_name
from explorer.presentation.actions import table_key
from explorer.presentation.quantities.quantity import read_optional
from explorer.presentation.tables.columns import Column
from explorer.presentation.tables.model_columns import ModelRow, counted, model_columns, model_rows
from explorer.presentation.words.messages import of_problem, render
from explorer.ui.grid.editors import CellEditor
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.tables.panel import PanelSettings, TablePanel
from explorer.ui.widgets.after_paint import AfterPaint
from explorer.ui.widgets.modal import open_once


class ModelsTable(TablePanel):
    """Models in the study's order, their steps worked out after the paint; those whose config is refused say why."""

    config_requested = Signal()

    def __init__(self, session: Session, settings: PanelSettings, parent: QWidget | None = None) -> None:
        super().__init__(session, settings, "models", parent)
        self.view.setAccessibleName(tr("Models"))
        self.view.empty_text = self._empty_text
        self.figures: dict[str, ModelFigures | None] = {}
        self._worked_out: tuple[object, ...] = ()
        self._columns_of: tuple[object, ...] = ()
        self.later = AfterPaint(self._work_out, self)
        self.model.movable = lambda _row: True
        self.model.haystack = lambda row: f"{row.entry.name} {row.entry.source}".lower()
        self.model.dress = lambda row: row.problem
        self.delegate.fault = self._fault
        self._make_commands()
        self.view.dropped.connect(self._dropped)
        self.view.opened.connect(lambda _index: self.activate())

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Draw a state; a slider's step changes only figures, and these after the paint."""
        self.apply_look(old, new)
        if old is None or _reads(old.study) != _reads(new.study) or old.look.unit != new.look.unit:
            self._show_rows(new.study)
        self._ask(new)

    def _show_rows(self, study: Study) -> None:
        rows = model_rows(study, self.session.catalogue.format_by_id, self.figures)
        look = self.session.state.look
        if (look.unit, counted(rows)) != self._columns_of:
            self._columns_of = look.unit, counted(rows)
            self.show_columns(model_columns(look, counted(rows)))
        self.show_rows(rows)

    def _ask(self, shown: Shown) -> None:
        """Work the steps out anew where they may differ and are in sight."""
        if self.isVisible() and self._worked_out != _steps_read(shown):
            self.later.ask()

    def _work_out(self) -> Generator[None, None, None]:
        shown = self.session.state
        found: dict[str, ModelFigures | None] = {}
        for entry in shown.study.models:
            found[entry.id] = model_figures(shown.evaluation, entry)
            yield
        first = not self.figures
        self.figures, self._worked_out = found, _steps_read(shown)
        self._show_rows(shown.study)
        if first:
            self.view.widths.renew()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._ask(self.session.state)

    def _fault(self, row: ModelRow) -> str:
        return "" if row.problem is None else render(of_problem(row.problem), self.session.look)

    def _empty_text(self) -> str:
        if self.model.needle:
            return tr("No model holds “{needle}”.", needle=self.model.needle)
        return tr(
            "No models yet. Drop a config.json, GGUF or safetensors file on the window, add a preset, "
            "or a quick model from six numbers."
        )

    def _make_commands(self) -> None:
        key = QKeySequence.StandardKey
        self.preset_action = self.menu_command("add_preset", tr("Add preset…"), self.add_preset)
        self.config_action = self.menu_command(
            "add_config", tr("Add file…"), self.config_requested.emit, table_key("table_add")
        )
        self.quick_action = self.command(
            tr("Add quick model…"), self.add_quick, "", tr("A rough model from six numbers"), button=True
        )
        self.activate_action = self.command(
            tr("Use"),
            self.activate,
            table_key("table_open"),
            tr("Make the selected model the active one"),
            button=True,
        )
        self.duplicate_action = self.command(tr("Duplicate"), self.duplicate, table_key("table_duplicate"), button=True)
        self.delete_action = self.command(tr("Delete"), self.delete, key.Delete, button=True)
        self.separator()
        self.rename_action = self.command(tr("Rename"), self.rename)
        self.edit_action = self.command(
            tr("Edit…"), self.edit_entry, "", tr("Change the figures of the selected model")
        )
        self.up_action = self.command(tr("Move up"), lambda: self.shift(-1), table_key("table_up"))
        self.down_action = self.command(tr("Move down"), lambda: self.shift(1), table_key("table_down"))
        self.separator()
        self.copy_action = self.command(tr("Copy for a spreadsheet"), self.copy, key.Copy)

    @property
    def _study(self) -> Study:
        return self.session.store.study

    def _selected(self) -> list[ModelEntry]:
        keys = set(self.view.selected_keys())
        return [m for m in self._study.models if m.id in keys]

    def activate(self) -> None:
        """Make the first selected model the active one."""
        for entry in self._selected()[:1]:
            self.session.store.edit(tr("Use {name}", name=entry.name), active_model=entry.id)

    def duplicate(self) -> None:
        """Copy the first selected model."""
        for entry in self._selected()[:1]:
            self.session.store.replace(duplicate_model(self._study, entry.id), tr("Duplicate {name}", name=entry.name))

    def delete(self) -> None:
        """Take the selected models out of the study."""
        gone = self._selected()
        if gone:
            words = tr("Delete {name}", name=gone[0].name) if len(gone) == 1 else tr("Delete models")
            self.session.store.replace(remove_models(self._study, frozenset(m.id for m in gone)), words)

    def rename(self) -> None:
        """Edit the name of the current model."""
        index = self.view.currentIndex().siblingAtColumn(self.model.column_position("model"))
        self.view.begin_edit(index)

    def shift(self, step: int) -> None:
        """Move the selected models up (-1) or down (+1)."""
        ids = {m.id for m in self._selected()}
        if ids and self.model.sorted_by is None:
            self.session.store.edit(tr("Move models"), models=shifted(self._study.models, ids, step))

    def _dropped(self, keys: list[str], before: str) -> None:
        self.session.store.edit(tr("Move models"), models=moved(self._study.models, set(keys), before or None))

    def add_preset(self) -> None:
        """Ask for presets and add them, the last one active."""
        from explorer.ui.forms.preset_dialog import PresetDialog

        self.preset_dialog = PresetDialog(self.session, self._add_all, self)
        open_once(self.preset_dialog)

    def _add_all(self, entries: list[ModelEntry]) -> None:
        study = self._study
        for entry in entries:
            study = add_model(study, entry)
        words = tr("Add {name}", name=entries[0].name) if len(entries) == 1 else tr("Add models")
        self.session.store.replace(study, words)

    def edit_entry(self) -> None:
        """Change the first selected model: its six numbers, or its config."""
        for entry in self._selected()[:1]:
            if entry.quick is not None:
                self.edit_quick()
            else:
                self._edit_config(entry)

    def _edit_config(self, entry: ModelEntry) -> None:
        from explorer.ui.forms.config_form import ConfigForm

        def change(config: dict[str, Any]) -> None:
            words = tr("Edit {name}", name=entry.name)
            self.session.store.replace(change_model(self._study, entry.id, config=config), words)

        self.config_form = ConfigForm(self.session, entry, change, self)
        open_once(self.config_form)

    def add_quick(self) -> None:
        """Ask for six numbers and add the model, active."""
        from explorer.ui.forms.quick_form import QuickForm

        def add(entry: ModelEntry) -> None:
            self.session.store.replace(add_model(self._study, entry), tr("Add {name}", name=entry.name))

        self.quick_form = QuickForm(self.session, add, None, self)
        open_once(self.quick_form)

    def edit_quick(self) -> None:
        """Change the numbers of a quick model."""
        from explorer.ui.forms.quick_form import QuickForm

        for entry in [m for m in self._selected() if m.quick is not None][:1]:

            def change(new: ModelEntry, model_id: str = entry.id) -> None:
                words = tr("Edit {name}", name=new.name)
                self.session.store.replace(change_model(self._study, model_id, name=new.name, quick=new.quick), words)

            self.quick_form = QuickForm(self.session, change, entry, self)
            open_once(self.quick_form)

    # cells

    def make_editor(self, parent: QWidget, row: ModelRow, column: Column[Any]) -> CellEditor:
        if column.key == "weights_size":
            known = file_size_of(row.entry)
            return self.figure_editor(parent, row, column, known, lambda text: self._read_size(row, text))
        return self.text_editor(parent, row.entry.name, lambda text: read_name(text, self._names_but(row)))

    def _read_size(self, row: ModelRow, text: str) -> float | None:
        """The size of a model's file as typed, or None for none; raise Refused where no file of it is of that size."""
        size = read_optional(text, "B", "file_bytes")
        sized = with_file_size(row.entry, size)
        if problems := study_problems(Study(models=(sized,))):
            raise Refused(*problems)
        model_in(sized, None, self.session.catalogue.format_by_id)
        return size

    def _names_but(self, row: ModelRow) -> set[str]:
        return {m.name for m in self._study.models if m.id != row.key}

    def edit_cell(self, row: ModelRow, column: Column[Any], value: Any) -> None:
        store = self.session.store
        if column.key == "active":
            store.edit(tr("Use {name}", name=row.entry.name), active_model=row.key)
        elif column.key == "weights_size":
            sized = with_file_size(row.entry, self._read_size(row, value) if isinstance(value, str) else value)
            words = tr("Size of the file of {name}", name=row.entry.name)
            changed = change_model(self._study, row.key, quick=sized.quick, file_bytes=sized.file_bytes)
            store.replace(changed, words)
        else:
            name = read_name(str(value), self._names_but(row))
            store.replace(change_model(self._study, row.key, name=name), tr("Rename {name}", name=row.entry.name))


def _reads(study: Study) -> tuple[object, ...]:
    """What of a study the table shows, the steps apart."""
    work = study.workload
    return study.models, study.active_model, work.weights, work.kv


def _steps_read(shown: Shown) -> tuple[object, ...]:
    """What the figures of the models' steps depend on."""
    study, active = shown.study, shown.evaluation.active
    device = None if active is None else active.entry
    return study.models, study.active_model, study.workload, study.overrides, device
