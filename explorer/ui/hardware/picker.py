"""The hardware picker: search, what the study compares, the user's own devices, the database by vendor."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.analysis.ask.main_work import main_demand
from explorer.analysis.catalogue.device import Device
from explorer.analysis.problem import Refused
from explorer.analysis.study.edit_hardware import LARGEST_COUNT
from explorer.presentation.hardware.filters import HardwareFilter, filter_text, read_filter
from explorer.presentation.hardware.picker_rows import HardwareRow, filtered, hardware_rows
from explorer.presentation.words.messages import Message, render, render_problem
from explorer.ui.frame.empty_offers import Offer
from explorer.ui.hardware.commands import HardwareCommands
from explorer.ui.hardware.filter_button import FilterButton
from explorer.ui.hardware.list_view import HardwareList
from explorer.ui.hardware.menus import fill_general, fill_menu, fill_what_if
from explorer.ui.hardware.rows_model import HardwareModel
from explorer.ui.hardware.user_folder import UserHardware
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.settings import Settings
from explorer.ui.widgets.plain_text import set_tip

MARGIN = 8
NARROWEST = 13  # in text heights
WIDTH = 18


class HardwarePicker(QWidget):
    """The left column; edits through the session's store only."""

    said = Signal(str)

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._settings = settings
        self._shown: Shown | None = None
        self._key: tuple[object, ...] = ()
        self._all: tuple[HardwareRow, ...] = ()
        self._closed = {s for s in settings.text("hardware_closed").split("\n") if s}
        self.user = UserHardware(session, settings.hardware_folder, self)
        self.commands = HardwareCommands(session, settings, self.user, self)
        self.model = HardwareModel(self)
        self.list = HardwareList(self.model, self)
        self.search = _Search(self)
        self.filter = FilterButton(lambda: session.look, self._vendors, self)
        self.filter.choose(read_filter(settings.text("hardware_filter")), tell=False)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.setMinimumWidth(self.fontMetrics().height() * NARROWEST)
        self.list.setAccessibleName(tr("Hardware"))
        self.edit_button = self._button(tr("Edit…"), tr("Edit the figures of the chosen hardware"))
        self.what_if_button = self._button(tr("What-if"), tr("Add a changed copy of the chosen hardware"))
        self.more_button = self._button(tr("More"), tr("Everything that can be done with the chosen hardware"))
        self.all_button = self._button("×", tr("Show all devices"))
        self.all_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.all_button.setEnabled(True)
        self.all_button.setVisible(not self.filter.chosen.is_open)
        self.all_button.clicked.connect(self._clear_filter)
        for button in (self.what_if_button, self.more_button):
            menu = QMenu(button)
            button.setMenu(menu)
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more_button.setEnabled(True)  # a new device asks for none that is there
        buttons = QHBoxLayout()
        buttons.setSpacing(4)
        for button in (self.edit_button, self.what_if_button, self.more_button):
            buttons.addWidget(button)
        box = QVBoxLayout(self)
        box.setContentsMargins(MARGIN - 2, MARGIN - 2, MARGIN - 2, MARGIN - 2)  # the card has a margin of its own
        box.setSpacing(6)
        line = QHBoxLayout()
        line.setSpacing(4)
        line.addWidget(self.search, 1)
        line.addWidget(self.filter)
        line.addWidget(self.all_button)
        box.addLayout(line)
        box.addWidget(self.list, 1)
        box.addLayout(buttons)
        self.setFocusProxy(self.list)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.setMinimumWidth(self.fontMetrics().height() * NARROWEST)

    def sizeHint(self) -> QSize:
        """Wide enough for the figures of most devices on one line."""
        em = self.fontMetrics().height()
        return QSize(em * WIDTH, em * 40)

    def _button(self, text: str, tip: str) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        set_tip(button, tip)
        button.setAccessibleName(tip)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setEnabled(False)
        return button

    def _connect(self) -> None:
        self.search.textChanged.connect(self._on_search)
        self.search.left.connect(self._enter_list)
        self.filter.changed.connect(self._on_filter)
        self.list.toggled.connect(lambda row: self.commands.toggle(row, self.search.text()))
        self.list.chosen.connect(lambda row: self.commands.make_active(row, self.search.text()))
        self.list.removed.connect(self.commands.remove)
        self.list.counted.connect(self.commands.set_count)
        self.commands.count_wanted.connect(self.list.edit_count)
        self.list.most = LARGEST_COUNT
        self.list.folded.connect(self._fold)
        self.list.menu_wanted.connect(self._show_menu)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.commands.said.connect(self.said)
        self.commands.made.connect(self._reveal)
        self.user.said.connect(self.said)
        self.edit_button.clicked.connect(lambda: self._with_current(self.commands.edit))
        self.what_if_button.menu().aboutToShow.connect(self._fill_what_if)
        self.more_button.menu().aboutToShow.connect(self._fill_more)

    # showing

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Show what the study compares; a slider's step passes at once."""
        del old
        evaluation = new.evaluation
        active = evaluation.active.entry.id if evaluation.active is not None else ""
        own, look = self._session.own_ids, (new.look.unit, new.look.translate)
        key = (new.study.hardware, evaluation.catalogue, own, active, main_demand(evaluation), look)
        themed = self._shown is None or self._shown.look.theme is not new.look.theme
        self._shown = new
        if themed:
            self.list.painter_of_rows.theme = new.look.theme
            self.list.viewport().update()
        if len(self._key) == len(key) and all(a is b or a == b for a, b in zip(self._key, key, strict=True)):
            return
        self._key = key
        self._all = hardware_rows(evaluation, own, new.look)
        count = len(evaluation.catalogue.devices)
        self.search.setPlaceholderText(tr("Search {count} devices", count=count) if count else tr("Search devices"))
        self._show_rows(keep_place=True)

    def _show_rows(self, *, keep_place: bool) -> None:
        anchor = self._anchor() if keep_place else None
        self.model.set_rows(filtered(self._all, self.search.text(), self._closed, self.filter.chosen))
        self.list.doItemsLayout()
        if anchor is not None:
            key, top = anchor
            index = self.model.index_of(key)
            if index.isValid():
                bar = self.list.verticalScrollBar()
                bar.setValue(bar.value() + self.list.visualRect(index).top() - top)
        self._update_buttons()

    def _anchor(self) -> tuple[str, int] | None:
        """The row that stays where it is while others come and go: the current one if in view, else the topmost."""
        view = self.list
        current = view.currentIndex()
        seen = current.isValid() and view.viewport().rect().contains(view.visualRect(current).center())
        index = current if seen else view.indexAt(QPoint(MARGIN, 1))
        row = self.model.row_at(index)
        return None if row is None else (row.key, view.visualRect(index).top())

    # searching

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _on_search(self, text: str) -> None:
        narrowed, words = not self.filter.chosen.is_open, text.strip()
        key = ("picker.none_filtered" if narrowed else "picker.none_found") if words else "picker.nothing_filtered"
        said = render(Message(key, {"text": words}), self._session.look) if words or narrowed else ""
        self._show_rows(keep_place=False)
        self._offer("" if self.model.rows else said, words)
        self.list.scrollToTop()

    def _offer(self, said: str, words: str) -> None:
        """Where nothing matches: why, and the device that the words describe by its figures, or what to give up."""
        typed, fault = self._typed(words) if said else (None, "")
        offers: list[Offer] = []
        if typed is not None:
            said = tr("A device of these figures: {figures}", figures=typed.name)
            offers.append((tr("Add this device"), partial(self._add_typed, typed)))
        if said and words:
            offers.append((tr("Clear the search"), self.search.clear))
        if said and not self.filter.chosen.is_open:
            offers.append((tr("Show all devices"), self._clear_filter))
        self.list.empty.show_offers(fault or said, offers)

    def _clear_filter(self) -> None:
        self.filter.choose(HardwareFilter())

    def _typed(self, words: str) -> tuple[Device | None, str]:
        """The device of which the figures are typed, or what is wrong with these."""
        from explorer.files.typed.typed_hardware import device_typed  # nobody has typed anything at the start

        try:
            return device_typed(words), ""
        except Refused as refused:
            return None, render_problem(refused.problems[0], self._session.look)

    def _add_typed(self, device: Device) -> None:
        self.search.clear()
        self.commands.add_device(device)

    def _on_filter(self) -> None:
        self._settings.set_text("hardware_filter", filter_text(self.filter.chosen))
        self.all_button.setVisible(not self.filter.chosen.is_open)
        self._on_search(self.search.text())

    def _vendors(self) -> list[str]:
        """The vendors of the database, by name."""
        found = {r.facets.vendor for r in self._all if r.facets is not None}
        return sorted(found, key=str.casefold)

    def _enter_list(self) -> None:
        """Go from the search field to the first device that matches."""
        rows = self.model.rows
        if not rows and (typed := self._typed(self.search.text())[0]) is not None:
            self._add_typed(typed)
            return
        first = next((r for r in rows if r.kind == "device"), next((r for r in rows if r.kind == "entry"), None))
        if first is not None:
            self.list.make_current(first.key)
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    # sections and menus

    def _fold(self, section: str) -> None:
        if not self.search.text().strip():
            self._closed ^= {section}
            self._settings.set_text("hardware_closed", "\n".join(sorted(self._closed)))
            self._show_rows(keep_place=True)

    def _reveal(self, key: str) -> None:
        """Show a row that was just made."""
        if not self.model.index_of(key).isValid() and self.search.text():
            self.search.clear()
        if not self.model.index_of(key).isValid() and not self.filter.chosen.is_open:
            self.filter.choose(HardwareFilter())
        row = next((r for r in self._all if r.key == key), None)
        if row is not None and row.section in self._closed:
            self._fold(row.section)
        self.list.make_current(key)

    def _on_current(self) -> None:
        self._update_buttons()

    def _update_buttons(self) -> None:
        usable = self._subject() is not None
        for button in (self.edit_button, self.what_if_button):
            if button.isEnabled() != usable:
                button.setEnabled(usable)

    def _subject(self) -> HardwareRow | None:
        """What the buttons act on: the current row, else the device that the answer speaks of."""
        row = self.list.current_row() or next((r for r in self._all if r.active), None)
        return None if row is None or row.kind == "section" else row

    def _with_current(self, act: Callable[[HardwareRow], None]) -> None:
        row = self._subject()
        if row is not None:
            act(row)

    def _fill_what_if(self) -> None:
        menu = self.what_if_button.menu()
        menu.clear()
        self._with_current(lambda row: fill_what_if(menu, row, self.commands))

    def _fill_more(self) -> None:
        menu = self.more_button.menu()
        menu.clear()
        row = self._subject()
        if row is None:
            fill_general(menu, self.commands)
        else:
            fill_menu(menu, row, self.commands, self._session.look.theme)

    def _show_menu(self, row: HardwareRow, point: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_menu(menu, row, self.commands, self._session.look.theme)
        menu.popup(point)


class _Search(QLineEdit):
    """The search field; Down and Enter go on to the list, Escape clears."""

    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setClearButtonEnabled(True)
        self.setTextMargins(4, 2, 4, 2)
        self.setAccessibleName(tr("Search devices"))
        words = tr("Words in any order: name, vendor, kind, year, memory type")
        figures = tr("Or a device by its figures: {example}", example="2TB/s,300TFLOP/s,80GB")
        set_tip(self, f"{words}\n{figures}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in {Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
