"""What the tables have in common: view, thin toolbar, find field, column chooser, copying."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from explorer.analysis.problem import Refused
from explorer.presentation.actions import action_of
from explorer.presentation.quantities.quantity import quantity_text
from explorer.presentation.tables.columns import Column
from explorer.presentation.words.messages import refusal
from explorer.ui.grid.column_menu import choice_key, column_menu
from explorer.ui.grid.delegate import RowDelegate
from explorer.ui.grid.editors import CellEditor, TextCell
from explorer.ui.grid.figures import ShownFigure, shown_figure
from explorer.ui.grid.remark import Remark
from explorer.ui.grid.rows_model import RowsModel
from explorer.ui.grid.style import GridStyle
from explorer.ui.grid.table_view import TableView
from explorer.ui.grid.tsv import tsv, with_inputs
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.widgets.plain_text import set_tip


class PanelSettings(Protocol):
    """Small texts that belong to the user, not to the study."""

    def text(self, name: str, default: str = "") -> str:
        """What was kept under a name."""

    def set_text(self, name: str, value: str) -> None:
        """Keep a text under a name."""


class TablePanel(QWidget):
    """A table with its toolbar; subclasses give rows and columns, and make edits."""

    said = Signal(str)

    def __init__(self, session: Session, settings: PanelSettings, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._settings = settings
        self._name = name
        self.every_column: tuple[Column[Any], ...] = ()
        self.model = RowsModel(self._edit_cell, self)
        self.delegate = RowDelegate(self.model, GridStyle(session.look.theme, self.font()), self._make_editor, self)
        self.view = TableView(self.model, self.delegate, self)
        self.remark = Remark(self)
        self.find_field = QLineEdit(self)
        self.toolbar = QWidget(self)
        self._chosen = [k for k in settings.text(f"columns/{name}").split(",") if k]
        self._build()

    # for subclasses

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Draw a state."""
        raise NotImplementedError

    def edit_cell(self, row: Any, column: Column[Any], value: Any) -> None:
        """Change one cell through the store; raise Refused when the value cannot be taken."""
        raise NotImplementedError

    def make_editor(self, parent: QWidget, row: Any, column: Column[Any]) -> CellEditor:
        """The editor of one cell."""
        raise NotImplementedError

    def command(
        self, text: str, slot: Callable[[], object], shortcut: QKeySequence | QKeySequence.StandardKey | str = "",
        tip: str = "", *, button: bool = False,
    ) -> QAction:  # fmt: skip
        """An action of the view's context menu, with a button in the toolbar where wanted."""
        action = QAction(text, self.view)
        action.setShortcut(QKeySequence(shortcut))
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        action.triggered.connect(lambda _checked=False: slot())
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        words = tip or text
        set_tip(action, f"{words} ({keys})" if keys else words)
        self.view.addAction(action)
        if button:
            self.add_button(action)
        return action

    def menu_command(self, key: str, short: str, slot: Callable[[], object], shortcut: str = "") -> QAction:
        """What the menu bar offers too, in its words; its button is named so, and shows a `short` form of them."""
        of = action_of(key)
        action = self.command(tr(of.text).replace("&", ""), slot, shortcut)
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        words = f"{action.text().rstrip('…')}: {tr(of.tip)}"
        set_tip(action, f"{words} ({keys})" if keys else words)
        action.setIconText(short)
        self.add_button(action)
        return action

    def add_button(self, action: QAction) -> QToolButton:
        """A flat button in the toolbar."""
        button = QToolButton(self.toolbar)
        button.setDefaultAction(action)
        button.setAutoRaise(True)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        button.setAccessibleName(action.text())
        self._buttons.addWidget(button)
        return button

    def separator(self) -> None:
        """A line in the context menu."""
        line = QAction(self.view)
        line.setSeparator(True)
        self.view.addAction(line)

    def sentence(self, refused: Refused) -> str:
        """Why something was refused."""
        return refusal(refused, self.session.look)

    def text_editor(
        self, parent: QWidget, text: str, read: Callable[[str], Any], figure: ShownFigure | None = None
    ) -> TextCell:
        """An editor whose text is checked; what is wrong stands beside the toolbar."""
        editor = TextCell(parent, text, read, self.sentence, figure)
        editor.said.connect(self.remark.say)
        editor.destroyed.connect(self._forget_remark)
        return editor

    def figure_editor(
        self, parent: QWidget, row: Any, column: Column[Any], value: float | None, read: Callable[[str], Any]
    ) -> TextCell:
        """An editor of a figure, in which a bare number keeps the unit of the cell."""
        figure = shown_figure(row, column, self.session.look)
        text = quantity_text(value, "") if figure is None else figure.in_full(value)
        return self.text_editor(parent, text, read, figure)

    # columns

    def show_columns(self, columns: Sequence[Column[Any]]) -> None:
        """Show those of the columns that are chosen."""
        self.every_column = tuple(columns)
        chosen, before = self.chosen_columns(), self.model.columns
        self.model.set_columns([c for c in columns if choice_key(c) in chosen])
        if [id(c) for c in before] != [id(c) for c in self.model.columns]:
            self.view.show_sorting()
            self.view.widths.renew()

    def chosen_columns(self) -> list[str]:
        """Keys of the columns to show: the user's choice, else the usual ones."""
        return self._chosen or [choice_key(c) for c in self.every_column if c.shown]

    def choose_column(self, key: str, show: bool) -> None:
        """Show or hide a column, and keep that."""
        chosen = [k for k in self.chosen_columns() if k != key]
        self._keep([*chosen, key] if show else chosen)

    def usual_columns(self) -> None:
        """Back to the columns of a new user."""
        self._keep([])

    def _keep(self, chosen: list[str]) -> None:
        self._chosen = chosen
        self._settings.set_text(f"columns/{self._name}", ",".join(chosen))
        self.show_columns(self.every_column)

    def _choose_columns(self, place: QPoint) -> None:
        menu = column_menu(
            self, self.every_column, self.chosen_columns(), self.choose_column, self.usual_columns,
            self.session.look,
        )  # fmt: skip
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def show_rows(self, rows: Sequence[Any]) -> None:
        """Show rows; where others come than there were, the columns are measured again."""
        before = {r.key for r in self.model.every_row}
        self.model.set_rows(rows)
        if before != {r.key for r in rows}:
            self.view.widths.renew()

    # look and find

    def apply_look(self, old: Shown | None, new: Shown) -> None:
        """Theme and language, where they differ."""
        self.model.look = new.look
        if old is None or old.look.translate is not new.look.translate:
            self.model.relabel()
            self.view.widths.renew()
        if old is None or old.look.theme is not new.look.theme:
            self.view.dress(GridStyle(new.look.theme, self.font()))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.view.dress(GridStyle(self.delegate.cells.style.theme, self.font()))

    def focus_find(self) -> None:
        """Put the cursor into the find field."""
        self.find_field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_field.selectAll()

    def copy(self) -> None:
        """Copy the selected rows, or all of them, for a spreadsheet."""
        keys = set(self.view.selected_keys())
        rows = [r for r in self.model.rows if not keys or r.key in keys]
        table = tsv(rows, with_inputs(self.model.columns, self.every_column))
        QGuiApplication.clipboard().setText(self.conditions() + table)
        self.said.emit(tr("Copied {count} rows for a spreadsheet.", count=len(rows)))

    def conditions(self) -> str:
        """A line over a copy that says what its figures hold for."""
        return ""

    def _build(self) -> None:
        self.find_field.setPlaceholderText(tr("Find"))
        self.find_field.setAccessibleName(tr("Find in the table"))
        self.find_field.setClearButtonEnabled(True)
        self.find_field.setMaximumWidth(12 * self.fontMetrics().height())
        self.find_field.textChanged.connect(self.filter_rows)
        self.find_field.returnPressed.connect(self.view.setFocus)
        columns = QToolButton(self.toolbar)
        columns.setText(tr("Columns"))
        set_tip(columns, tr("Choose the columns of the table"))
        columns.setAccessibleName(tr("Columns"))
        columns.setAutoRaise(True)
        columns.clicked.connect(lambda: self._choose_columns(columns.mapToGlobal(columns.rect().bottomLeft())))
        header = self.view.horizontalHeader()
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(lambda at: self._choose_columns(header.mapToGlobal(at)))
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(2)
        row = QHBoxLayout(self.toolbar)
        row.setContentsMargins(6, 1, 8, 1)
        row.addLayout(self._buttons)
        row.addWidget(self.remark, 1)
        row.addWidget(self.find_field)
        row.addWidget(columns)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.toolbar)
        box.addWidget(self.view, 1)

    def filter_rows(self, needle: str) -> None:
        """Show the rows that hold every word."""
        self.model.set_needle(needle)
        self.view.viewport().update()

    def _forget_remark(self) -> None:
        self.remark.say("")

    def _make_editor(self, parent: QWidget, row: Any, column: Column[Any]) -> CellEditor:
        return self.make_editor(parent, row, column)

    def _edit_cell(self, row: Any, column: Column[Any], value: Any) -> bool:
        try:
            self.edit_cell(row, column, value)
        except Refused as refused:
            self.remark.say(self.sentence(refused))
            return False
        self.remark.say("")
        return True
