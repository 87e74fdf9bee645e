"""The Operators table: a model's rows with overrides, the user's own rows in full."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QItemSelection, QItemSelectionModel
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QMenu, QToolButton, QWidget, QWidgetAction

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.problem import Problem
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.edit_rows import (
    as_own,
    detach,
    insert_rows,
    moved,
    remove_rows,
    reset_rows,
    shifted,
)
from explorer.analysis.study.study import OwnRow, Study
from explorer.presentation.actions import table_key
from explorer.presentation.answer.nothing import is_refused
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.tables.columns import Column
from explorer.presentation.tables.kind_groups import KindGroup, kind_groups
from explorer.presentation.tables.operator_columns import DEVICE_TIMES, operator_columns
from explorer.presentation.tables.operator_rows import OperatorRow, alike, operator_rows
from explorer.presentation.words.messages import Message, of_problem, render
from explorer.ui.forms.problem_list import ProblemList
from explorer.ui.grid.editors import CellEditor, ChoiceCell
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.tables.kind_list import KindList
from explorer.ui.tables.panel import PanelSettings, TablePanel
from explorer.ui.tables.row_edits import (
    checked_value,
    choices,
    chosen,
    edited,
    names_taken,
    reader,
    typed_text,
)
from explorer.ui.widgets.modal import open_once

_Select = QItemSelectionModel.SelectionFlag
_BESIDE = "compare"  # the tab beside which devices stand side by side here too
_SIDE_BY_SIDE = ("name", "kind", "intensity", DEVICE_TIMES, "share")


class OperatorsTable(TablePanel):
    """Rows in execution order; edits are single undo steps, the selection is the study's."""

    def __init__(self, session: Session, settings: PanelSettings, parent: QWidget | None = None) -> None:
        super().__init__(session, settings, "operators", parent)
        self.view.setAccessibleName(tr("Operators"))
        self.view.empty_text = self._empty_text
        self.model.movable = lambda row: row.own is not None
        self.model.haystack = _haystack
        self.model.frozen = True
        self.model.dress = lambda row: (row.enabled, row.problem, row.override is not None)
        self.model.alike = alike
        self.model.restless = frozenset({"share", "flop_share"})
        self.delegate.quiet = lambda row: not row.enabled
        self.delegate.marked = lambda row: row.override is not None
        self.delegate.fault = self._fault
        self._showing = False
        self._columns_for: tuple[object, ...] = ()
        self._beside = False
        self._make_commands()
        self.view.dropped.connect(self._dropped)
        self.view.opened.connect(lambda _index: self.edit_row())
        self.view.selectionModel().selectionChanged.connect(self._push_selection)

    # shown

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Draw a state; on a step of a slider only numbers are painted anew."""
        self.apply_look(old, new)
        self._showing = True
        structure = False
        beside = new.view.tab == _BESIDE
        if beside != self._beside:
            self._beside = beside
            if self.every_column:
                self.show_columns(self.every_column)
        if old is None or _figures(old) != _figures(new):
            before = [r.key for r in self.model.rows]
            self._show_rows(new.evaluation)
            structure = before != [r.key for r in self.model.rows]
        self._showing = False
        if old is None or structure or old.view.selection != new.view.selection:
            self._show_selection(new.view.selection)

    def _show_rows(self, evaluation: Evaluation) -> None:
        rows = operator_rows(evaluation)
        top = max((max(r.share or 0.0, r.flop_share or 0.0) for r in rows), default=0.0)
        self.view.scale_bars(top or 1.0)
        name = render(Message("column.whole"), self.session.look)
        self.model.set_total((name, evaluation) if evaluation.rows and evaluation.active is not None else None)
        unknown = tuple(d.launches_unknown for d in evaluation.devices)
        visible = tuple((d.entry.id, d.fits) for d in evaluation.devices if d.entry.visible)
        those = tuple("" if d is None else d.entry.id for d in (evaluation.active, evaluation.baseline))
        devices = (*names_in(evaluation, self.session.look).items(), (those, unknown, visible))
        others = devices != self._columns_for or not self.every_column
        if others:  # before the rows: columns never read rows of devices that they do not know
            self._columns_for = devices
            self.show_columns(operator_columns(evaluation))
        self.show_rows(rows)
        if others:
            self.view.widths.renew()
        self._enable_commands(evaluation)

    def chosen_columns(self) -> list[str]:
        """The user's choice; else beside a comparison the devices side by side, as there."""
        devices = any(c.group for c in self.every_column)
        return [*_SIDE_BY_SIDE] if self._beside and devices and not self._chosen else super().chosen_columns()

    def show_columns(self, columns: Sequence[Column[Any]]) -> None:
        self._showing = True
        super().show_columns(columns)
        self._showing = False
        # whole rows stay selected when columns come in between
        self._show_selection(self.session.state.view.selection, anew=True)

    def filter_rows(self, needle: str) -> None:
        self._showing = True
        super().filter_rows(needle)
        self._showing = False
        self._show_selection(self.session.state.view.selection)

    def _show_selection(self, names: Sequence[str], *, anew: bool = False) -> None:
        """Select the rows of these names and bring the first into view."""
        wanted = set(names)
        places = [i for i, r in enumerate(self.model.rows) if r.name in wanted]
        selection = self.view.selectionModel()
        if not anew and places == self.view.selected_places():
            return
        ranges = QItemSelection()
        last = len(self.model.columns) - 1
        for i in places:
            ranges.select(self.model.index(i, 0), self.model.index(i, last))
        self._showing = True
        selection.select(ranges, _Select.ClearAndSelect)
        if places and selection.currentIndex().row() not in places:
            index = self.model.index(places[0], max(selection.currentIndex().column(), 0))
            selection.setCurrentIndex(index, _Select.NoUpdate)
        if places:
            self.view.scrollTo(self.model.index(places[0], 0), QAbstractItemView.ScrollHint.EnsureVisible)
        self._showing = False

    def _push_selection(self, *_ranges: object) -> None:
        if self._showing:
            return
        names = tuple(r.name for r in self._selected())
        if set(names) != set(self.session.state.view.selection):
            self.session.store.set_view(selection=names)

    def _selected(self) -> list[OperatorRow]:
        keys = set(self.view.selected_keys())
        return [r for r in self.model.rows if r.key in keys]

    def _selected_own(self) -> list[OwnRow]:
        return [r.own for r in self._selected() if r.own is not None]

    def _fault(self, row: OperatorRow) -> str:
        return "" if row.problem is None else render(of_problem(row.problem), self.session.look)

    def _empty_text(self) -> str:
        if self.model.needle:
            return tr("No operator holds “{needle}”.", needle=self.model.needle)
        if is_refused(self.session.state.evaluation):
            return tr("No operators: what was chosen cannot be evaluated.")
        return tr("No operators yet. Add one, paste rows from a spreadsheet, or choose a model.")

    def conditions(self) -> str:
        from explorer.presentation.tables.conditions import MARK, conditions_text  # what a copy is headed by

        return f"{MARK}{conditions_text(self._evaluation)}\n"

    # commands

    def _make_commands(self) -> None:
        key = QKeySequence.StandardKey
        self.add_action = self.command(
            tr("Add"), self.add_row, table_key("table_add"), tr("Add an operator of your own")
        )
        add = self.add_button(self.add_action)
        add.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.kinds_menu = QMenu(self)
        self.kinds_menu.aboutToShow.connect(self._open_kinds)
        add.setMenu(self.kinds_menu)
        self.edit_action = self.command(
            tr("Edit…"),
            self.edit_row,
            table_key("table_open"),
            tr("Edit all of a row in one form"),
            button=True,
        )
        self.duplicate_action = self.command(
            tr("Duplicate"),
            self.duplicate,
            table_key("table_duplicate"),
            tr("Copy the selected rows as rows of your own"),
            button=True,
        )
        self.delete_action = self.command(
            tr("Delete"), self.delete, key.Delete, tr("Delete the selected rows of your own"), button=True
        )
        self.separator()
        self.rename_action = self.command(tr("Rename"), self.rename)
        self.up_action = self.command(tr("Move up"), lambda: self.shift(-1), table_key("table_up"))
        self.down_action = self.command(tr("Move down"), lambda: self.shift(1), table_key("table_down"))
        self.count_action = self.command(tr("Count or leave out"), self.toggle_enabled)
        self.separator()
        self.copy_action = self.command(tr("Copy for a spreadsheet"), self.copy, key.Copy)
        self.paste_action = self.command(tr("Paste rows"), self.paste, key.Paste)
        self.separator()
        self.reset_action = self.command(
            tr("Reset"), self.reset, "", tr("Give the selected rows the model's own formats again"), button=True
        )
        self.detach_action = self.command(
            tr("Detach"), self.detach, "", tr("Turn the model's rows into rows of your own, to edit everything"),
            button=True,
        )  # fmt: skip

    def _enable_commands(self, evaluation: Evaluation) -> None:
        self.detach_action.setEnabled(evaluation.model is not None)
        self.reset_action.setEnabled(bool(evaluation.study.overrides))

    def _kinds(self, needle: str) -> tuple[KindGroup, ...]:
        known = [c.kind for c in self._evaluation.evaluator.kinds.values()]
        return kind_groups(known, self._evaluation.study.kinds, needle, self.session.look)

    @cached_property
    def kinds(self) -> KindList:
        """The list behind “Add”, made when it is first asked for."""
        made = KindList(self._kinds, self.kinds_menu)
        made.chosen.connect(self._add_kind)
        holder = QWidgetAction(self.kinds_menu)
        holder.setDefaultWidget(made)
        self.kinds_menu.addAction(holder)
        self.kinds_menu.addSeparator()
        self.kinds_menu.addAction(tr("Operator kinds…")).triggered.connect(self.edit_kinds)
        return made

    def _open_kinds(self) -> None:
        self.kinds.open()

    def _add_kind(self, kind: str) -> None:
        self.kinds_menu.close()
        self.add_row(kind)

    @property
    def _evaluation(self) -> Evaluation:
        return self.session.state.evaluation

    @property
    def _study(self) -> Study:
        return self.session.store.study

    def _replace(self, study: Study, text: str) -> None:
        self.session.store.replace(study, text)

    def add_row(self, kind: str = "matmul") -> None:
        """Add a row of a kind with its default dims, behind the selected one."""
        self._insert([OwnRow(id="", name=kind, kind=kind)], tr("Add {name}", name=kind))

    def _insert(self, rows: Sequence[OwnRow], text: str) -> None:
        mine = self._selected_own()
        after = mine[-1].id if mine else ""
        self._replace(insert_rows(self._study, rows, names_taken(self._evaluation), after), text)

    def duplicate(self) -> None:
        """Copy the selected rows as own rows; a model's row becomes one with the same figures."""
        rows = [r.own or as_own(r.row, "", r.override) for r in self._selected()]
        if rows:
            self._insert(rows, _words(tr("Duplicate {name}", name=rows[0].name), tr("Duplicate rows"), len(rows)))

    def delete(self) -> None:
        """Delete the selected own rows."""
        mine = self._selected_own()
        if mine:
            words = _words(tr("Delete {name}", name=mine[0].name), tr("Delete rows"), len(mine))
            self._replace(remove_rows(self._study, {o.id for o in mine}), words)
        elif self._selected():
            self.remark.say(tr("Rows of a model cannot be deleted one by one; detach them first."))

    def rename(self) -> None:
        """Edit the name of the current row."""
        index = self.view.currentIndex().siblingAtColumn(self.model.column_position("name"))
        self.view.begin_edit(index)

    def shift(self, step: int) -> None:
        """Move the selected own rows up (-1) or down (+1)."""
        mine = self._selected_own()
        if mine and self.model.sorted_by is None:
            order = shifted(self._study.operators, {o.id for o in mine}, step)
            self.session.store.edit(
                _words(tr("Move {name}", name=mine[0].name), tr("Move rows"), len(mine)), operators=order
            )

    def _dropped(self, keys: list[str], before: str) -> None:
        ids = {k.removeprefix("own:") for k in keys if k.startswith("own:")}
        target = before.removeprefix("own:") if before.startswith("own:") else None
        operators = self._study.operators
        if before.startswith("model:"):  # the user's rows come behind the model's
            target = operators[0].id if operators else None
        if ids:
            self.session.store.edit(tr("Move rows"), operators=moved(operators, ids, target))

    def toggle_enabled(self) -> None:
        """Leave the selected own rows out of the step, or count them again."""
        mine = {o.id: o for o in self._selected_own()}
        if not mine:
            return
        on = not all(o.enabled for o in mine.values())
        operators = tuple(replace(o, enabled=on) if o.id in mine else o for o in self._study.operators)
        self.session.store.edit(tr("Count rows") if on else tr("Leave rows out"), operators=operators)

    def reset(self) -> None:
        """Take the overrides of the selected rows away, or all of them where none is selected."""
        names = {r.name for r in self._selected()} or {o.row for o in self._study.overrides}
        self._replace(reset_rows(self._study, names), tr("Reset rows to the model"))

    def detach(self) -> None:
        """Turn the model's rows into own rows."""
        model = self._evaluation.model
        if model is not None:
            self._replace(detach(self._evaluation), tr("Detach {name}", name=model.name))
            self.said.emit(
                tr(
                    "The rows of {name} are yours to edit. Times, FLOPs and bytes stay the same; tokens per second, "
                    "resident memory and the sliders need the model, which is still in the Models table.",
                    name=model.name,
                )
            )

    def paste(self) -> None:
        """Paste rows from a spreadsheet or from our own copy: the good lines in one undo step, the others listed."""
        from explorer.files.typed.pasted import parse_rows  # nothing is pasted at the start

        study, catalogue = self._study, self.session.catalogue
        known = Catalogue(formats=catalogue.formats, kinds=(*catalogue.kinds, *study.kinds))
        rows, problems = parse_rows(QGuiApplication.clipboard().text(), known)
        if rows:
            self._insert(rows, _words(tr("Paste {name}", name=rows[0].name), tr("Paste rows"), len(rows)))
            self.said.emit(tr("Pasted rows: {count}.", count=len(rows)))
        if problems:
            self._list_problems(problems, len(rows))

    def _list_problems(self, problems: Sequence[Problem], pasted: int) -> None:
        self.problem_list = ProblemList(problems, pasted, self.session.look, self)
        open_once(self.problem_list)

    def edit_row(self) -> None:
        """Edit all of the current row in a form."""
        from explorer.ui.forms.row_form import RowForm

        index = self.view.currentIndex()
        if index.isValid():
            self.row_form = RowForm(self.session, self.model.rows[index.row()], self)
            open_once(self.row_form)

    def edit_kinds(self) -> None:
        """Open the editor of operator kinds."""
        from explorer.ui.forms.kind_editor import KindEditor

        self.kind_editor = KindEditor(self.session, self)
        open_once(self.kind_editor)

    # cells

    def make_editor(self, parent: QWidget, row: OperatorRow, column: Column[Any]) -> CellEditor:
        key = column.key
        if column.edit in {"kind", "format", "accumulate"}:
            return ChoiceCell(parent, choices(row, key, self._evaluation), chosen(row, key))
        return self.text_editor(parent, typed_text(row, key), reader(row, key, self._evaluation))

    def edit_cell(self, row: OperatorRow, column: Column[Any], value: Any) -> None:
        taken = checked_value(row, column.key, value, self._evaluation)
        self._replace(*edited(self._study, row, column.key, taken, self._evaluation))


def _figures(shown: Shown) -> tuple[object, ...]:
    """What the rows and columns hang on."""
    return shown.evaluation, shown.evaluation.active, shown.evaluation.baseline


def _haystack(row: OperatorRow) -> str:
    bound = "" if row.point is None else row.point.bound
    return f"{row.name} {row.kind} {bound} {row.row.group} {row.row.weights}".lower()


def _words(one: str, many: str, count: int) -> str:
    return one if count == 1 else many
